"""Queue of throttled clients: turns for clients that have exceeded their budget.

All of them together get a limited number of units per second, so that they take a small share of
the event loop's time, for any number of clients and any input.
"""

import asyncio
from collections.abc import Callable, Hashable
from typing import NamedTuple


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
