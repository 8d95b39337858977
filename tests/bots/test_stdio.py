"""Adapter for programs that read and write lines."""

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from arena.model.results import Info
from arena.protocol.player import Turn
from bots import stdio
from bots.client import Choice, ProgramFailed
from bots.stdio import MAX_LINE, Program, StdioBot, turn_line
from core import GAMES
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT, join

IGNORES_SIGTERM = "trap '' TERM; while true; do sleep 60; done"


def make_turn(moves: list[int], you: int = 1, *, per_move: bool = False) -> Turn:
    """Return a turn with 20 stones."""
    clocks = (5000, 4000)
    setup = {"stones": 20}
    return Turn("1", "take_stones", setup, moves, len(moves), you, clocks, 50, "o", per_move)


# Line of a turn


def test_lines_of_turns() -> None:
    assert turn_line(make_turn([3, 6, 2], you=2)) == (
        "turn game=take_stones stones=20 you=2 time_ms=4000 opponent_ms=5000 increment_ms=50 "
        "moves=3,6,2 legal=1,4,8,10,12,14,16,18,20\n"
    )
    assert turn_line(make_turn([])).endswith(" moves= legal=1,3,5,7,9\n")
    assert " increment_ms=50 per_move=1 moves=" in turn_line(make_turn([], per_move=True))
    turn = structs.replace(make_turn([]), opponent_increment_ms=50, opponent_per_move=False)
    assert "opponent_increment_ms=" not in turn_line(turn)
    turn = structs.replace(turn, opponent_increment_ms=7, opponent_per_move=True)
    assert " increment_ms=50 opponent_increment_ms=7 opponent_per_move=1 moves=" in turn_line(turn)


@loop_over(("delay", "left"), [(0.5, 4500), (5.0, 0), (60.0, 0)])
def test_line_has_the_time_left_after_the_delay(delay: float, left: int) -> None:
    assert f" time_ms={left} " in turn_line(make_turn([]), delay)


@given(st.sampled_from([*GAMES]), st.data())
def test_line_can_be_parsed(game_name: str, data: st.DataObject) -> None:
    game = GAMES[game_name]
    setup = {
        name: data.draw(st.integers(3, parameter.maximum or 99))
        for name, parameter in game.parameters.items()
    }
    position = game.position(**setup)
    for _ in range(data.draw(st.integers(0, 6))):
        if legal := position.legal_moves():
            position.play(data.draw(st.sampled_from(legal)))
    moves, legal = position.moves, position.legal_moves()
    line = turn_line(Turn("1", game_name, setup, moves, len(moves), 1, (9, 8), 7, "o"))
    read = dict(pair.split("=") for pair in line.removeprefix("turn ").split())
    lists = {key: [int(n) for n in read.pop(key).split(",") if n] for key in ("moves", "legal")}
    assert lists == {"moves": moves, "legal": legal}
    numbers = {"you": 1, "time_ms": 9, "opponent_ms": 8, "increment_ms": 7, **setup}
    assert read == {"game": game_name} | {key: str(value) for key, value in numbers.items()}


# Program


@dataclass
class RunningProgram:
    """A program and its failures."""

    program: Program
    failures: SimpleQueue[ProgramFailed]

    def failure(self) -> str:
        return str(self.failures.get(timeout=TEST_TIMEOUT))


@contextmanager
def run_program(*command: str) -> Iterator[RunningProgram]:
    failures: SimpleQueue[ProgramFailed] = SimpleQueue()
    program = Program(command, failures.put)
    try:
        yield RunningProgram(program, failures)
    finally:
        program.close_input()
        program.end(deadline=0)


@contextmanager
def run_script(script: str) -> Iterator[RunningProgram]:
    with run_program("sh", "-c", script) as running:
        yield running


