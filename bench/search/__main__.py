"""Speed of the compiled search, compared with the same search in C: `python -m bench.search`.

Both search each case in turn, several times, on one processor. A machine's speed changes from
minute to minute, so only the ratio of two neighbouring runs is meaningful: the table shows the
median ratio. A slow search does not fail; a search with another result than the reference does. A
second table compares the solver (bench/search/solver.py), a third counts of full-depth searches
(bench/search/counts.py).
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.goals import met
from bench.memory import peak_memory
from bench.search import counts, solver
from bench.search.programs import CompilerError, MismatchError
from bench.search.searches import CSearch, Run, run_cython, stones_search
from core.game import Position
from core.isolation import Board as IsolationBoard
from core.take_stones import Board as StonesBoard

# Stones and depth (0: to the end of the game); each takes between 0.1 and 2 seconds.
CASES = [(36, 0), (39, 0), (50, 12), (60, 10), (64, 10), (100, 8), (200, 7), (500, 5), (1000, 5)]
ISOLATION_DEPTHS = [7, 8]

SMALL = 64  # stones, which fit into one word
GOAL = 0.8  # of the reference's speed
GOAL_LARGE = 0.6  # if the stones do not fit into one word
LISTS_RUNS = 3  # of the second reference, which needs less precision

HEADING = (
    "        game depth      nodes   C M/s  Cython M/s  ratio  lowest..highest  goal"
    "  lists M/s  ratio  memory"
)


class Case(NamedTuple):
    """The initial position of a game, and the programs in C that search it too."""

    game: str
    board: Position
    depth: int
    goal: float
    arguments: tuple[int, ...]  # of the programs in C
    reference: CSearch
    lists: CSearch | None = None


class Row(NamedTuple):
    """One line of the table."""

    case: Case
    reference: list[Run]
    cython: list[Run]
    lists: list[Run]
    growth: int

    @property
    def ratios(self) -> list[float]:
        """Return the speed of each run divided by the neighbouring reference run's."""
        return ratios(self.cython, self.reference)

    def __str__(self) -> str:
        game, goal = self.case.game, self.case.goal
        spread = f"{min(self.ratios):.2f}..{max(self.ratios):.2f}"
        lists = f"{'-':>9}  {'-':>5}"
        if self.lists:
            lists = f"{speed(self.lists):9.0f}  {median(ratios(self.cython, self.lists)):5.2f}"
        return (
            f"{game:>12} {self.case.depth:5d} {self.cython[0].found.visited:10d}"
            f" {speed(self.reference):7.0f}  {speed(self.cython):10.0f}"
            f"  {median(self.ratios):5.2f}  {spread:>15}  {goal} {met(median(self.ratios) >= goal)}"
            f"  {lists}  {self.growth:+d} KiB"
        )


def ratios(runs: list[Run], references: list[Run]) -> list[float]:
    """Return the speed of each run divided by its reference's; there may be fewer references."""
    return [run.speed / other.speed for run, other in zip(runs, references, strict=False)]


def speed(runs: list[Run]) -> float:
    """Return the median speed, in million nodes per second."""
    return median(run.speed for run in runs) / 1e6


def measure(case: Case, runs: int) -> Row:
    """Search one case with all searches.

    Raises:
        MismatchError: If their results differ.
    """
    row = Row(case, [], [], [], 0)
    before = peak_memory()
    for turn in range(runs):
        row.reference.append(case.reference.run(*case.arguments))
        row.cython.append(run_cython(case.board, case.depth))
        if case.lists and turn < LISTS_RUNS:
            row.lists.append(case.lists.run(*case.arguments))
    found = {run.found for run in row.reference + row.cython + row.lists}
    if len(found) > 1:
        raise MismatchError(f"{case.game}, depth {case.depth}: the results differ: {sorted(found)}")
    return row._replace(growth=peak_memory() - before)


def cases(folder: Path) -> Iterator[Case]:
    """Yield the cases, with programs compiled into a folder.

    Raises:
        CompilerError: If there is no C compiler or it fails.
    """
    for stones, depth in CASES:
        small = stones <= SMALL
        yield Case(
            f"{stones} stones",
            StonesBoard(stones),
            depth,
            GOAL if small else GOAL_LARGE,
            (stones, depth),
            stones_search(folder, stones),
            None if small else stones_search(folder, stones, lists=True),
        )
    isolation = CSearch(folder / "isolation", "isolation.c")
    for depth in ISOLATION_DEPTHS:
        yield Case("isolation", IsolationBoard(), depth, GOAL, (depth,), isolation)


def measure_all(runs: int) -> Iterator[Row]:
    """Yield the row of each case. Raises CompilerError or MismatchError."""
    with tempfile.TemporaryDirectory() as name:
        for case in [*cases(Path(name))]:
            yield measure(case, runs)


def pin_to_one_processor() -> None:
    """Run this process and its children on the same core, if the system supports it."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def positive(argument: str) -> int:
    """Return a positive integer from an argument."""
    if (number := int(argument)) < 1:
        raise ValueError
    return number


def main() -> int:
    """Print the tables. Return the exit status: 1 after a mismatch, 2 without a compiler."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.search",
        description="Compare the search and the solver with C and C++.",
    )
    parser.add_argument("--runs", type=positive, default=7, help="runs of each search (default: 7)")
    runs = parser.parse_args().runs
    pin_to_one_processor()
    run_cython(StonesBoard(36), 8)  # so that loading is not measured
    try:
        for count, row in enumerate(measure_all(runs)):
            print(row if count else f"{HEADING}\n{row}", flush=True)
        print("ratio: Cython by C, median of neighbouring runs; memory: growth of the peak\n")
        for line in chain(solver.table(runs), [""], counts.table(runs)):
            print(line, flush=True)
    except CompilerError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except MismatchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
