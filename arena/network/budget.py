"""Budgets of clients: the work that they may cause, and the queue of those that exceed theirs.

The unit is about the work of one frame, some 50 to 100 microseconds of processor time. All clients
in the queue together get a limited number of units per second, so that they take a small share of
the event loop's time, for any number of clients and any input.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

UNIT_SECONDS = 100e-6  # of processor time, beyond which a unit does not pay for the work
MAX_CLIENTS = 10_000  # remembered at once; the one seen longest ago is forgotten first


class Budget:
    """Units that are spent, given back, and refilled over time: a token bucket."""

    __slots__ = ("_maximum", "_rate", "_units", "_updated_at")

    def __init__(self, units: float, maximum: float, rate: float, now: float) -> None:
        """Create a budget.

        Args:
            units: The units at the start.
            maximum: The highest number of units.
            rate: Units that are added per second.
            now: The present time, in seconds of any monotonic clock.
        """
        self._units = units
        self._maximum = maximum
        self._rate = rate
        self._updated_at = now

    def available(self, now: float) -> float:
        """Return the units that are left; below 0 if more was spent than there was."""
        refill = self._rate * (now - self._updated_at)
        self._units = min(self._units + refill, self._maximum)
        self._updated_at = now
        return self._units

    def spend(self, units: float) -> None:
        """Remove units, also more than are left."""
        self._units -= units

    def try_spend(self, now: float) -> bool:
        """Remove a unit, if there is one; return whether there was."""
        if self.available(now) < 1:
            return False
        self._units -= 1
        return True

    def add(self, units: float) -> None:
        """Add units, up to the maximum."""
        self._units = min(self._units + units, self._maximum)


class Budgets:
    """A budget for each client, by its name or address."""

    def __init__(self, maximum: float, rate: float) -> None:
        """Start with full budgets of `maximum` units, which refill at `rate` units per second."""
        self._maximum = maximum
        self._rate = rate
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    def has_unit(self, client: str, now: float) -> bool:
        """Return whether a client has a unit left, at a time as in `Budget`."""
        return self._budget(client, now).available(now) >= 1

    def try_spend(self, client: str, now: float, weight: float = 1.0) -> bool:
        """Remove a unit of a client, if it has one; return whether it had.

        Its first budget is `weight` times the others', and remains so.
        """
        return self._budget(client, now, weight).try_spend(now)

    def _budget(self, client: str, now: float, weight: float = 1.0) -> Budget:
        if client not in self._budgets:
            maximum, rate = self._maximum * weight, self._rate * weight
            self._budgets[client] = Budget(maximum, maximum, rate, now)
            if len(self._budgets) > MAX_CLIENTS:
                self._budgets.popitem(last=False)
        self._budgets.move_to_end(client)
        return self._budgets[client]


class _Place(NamedTuple):
    units: float
    on_turn: Callable[[], None]


class ThrottledQueue:
    """Connections that wait for a turn. Addresses take turns, as do connections of one address."""

    def __init__(self, rate: Callable[[], float]) -> None:
        """Create an empty queue.

        Args:
            rate: Returns the units per second at present.
        """
        self._rate = rate
        # By address, the next one first; of each address by key, the next one first.
        self._waiting: dict[str, dict[Hashable, _Place]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._next_at = 0.0

    def enter(self, address: str, key: Hashable, units: float, on_turn: Callable[[], None]) -> None:
        """Wait for one turn.

        Args:
            address: The address of the client.
            key: Identifies the client, which does not wait yet.
            units: The cost of its turn.
            on_turn: Called when it is its turn.
        """
        self._waiting.setdefault(address, {})[key] = _Place(units, on_turn)
        if not self._timer:
            self._schedule()

    def leave(self, address: str, key: Hashable) -> None:
        """Stop waiting, if the client waits."""
        places = self._waiting.get(address, {})
        places.pop(key, None)
        if not places:
            self._waiting.pop(address, None)

    def close(self) -> None:
        """Forget all connections that wait."""
        self._waiting.clear()
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(max(self._next_at, loop.time()), self._take_turn)

    def _take_turn(self) -> None:
        """Call the next one, and let the queue pause for as long as its units last."""
        self._timer = None
        if not self._waiting:
            return
        address = next(iter(self._waiting))
        places = self._waiting.pop(address)
        key = next(iter(places))
        place = places.pop(key)
        if places:
            self._waiting[address] = places  # behind the other addresses
        self._next_at = asyncio.get_running_loop().time() + place.units / self._rate()
        place.on_turn()
        if self._waiting and not self._timer:
            self._schedule()
