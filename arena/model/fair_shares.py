"""Fair shares of places that are scarce, for clients and their addresses. Pure."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


def fair_share(limit: int, places: int, taken: int) -> int:
    """Return how many places one client may have.

    That is its limit while at least half of the places are free, and less in proportion to what is
    free after that: an attack on all places needs many times as many addresses, and as long as a
    place is free, a new client gets one.

    Args:
        limit: The highest number of places of one client.
        places: The number of all places.
        taken: The number of places that all clients have.
    """
    free = max(0, places - taken)
    return min(limit, -(-2 * limit * free // places))


class WaitingRoom(Generic[T]):
    """Items that wait by address. In a full room the address with the most makes way for others.

    To keep a new address out, as many other addresses must have an item each as there are places.

    Attributes:
        total: The highest number of items that wait; settable. A room with more does not grow.
    """

    def __init__(self, per_address: int, total: float) -> None:
        """Start empty.

        Args:
            per_address: The highest number of items that wait for one address.
            total: The highest number of items that wait.
        """
        self._per_address = per_address
        self.total = total
        self._size = 0
        self._waiting: dict[str, dict[T, None]] = {}  # of each address, the oldest first
        # The addresses with each number of items, so that those with the most are found at once.
        self._by_number: defaultdict[int, dict[str, None]] = defaultdict(dict)
        self._most = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        for items in self._waiting.values():
            yield from items

    @property
    def addresses(self) -> Iterator[str]:
        """The addresses of which items wait."""
        return iter(self._waiting)

    def number_of(self, address: str) -> int:
        """Return the number of items of an address."""
        return len(self._waiting.get(address, ()))

    def add(self, address: str, item: T) -> T | None:
        """Append an item of an address, which does not wait yet.

        Returns:
            The item that finds no room: None; this one; or, if too many wait in all, the last one
            of the address with the most items, if these are more than those of this address.
        """
        own = self.number_of(address)
        if own >= self._per_address:
            return item
        refused = None
        if self._size >= self.total:
            if self._most <= own + 1:
                return item
            largest = next(iter(self._by_number[self._most]))
            refused = next(reversed(self._waiting[largest]))
            self.discard(largest, refused)
        self._waiting.setdefault(address, {})[item] = None
        self._count(address, own, own + 1)
        return refused

    def take_first(self, address: str) -> T:
        """Remove the oldest item of an address, of which at least one waits, and return it."""
        item = next(iter(self._waiting[address]))
        self.discard(address, item)
        return item

    def discard(self, address: str, item: T) -> None:
        """Remove an item of an address, if it waits."""
        items = self._waiting.get(address, {})
        if item in items:
            del items[item]
            if not items:
                del self._waiting[address]
            self._count(address, len(items) + 1, len(items))

    def _count(self, address: str, before: int, number: int) -> None:
        """Note that an address has one item more, or less, than before."""
        self._by_number[before].pop(address, None)
        if number:
            self._by_number[number][address] = None
        self._size += number - before
        if number > self._most or not self._by_number[self._most]:
            self._most = number
