"""A million matches in process, into one database: `python -m bench.arena.million`.

It measures the time, and the memory of the process that hands out the matches and stores them,
which must not grow with their number.
"""

import argparse
import tempfile
from pathlib import Path

from arena.model.observer import Observer
from arena.model.played_matches import PlayedMatches
from arena.processors import usable_processors
from bench.arena.arena_process import memory
from bench.arena.pool_run import make_plan, play_plan
from bench.goals import met

BOT, STONES = "spec:2", 50
SAMPLES = 100  # of the memory
GROWTH = 1.1  # the largest memory after the first tenth of the matches, as a ratio


class MemorySampler(Observer):
    """Observer that measures the memory of its process after every hundredth of the matches.

    Attributes:
        samples: The memory in KiB, by time.
    """

    def __init__(self, matches: int) -> None:
        self._interval = max(1, matches // SAMPLES)
        self._count = 0
        self.samples: list[int] = []

    def played(self, matches: PlayedMatches) -> None:
        """Count matches that have been stored."""
        before, self._count = self._count, self._count + len(matches)
        passed = self._count // self._interval - before // self._interval
        self.samples += passed * [memory()]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.million",
        description=f"Play matches of {BOT} on {STONES} stones in process and store them.",
    )
    parser.add_argument(
        "--matches", type=int, default=1_000_000, metavar="N", help="an even number"
    )
    parser.add_argument("--workers", type=int, default=usable_processors(), metavar="N")
    arguments = parser.parse_args()
    plan = make_plan(BOT, STONES, arguments.matches)
    sampler = MemorySampler(plan.matches)
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "arena.db"
        times = play_plan(plan, arguments.workers, db, sampler)
        size = db.stat().st_size
    rate = plan.matches / times.seconds
    print(f"{plan.matches:,} matches of {BOT} on {STONES} stones, {arguments.workers} workers:")
    print(f"  {times.seconds:,.1f} s, {rate:,.0f} matches/s, database {size / 2**20:,.0f} MiB")
    print(f"  driver: {1e6 * times.driver / plan.matches:.1f} us of its processor a match")
    tenths = sampler.samples[SAMPLES // 10 - 1 :: SAMPLES // 10]
    largest = max(sampler.samples[SAMPLES // 10 :])
    ratio = largest / tenths[0]
    print(f"  MiB of the driver: {', '.join(f'{size / 1024:.1f}' for size in tenths)};")
    print(f"  at most {ratio:.2f} times that after a tenth (goal {GROWTH}: {met(ratio <= GROWTH)})")


if __name__ == "__main__":
    main()
