"""Fair queue: items that wait by address, and addresses that take turns. Pure."""

from itertools import count
from typing import TypeVar

from arena.model.fair_shares import WaitingRoom

MAX_REMEMBERED = 1000  # addresses with a known last turn

T = TypeVar("T")


class FairQueue(WaitingRoom[T]):
    """Waiting room with turns: the next item is of the address with the oldest last turn.

    An address that has had no turn comes first: whatever the load, it waits only for the item in
    progress, and for other new addresses.
    """

    def __init__(self, per_address: int, total: int) -> None:
        """Start empty, with the limits of a waiting room."""
        super().__init__(per_address, total)
        self._turns: dict[str, int] = {}  # the number of the last turn, ascending
        self._numbers = count(1)

    def take(self) -> T | None:
        """Remove the next item and return it, or None."""
        if not len(self):
            return None
        address = min(self.addresses, key=lambda other: self._turns.get(other, 0))
        self._turns.pop(address, None)
        self._turns[address] = next(self._numbers)
        if len(self._turns) > MAX_REMEMBERED:
            del self._turns[next(iter(self._turns))]
        return self.take_first(address)
