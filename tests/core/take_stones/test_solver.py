"""Perfect play, against search, a library's matching, and the game itself."""

import math
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game import IllegalMove
from core.search import search
from core.take_stones import Board
from core.take_stones.solver import Solver, WinningOpenings, solve, winning_moves
from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.programs import python
from tests.support.games.reference import Taken
from tests.support.games.stone_graph import graph, pairs, without
from tests.support.games.strategies import games
from tests.support.polling import TEST_TIMEOUT, join, wait_until

small = st.integers(1, 30)
large = st.integers(31, 160)


def board(n: int, taken: Taken) -> Board:
    return Board(n, taken, any_first=True)


def wins(position: Board) -> bool:
    """Whether the player to move wins, found by searching to the end."""
    if position.is_over:
        return False
    value = search(position).value
    return value == (1.0 if position.player_to_move == 1 else -1.0)


def after(position: Board, stone: int) -> Board:
    copy = position.copy()
    copy.take(stone)
    return copy


def searched(position: Board) -> list[int]:
    """The winning moves, found by searching behind every move."""
    return [move for move in position.legal_moves() if not wins(after(position, move))]


@cache
def player_wins(n: int, taken: frozenset[int], last: int) -> bool:
    """Minimax, from the rules alone."""
    return any(
        not player_wins(n, taken | {stone}, stone)
        for stone in range(1, n + 1)
        if stone not in taken and (stone % last == 0 or last % stone == 0)
    )


# Against minimax.


@pytest.mark.untraced
@loop_over("n", range(1, 34))
def test_from_the_empty_board_it_is_minimax(n: int) -> None:
    assert winning_moves(Board(n)) == searched(Board(n))


@pytest.mark.slow
@settings(max_examples=40 * settings().max_examples)
@given(games(st.integers(1, 16), st.integers(1, 12)))
def test_of_any_small_position_it_is_minimax(game: tuple[int, Taken]) -> None:
    n, taken = game
    expected = [
        stone
        for stone in reference.legal_moves(n, taken)
        if not player_wins(n, frozenset({*taken, stone}), stone)
    ]
    assert winning_moves(board(n, taken)) == expected


# Against a library's maximum matching.


# May take 2 s or more: the reference computes a matching for each move.
@given(games(large, st.integers(0, 60)))
def test_exactly_what_a_maximum_matching_may_miss_wins(game: tuple[int, Taken]) -> None:
    n, taken = game
    moves = reference.legal_moves(n, taken)[:8]
    stones = graph(n, taken)
    expected = [move for move in moves if pairs(without(stones, move)) == pairs(stones)]
    assert [move for move in winning_moves(board(n, taken)) if move in moves] == expected


@given(games(small, st.integers(0, 12)))
def test_the_decomposition(game: tuple[int, Taken]) -> None:
    stones = graph(*game)
    matched = pairs(stones)
    outer = {stone for stone in stones if pairs(without(stones, stone)) == matched}
    inner = {other for stone in outer for other in stones[stone]} - outer
    others = len(stones) - len(outer) - len(inner)
    solution = solve(board(*game))
    assert solution[2:4] == (matched, len(stones) - 2 * matched)
    assert solution[4:] == (len(outer), len(inner), others)


# A game that is followed.


@given(games(st.integers(1, 300), st.integers(0, 100)))
def test_a_game_that_is_followed_and_taken_back(game: tuple[int, Taken]) -> None:
    n, taken = game
    solver = Solver(board(n, taken[:1]))
    for ply in range(1, len(taken)):
        solver.play(taken[ply])
        assert solver.solution() == solve(board(n, taken[: ply + 1]))
    solver = Solver(board(n, taken))
    for ply in range(len(taken) - 1, -1, -1):
        assert solver.undo() == taken[ply]
        assert solver.solution() == solve(board(n, taken[:ply]))