@pytest.fixture
def short_kill_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time until programs are killed."""
    monkeypatch.setattr(stdio, "END_SECONDS", 0.05)


@loop_over(
    "line, move",
    ("8", 8),
    ("0", 0),
    (" 12\\r", 12),
    ("007", 7),
    ("resign", None),
    ("resign\\r", None),
    (18 * "9", int(18 * "9")),
)
def test_answer_is_a_number_or_resign(line: str, move: int | None) -> None:
    with run_script(f"read -r line; printf '{line}\\n'") as running:
        assert running.program.ask("turn\n") == move


@loop_over("line", ["move: 8", "-8", "8.0", "8 9", "Resign", "٣", 19 * "9", ""])
def test_other_lines_are_ignored(line: str) -> None:
    with run_program("cat") as running:
        assert running.program.ask(f"{line}\n5\n") == 5


def test_an_answer_can_have_information() -> None:
    with run_program("cat") as running:
        line = " 8  depth=6 eval=1.5\tnodes=1234 pv=8,4 mood=good\r\n"
        assert running.program.ask(line) == Choice(8, Info(1.5, 6, 1234, (8, 4)))
        assert running.program.ask("8 mood=good\n") == 8


def test_bad_information_is_ignored_and_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    with run_program("cat") as running:
        assert running.program.ask("8 depth=x nodes=7\n") == Choice(8, Info(nodes=7))
        assert running.program.ask("8 eval=y\n") == 8
    text = "bots: ignored output 'depth=x' (not valid information)\n"
    assert capsys.readouterr().err == text


@pytest.fixture(scope="module")
def cat() -> Iterator[Program]:
    """Yield a program that prints what it reads."""
    with run_program("cat") as running:
        yield running.program


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 10**18 - 1))
def test_any_text_before_the_answer_is_ignored(cat: Program, text: str, move: int) -> None:
    chatter = "".join(f"? {line}\n" for line in text.split("\n"))
    assert cat.ask(f"{chatter}{move}\n") == move


def test_unexpected_answer_is_not_used_for_the_next_line() -> None:
    with run_script(
        "read -r line; printf '5\\n7\\n'; read -r line; echo 9; read -r line"
    ) as running:
        assert [running.program.ask("turn\n"), running.program.ask("turn\n")] == [5, 9]


def test_ignored_output_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with run_program("cat") as running:
        running.program.ask("\nmove: 8\nagain\n8\n")
    assert (
        capsys.readouterr().err == "bots: ignored output 'move: 8' (expected a number or resign)\n"
    )
    with run_program("cat") as running:
        running.program.ask("8\n9\n")
        running.program.ask("8\n")
    assert capsys.readouterr().err == "bots: ignored output '9' (no turn waits for an answer)\n"
    with run_program("cat") as running:
        running.program.ask("\x1b[2J" + 1000 * "x" + "\n8\n")
    shown = capsys.readouterr().err
    assert shown.startswith("bots: ignored output '\\x1b[2Jxxx")
    assert len(shown) < 300


class Screen(io.StringIO):
    """Text that a terminal shows."""

    def isatty(self) -> bool:
        return True


def test_a_program_does_not_control_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    long = f"head -c {MAX_LINE + 1} /dev/zero | tr '\\0' x"
    script = f"printf '\\033[2Jone\\r\\n' >&2; read -r line; echo 8; ({long}; printf two) >&2"
    with run_script(script) as running:
        assert running.program.ask("turn\n") == 8
        running.failures.get(timeout=TEST_TIMEOUT)
    lines = screen.getvalue().splitlines()
    assert lines[0] == r"\x1b[2Jone"
    assert "".join(lines[1:]) == (MAX_LINE + 1) * "x" + "two"


def test_closed_standard_error_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with io.FileIO(write, "w") as raw:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, write_through=True))
        with run_program("cat") as running:
            assert running.program.ask("hello\n8\n") == 8
        monkeypatch.undo()


def test_long_lines_in_both_directions() -> None:
    with run_script("yes | head -c 500000; read -r line; echo ${#line}") as running:
        assert running.program.ask(300_000 * "x" + "\n") == 300_000


# End of a program

ENDS = [
    ("exit 3", "sh ended with status 3"),
    ("exit 0", "sh ended with status 0"),
    ("kill -SEGV $$", "sh ended with SIGSEGV"),
    ("kill -35 $$", "sh ended with signal 35"),
    ("cat /dev/zero", f"sh wrote more than {MAX_LINE} bytes without a newline"),
    ("exec >&-; sleep 60", "sh closed its output"),
]


@pytest.mark.usefixtures("short_kill_timeout")
@loop_over(("script", "failure"), ENDS)
def test_ends_are_reported_and_raised(script: str, failure: str) -> None:
    with run_script(script) as running:
        assert running.failure() == failure
    with (
        run_script(f"read -r line; {script}") as running,
        pytest.raises(ProgramFailed, match=failure),
    ):
        running.program.ask("turn\n")


def test_the_end_of_a_program_is_raised() -> None:
    with run_script("exit 3") as running:
        running.failure()
        with pytest.raises(ProgramFailed, match="sh ended with status 3"):
            running.program.ask("turn\n")
    with (
        run_stdio_bot("exit 3") as bot,
        pytest.raises(ProgramFailed, match="sh ended with status 3"),
    ):
        bot.watch()


@pytest.mark.usefixtures("short_kill_timeout")
def test_closed_input_is_a_failure() -> None:
    with run_script("exec <&-; sleep 60") as running:
        with pytest.raises(ProgramFailed, match="sh closed its input"):
            running.program.ask(10**6 * "x" + "\n")  # more than a pipe can hold
        assert running.failure() == "sh closed its input"


@loop_over(
    "command, reason", [("./missing", "No such file or directory"), ("/", "Permission denied")]
)
def test_program_that_cannot_be_started(command: str, reason: str) -> None:
    with (
        pytest.raises(ProgramFailed, match=f"^cannot run '{command}': {reason}$"),
        run_program(command),
    ):
        pass


# Bot


@contextmanager
def run_stdio_bot(script: str, matches: int = 1) -> Iterator[StdioBot]:
    bot = StdioBot(["sh", "-c", script], matches)
    bot.start()
    try:
        yield bot
    finally:
        bot.close()


PID = "while read -r line; do echo $$; done"


def waiting_script(fifo: Path) -> str:
    """Return a script that answers with its process id; after a first move of 3 it waits."""
    wait = f'case $line in *" moves=3 "*) read -r go <{fifo};; esac'
    return f"while read -r line; do {wait}; echo $$; done"


def test_one_process_answers_under_the_name_of_the_program() -> None:
    assert StdioBot(["/some where/mybot.sh", "--level", "3"], 1).name == "mybot.sh"
    with run_stdio_bot("read -r line; echo 7") as bot:
        assert bot.answer(make_turn([])) == 7
    with run_stdio_bot(PID, matches=9) as bot:
        assert len({bot.answer(make_turn([])) for _ in range(5)}) == 1


def test_simultaneous_matches_have_separate_processes(fifo: Path) -> None:
    answers: list[int | Choice | None] = []
    with run_stdio_bot(waiting_script(fifo), matches=2) as bot:
        slow = threading.Thread(target=lambda: answers.append(bot.answer(make_turn([3]))))
        slow.start()
        with fifo.open("w") as go:
            answers.append(bot.answer(make_turn([5])))
            go.write("go\n")
        join(slow)
    assert len({*answers}) == 2


def test_bot_waits_for_a_busy_process(fifo: Path) -> None:
    answers: list[int | Choice | None] = []
    with run_stdio_bot(waiting_script(fifo)) as bot:
        turns = [make_turn([3]), make_turn([5])]
        slow, next_one = (
            threading.Thread(target=lambda turn=turn: answers.append(bot.answer(turn)))
            for turn in turns
        )
        slow.start()
        with fifo.open("w") as go:
            next_one.start()
            go.write("go\n")
        join(slow)
        join(next_one)
    assert (len(answers), len({*answers})) == (2, 1)


@pytest.mark.usefixtures("short_kill_timeout")
def test_program_that_does_not_end_is_killed() -> None:
    with run_stdio_bot(IGNORES_SIGTERM.replace("'", '"')) as bot:
        pass
    with pytest.raises(ProgramFailed, match="SIGKILL"):
        bot.watch()
