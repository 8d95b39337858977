"""The interface of the workers of a run: processes on this machine, or a cluster."""

from typing import Protocol, Self

from arena.bulk.batch import Batch, LostBatch, PlayedBatch


class Executor(Protocol):
    """Workers that play batches.

    The context starts them. At its end, everything that still runs is killed, with all children.
    """

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    def workers(self) -> int:
        """Return the number of workers that are connected now."""

    def submit(self, batch: Batch) -> None:
        """Queue a batch."""

    def discard(self, number: int) -> None:
        """Drop a batch; `next_outcome` never returns its outcome."""

    async def next_outcome(self) -> PlayedBatch | LostBatch:
        """Wait for the outcome of a batch, in any order of the batches.

        Raises:
            WorkersFailed: No worker can play.
        """


class WorkersFailed(Exception):
    """The workers of a run cannot play at all. The text is the reason, one line."""
