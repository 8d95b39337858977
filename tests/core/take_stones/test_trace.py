"""The command line that explains a search, run as its users run it."""

import re
import sys

from core.search import search
from core.take_stones import Board
from core.take_stones.six_lines import format_six_lines
from tests.support.cases import loop_over
from tests.support.games.programs import Program

PROGRAM = Program("take_stones.trace")


def test_the_example_in_the_help_is_true() -> None:
    example = re.search(
        r"\$ python -m core.take_stones.trace (.+)\n((?:  .+\n|\n)+)", PROGRAM.output("--help")
    )
    assert example
    output = re.sub("^  ", "", example[2], flags=re.MULTILINE)
    assert PROGRAM.output(*example[1].split()) == output.rstrip("\n") + "\n"


def test_the_numbers_are_those_of_the_plain_command() -> None:
    found = search(Board(10, [4, 2, 6], any_first=True), 4)
    lines = format_six_lines(found.move, found.value, *found[2:5]).splitlines()
    wanted = [float(line.split(": ")[1]) for line in lines]
    text = PROGRAM.output("10", "3", "4", "2", "6", "4").split("\n\n")[3]
    numbers = [re.split("  +", line)[1] for line in text.splitlines()[1:]]
    assert [float(number) for number in numbers] == wanted


def test_titles_and_reasons() -> None:
    assert PROGRAM.output("7", "0", "3").startswith("Take-Stones, 7 stones, depth 3\n")
    assert PROGRAM.output("7", "1", "1", "0").startswith("Take-Stones, 7 stones after 1, depth 0\n")
    assert "1-2 has the value 0.7. Stone 1 is taken." in PROGRAM.output(
        "7", "2", "3", "6", "2", "--steps"
    )


@loop_over(
    "arguments, message",
    ("", "at least 3 arguments are needed, not 0; usage: python -m core.take_stones.trace "),
    ("7 1 3 x", "depth must be a whole number in decimal digits, not 'x'"),
    ("7 2 3 4 0", "illegal move 2: stone 4 is neither a factor nor a multiple of the last"),
    ("7 0 0 --depth 3", "there is no option '--depth'; usage: "),
    ("7 0 0 --limit 0", f"--limit must be from 1 to {sys.maxsize}, not '0'"),
)
def test_bad_input_names_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split()).startswith(message)


def test_a_game_that_is_over_is_one_line() -> None:
    result = PROGRAM.run("2", "0", "0")
    expected = "take_stones.trace: the game is over: player 1 (Max) cannot move and loses\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected)
