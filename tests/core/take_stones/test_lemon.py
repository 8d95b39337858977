"""The solver next to LEMON, a library of graph algorithms, on whole decompositions."""

import subprocess
from pathlib import Path

import pytest

from bench.search.programs import CompilerError, compile_program
from core.take_stones import Board
from core.take_stones.decomposition import Decomposition
from core.take_stones.solver import Solver

LETTERS = {"outer": "D", "inner": "A", "other": "C"}
PROVEN_FROM = 4868  # docs/explanation/theory.md proves the winner with more stones


@pytest.fixture(scope="module")
def lemon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program; the test is skipped where LEMON or a compiler is missing."""
    program = tmp_path_factory.mktemp("lemon") / "lemon"
    try:
        compile_program(program, "lemon.cpp")
    except CompilerError as error:
        pytest.skip(f"{error} (apt-get install g++ liblemon-dev)")
    return program


def sets(n: int) -> str:
    kinds = Solver(Board(n)).kinds()
    return "".join(LETTERS[kinds[stone]] for stone in range(1, n + 1))


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("first", "last"),
    [
        (1, 300),
        (1187, 1192),
        pytest.param(1, PROVEN_FROM, id="all of the proof", marks=pytest.mark.release),
    ],
)
def test_all_stones_are_in_the_sets_that_lemon_finds(lemon: Path, first: int, last: int) -> None:
    command = [str(lemon), str(first), str(last)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    for n, line in zip(range(first, last + 1), lines, strict=True):
        assert sets(n) == line, f"{n} stones"
        assert Decomposition(n).sets().decode() == line, f"{n} stones"
