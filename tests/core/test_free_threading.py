"""Compiled modules in several threads, with the GIL and without."""

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

import core
from core.isolation import Board as Isolation
from core.isolation.playout import playouts as isolation_playouts
from core.search import SearchResult, search, strong_search
from core.take_stones import Board
from core.take_stones.counts import count
from core.take_stones.playout import playouts
from core.take_stones.solver import Solver, WinningOpenings, winning_moves
from tests.support.polling import TEST_TIMEOUT

THREADS = 4
SOURCES = Path(core.__file__).parent
COMPILED = [
    ".".join(("core", *source.relative_to(SOURCES).with_suffix("").parts))
    for source in sorted(SOURCES.rglob("*.pyx"))
]

GIL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    assert not sys._is_gil_enabled(), name
"""


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="Python with the GIL")
def test_no_compiled_module_switches_the_gil_on() -> None:
    assert "core.take_stones.board" in COMPILED
    subprocess.run([sys.executable, "-c", GIL, *COMPILED], check=True)


def solved_game(stones: int) -> list[list[int]]:
    """Return the winning moves at each ply of a game of Take-Stones."""
    board = Board(stones, [1])
    solver = Solver(board)
    found = []
    while not board.is_over:
        found.append(solver.winning_moves())
        move = (found[-1] or board.legal_moves())[0]
        board.take(move)
        solver.take(move)
    while len(board.taken) > 1:
        assert board.undo() == solver.undo()
    return [*found, solver.winning_moves()]


def searched_game(depth: int) -> list[SearchResult]:
    """Return the searches of a game of Isolation."""
    board = Isolation(size=5)
    found = []
    while not board.is_over:
        found.append(search(board, depth))
        board.play(found[-1].move)
    return found


def everything() -> list[object]:
    """Return what each compiled module finds, on objects of this thread alone."""
    return [
        *(solved_game(stones) for stones in (40, 200)),
        *(search(Board(stones, [1]), 4) for stones in (40, 200)),
        searched_game(3),
        strong_search(Isolation(), 3).move,
        playouts(Board(30), 2000, seed=1),
        playouts(Board(100), 200, seed=1),
        isolation_playouts(Isolation(), 200, seed=1),
        count(Board(20), threads=2),
        [*WinningOpenings(1, 100)],
        winning_moves(Board(9000)),
    ]


def test_threads_with_objects_of_their_own_find_what_one_thread_finds() -> None:
    start = Barrier(THREADS, timeout=TEST_TIMEOUT)

    def work(_: int) -> list[object]:
        start.wait()
        return everything()

    with ThreadPoolExecutor(THREADS) as pool:
        found = [*pool.map(work, range(THREADS))]
    assert found == [everything()] * THREADS
