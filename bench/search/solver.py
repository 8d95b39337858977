"""Speed of the solver, compared with a textbook's matching algorithm in C++.

Both compute the winning first moves in turn, repeated until the clock is precise enough; times are
per repetition.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from bench.goals import met
from bench.search.programs import MismatchError, compile_program, output
from core.take_stones import Board
from core.take_stones.solver import Solver, WinningOpenings, winning_moves


class Case(NamedTuple):
    """A number of stones, and the goals for it."""

    stones: int
    times: int  # repetitions in a run
    max_runs: int = 99
    goal_ratio: float | None = None
    goal_milliseconds: float | None = None


CASES = [
    Case(1000, times=1000, goal_milliseconds=0.1),
    Case(10_000, times=50),
    Case(100_000, times=4),
    Case(1_000_000, times=1, max_runs=3, goal_ratio=1 / 0.22),
]

LARGEST = CASES[-1].stones
GOAL_MEMORY = 0.2  # GiB
GROWTH = 10  # times as many stones once more, without C++
GOAL_GROWTH = 25  # times the time

SERIES = range(100_000, 100_400)  # one number of stones after the other
ALONE = SERIES[::20]  # solved by themselves
GOAL_SERIES = 20  # times as fast as alone

GAMES = 20  # followed move by move
GAME_STONES = 10_000
GOAL_MOVE = 0.08  # milliseconds

HEADING = "  stones  winning            sum      C++ ms   Cython ms  ratio  lowest..highest  goal"

# The peak of a process includes all its earlier work, so a new process measures it.
MEMORY = f"""
from bench.memory import peak_memory
from core.take_stones import Board
from core.take_stones.solver import winning_moves
winning_moves(Board({LARGEST}))
print(peak_memory())
"""


class Run(NamedTuple):
    """The winning moves found, and the time in milliseconds."""

    moves: int
    total: int  # sum of the winning moves
    milliseconds: float


def run_cython(case: Case) -> Run:
    """Solve a case with the project's solver, in this process."""
    moves: list[int] = []
    start = time.process_time()
    for _ in range(case.times):
        moves = winning_moves(Board(case.stones))
    seconds = time.process_time() - start
    return Run(len(moves), sum(moves), 1000 * seconds / case.times)


def run_reference(program: Path, case: Case) -> Run:
    """Solve a case with the program in C++."""
    moves, total, seconds = output(program, case.stones, case.times)
    return Run(int(moves), int(total), 1000 * float(seconds))


def measure(program: Path, case: Case, runs: int) -> str:
    """Return the line of a case. Raises MismatchError."""
    turns = range(min(runs, case.max_runs))
    pairs = [(run_reference(program, case), run_cython(case)) for _ in turns]
    found = {run[:2] for pair in pairs for run in pair}
    if len(found) > 1:
        raise MismatchError(f"{case.stones} stones: the winning moves differ: {sorted(found)}")
    [(moves, total)] = found
    ratios = [theirs.milliseconds / ours.milliseconds for theirs, ours in pairs]
    theirs = median(theirs.milliseconds for theirs, _ in pairs)
    ours = median(ours.milliseconds for _, ours in pairs)
    spread = f"{min(ratios):.2f}..{max(ratios):.2f}"
    goal = "-"
    if case.goal_ratio is not None:
        goal = f"ratio {case.goal_ratio:.2f} {met(median(ratios) >= case.goal_ratio)}"
    elif case.goal_milliseconds is not None:
        goal = f"{case.goal_milliseconds} ms {met(ours < case.goal_milliseconds)}"
    return (
        f"{case.stones:8d} {moves:8d} {total:14d} {theirs:11.3f} {ours:11.3f}"
        f"  {median(ratios):5.2f}  {spread:>15}  {goal}"
    )


def growth() -> str:
    """Return the line about more stones."""
    few, many = (run_cython(Case(LARGEST * times, 1)).milliseconds for times in (1, GROWTH))
    return (
        f"{LARGEST * GROWTH} stones: {many / 1000:.1f} s, {many / few:.1f} times as long as "
        f"{LARGEST}, goal {GOAL_GROWTH} times {met(many <= GOAL_GROWTH * few)}"
    )


def series() -> str:
    """Return the line about one number of stones after the other. Raises MismatchError."""
    boards = WinningOpenings(SERIES[0], SERIES[-1])
    found = dict([next(boards)])  # the first one takes as long as alone
    start = time.process_time()
    found |= {n: moves for n, moves in boards if n in ALONE}
    ours = 1000 * (time.process_time() - start) / (len(SERIES) - 1)
    alone = {n: run_cython(Case(n, 1)) for n in ALONE}
    for n, run in alone.items():
        if run[:2] != (len(found[n]), sum(found[n])):
            raise MismatchError(f"{n} stones: the winning moves differ in a series")
    ratio = mean(run.milliseconds for run in alone.values()) / ours
    return (
        f"{SERIES[0]} to {SERIES[-1]} stones in a series: {ours:.2f} ms each, {ratio:.1f} times as "
        f"fast as alone, goal {GOAL_SERIES} times {met(ratio >= GOAL_SERIES)}"
    )


def memory() -> str:
    """Return the line about the peak memory of the largest case."""
    gibibytes = int(output(sys.executable, "-c", MEMORY)[0]) / 2**20
    goal = f"{GOAL_MEMORY} GiB {met(gibibytes < GOAL_MEMORY)}"
    return f"{LARGEST} stones: {gibibytes:.2f} GiB at most, goal {goal}"


def follow(seed: int) -> list[float]:
    """Return the milliseconds of each move of a game with about half of the moves perfect."""
    draw = random.Random(seed)
    solver = Solver(Board(GAME_STONES))
    winning, board = solver.winning_moves(), solver.board
    times = []
    while moves := board.legal_moves():
        move = draw.choice(winning if winning and draw.random() < 0.5 else moves)
        board.take(move)
        start = time.process_time()
        solver.play(move)
        winning = solver.winning_moves()
        times.append(1000 * (time.process_time() - start))
    return times


def games() -> str:
    """Return the line about games followed move by move."""
    times = [milliseconds for seed in range(GAMES) for milliseconds in follow(seed)]
    return (
        f"{GAMES} games of {GAME_STONES} stones, {len(times)} moves: {mean(times):.3f} ms a move, "
        f"goal {GOAL_MOVE} ms {met(mean(times) < GOAL_MOVE)}"
    )


def table(runs: int) -> Iterator[str]:
    """Yield the lines of the table. Raises CompilerError or MismatchError."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "blossom"
        compile_program(program, "blossom.cpp")
        yield HEADING
        for case in CASES:
            yield measure(program, case, runs)
    yield "ratio: speed of the solver divided by that of C++, median of neighbouring runs"
    yield memory()  # first, as a new process inherits the peak of this one
    yield growth()
    yield series()
    yield games()
