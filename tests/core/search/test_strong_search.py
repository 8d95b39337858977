"""The strong search of any game: its arguments, and how it ends."""

import math
import re
import subprocess
import sys

import pytest

from core.isolation import Board
from core.search import strong_search
from core.take_stones import Board as Stones
from tests.support.cases import loop_over
from tests.support.games.programs import memory_error
from tests.support.polling import TEST_TIMEOUT


def run(program: str) -> str:
    """Return what a program prints."""
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=TEST_TIMEOUT
    ).stdout


def test_positions_without_a_strong_search() -> None:
    board = Board.from_rows(["x*******", "********", *["********"] * 5, "******-o"])
    with pytest.raises(ValueError, match="game is over: player 1 cannot move"):
        strong_search(board)
    with pytest.raises(ValueError, match=r"^take_stones has no strong search$"):
        strong_search(Stones(7))


@loop_over(
    "limits, rule",
    ({"depth": -1}, "depth must be 0 or more plies, not -1"),
    ({"nodes": 0}, "nodes must be at least 1, not 0"),
    ({"seconds": math.nan}, "seconds must be 0 or more, not nan"),
)
def test_limits_out_of_range_are_refused(limits: dict[str, int], rule: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(rule)}$"):
        strong_search(Board(), **limits)  # type: ignore[arg-type]


def test_no_depth_is_too_deep() -> None:
    board = Board.from_rows(["x---****", *["********"] * 6, "****---o"])
    assert strong_search(board, 10**30) == strong_search(board)


INTERRUPTED = """
import signal
from core.isolation import Board
from core.search import strong_search
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    strong_search(Board())
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.untraced
def test_a_signal_ends_a_search() -> None:
    assert run(INTERRUPTED) == "interrupted\n"


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory")
def test_without_memory_a_search_says_so() -> None:
    preparation = "from core.isolation import Board\nfrom core.search import strong_search"
    expected = "MemoryError: the search needs more memory than there is"
    assert memory_error(preparation, "strong_search(Board(), 1)") == expected
