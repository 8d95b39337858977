"""Workers of a cluster and the batches that each of them has. Pure.

A worker receives batches in the order in which it plays them, so that its death tells which of them
it was playing. Dask's own distribution over workers would keep that from the driver.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.bulk.batch import Batch, LostBatch

DEPTH = 2  # batches that a thread has: the one that it plays, and the next


class Loss(NamedTuple):
    """A batch of a worker that has left.

    Attributes:
        number: The number of the batch.
        is_begun: Whether the worker may have been playing it.
    """

    number: int
    is_begun: bool

    def outcome(self, cause: str, has_died: bool) -> LostBatch:
        """Return it as an outcome; `has_died` tells whether the worker has."""
        match = None if self.is_begun else 0
        return LostBatch(self.number, cause, match, is_worker=self.is_begun and has_died)


@dataclass
class _Worker:
    threads: int
    batches: dict[int, Batch] = field(default_factory=dict)  # in the order in which they are played

    @property
    def load(self) -> float:
        return len(self.batches) / self.threads

    @property
    def has_suspect(self) -> bool:
        return any(batch.is_suspect for batch in self.batches.values())


class Fleet:
    """Accepted workers, their batches, and batches that wait for a worker."""

    def __init__(self) -> None:
        self._workers: dict[str, _Worker] = {}
        self._suspects: deque[Batch] = deque()  # they wait, each for an idle worker
        self._waiting: deque[Batch] = deque()
        self._places: dict[int, str] = {}  # the worker of each batch that has one

    @property
    def threads(self) -> int:
        """Number of batches that the workers play at a time."""
        return sum(worker.threads for worker in self._workers.values())

    @property
    def addresses(self) -> frozenset[str]:
        """The addresses of the workers."""
        return frozenset(self._workers)

    def add_worker(self, address: str, threads: int) -> None:
        """Add a worker that has no batches."""
        self._workers[address] = _Worker(threads)

    def remove_worker(self, address: str) -> list[Loss]:
        """Remove a worker, if it is known; return its batches, which are lost."""
        worker = self._workers.pop(address, None)
        if worker is None:
            return []
        for number in worker.batches:
            del self._places[number]
        return [Loss(number, place < worker.threads) for place, number in enumerate(worker.batches)]

    def clear(self) -> list[Loss]:
        """Remove all workers; return their batches, which are lost."""
        return [loss for address in self.addresses for loss in self.remove_worker(address)]

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""
        (self._suspects if batch.is_suspect else self._waiting).append(batch)

    def remove_batch(self, number: int) -> bool:
        """Remove a batch that has been played or is not needed; return whether a worker had it."""
        address = self._places.pop(number, None)
        if address is None:
            self._suspects = _without(number, self._suspects)
            self._waiting = _without(number, self._waiting)
            return False
        del self._workers[address].batches[number]
        return True

    def assign(self) -> Iterator[tuple[str, Batch]]:
        """Give waiting batches to the workers with the fewest; yield the address for each.

        A suspect has a worker to itself. If none is idle, one receives nothing until it is: else
        the records of a match before it could be lost with the worker, whose death would then count
        against that match.
        """
        free = {address: found for address, found in self._workers.items() if not found.has_suspect}
        for batch in [*self._suspects]:
            if free:
                address = _least_loaded(free)
                if not free.pop(address).batches:
                    self._suspects.popleft()
                    yield self._give(address, batch)
        while self._waiting and free:
            address = _least_loaded(free)
            if free[address].load >= DEPTH:
                return
            yield self._give(address, self._waiting.popleft())

    def _give(self, address: str, batch: Batch) -> tuple[str, Batch]:
        self._workers[address].batches[batch.number] = batch
        self._places[batch.number] = address
        return address, batch


def _least_loaded(workers: dict[str, _Worker]) -> str:
    return min(workers, key=lambda address: workers[address].load)


def _without(number: int, batches: deque[Batch]) -> deque[Batch]:
    return deque(batch for batch in batches if batch.number != number)
