"""Fair queue: items that wait by address, and addresses that take turns. Pure."""

from collections import deque
from itertools import count
from typing import Generic, TypeVar

MAX_REMEMBERED = 1000  # addresses with a known last turn

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items by address. The next item is of the address with the oldest last turn.

    An address that has had no turn comes first: whatever the load, it waits only for the item in
    progress, and for other new addresses.
    """

    def __init__(self, per_address: int, total: int) -> None:
        """Start empty.

        Args:
            per_address: The highest number of items that wait for one address.
            total: The highest number of items that wait.
        """
        self._per_address = per_address
        self._total = total
        self._waiting: dict[str, deque[T]] = {}
        self._turns: dict[str, int] = {}  # the number of the last turn, ascending
        self._numbers = count(1)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, address: str, item: T) -> T | None:
        """Append an item of an address.

        Returns:
            The item that finds no room: None; this one; or, if too many wait in all, the last one
            of the address with the most items, if these are more than those of this address.
        """
        own = len(self._waiting.get(address, ()))
        if own >= self._per_address:
            return item
        refused = None
        if len(self) >= self._total:
            longest = max(self._waiting, key=lambda other: len(self._waiting[other]))
            if len(self._waiting[longest]) <= own + 1:
                return item
            refused = self._waiting[longest].pop()
        self._waiting.setdefault(address, deque()).append(item)
        return refused

    def take(self) -> T | None:
        """Remove the next item and return it, or None."""
        if not self._waiting:
            return None
        address = min(self._waiting, key=lambda other: self._turns.get(other, 0))
        self._turns.pop(address, None)
        self._turns[address] = next(self._numbers)
        if len(self._turns) > MAX_REMEMBERED:
            del self._turns[next(iter(self._turns))]
        item = self._waiting[address].popleft()
        self._forget_if_empty(address)
        return item

    def discard(self, address: str, item: T) -> None:
        """Remove an item of an address, if it waits."""
        items = self._waiting.get(address, ())
        if item in items:
            self._waiting[address].remove(item)
            self._forget_if_empty(address)

    def _forget_if_empty(self, address: str) -> None:
        if not self._waiting[address]:
            del self._waiting[address]
