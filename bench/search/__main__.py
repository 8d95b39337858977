"""`python -m bench.search`: how fast the compiled search is, next to the same search written in C.

Each case is searched by both in turn, several times, on one processor. A machine's speed changes
from minute to minute, so that only the ratio of two neighbouring runs means anything: the table
shows the median ratio. Nothing fails for being slow; a search that finds something else than the
reference does fail. A second table does the same for the solver (see bench/search/solver.py).
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.memory import peak_memory
from bench.search import solver as solving
from bench.search.programs import CompilerError, Different
from bench.search.searches import CSearch, Run, run_cython, stones_search
from core.game import Position
from core.isolation import Board as IsolationBoard
from core.take_stones import Board as StonesBoard

# Stones and depth, 0 for the end of the game: between a tenth of a second and two seconds each.
CASES = [(36, 0), (39, 0), (50, 12), (60, 10), (64, 10), (100, 8), (200, 7), (500, 5), (1000, 5)]
ISOLATION_DEPTHS = [7, 8]

SMALL = 64  # stones that fit into one word
GOAL = 0.8  # of the reference's speed
GOAL_LARGE = 0.6  # where the stones do not fit into one word
LISTS_RUNS = 3  # the second reference needs no precision

HEADING = (
    "        game depth      nodes   C M/s  Cython M/s  ratio  lowest..highest  goal"
    "  lists M/s  ratio  memory"
)


class Case(NamedTuple):
    """The first move of a game, and the programs in C that search it too."""

    game: str
    board: Position
    depth: int
    goal: float
    arguments: tuple[int, ...]  # the programs'
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
        """The speed of each of our runs by the speed of the reference just before or after."""
        return ratios(self.cython, self.reference)

    def __str__(self) -> str:
        game, goal = self.case.game, self.case.goal
        met = "met" if median(self.ratios) >= goal else "NOT"
        spread = f"{min(self.ratios):.2f}..{max(self.ratios):.2f}"
        lists = f"{'-':>9}  {'-':>5}"
        if self.lists:
            lists = f"{speed(self.lists):9.0f}  {median(ratios(self.cython, self.lists)):5.2f}"
        return (
            f"{game:>12} {self.case.depth:5d} {self.cython[0].found.visited:10d}"
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


def measure(case: Case, runs: int) -> Row:
    """Search one case with all searches. Raises Different."""
    row = Row(case, [], [], [], 0)
    before = peak_memory()
    for turn in range(runs):
        row.reference.append(case.reference.run(*case.arguments))
        row.cython.append(run_cython(case.board, case.depth))
        if case.lists and turn < LISTS_RUNS:
            row.lists.append(case.lists.run(*case.arguments))
    found = {run.found for run in row.reference + row.cython + row.lists}
    if len(found) > 1:
        raise Different(f"{case.game}, depth {case.depth}: the searches differ: {sorted(found)}")
    return row._replace(growth=peak_memory() - before)


def cases(folder: Path) -> Iterator[Case]:
    """The cases, with programs compiled into a folder. Raises CompilerError."""
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
    """Measure the cases one after the other. Raises CompilerError or Different."""
    with tempfile.TemporaryDirectory() as name:
        for case in [*cases(Path(name))]:
            yield measure(case, runs)


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
        prog="python -m bench.search",
        description="Compare search and solver with the same in C and C++.",
    )
    parser.add_argument("--runs", type=positive, default=7, help="of each search (default: 7)")
    runs = parser.parse_args().runs
    stay_on_one_processor()
    run_cython(StonesBoard(36), 8)  # so that the first case does not pay for loading
    try:
        for count, row in enumerate(measure_all(runs)):
            print(row if count else f"{HEADING}\n{row}", flush=True)
        print("ratio: Cython by C, median of neighbouring runs; memory: growth of the peak\n")
        for line in solving.table(runs):
            print(line, flush=True)
    except CompilerError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except Different as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
