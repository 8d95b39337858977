"""What the games' command lines have in common."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from core.isolation import Board
from tests.support.cases import loop_over
from tests.support.games.programs import Ended, Program
from tests.support.polling import TEST_TIMEOUT


class Usage(NamedTuple):
    """A command line: arguments, and what it reads, that quickly lead to a result."""

    program: Program
    quick: str
    first: str  # line of the result
    numbers: dict[int, str]  # places of the arguments that are numbers, and what they mean
    stdin: str = ""
    endless: str = ""  # arguments for a search without end, if it searches
    searched: str = ""  # a pattern for the moves that the endless search shows

    def shell(self, redirected: str) -> Ended:
        return self.program.shell(redirected, self.stdin)


STONES = Usage(
    program=Program("take_stones"),
    quick="7 1 3 2",
    first="Move: 6",
    numbers={0: "#stones", 1: "#taken", 2: "a taken stone", 3: "depth"},
    endless="200 0 0",
    searched="1",
)
ISOLATION = Usage(
    program=Program("isolation"),
    quick="answer x 60 2",
    first="Move: (1 6)",
    numbers={3: "ply"},
    stdin="\n".join(Board().rows),
    endless="answer x 3600 0",
    searched=r"\([1-8] [1-8]\)",
)
SOLVE = Usage(
    program=Program("take_stones.solve"),
    quick="7 --taken 3",
    first="To move: player 2 (Min)",
    numbers={0: "#stones", 2: "a taken stone"},
)
RANGE = Usage(
    program=Program("take_stones.solve"),
    quick="--range 3 9",
    first="n,winner,winning_openings",
    numbers={1: "the first #stones", 2: "the last #stones"},
)

OPENINGS = Usage(
    program=Program("take_stones.openings"),
    quick="7 --plies 1 --games 9 --seed 3",
    first="winner    player 1 wins  interval         moves  opening",
    numbers={0: "#stones", 2: "the number of plies", 4: "the number of games", 6: "the seed"},
)

USAGES = [STONES, ISOLATION, SOLVE, RANGE, OPENINGS]


each = loop_over("usage", USAGES)
searching = loop_over("usage", [STONES, ISOLATION])
printing = loop_over("usage", [STONES, RANGE])  # a result at once, and rows as they come


# Help.


@each
@loop_over("arguments", ["--help", "-h", "7 --help"])
def test_help_shows_the_usage(usage: Usage, arguments: str) -> None:
    result = usage.program.run(*arguments.split())
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"Usage: python -m {usage.program.module} ")


# Good input.


@each
def test_with_a_result_nothing_else_happens(usage: Usage) -> None:
    result = usage.program.execute(*usage.quick.split(), stdin=usage.stdin)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{usage.first}\n")


# Numbers that are none.


NOT_A_NUMBER = ["+5", "-1", "1.0", "\N{ARABIC-INDIC DIGIT THREE}", "1_000", "", " 7", "7 ", "0x7"]

# Each text for a number of each program, and one of them for all its numbers.
NUMBERS = [
    (usage, place, bad)
    for usage in USAGES
    for place in usage.numbers
    for bad in (NOT_A_NUMBER if place == min(usage.numbers) else ["1_000"])
]


@loop_over(("usage", "place", "bad"), NUMBERS)
def test_only_plain_digits_are_numbers(usage: Usage, place: int, bad: str) -> None:
    arguments = usage.quick.split()
    arguments[place] = bad
    expected = f"{usage.numbers[place]} must be a whole number in decimal digits, not {bad!a}"
    assert usage.program.refusal(*arguments) == expected


@each
def test_digits_and_other_texts_are_shown_in_ascii(usage: Usage) -> None:
    *arguments, _ = usage.quick.split()
    line = usage.program.refusal(*arguments, "9" * 5000)
    assert line.endswith(f"'{'9' * 40}...' is too large, it has 5000 digits")
    assert r"not '\udcff'" in usage.program.refusal(*arguments, b"\xff")


# Output that cannot be written.


@loop_over(
    "redirection, reason",
    [(">/dev/full", "No space left on device"), (">&-", "standard output is closed")],
)
@each
def test_unwritable_output_is_one_line(usage: Usage, redirection: str, reason: str) -> None:
    result = usage.shell(f"{usage.quick} {redirection}")
    expected = f"{usage.program.name}: cannot write the result: {reason}\n"
    assert (result.returncode, result.stderr) == (1, expected)


@printing
def test_a_full_disk_spoils_the_help_too(usage: Usage) -> None:
    assert usage.shell("--help >/dev/full").returncode == 1


@printing
def test_a_reader_that_has_exited_ends_it_quietly(usage: Usage) -> None:
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
    assert (result.returncode, result.stderr) == (141, "")


@printing
def test_without_standard_error_the_result_is_written(usage: Usage) -> None:
    result = usage.shell(f"{usage.quick} 2>&-")
    assert (result.returncode, result.stdout.split("\n")[0]) == (0, usage.first)


@printing
@loop_over("redirection", ["2>&-", "2>/dev/full"])
def test_without_standard_error_the_status_tells(usage: Usage, redirection: str) -> None:
    assert usage.shell(f"{usage.quick} too many {redirection}").returncode == 2


# A long search: progress on a terminal, Ctrl-C.


@searching
def test_a_terminal_shows_progress(usage: Usage) -> None:
    with usage.program.on_a_terminal(*usage.endless.split(), stdin=usage.stdin) as terminal:
        line = terminal.read()
    figures = r"[\d,]+ nodes, [\d.]+ million/s, \d+ s"
    # A slow machine may have written more than one by then.
    assert re.match(rf"\r\x1b\[Kmove {usage.searched}: {figures}(\r|$)", line)


@pytest.mark.slow
@searching
def test_ctrl_c_wipes_the_progress(usage: Usage) -> None:
    with usage.program.on_a_terminal(*usage.endless.split(), stdin=usage.stdin) as terminal:
        terminal.read()
        terminal.process.send_signal(signal.SIGINT)
        last = f"\r\x1b[K{usage.program.name}: interrupted\r\n"
        assert terminal.read_to_end().endswith(last)
        assert terminal.process.wait(TEST_TIMEOUT) == 130


@searching
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


@pytest.mark.slow
@searching
def test_without_a_terminal_there_is_no_progress(usage: Usage) -> None:
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, usage.program.module, *usage.endless.split()],
        input=usage.stdin,
        capture_output=True,
        text=True,
    )
    expected = (130, "", f"{usage.program.name}: interrupted\n")
    assert (result.returncode, result.stdout, result.stderr) == expected


# The installed commands: as in any program of that folder, the working directory is no module path.


@loop_over(
    "command, usage",
    [("take-stones", STONES), ("isolation", ISOLATION), ("take-stones-solve", SOLVE)],
)
def test_the_installed_command_is_the_program(command: str, usage: Usage, tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").touch()
    installed = Path(sys.executable).with_name(command)
    result = subprocess.run(
        [installed, *usage.quick.split()],
        cwd=tmp_path,
        input=usage.stdin,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines()[0] == usage.first


# A quick start: what takes long to import is not imported.


SLOW_IMPORTS = {
    "argparse",
    "asyncio",
    "dataclasses",
    "inspect",
    "logging",
    "msgspec",
    "numpy",
    "rich",
    "websockets",
}


@each
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


HALF_WRITTEN = """
import sys
from core.cli import main

def run(arguments):
    sys.stdout.write("a row\\n")
    raise KeyboardInterrupt

main("program", run)
"""


@loop_over(("redirection", "row"), [("2>&1", "a row\n"), ("2>&1 >/dev/full", "")])
def test_what_an_interrupt_has_left_comes_before_its_message(redirection: str, row: str) -> None:
    command = f"exec {shlex.quote(sys.executable)} -c '{HALF_WRITTEN}' {redirection}"
    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, text=True)
    assert (result.returncode, result.stdout) == (130, f"{row}program: interrupted\n")
