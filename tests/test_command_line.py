"""What the games' command lines have in common."""

import os
import re
import signal
import subprocess
import sys
from typing import NamedTuple

import pytest

from core.isolation import Board
from tests.programs import Ended, Program


class Usage(NamedTuple):
    """A command line: arguments, and what it reads, for a short search and for one without end."""

    program: Program
    quick: str
    endless: str
    stdin: str
    move: str  # of the short search
    searched: str  # a pattern for the moves that the endless search shows
    numbers: dict[int, str]  # places of the arguments that are numbers, and what they mean

    def shell(self, redirected: str) -> Ended:
        return self.program.shell(redirected, self.stdin)


STONES = Usage(
    program=Program("take_stones"),
    quick="7 1 3 2",
    endless="200 0 0",
    stdin="",
    move="6",
    searched="1",
    numbers={0: "#stones", 1: "#taken", 2: "a taken stone", 3: "depth"},
)
ISOLATION = Usage(
    program=Program("isolation"),
    quick="answer x 60 2",
    endless="answer x 3600 0",
    stdin="\n".join(Board().rows),
    move="(1 6)",
    searched=r"\([1-8] [1-8]\)",
    numbers={3: "ply"},
)

both = pytest.mark.parametrize("usage", [STONES, ISOLATION], ids=lambda usage: usage.program.name)


# Help.


@both
@pytest.mark.parametrize("arguments", ["--help", "-h", "7 --help"])
def test_help_shows_the_usage(usage: Usage, arguments: str) -> None:
    result = usage.program.run(*arguments.split())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: python -m {usage.program.module} ")


# Good input.


@both
def test_with_a_move_nothing_else_happens(usage: Usage) -> None:
    result = usage.program.run(*usage.quick.split(), stdin=usage.stdin)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Move: {usage.move}\n")


# Numbers that are none.


NOT_A_NUMBER = ["+5", "-1", "1.0", "\N{ARABIC-INDIC DIGIT THREE}", "1_000", "", " 7", "7 ", "0x7"]

NUMBERS = [(usage, place) for usage in (STONES, ISOLATION) for place in usage.numbers]


@pytest.mark.parametrize("bad", NOT_A_NUMBER)
@pytest.mark.parametrize(
    ("usage", "place"), NUMBERS, ids=[usage.numbers[place] for usage, place in NUMBERS]
)
def test_only_plain_digits_are_numbers(usage: Usage, place: int, bad: str) -> None:
    arguments = usage.quick.split()
    arguments[place] = bad
    expected = f"{usage.numbers[place]} must be a whole number in decimal digits, not {bad!a}"
    assert usage.program.refusal(*arguments) == expected


@both
def test_digits_without_end_are_not_printed(usage: Usage) -> None:
    *arguments, _ = usage.quick.split()
    line = usage.program.refusal(*arguments, "9" * 5000)
    assert line.endswith(f"'{'9' * 40}...' is too large, it has 5000 digits")


@both
def test_arguments_that_are_not_text_are_shown_in_ascii(usage: Usage) -> None:
    *arguments, _ = usage.quick.split()
    assert r"not '\udcff'" in usage.program.refusal(*arguments, b"\xff")


# Output that cannot be written.


@both
def test_a_full_disk_is_one_line(usage: Usage) -> None:
    result = usage.shell(f"{usage.quick} >/dev/full")
    expected = f"{usage.program.name}: cannot write the result: No space left on device\n"
    assert (result.returncode, result.stderr) == (1, expected)


@both
def test_a_full_disk_spoils_the_help_too(usage: Usage) -> None:
    assert usage.shell("--help >/dev/full").returncode == 1


@both
def test_a_closed_output_is_one_line(usage: Usage) -> None:
    result = usage.shell(f"{usage.quick} >&-")
    expected = f"{usage.program.name}: cannot write the result: standard output is closed\n"
    assert (result.returncode, result.stderr) == (1, expected)


@both
def test_a_reader_that_has_gone_is_one_line(usage: Usage) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        [*usage.program.command, *usage.quick.split()],
        input=usage.stdin,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    expected = f"{usage.program.name}: cannot write the result: Broken pipe\n"
    assert (result.returncode, result.stderr) == (1, expected)


@both
def test_without_standard_error_the_result_is_written(usage: Usage) -> None:
    result = usage.shell(f"{usage.quick} 2>&-")
    assert (result.returncode, result.stdout.split("\n")[0]) == (0, f"Move: {usage.move}")


@both
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_without_standard_error_the_status_tells(usage: Usage, redirection: str) -> None:
    assert usage.shell(f"{usage.quick} too many {redirection}").returncode == 2


# A long search: progress on a terminal, Ctrl-C.


@both
def test_a_terminal_shows_progress(usage: Usage) -> None:
    with usage.program.on_a_terminal(*usage.endless.split(), stdin=usage.stdin) as terminal:
        line = terminal.read()
    figures = r"[\d,]+ nodes, [\d.]+ million/s, \d+ s"
    assert re.fullmatch(rf"\r\x1b\[Kmove {usage.searched}: {figures}", line)


@both
def test_ctrl_c_wipes_the_progress(usage: Usage) -> None:
    with usage.program.on_a_terminal(*usage.endless.split(), stdin=usage.stdin) as terminal:
        terminal.read()
        terminal.process.send_signal(signal.SIGINT)
        last = f"\r\x1b[K{usage.program.name}: interrupted\r\n"
        assert terminal.read_to_end().endswith(last)
        assert terminal.process.wait() == 130


@both
def test_a_quick_answer_shows_no_progress(usage: Usage) -> None:
    with usage.program.on_a_terminal(*usage.quick.split(), stdin=usage.stdin) as terminal:
        assert terminal.read_to_end() == ""


# Ctrl-C after some time at work, however busy the machine is.
INTERRUPTED = """
import runpy, signal, sys
signal.signal(signal.SIGVTALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_VIRTUAL, 1)
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


@both
def test_without_a_terminal_there_is_no_progress(usage: Usage) -> None:
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, usage.program.module, *usage.endless.split()],
        input=usage.stdin,
        capture_output=True,
        text=True,
    )
    expected = (130, "", f"{usage.program.name}: interrupted\n")
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


@both
def test_nothing_slow_is_imported(usage: Usage) -> None:
    _, *module = usage.program.command
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *module, *usage.quick.split()],
        input=usage.stdin,
        capture_output=True,
        text=True,
        env={},  # so that nobody, as a coverage run, imports more
    )
    imported = set(re.findall(r"\| +([\w.]+)$", result.stderr, re.MULTILINE))
    assert "core.search" in imported
    assert not imported & SLOW_IMPORTS
