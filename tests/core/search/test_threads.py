"""A search by several threads, against the search by one."""

import signal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import GAMES
from core.game import Position
from core.isolation import Board as Isolation
from core.search import Limits, Progress, search
from core.search.threads import MOST_MOVES, deferred_interrupts, plies_to_walk, search_below
from core.take_stones import Board
from core.take_stones.search import search as find
from tests.support.cases import loop_over
from tests.support.games.programs import is_interrupted
from tests.support.games.progress import first_reports
from tests.support.games.reference import Taken
from tests.support.games.strategies import positions
from tests.support.games.toy_games import NIM, Heap

# Tracing takes time at every node, and the compiled search is the one of other tests.
pytestmark = pytest.mark.untraced

NONE = Limits()
HUGE = 200  # stones: nobody sees the end of this search
TAKE_STONES = GAMES["take_stones"]

threads = st.integers(2, 4)


# The same result and counts, wherever the threads begin.


@loop_over("ply", [1, 2, 3])
@loop_over(
    "board, depth",
    (Board(50), 6),
    (Board(50, [3]), 5),
    (Board(100), 5),
    (Board(16), 0),
    (Board(130, [1, 64]), 5),
)
def test_take_stones(board: Board, depth: int, ply: int) -> None:
    found = search_below(TAKE_STONES, board, Limits(depth), None, 7, ply)
    assert found == search(board, depth)


@given(
    positions(st.integers(3, 100), st.integers(0, 12)),
    st.integers(5, 6),
    st.integers(1, 2),
    threads,
)
def test_take_stones_later(position: tuple[int, Taken], depth: int, ply: int, number: int) -> None:
    board = Board(*position, any_first=True)
    found = search_below(TAKE_STONES, board, Limits(depth), None, number, ply)
    assert found == search(board, depth)


def test_the_position_stays_as_it_is() -> None:
    board = Board(50, [3, 6])
    search_below(TAKE_STONES, board, Limits(5), None, 2, 1)
    assert board.taken == [3, 6]


@loop_over(("n", "depth"), [(50, 12), (12, 0)])  # slow, quick
def test_slow_searches_are_split(n: int, depth: int) -> None:
    assert search(Board(n), depth, threads=2) == search(Board(n), depth)


# From where on threads search.


@loop_over(
    "board, depth, number, ply",
    (Board(50), 12, 2, 2),
    (Board(200), 12, 2, 1),
    (Board(200), 12, 20, 2),
    (Board(200), 3, 2, 0),  # too shallow
    (Board(50), 4, 2, 1),  # few, but enough
    (Board(7), 4, 2, 0),  # too few
    (Board(2 * MOST_MOVES, [1]), 12, 2, 0),  # too many moves
)
def test_plies_to_walk(board: Board, depth: int, number: int, ply: int) -> None:
    assert plies_to_walk(TAKE_STONES, board, depth, number) == ply


def test_what_cannot_be_split_is_searched_by_one_thread() -> None:
    board = Board(2 * MOST_MOVES, [1])
    reports: list[Progress] = []

    def stop(progress: Progress) -> None:
        reports.append(progress)
        if progress.seconds > 0.3:
            raise KeyError

    with pytest.raises(KeyError):
        search(board, threads=2, report=stop)
    assert {progress.move for progress in reports} == {2}


# Limits, reports and errors.


def test_time_stops_threads() -> None:
    assert search(Board(HUGE), seconds=0.3, threads=2).stopped == "seconds"
    found = search_below(TAKE_STONES, Board(HUGE), Limits(30, seconds=0), None, 2, 1)
    assert found.stopped == "seconds"
    assert (found.move, found.nodes_visited) == (1, 1)


def test_reports_move_on() -> None:
    reports = first_reports(
        lambda report: search_below(TAKE_STONES, Board(HUGE), NONE, report, 2, 2)
    )
    nodes = [progress.nodes_visited for progress in reports]
    assert nodes == sorted(nodes)
    assert {progress.move for progress in reports} == {1}


def test_ctrl_c_ends_threads() -> None:
    imports = "from core.search import search\nfrom core.take_stones import Board"
    assert is_interrupted(imports, f"search(Board({HUGE}), 30, threads=2, report=report)")


def test_an_interrupt_waits_for_the_end_of_a_block() -> None:
    done = []

    def interrupted() -> None:
        with deferred_interrupts():
            signal.raise_signal(signal.SIGINT)
            done.append("the rest of the block")
            raise ValueError("which does not hide the interrupt")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@loop_over(
    "board, arguments, message",
    (Board(9), {"threads": 0}, "threads must be from 1 to 256, not 0"),
    (Board(9), {"threads": 257}, "threads must be from 1 to 256, not 257"),
    (Board(9), {"threads": 2, "nodes": 5}, "nodes cannot be limited in a search by several"),
    (Board(9), {"threads": 2, "compiled": find}, "this search of take_stones is for one thread"),
    (Isolation(), {"threads": 2}, "this search of isolation is for one thread"),
)
def test_what_threads_cannot_search(
    board: Position, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        search(board, 3, **arguments)


@pytest.mark.usefixtures("toy_games")
def test_games_in_python_are_searched_by_one_thread() -> None:
    with pytest.raises(ValueError, match=f"this search of {NIM.name} is for one thread"):
        search(Heap(7), threads=2)
