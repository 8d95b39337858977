"""Batches as tasks of Dask, and batches that are lost with a worker. Pure.

Dask distributes tasks over workers, and repeats them if a worker leaves. When one dies, it
blames all tasks that the worker had, and lets each of them kill as many workers as the scheduler's
`allowed-failures` permits. A run gives up a match that has killed three workers, and no other one:
so the driver is told which tasks a dead worker was playing.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple
from uuid import uuid4

from arena.bulk.batch import Batch, LostBatch

Losses = Mapping[str, LostBatch]
"""Lost batches by the keys of their tasks."""


class Task(NamedTuple):
    """A batch that Dask has.

    Attributes:
        key: The name of the task. Workers play tasks in the order of their keys. None is used
            twice: a scheduler that does not know yet that a connection was lost would answer with
            the earlier task.
        batch: The batch.
        workers: The workers when Dask received it.
    """

    key: str
    batch: Batch
    workers: frozenset[str]


class Tasks:
    """Batches that wait for workers, and batches that Dask has.

    Attributes:
        workers: The number of threads of each worker, by its address.
    """

    def __init__(self) -> None:
        self.workers: dict[str, int] = {}
        self._prefix = f"arena_batch-{uuid4().hex}-"
        self._serials = count()
        self._waiting: deque[Batch] = deque()
        self._tasks: dict[str, Task] = {}

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""
        self._waiting.append(batch)

    def start(self) -> Iterator[Task]:
        """Yield the tasks that Dask is to receive now.

        A suspect has a worker to itself. Suspects, which are rare, wait until nothing else is
        played, and everything else waits for them.
        """
        workers = frozenset(self.workers)
        suspects = [batch for batch in self._waiting if batch.is_suspect]
        if not suspects and not any(task.batch.is_suspect for task in self._tasks.values()):
            while workers and self._waiting:
                yield self._start(self._waiting.popleft(), workers)
        elif not self._tasks:
            for address, batch in zip(workers, suspects, strict=False):
                self._waiting.remove(batch)
                yield self._start(batch, frozenset([address]))

    def _start(self, batch: Batch, workers: frozenset[str]) -> Task:
        task = Task(f"{self._prefix}{next(self._serials):012}", batch, workers)
        self._tasks[task.key] = task
        return task

    def finish(self, key: str) -> None:
        """Forget a task that has a result."""
        del self._tasks[key]

    def discard(self, number: int) -> str | None:
        """Drop a batch; return the key of its task, if Dask has it."""
        self._waiting = deque(batch for batch in self._waiting if batch.number != number)
        keys = [key for key, task in self._tasks.items() if task.batch.number == number]
        return self._tasks.pop(keys[0]).key if keys else None

    def remove_worker(self, address: str, events: Iterable[tuple[float, object]]) -> Losses:
        """Remove a worker.

        Args:
            address: The worker.
            events: The events of its address with their times, as the scheduler has logged them.

        Returns:
            The batches that it was playing, if it has died, which counts against their matches; and
            the batches that no worker is left for.
        """
        keys: Iterable[object] = ()
        is_stopped = False  # retired, or closed as by SIGTERM
        for _, event in events:
            match event:
                case {"action": "add-worker"}:
                    is_stopped = False
                case {"action": "closing-worker"}:
                    is_stopped = True
                case {"action": "remove-worker", "expected": expected, "processing-tasks": keys}:
                    is_stopped = is_stopped or expected
        threads = self.workers.pop(address, 0)
        playing = sorted(key for key in map(str, keys) if key.startswith(self._prefix))[:threads]
        blamed = [] if is_stopped else playing
        left = [key for key, task in self._tasks.items() if not task.workers & self.workers.keys()]
        return self._lose({*left, *blamed}, f"worker {address} has left", blamed)

    def clear(self, cause: str) -> Losses:
        """Remove all workers and tasks, as their connection is lost."""
        self.workers.clear()
        return self._lose([*self._tasks], cause)

    def _lose(self, keys: Container[str], cause: str, blamed: Container[str] = ()) -> Losses:
        lost = {key: self._tasks.pop(key) for key in [*self._tasks] if key in keys}
        return {
            key: LostBatch(task.batch.number, cause, None, is_worker=key in blamed)
            for key, task in lost.items()
        }
