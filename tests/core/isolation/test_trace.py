"""The command line that explains a search, run as its users run it."""

from pathlib import Path

from core.isolation.board import Board, name
from core.isolation.search import plain_search
from core.search import search
from tests.support.cases import loop_over
from tests.support.games.programs import Program

PROGRAM = Program("isolation.trace")
ROWS = ["x--*****", "-*-*****", *["********"] * 4, "******--", "******-o"]
BOARD = "\n".join(ROWS)


def good(*arguments: str, stdin: str = BOARD) -> str:
    return PROGRAM.output(*arguments, stdin=stdin)


def test_the_numbers_are_those_of_the_search() -> None:
    found = search(Board.from_rows(ROWS, 2), 3)
    lines = good("o", "3").splitlines()
    assert lines[0] == "Isolation, o to move, 3 plies"
    [move] = [line for line in lines if line.startswith("Move ")]
    [visited] = [line for line in lines if line.startswith("Number of nodes visited ")]
    assert move.endswith(f" {name(found.move)}")
    assert visited.split()[4] == str(found.nodes_visited)


def test_a_board_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_text(BOARD)
    assert good("x", "0", str(file), "--steps") == good("x", "0", "--steps")


@loop_over("ply", ["2", "0"])
def test_a_plain_search_looks_for_no_ending(ply: str) -> None:
    found = search(Board.from_rows(ROWS, 1), int(ply), compiled=plain_search)
    lines = good("x", ply, "--plain", "--steps").splitlines()
    numbers = {line[:30].rstrip(): line.split()[-2] for line in lines if line.startswith("Number")}
    assert numbers["Number of nodes visited"] == str(found.nodes_visited)
    assert numbers["Number of nodes evaluated"] == str(found.nodes_evaluated)


def test_help() -> None:
    assert good("--help").startswith("Usage: python -m core.isolation.trace <x|o> <ply> [<file>]")


@loop_over(
    "arguments, message",
    ("x", "2 or 3 arguments are needed, not 1; usage: python -m core.isolation.trace "),
    ("x 1 a b", "2 or 3 arguments are needed, not 4; usage: "),
    ("y 1", "the player must be x or o, not 'y'"),
    ("x -1", "ply must be a whole number in decimal digits, not '-1'"),
    ("x 1 --format x", "unknown format 'x' (choose from "),
)
def test_bad_input_names_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split(), stdin=BOARD).startswith(message)
