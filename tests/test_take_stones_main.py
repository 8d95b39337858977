"""The assignment's command line, run as its users run it."""

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import reference

TESTCASES = Path(__file__).parents[1] / "testcases"

COMMAND = [sys.executable, "-m", "core.take_stones"]

HUGE = ["200", "0", "0"]  # nobody sees the end of this search


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)


def shell(redirected: str) -> subprocess.CompletedProcess[str]:
    """Run the arguments and redirections that the shell shall see."""
    script = f'"$0" -m core.take_stones {redirected}'
    return subprocess.run(["sh", "-c", script, sys.executable], capture_output=True, text=True)


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


def test_there_are_three_official_cases() -> None:
    assert len(official_cases()) == 3


@pytest.mark.parametrize(("arguments", "output"), official_cases())
def test_official_cases(arguments: list[str], output: str) -> None:
    # One of the official files lacks the newline at its end.
    assert run(*arguments).stdout == output.removesuffix("\n") + "\n"


@pytest.mark.parametrize(("arguments", "output"), official_cases() + extra_cases())
def test_the_reference_agrees_with_the_cases(arguments: list[str], output: str) -> None:
    n, _, *taken, depth = map(int, arguments)
    result = reference.search(n, tuple(taken), depth)
    assert reference.six_lines(result) == output.removesuffix("\n") + "\n"


def test_there_are_many_extra_cases() -> None:
    commands = (TESTCASES / "extra.txt").read_text().count("$ python")
    assert len(extra_cases()) == commands > 20


@pytest.mark.parametrize(("arguments", "output"), extra_cases())
def test_extra_cases(arguments: list[str], output: str) -> None:
    assert run(*arguments).stdout == output


def test_with_a_move_nothing_else_happens() -> None:
    result = run("7", "3", "1", "4", "2", "3")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["7", "0", "--help"]], ids=" ".join)
def test_help_shows_the_example(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.returncode == 0
    assert "$ python -m core.take_stones 7 3 1 4 2 3\n  Move: 6\n" in result.stdout


def test_the_example_in_the_help_is_true() -> None:
    example = run("--help").stdout.split("7 3 1 4 2 3\n")[1].split("\n\n")[0]
    assert run("7", "3", "1", "4", "2", "3").stdout.split() == example.split()


# Bad input: one line on standard error, exit status 2.


NOT_A_NUMBER = ["+5", "-1", "1.0", "\N{ARABIC-INDIC DIGIT THREE}", "1_000", "", " 7", "7 ", "0x7"]


def as_bad_input(result: subprocess.CompletedProcess[str]) -> str:
    """The line on standard error, when everything else is as it must be."""
    assert (result.returncode, result.stdout) == (2, "")
    assert re.fullmatch(r"take_stones: .+\n", result.stderr)
    return result.stderr


@pytest.mark.parametrize("arguments", [[], ["7"], ["7", "0"]], ids=len)
def test_too_few_arguments_show_the_usage(arguments: list[str]) -> None:
    line = as_bad_input(run(*arguments))
    assert f"at least 3 arguments are needed, not {len(arguments)}" in line
    assert "python -m core.take_stones <#stones> <#taken> <taken...> <depth>" in line


@pytest.mark.parametrize("bad", NOT_A_NUMBER)
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_only_plain_digits_are_numbers(bad: str, place: int) -> None:
    arguments = ["7", "1", "3", "2"]
    arguments[place] = bad
    meaning = ["#stones", "#taken", "a taken stone", "depth"][place]
    expected = f"{meaning} must be a whole number in decimal digits, not {bad!a}\n"
    assert as_bad_input(run(*arguments)).endswith(expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("7 0 3 0", "#taken is '0' but 1 taken stones are listed"),
        ("7 2 3 0", "#taken is '2' but 1 taken stones are listed"),
        ("7 99 3", "#taken is '99' but 0 taken stones are listed"),
        ("0 0 0", "#stones must be at least 1, not 0"),
        ("00 1 1 0", "#stones must be at least 1, not 0"),
        ("7 1 0 0", "illegal move 1: stone 0 does not exist, the stones are 1 to 7"),
        ("7 1 8 0", "illegal move 1: stone 8 does not exist, the stones are 1 to 7"),
        ("7 2 3 4 0", "illegal move 2: stone 4 is neither a factor nor a multiple of the last"),
        ("7 3 3 1 3 0", "illegal move 3: stone 3 has already been taken"),
        ("7 2 3 3 0", "illegal move 2: stone 3 has already been taken"),
        ("100 2 4 6 0", "illegal move 2: stone 6 is neither a factor nor a multiple of the last"),
        (f"{10**15} 0 0", f"#stones '{10**15}' is too large for this machine's memory"),
        (f"{10**30} 0 0", f"#stones '{10**30}' is too large for this machine's memory"),
        ("9" * 4000 + " 0 0", f"#stones '{'9' * 40}...' is too large for this machine's memory"),
        ("9" * 5000 + " 0 0", f"#stones '{'9' * 40}...' is too large, it has 5000 digits"),
        ("7 1 " + "9" * 5000 + " 0", f"a taken stone '{'9' * 40}...' is too large"),
    ],
    ids=lambda value: value[:40],
)
def test_bad_input_names_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert as_bad_input(run(*arguments.split())).startswith(f"take_stones: {message}")