@given(st.integers(3, 300), st.lists(st.integers(0, 9), max_size=60))
def test_forwards_and_backwards(n: int, steps: list[int]) -> None:
    solver = Solver(Board(n))
    for step in steps:
        moves = solver.board.legal_moves()
        if step < 3 and solver.board.taken:
            solver.undo()
        elif moves:
            solver.play(moves[step * len(moves) // 10])
    assert solver.solution() == solve(solver.board)


def test_moves_may_be_taken_without_asking_or_are_illegal() -> None:
    solver = Solver(Board(1000))
    taken = [3, 999, 333, 111, 37, 1, 500, 250]
    for stone in taken:
        solver.play(stone)
    assert solver.winning_moves() == winning_moves(Board(1000, taken))
    solver = Solver(Board(7, [3]))
    with pytest.raises(IllegalMove, match="stone 4 is neither a factor nor a multiple"):
        solver.play(4)
    assert solver.solution() == solve(Board(7, [3]))


def test_boards_and_copies_go_their_own_way() -> None:
    position = Board(7)
    solver = Solver(position)
    position.play(1)
    solver.board.take(3)
    assert solver.board.taken == []
    solver = Solver(Board(100, [3]))
    again = pickle.loads(pickle.dumps(solver))
    solver.play(1)
    assert again.solution() == solve(Board(100, [3]))


def test_what_is_refused() -> None:
    with pytest.raises(IndexError):
        Solver(Board(7)).undo()
    with pytest.raises(TimeoutError, match="no time"):
        Solver(Board(10**5), seconds=0)
    with pytest.raises(TypeError, match=r"expected core\.take_stones\.board\.Board, got NoneType"):
        Solver(None)  # type: ignore[arg-type]


# What a solution tells.


@given(games(st.integers(1, 100), st.integers(0, 60)))
def test_who_has_a_winning_move_wins(game: tuple[int, Taken]) -> None:
    position = board(*game)
    solution = solve(position)
    assert (solution.winner == position.player_to_move) == bool(solution.winning_moves)


@pytest.mark.untraced
@given(games(st.integers(1, 30_000), st.integers(0, 60)))
def test_a_winning_move_leaves_a_lost_position(game: tuple[int, Taken]) -> None:
    position = board(*game)
    for move in winning_moves(position)[:3]:
        assert winning_moves(after(position, move)) == []


# Many stones.


@loop_over("seconds", [-1, math.nan])
def test_a_negative_time_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match=f"seconds must be 0 or more, not {seconds}"):
        Solver(Board(7), seconds=seconds)


@pytest.mark.untraced
def test_the_time_is_for_the_first_position() -> None:
    expected, seconds = winning_moves(Board(10**4, [3])), 0.01
    solver, end = None, 0.0
    while not solver:  # on a slow machine it may take longer
        seconds *= 2
        end = time.monotonic() + seconds
        with suppress(TimeoutError):
            solver = Solver(Board(10**4), seconds=seconds)
    is_late = False
    while not is_late:
        is_late = time.monotonic() > end + 0.1
        solver.play(3)
        assert solver.winning_moves() == expected
        solver.undo()


def test_time_enough_and_too_many_stones() -> None:
    assert Solver(Board(100), seconds=60).solution() == solve(Board(100))
    with pytest.raises(MemoryError, match="too many stones"):
        solve(Board(2**30))
    with pytest.raises(MemoryError, match="too many stones"):
        Solver(Board(2**30))
    with pytest.raises(MemoryError, match="too many stones"):
        WinningOpenings(1, 2**30)


@loop_over(("taken", "bytes_for_99"), [([], 9999), ([3], 9099)])
def test_more_stones_than_the_machine_has_memory_for(
    taken: list[int], bytes_for_99: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = solve(Board(99, taken))
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": bytes_for_99}.get)
    assert solve(Board(99, taken)) == expected
    with pytest.raises(MemoryError, match="too many stones"):
        solve(Board(100, taken))


def test_a_range_needs_more_memory_than_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = winning_moves(Board(99)), winning_moves(Board(120))
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": 99 * 112}.get)
    assert (next(WinningOpenings(99, 99))[1], Solver(Board(120)).winning_moves()) == expected
    with pytest.raises(MemoryError, match="too many stones"):
        WinningOpenings(100, 100)


@pytest.mark.untraced
def test_other_threads_run_meanwhile() -> None:
    done = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    def runs_meanwhile() -> bool:
        before = ticks
        winning_moves(Board(400_000))
        return ticks > before + 10

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        wait_until(runs_meanwhile, "the other thread")  # it may have to wait for a processor
    finally:
        done.set()
        join(thread)


# A timer of processor time asks some ten times: whoever looks often enough hears it all along.
INTERRUPTED = """
import signal
from itertools import pairwise
from time import process_time
from core.take_stones import Board
from core.take_stones.solver import Solver, solve
board = Board({n})
start = process_time()
{solve}(board)
interval = (process_time() - start) / 10
heard = []
last = None
def hear(*_):
    heard.append(process_time())
    if len(heard) == last:
        raise KeyboardInterrupt
signal.signal(signal.SIGPROF, hear)
def run():
    heard[:] = [process_time()]
    signal.setitimer(signal.ITIMER_PROF, interval, interval)
    try:
        {solve}(board)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        heard.append(process_time())
longest = []
while len(longest) < 5 and min(longest, default=1) >= 0.3:  # other processes may prolong some
    run()
    longest.append(max(b - a for a, b in pairwise(heard)) / (heard[-1] - heard[0]))
print("longest", min(longest))
for last in (2, 3):
    try:
        run()
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.untraced
@loop_over(("solve", "n"), [("solve", 500_000), ("Solver", 300_000)])
def test_ctrl_c_ends_it_at_once(solve: str, n: int) -> None:
    with python(INTERRUPTED.format(solve=solve, n=n)) as process:
        output, _ = process.communicate(timeout=TEST_TIMEOUT)
    longest, *interrupted = output.splitlines()
    assert float(longest.removeprefix("longest ")) < 0.3
    assert interrupted == ["interrupted"] * 2


def test_threads_may_share_a_solver() -> None:
    shared = Solver(Board(200))

    def play(_: int) -> None:
        for first in range(1, 100, 2):
            for stone in (first, 1, 2, 4):
                shared.solution()
                with suppress(IllegalMove):
                    shared.take(stone)
                    shared.solution()
                    shared.undo()

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(play, range(4))] == [None] * 4
    assert shared.board == Board(200)
    assert shared.solution() == solve(Board(200))


def test_threads_may_share_the_openings_of_a_range() -> None:
    shared = WinningOpenings(1, 200)
    with ThreadPoolExecutor(4) as pool:
        parts: list[list[tuple[int, list[int]]]] = [*pool.map(list, [shared] * 4)]
    assert sorted(chain(*parts)) == [*WinningOpenings(1, 200)]


SUBINTERPRETER = """
import sys
import core.take_stones.solver
statement = f"import sys; sys.path[:] = {sys.path}; import core.take_stones.solver"
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
    try:
        interpreters.run_string(interpreters.create(), statement)
    except interpreters.RunFailedError as error:
        print(error)
else:
    print(interpreters.exec(interpreters.create(), statement).formatted)
"""


def test_a_second_interpreter_is_refused() -> None:
    command = [sys.executable, "-c", SUBINTERPRETER]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert "ImportError" in output


# One number of stones after the other.


@loop_over(("first", "last"), [(1, 300), (250, 260), (1000, 1000), (12_000, 12_060)])
def test_winning_openings_are_those_of_each_board(first: int, last: int) -> None:
    expected = [(n, winning_moves(Board(n))) for n in range(first, last + 1)]
    assert [*WinningOpenings(first, last)] == expected


@pytest.mark.slow
@given(first=st.integers(1, 30_000))
def test_winning_openings_of_any_stretch(first: int) -> None:
    for n, moves in WinningOpenings(first, first + 50):
        assert moves == winning_moves(Board(n))


@loop_over(("first", "last"), [(0, 5), (5, 4), (-3, -1)])
def test_a_range_without_boards_is_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match=f"not {first} to {last}$"):
        WinningOpenings(first, last)
