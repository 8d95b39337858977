"""The solver's table: perfect play found by matching, next to a textbook's algorithm in C++.

Both find the winning first moves, in turn, as the searches do: so many times over that the clock
can tell, and the seconds are those of one time.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from bench.search.programs import Different, compile_program, output
from core.take_stones import Board
from core.take_stones.solver import Solver, winning_moves


class Case(NamedTuple):
    """A number of stones, and what the solver should reach with it, if anything."""

    stones: int
    times: int  # that it is solved in a run
    most_runs: int = 99
    goal_ratio: float | None = None
    goal_milliseconds: float | None = None


CASES = [
    Case(1000, times=1000, goal_milliseconds=0.1),
    Case(10_000, times=50),
    Case(100_000, times=4),
    Case(1_000_000, times=1, most_runs=3, goal_ratio=2.0),
]

LARGEST = CASES[-1].stones
GOAL_MEMORY = 1.5  # GiB

GAMES = 20  # that are followed
GAME_STONES = 10_000
GOAL_MOVE = 0.2  # milliseconds

HEADING = "  stones  winning            sum      C++ ms   Cython ms  ratio  lowest..highest  goal"

# A process has the peak of all that it did before, so that a new one is asked.
MEMORY = f"""
from bench.memory import peak_memory
from core.take_stones import Board
from core.take_stones.solver import winning_moves
winning_moves(Board({LARGEST}))
print(peak_memory())
"""


class Run(NamedTuple):
    """What was found, and the milliseconds that it took."""

    moves: int
    total: int  # of the stones that they take
    milliseconds: float


def run_cython(case: Case) -> Run:
    """Solve it with the project's solver, in this process."""
    moves: list[int] = []
    start = time.process_time()
    for _ in range(case.times):
        moves = winning_moves(Board(case.stones))
    seconds = time.process_time() - start
    return Run(len(moves), sum(moves), 1000 * seconds / case.times)


def run_reference(program: Path, case: Case) -> Run:
    """Solve it with the program in C++."""
    moves, total, seconds = output(program, case.stones, case.times)
    return Run(int(moves), int(total), 1000 * float(seconds))


def verdict(met: bool) -> str:
    """How the table says whether a goal is met."""
    return "met" if met else "NOT"


def measure(program: Path, case: Case, runs: int) -> str:
    """The line of a case. Raises Different."""
    turns = range(min(runs, case.most_runs))
    pairs = [(run_reference(program, case), run_cython(case)) for _ in turns]
    found = {run[:2] for pair in pairs for run in pair}
    if len(found) > 1:
        raise Different(f"{case.stones} stones: the winning moves differ: {sorted(found)}")
    [(moves, total)] = found
    ratios = [theirs.milliseconds / ours.milliseconds for theirs, ours in pairs]
    theirs = median(theirs.milliseconds for theirs, _ in pairs)
    ours = median(ours.milliseconds for _, ours in pairs)
    spread = f"{min(ratios):.2f}..{max(ratios):.2f}"
    goal = "-"
    if case.goal_ratio is not None:
        goal = f"ratio {case.goal_ratio} {verdict(median(ratios) >= case.goal_ratio)}"
    elif case.goal_milliseconds is not None:
        goal = f"{case.goal_milliseconds} ms {verdict(ours < case.goal_milliseconds)}"
    return (
        f"{case.stones:8d} {moves:8d} {total:14d} {theirs:11.3f} {ours:11.3f}"
        f"  {median(ratios):5.2f}  {spread:>15}  {goal}"
    )


def memory() -> str:
    """The line about the peak of the largest case."""
    gibibytes = int(output(sys.executable, "-c", MEMORY)[0]) / 2**20
    met = verdict(gibibytes < GOAL_MEMORY)
    return f"{LARGEST} stones: {gibibytes:.2f} GiB at most, goal {GOAL_MEMORY} GiB {met}"


def follow(seed: int) -> list[float]:
    """The milliseconds of each move of a game in which about every second move is the best."""
    draw = random.Random(seed)
    solver = Solver(Board(GAME_STONES))
    winning, board = solver.winning_moves(), solver.board
    times = []
    while moves := board.legal_moves():
        move = draw.choice(winning if winning and draw.random() < 0.5 else moves)
        board.take(move)
        start = time.process_time()
        solver.take(move)
        winning = solver.winning_moves()
        times.append(1000 * (time.process_time() - start))
    return times


def games() -> str:
    """The line about games that are followed."""
    times = [milliseconds for seed in range(GAMES) for milliseconds in follow(seed)]
    return (
        f"{GAMES} games of {GAME_STONES} stones, {len(times)} moves: {mean(times):.3f} ms a move, "
        f"goal {GOAL_MOVE} ms {verdict(mean(times) < GOAL_MOVE)}"
    )


def table(runs: int) -> Iterator[str]:
    """The lines of the table, one after the other. Raises CompilerError or Different."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "blossom"
        compile_program(program, "blossom.cpp")
        yield HEADING
        for case in CASES:
            yield measure(program, case, runs)
    yield "ratio: how many times as fast as C++, median of neighbouring runs"
    yield memory()
    yield games()
