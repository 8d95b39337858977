"""The assignment's command line, run as its users run it."""

import re
from pathlib import Path

import pytest

from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.programs import Program

TESTCASES = Path(__file__).parents[3] / "testcases"

PROGRAM = Program("take_stones")


def official_cases() -> list[tuple[list[str], str]]:
    """The arguments and the output of the three cases that came with the assignment."""
    text = (TESTCASES / "testcase.txt").read_text()
    cases = re.findall(r"(\S+):\s+\$ java TakeStones (.*)", text)
    return [(line.split(), (TESTCASES / name).read_text()) for name, line in cases]


def extra_cases() -> list[tuple[list[str], str]]:
    """The arguments and the output of our own cases."""
    text = (TESTCASES / "extra.txt").read_text()
    cases = re.findall(r"^\$ python -m core.take_stones (.*)\n((?:.+\n){6})", text, re.MULTILINE)
    return [(line.split(), output) for line, output in cases]


# Good input.


def test_all_cases_are_read() -> None:
    assert len(official_cases()) == 3
    commands = (TESTCASES / "extra.txt").read_text().count("$ python")
    assert len(extra_cases()) == commands > 20


@loop_over(("arguments", "output"), official_cases() + extra_cases())
def test_cases(arguments: list[str], output: str) -> None:
    # One of the official files lacks the newline at its end.
    assert PROGRAM.run(*arguments).stdout == output.removesuffix("\n") + "\n"


@loop_over(("arguments", "output"), official_cases() + extra_cases())
def test_the_reference_agrees_with_the_cases(arguments: list[str], output: str) -> None:
    n, _, *taken, depth = map(int, arguments)
    result = reference.search(n, tuple(taken), depth)
    assert reference.six_lines(result) == output.removesuffix("\n") + "\n"


@pytest.mark.slow
@loop_over("options", [[], ["--threads", "1"], ["--memory=1", "--threads=3"]])
def test_a_full_depth_search_is_counted(options: list[str]) -> None:
    # The plain search takes a second.
    assert PROGRAM.run("44", "0", "0", *options).stdout == (
        "Move: 3\n"
        "Value: 1.0\n"
        "Number of Nodes Visited: 163542291\n"
        "Number of Nodes Evaluated: 55552046\n"
        "Max Depth Reached: 33\n"
        "Avg Effective Branching Factor: 1.5\n"
    )


def test_the_example_in_the_help_is_true() -> None:
    example = PROGRAM.run("--help").stdout.split("7 3 1 4 2 3\n")[1].split("\n\n")[0]
    assert PROGRAM.run("7", "3", "1", "4", "2", "3").stdout.split() == example.split()


# Bad input: one line on standard error, exit status 2.


@loop_over("arguments", [[], ["7"], ["7", "0"]])
def test_too_few_arguments_show_the_usage(arguments: list[str]) -> None:
    line = PROGRAM.refusal(*arguments)
    assert f"at least 3 arguments are needed, not {len(arguments)}" in line
    assert "python -m core.take_stones <#stones> <#taken> <taken...> <depth>" in line


@loop_over(
    "arguments, message",
    ("7 0 3 0", "#taken is '0' but 1 taken stones are listed"),
    ("7 2 3 0", "#taken is '2' but 1 taken stones are listed"),
    ("0 0 0", "#stones must be at least 1, not 0"),
    ("7 1 0 0", "illegal move 1: stone 0 does not exist, the stones are 1 to 7"),
    ("7 3 3 1 3 0", "illegal move 3: stone 3 has already been taken"),
    (f"{10**15} 0 0", f"#stones '{10**15}' is too large for this machine's memory"),
    (
        f"{2 * 10**9} 0 0",
        f"#stones '{2 * 10**9}' is too large for this machine's memory: the search needs at ",
    ),
    ("9" * 4000 + " 0 0", f"#stones '{'9' * 40}...' is too large for this machine's memory"),
    ("9" * 5000 + " 0 0", f"#stones '{'9' * 40}...' is too large, it has 5000 digits"),
    ("7 0 0 --memory 0", "--memory must be at least 1, not 0"),
    ("7 0 0 --threads 0", "--threads must be at least 1, not 0"),
    ("7 0 0 --threads x", "--threads must be a whole number in decimal digits, not 'x'"),
    ("7 0 0 --threads 257", "--threads must be from 1 to 256, not 257"),
    ("7 0 0 --fast", "there is no option '--fast'"),
    ("7 1 " + "9" * 5000 + " 0", f"a taken stone '{'9' * 40}...' is too large"),
)
def test_bad_input_names_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split()).startswith(message)


# The game is over: no move to print, exit status 1.


@loop_over(
    "arguments, player",
    ("1 0 0", "1 (Max)"),
    ("7 6 3 6 2 4 1 7 0", "1 (Max)"),
    ("3 3 2 1 3 1", "2 (Min)"),
)
def test_a_finished_game_names_the_loser(arguments: str, player: str) -> None:
    result = PROGRAM.run(*arguments.split())
    expected = f"take_stones: the game is over: player {player} cannot move and loses\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected)
