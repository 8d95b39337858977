"""Batches on a Dask cluster, compared with the local pool: `python -m bench.arena.cluster`.

Both play the same batches of about 200 ms with two workers on this machine, in turn.
"""

import argparse
import asyncio
import time
from collections.abc import Iterable
from contextlib import AsyncExitStack
from statistics import median

from arena.bulk.batch import Batch, Executor, PlayedBatch
from arena.bulk.cluster.start import connect
from arena.bulk.job import Job
from arena.bulk.pool import ProcessPool
from arena.model.results import Pairing
from bench.goals import met

GOAL = 0.9  # of the pool's matches per second
BATCH_SECONDS = 0.2
WINDOW = 3  # batches in flight for each worker, as the driver has them
JOB = Job({"a": "spec:2", "b": "random"}, "1000", 1)
STONES = 50


def make_batches(count: int, size: int) -> list[Batch]:
    """Return batches of the same number of matches."""
    pairing = Pairing(1, ("a", "b"), "take_stones", {"stones": STONES})
    return [Batch(number, (pairing,) * size) for number in range(count)]


async def play(executor: Executor, batches: Iterable[Batch], window: int) -> list[PlayedBatch]:
    """Play batches with at most `window` in flight; return them."""
    played: list[PlayedBatch] = []
    in_flight = 0
    for batch in batches:
        if in_flight == window:
            played.append(await _next(executor))
            in_flight -= 1
        executor.submit(batch)
        in_flight += 1
    return [*played, *[await _next(executor) for _ in range(in_flight)]]


async def _next(executor: Executor) -> PlayedBatch:
    outcome = await executor.next_outcome()
    assert isinstance(outcome, PlayedBatch), outcome
    return outcome


async def measure(rounds: int, count: int, workers: int) -> tuple[list[float], list[float], int]:
    """Return matches per second of the pool and of the cluster in each round, and the batch."""
    rates: tuple[list[float], list[float]] = [], []
    async with AsyncExitStack() as stack:
        executors = [
            await stack.enter_async_context(executor)
            for executor in (ProcessPool(JOB, workers), connect("local", JOB, workers))
        ]
        for executor in executors:  # starts all processes
            warm = await play(executor, make_batches(4 * workers, 20), WINDOW * workers)
        size = max(1, round(20 * BATCH_SECONDS / median(batch.seconds for batch in warm)))
        for _ in range(rounds):
            for executor, found in zip(executors, rates, strict=True):
                began = time.perf_counter()
                await play(executor, make_batches(count, size), WINDOW * workers)
                found.append(count * size / (time.perf_counter() - began))
    return *rates, size


def main() -> None:
    """Measure and print both rates and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=50, help="batches in each round")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    pool, cluster, size = asyncio.run(
        measure(arguments.rounds, arguments.batches, arguments.workers)
    )
    ratio = median(there / here for here, there in zip(pool, cluster, strict=True))
    print(f"matches in a batch    {size:8}")
    print(f"local pool            {median(pool):8.0f} matches/s")
    print(f"local cluster (Dask)  {median(cluster):8.0f} matches/s")
    print(f"ratio                 {ratio:8.2f}   {met(ratio >= GOAL)} (at least {GOAL})")


if __name__ == "__main__":
    main()
