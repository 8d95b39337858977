"""Counts of full-depth searches, against the searches themselves and the reference."""

import subprocess
import sys
from functools import partial
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.search import SearchResult, search
from core.take_stones import Board
from core.take_stones.counts import LEAST_MEMORY, count
from tests.support.cases import loop_over
from tests.support.games.programs import is_interrupted
from tests.support.games.progress import first_reports
from tests.support.games.reference import Taken
from tests.support.games.strategies import positions

ENDLESS = 64  # stones, which take minutes to count
SOME_MEMORY = 1 << 24

long = partial(pytest.param, marks=pytest.mark.untraced)

threads = st.integers(1, 4)
midgame = positions(st.integers(3, 64), st.integers(0, 40))


# The same counts as the search.


@loop_over("n", range(3, 22))
def test_initial_positions(n: int) -> None:
    assert count(Board(n)) == search(Board(n))


@pytest.mark.untraced
@loop_over("n", range(22, 34))
def test_large_initial_positions(n: int) -> None:
    assert count(Board(n)) == search(Board(n))


@pytest.mark.untraced
def test_a_lost_position_of_40_stones() -> None:
    # The search takes two seconds.
    assert count(Board(40)) == SearchResult(1, -1.0, 270_311_618, 91_511_555, 31, None)


@given(midgame, threads, st.sampled_from([LEAST_MEMORY, SOME_MEMORY]))
def test_positions_of_games(position: tuple[int, Taken], threads: int, memory: int) -> None:
    board = Board(*position, any_first=True)
    found = search(board, nodes=20_000)
    assume(not found.stopped)
    assert count(board, threads=threads, memory=memory) == found


@pytest.mark.parametrize("n", [20, long(32)])
def test_a_table_that_is_too_small_forgets(n: int) -> None:
    assert count(Board(n), memory=LEAST_MEMORY) == search(Board(n))


def test_the_position_stays_as_it_is() -> None:
    board = Board(20, [3, 6])
    count(board)
    assert board.taken == [3, 6]


# Limits.


def test_no_time() -> None:
    with pytest.raises(TimeoutError, match="did not finish in time"):
        count(Board(ENDLESS), seconds=0, memory=SOME_MEMORY)


def test_progress_is_reported() -> None:
    reports = first_reports(lambda report: count(Board(ENDLESS), report=report, memory=SOME_MEMORY))
    entered = [progress.nodes_visited for progress in reports]
    assert entered == sorted(entered)
    assert entered[0] > 0
    assert {progress.move for progress in reports} <= set(Board(ENDLESS).legal_moves())


@pytest.mark.untraced
def test_ctrl_c_ends_a_count() -> None:
    imports = "from core.take_stones import Board\nfrom core.take_stones.counts import count"
    assert is_interrupted(imports, f"count(Board({ENDLESS}), report=report)")


LITTLE_MEMORY = """
import concurrent.futures.thread  # else imported by the count
import resource, sys
from core.take_stones import Board
from core.take_stones.counts import count
pages = int(open("/proc/self/statm").read().split()[0])
room = pages * resource.getpagesize() + int(sys.argv[1])
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (room, hard))
try:
    print(count(Board(30), threads=1).nodes_visited)
except MemoryError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, (hard, hard))  # the coverage is stored at the end
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("room", "full"), [long(1 << 20, False), (-1, True)])
def test_little_memory(room: int, full: bool) -> None:
    command = [sys.executable, "-c", LITTLE_MEMORY, str(room)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    expected = "there is no memory for the table of counts"
    assert output.strip() == (expected if full else str(search(Board(30)).nodes_visited))


# Arguments.


@loop_over(
    "board, arguments, message",
    (Board(1), {}, "the game is over: player 1 cannot move"),
    (Board(65), {}, "at most 64 stones can be counted, not 65"),
    (Board(9), {"memory": 1000}, "memory must be at least 65536 bytes, not 1000"),
    (Board(9), {"threads": 0}, "threads must be from 1 to 256, not 0"),
    (Board(9), {"seconds": -1}, "seconds must be 0 or more, not -1"),
)
def test_what_cannot_be_counted(board: Board, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        count(board, **arguments)