def test_arguments_that_are_not_text_are_shown_in_ascii() -> None:
    result = subprocess.run([*COMMAND, "7", "0", b"\xff"], capture_output=True, text=True)
    assert r"not '\udcff'" in as_bad_input(result)


def test_digits_without_end_are_not_printed() -> None:
    assert len(as_bad_input(run("9" * 5000, "0", "0"))) < 150


# The game is over: no move to print, exit status 1.


@pytest.mark.parametrize(
    ("arguments", "player"),
    [
        ("1 0 0", "1 (Max)"),
        ("2 0 3", "1 (Max)"),
        ("7 6 3 6 2 4 1 7 0", "1 (Max)"),
        ("3 3 2 1 3 1", "2 (Min)"),
        ("100 2 1 97 0", "1 (Max)"),
    ],
)
def test_a_finished_game_names_the_loser(arguments: str, player: str) -> None:
    result = run(*arguments.split())
    expected = f"take_stones: the game is over: player {player} cannot move and loses\n"
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected)


# Output that cannot be written.


def test_a_full_disk_is_one_line() -> None:
    result = shell("7 0 0 >/dev/full")
    expected = "take_stones: cannot write the result: No space left on device\n"
    assert (result.returncode, result.stderr) == (1, expected)


def test_a_full_disk_spoils_the_help_too() -> None:
    assert shell("--help >/dev/full").returncode == 1


def test_a_closed_output_is_one_line() -> None:
    result = shell("7 0 0 >&-")
    expected = "take_stones: cannot write the result: standard output is closed\n"
    assert (result.returncode, result.stderr) == (1, expected)


def test_a_reader_that_has_gone_is_one_line() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        [*COMMAND, "7", "0", "0"], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    expected = "take_stones: cannot write the result: Broken pipe\n"
    assert (result.returncode, result.stderr) == (1, expected)


def test_without_standard_error_the_result_is_written() -> None:
    result = shell("7 1 1 2 2>&-")
    assert (result.returncode, result.stdout[:8]) == (0, "Move: 5\n")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_without_standard_error_the_status_tells(redirection: str) -> None:
    assert shell(f"7 0 x {redirection}").returncode == 2


# A long search: progress on a terminal, Ctrl-C.


@contextmanager
def on_a_terminal(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run with a terminal as standard error; our end of the terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    with process:
        try:
            yield process, ours
        finally:
            process.kill()  # whatever it has not ended by itself
            os.close(ours)


def read_to_end(terminal: int) -> bytes:
    """What comes from a terminal until nobody is left to write to it."""
    seen = b""
    while True:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # how Linux tells the end
            chunk = b""
        if not chunk:
            return seen
        seen += chunk


def test_a_terminal_shows_progress() -> None:
    with on_a_terminal(*HUGE) as (_, terminal):
        line = os.read(terminal, 4096)
    assert re.match(rb"\r\x1b\[Kmove 1: [\d,]+ nodes, [\d.]+ million/s, \d+ s$", line)


def test_ctrl_c_wipes_the_progress() -> None:
    with on_a_terminal(*HUGE) as (process, terminal):
        os.read(terminal, 4096)
        process.send_signal(signal.SIGINT)
        assert read_to_end(terminal).endswith(b"\r\x1b[Ktake_stones: interrupted\r\n")
        assert process.wait() == 130


def test_a_quick_answer_shows_no_progress() -> None:
    with on_a_terminal("7", "0", "0") as (_, terminal):
        assert read_to_end(terminal) == b""


# Ctrl-C after some time at work, however busy the machine is.
INTERRUPTED = f"""
import runpy, signal, sys
signal.signal(signal.SIGVTALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_VIRTUAL, 1)
sys.argv[1:] = {HUGE}
runpy.run_module("core.take_stones", run_name="__main__", alter_sys=True)
"""


def test_without_a_terminal_there_is_no_progress() -> None:
    result = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    expected = (130, "", "take_stones: interrupted\n")
    assert (result.returncode, result.stdout, result.stderr) == expected


# A quick start: what takes long to import is not imported.


SLOW_IMPORTS = {
    "argparse",
    "asyncio",
    "dataclasses",
    "inspect",
    "msgspec",
    "numpy",
    "rich",
    "websockets",
}


def test_nothing_slow_is_imported() -> None:
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], "7", "0", "0"],
        capture_output=True,
        text=True,
        env={},  # so that nobody, as a coverage run, imports more
    )
    imported = set(re.findall(r"\| +([\w.]+)$", result.stderr, re.MULTILINE))
    assert "core.search" in imported
    assert not imported & SLOW_IMPORTS
