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
    """A batch whose worker has left.

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
    batches: list[int] = field(default_factory=list)  # in the order in which they are played

    @property
    def load(self) -> float:
        return len(self.batches) / self.threads


class Fleet:
    """Accepted workers, their batches, and those that wait for a worker."""

    def __init__(self) -> None:
        self._workers: dict[str, _Worker] = {}
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
        self._waiting.append(batch)

    def remove_batch(self, number: int) -> bool:
        """Remove a batch that has been played or is not needed; return whether a worker had it."""
        address = self._places.pop(number, None)
        if address is None:
            self._waiting = deque(batch for batch in self._waiting if batch.number != number)
            return False
        self._workers[address].batches.remove(number)
        return True

    def assign(self) -> Iterator[tuple[str, Batch]]:
        """Give waiting batches to the workers with the fewest; yield the address for each."""
        while self._waiting and self._workers:
            address, worker = min(self._workers.items(), key=lambda item: item[1].load)
            if worker.load >= DEPTH:
                return
            batch = self._waiting.popleft()
            worker.batches.append(batch.number)
            self._places[batch.number] = address
            yield address, batch
