"""`python -m bench`: how fast the compiled search is, next to the same search written in C.

Each case is searched by both in turn, several times, on one processor. A machine's speed changes
from minute to minute, so that only the ratio of two neighbouring runs means anything: the table
shows the median ratio. Nothing fails for being slow; a search that finds something else than the
reference does fail.
"""

import argparse
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.searches import CompilerError, CSearch, Run, run_cython

# Stones and depth, 0 for the end of the game: between a tenth of a second and two seconds each.
CASES = [(36, 0), (39, 0), (50, 12), (60, 10), (64, 10), (100, 8), (200, 7), (500, 5), (1000, 5)]

SMALL = 64  # stones that fit into one word
GOAL_SMALL = 0.8  # of the reference's speed, up to so many stones
GOAL_LARGE = 0.6  # and beyond
LISTS_RUNS = 3  # the second reference needs no precision

HEADING = (
    "     n depth      nodes   C M/s  Cython M/s  ratio  lowest..highest  goal"
    "  lists M/s  ratio  memory"
)


class Different(Exception):
    """Two searches found different things."""


class Row(NamedTuple):
    """One line of the table."""

    stones: int
    depth: int
    reference: list[Run]
    cython: list[Run]
    lists: list[Run]
    growth: int

    @property
    def ratios(self) -> list[float]:
        """The speed of each of our runs by the speed of the reference just before or after."""
        return ratios(self.cython, self.reference)

    def __str__(self) -> str:
        goal = GOAL_SMALL if self.stones <= SMALL else GOAL_LARGE
        met = "met" if median(self.ratios) >= goal else "NOT"
        spread = f"{min(self.ratios):.2f}..{max(self.ratios):.2f}"
        lists = f"{'-':>9}  {'-':>5}"
        if self.lists:
            lists = f"{speed(self.lists):9.0f}  {median(ratios(self.cython, self.lists)):5.2f}"
        return (
            f"{self.stones:6d} {self.depth:5d} {self.cython[0].found.visited:10d}"
            f" {speed(self.reference):7.0f}  {speed(self.cython):10.0f}"
            f"  {median(self.ratios):5.2f}  {spread:>15}  {goal} {met}"
            f"  {lists}  {self.growth:+d} KiB"
        )


def ratios(ours: list[Run], theirs: list[Run]) -> list[float]:
    """Our speed by theirs, run by run; their list may be the shorter."""
    return [our.speed / their.speed for our, their in zip(ours, theirs, strict=False)]


def speed(runs: list[Run]) -> float:
    """The median speed, in million nodes a second."""
    return median(run.speed for run in runs) / 1e6


def peak_memory() -> int:
    """The most memory that this process has had, in KiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def measure(masks: CSearch, lists: CSearch | None, stones: int, depth: int, runs: int) -> Row:
    """Search one case with all searches. Raises Different."""
    row = Row(stones, depth, [], [], [], 0)
    before = peak_memory()
    for turn in range(runs):
        row.reference.append(masks.run(stones, depth))
        row.cython.append(run_cython(stones, depth))
        if lists and turn < LISTS_RUNS:
            row.lists.append(lists.run(stones, depth))
    found = {run.found for run in row.reference + row.cython + row.lists}
    if len(found) > 1:
        raise Different(f"n={stones} depth {depth}: the searches differ: {sorted(found)}")
    return row._replace(growth=peak_memory() - before)


def measure_all(runs: int) -> Iterator[Row]:
    """Measure the cases one after the other. Raises CompilerError or Different."""
    sizes = {stones for stones, _ in CASES}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        masks = {stones: CSearch(folder, stones) for stones in sizes}
        lists = {stones: CSearch(folder, stones, lists=True) for stones in sizes if stones > SMALL}
        for stones, depth in CASES:
            yield measure(masks[stones], lists.get(stones), stones, depth, runs)


def stay_on_one_processor() -> None:
    """Run this process and those that it starts on the same core, where the system can."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def positive(argument: str) -> int:
    """The number of runs that an argument asks for."""
    if (number := int(argument)) < 1:
        raise ValueError
    return number


def main() -> int:
    """Print the table. The exit status is 1 for a wrong search, 2 without a compiler."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Compare the search with the same search in C."
    )
    parser.add_argument("--runs", type=positive, default=7, help="of each search (default: 7)")
    runs = parser.parse_args().runs
    stay_on_one_processor()
    run_cython(36, 8)  # so that the first case does not pay for what a first search loads
    try:
        for count, row in enumerate(measure_all(runs)):
            print(row if count else f"{HEADING}\n{row}", flush=True)
    except CompilerError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except Different as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print("ratio: Cython by C, median of neighbouring runs; memory: growth of the peak")
    return 0


if __name__ == "__main__":
    sys.exit(main())
