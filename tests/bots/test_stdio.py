"""Adapter for programs that read and write lines."""

import asyncio
import io
import os
import re
import signal
import subprocess
import sys
import threading
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Termination
from arena.protocol.player import Turn
from bots import stdio
from bots.stdio import MAX_LINE, Program, ProgramFailed, StdioBot, turn_line
from core import GAMES
from tests.support.arena_server import TEST_TIMEOUT, ArenaServer, arena_server, in_event_loop

FIRST_LEGAL = """\
while read -r line; do
    legal=${line##* legal=}
    echo "${legal%%,*}"
done
"""
IGNORES_SIGTERM = "trap '' TERM; while true; do sleep 60; done"


def make_turn(moves: list[int], you: int = 1, *, per_move: bool = False) -> Turn:
    """Return a turn with 20 stones."""
    clocks = (5000, 4000)
    setup = {"stones": 20}
    return Turn("1", "take_stones", setup, moves, len(moves), you, clocks, 50, "o", per_move)


# Line of a turn


def test_line_of_a_turn() -> None:
    assert turn_line(make_turn([3, 6, 2], you=2)) == (
        "turn game=take_stones stones=20 you=2 time_ms=4000 opponent_ms=5000 increment_ms=50 "
        "moves=3,6,2 legal=1,4,8,10,12,14,16,18,20\n"
    )


def test_line_before_the_first_move() -> None:
    assert turn_line(make_turn([])).endswith(" moves= legal=1,3,5,7,9\n")


def test_line_with_a_clock_per_move() -> None:
    assert " increment_ms=50 per_move=1 moves=" in turn_line(make_turn([], per_move=True))


@pytest.mark.parametrize(("delay", "left"), [(0.5, 4500), (5.0, 0), (60.0, 0)])
def test_line_has_the_time_left_after_the_delay(delay: float, left: int) -> None:
    assert f" time_ms={left} " in turn_line(make_turn([]), delay)


@given(st.sampled_from([*GAMES]), st.data())
def test_line_can_be_parsed(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    setup = {parameter: data.draw(st.integers(3, 99)) for parameter in game.parameters}
    position = game.position(**setup)
    for _ in range(data.draw(st.integers(0, 6))):
        if legal := position.legal_moves():
            position.play(data.draw(st.sampled_from(legal)))
    moves, legal = position.moves, position.legal_moves()
    line = turn_line(Turn("1", name, setup, moves, len(moves), 1, (9, 8), 7, "o"))
    read = dict(pair.split("=") for pair in line.removeprefix("turn ").split())
    lists = {key: [int(n) for n in read.pop(key).split(",") if n] for key in ("moves", "legal")}
    assert lists == {"moves": moves, "legal": legal}
    numbers = {"you": 1, "time_ms": 9, "opponent_ms": 8, "increment_ms": 7, **setup}
    assert read == {"game": name} | {key: str(value) for key, value in numbers.items()}


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


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("8", 8),
        ("0", 0),
        (" 12\\r", 12),
        ("007", 7),
        ("resign", None),
        ("resign\\r", None),
        pytest.param(18 * "9", int(18 * "9"), id="large number"),
    ],
)
def test_answer_is_a_number_or_resign(line: str, move: int | None) -> None:
    with run_script(f"read -r line; printf '{line}\\n'") as running:
        assert running.program.ask("turn\n") == move


@pytest.mark.parametrize("line", ["move: 8", "-8", "8.0", "8 9", "Resign", "٣", 19 * "9", ""])
def test_other_lines_are_ignored(line: str) -> None:
    with run_program("cat") as running:
        assert running.program.ask(f"{line}\n5\n") == 5


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
        assert [running.program.ask("turn\n"), running.program.ask("turn\n")] == [
            5,
            9,
        ]


def test_first_ignored_line_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with run_program("cat") as running:
        running.program.ask("\nmove: 8\nagain\n8\n")
    assert capsys.readouterr().err == "bots: ignored 'move: 8' from cat: not an answer\n"


def test_unexpected_answer_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with run_program("cat") as running:
        running.program.ask("8\n9\n")
        running.program.ask("8\n")
    assert capsys.readouterr().err == "bots: ignored '9' from cat: unexpected answer\n"


def test_printed_line_is_escaped_and_truncated(capsys: pytest.CaptureFixture[str]) -> None:
    with run_program("cat") as running:
        running.program.ask("\x1b[2J" + 1000 * "x" + "\n8\n")
    shown = capsys.readouterr().err
    assert shown.startswith("bots: ignored '\\x1b[2Jxxx")
    assert len(shown) < 300


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
    pytest.param("exit 3", "sh ended with status 3", id="status"),
    pytest.param("exit 0", "sh ended with status 0", id="status 0"),
    pytest.param("kill -SEGV $$", "sh ended with SIGSEGV", id="signal"),
    pytest.param("kill -35 $$", "sh ended with signal 35", id="signal without a name"),
    pytest.param(
        "cat /dev/zero",
        f"sh wrote more than {MAX_LINE} bytes without a newline",
        id="endless line",
    ),
    pytest.param("exec >&-; sleep 60", "sh closed its output", id="closed output"),
]


@pytest.mark.usefixtures("short_kill_timeout")
@pytest.mark.parametrize(("script", "failure"), ENDS)
def test_end_is_reported(script: str, failure: str) -> None:
    with run_script(script) as running:
        assert running.failure() == failure


@pytest.mark.usefixtures("short_kill_timeout")
@pytest.mark.parametrize(("script", "failure"), ENDS)
def test_end_is_raised_while_waiting_for_an_answer(script: str, failure: str) -> None:
    with (
        run_script(f"read -r line; {script}") as running,
        pytest.raises(ProgramFailed, match=failure),
    ):
        running.program.ask("turn\n")


def test_end_is_raised_by_later_questions() -> None:
    with run_script("exit 3") as running:
        running.failure()
        with pytest.raises(ProgramFailed, match="sh ended with status 3"):
            running.program.ask("turn\n")


@pytest.mark.usefixtures("short_kill_timeout")
def test_closed_input_is_a_failure() -> None:
    with run_script("exec <&-; sleep 60") as running:
        with pytest.raises(ProgramFailed, match="sh closed its input"):
            running.program.ask(10**6 * "x" + "\n")  # more than a pipe can hold
        assert running.failure() == "sh closed its input"


@pytest.mark.parametrize(
    ("command", "reason"),
    [("./missing", "No such file or directory"), ("/", "Permission denied")],
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
    bot = StdioBot(f"sh -c '{script}'", matches)
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


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def test_bot_is_named_after_its_program() -> None:
    assert StdioBot("'/some where/mybot.sh' --level 3", 1).name == "mybot.sh"


@pytest.mark.parametrize("command", ["", "  ", "''"])
def test_command_without_a_program_is_rejected(command: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{command!r} names no program")):
        StdioBot(command, 1)


def test_command_with_unbalanced_quotes_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"""command './my"bot' cannot be split: No closing"""):
        StdioBot('./my"bot', 1)


def test_bot_answers_with_the_move_of_its_program() -> None:
    with run_stdio_bot("read -r line; echo 7") as bot:
        assert bot.answer(make_turn([])) == 7


def test_idle_process_is_used_again() -> None:
    with run_stdio_bot(PID, matches=9) as bot:
        assert len({bot.answer(make_turn([])) for _ in range(5)}) == 1


def test_simultaneous_matches_have_separate_processes(fifo: Path) -> None:
    answers: list[int | None] = []
    with run_stdio_bot(waiting_script(fifo), matches=2) as bot:
        slow = threading.Thread(target=lambda: answers.append(bot.answer(make_turn([3]))))
        slow.start()
        with fifo.open("w") as go:
            answers.append(bot.answer(make_turn([5])))
            go.write("go\n")
        slow.join()
    assert len({*answers}) == 2


def test_bot_waits_for_a_busy_process(fifo: Path) -> None:
    answers: list[int | None] = []
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
        slow.join()
        next_one.join()
    assert (len(answers), len({*answers})) == (2, 1)


def test_watch_raises_the_end_of_a_program() -> None:
    with (
        run_stdio_bot("exit 3") as bot,
        pytest.raises(ProgramFailed, match="sh ended with status 3"),
    ):
        bot.watch()


@pytest.mark.usefixtures("short_kill_timeout")
def test_program_that_does_not_end_is_killed() -> None:
    with run_stdio_bot(IGNORES_SIGTERM.replace("'", '"')) as bot:
        pass
    with pytest.raises(ProgramFailed, match="SIGKILL"):
        bot.watch()


# Bot in an arena


@dataclass
class ProcessResult:
    """Exit status and output of a bot. The errors are complete only after all programs ended."""

    status: int | None
    output: str
    errors: str


class BotProcess:
    """A process of python -m bots."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def wait_for_end(self) -> ProcessResult:
        """Close its input, and wait for its end and that of all programs."""
        output, errors = await self.process.communicate(b"")
        return ProcessResult(self.process.returncode, output.decode(), errors.decode())


def mybot(folder: Path, script: str) -> Path:
    """Write a shell script and return its path."""
    program = folder / "mybot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


@asynccontextmanager
async def run_bot_process(
    server: ArenaServer, script: str, *options: str
) -> AsyncIterator[BotProcess]:
    """Run a bot with the program mybot, wait until it is connected, and finally kill it."""
    program = mybot(server.db.parent, script)
    command = [sys.executable, "-m", "bots", f"stdio:{program}", "--url", server.url, *options]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        await server.wait_until_connected("mybot")
        yield BotProcess(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate(b"")


@in_event_loop
async def test_program_plays_both_sides(db: Path) -> None:
    async with arena_server(db) as server, run_bot_process(server, FIRST_LEGAL):
        await server.run_bot("Ann")
        for players in [("mybot", "Ann"), ("Ann", "mybot")]:
            record = await server.start_match(*players)
            assert record.result.termination is Termination.NO_LEGAL_MOVE


@in_event_loop
async def test_program_can_resign(db: Path) -> None:
    async with (
        arena_server(db) as server,
        run_bot_process(server, "read -r line; echo resign; read -r line"),
    ):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.RESIGNATION


@in_event_loop
async def test_illegal_move_is_sent_to_the_arena(db: Path) -> None:
    async with (
        arena_server(db) as server,
        run_bot_process(server, "read -r line; echo 99; read -r line"),
    ):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.ILLEGAL_MOVE


@in_event_loop
async def test_program_plays_two_matches_at_once(db: Path) -> None:
    async with arena_server(db) as server, run_bot_process(server, FIRST_LEGAL, "--matches", "2"):
        await server.run_bot("Ann", 2)
        for record in await asyncio.gather(
            server.start_match("mybot", "Ann"), server.start_match("Ann", "mybot")
        ):
            assert record.result.termination is Termination.NO_LEGAL_MOVE


@in_event_loop
async def test_program_without_an_answer_loses_on_time(db: Path) -> None:
    async with arena_server(db, time="0.2") as server, run_bot_process(server, "cat >&2"):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.TIMEOUT


@in_event_loop
async def test_late_answer_is_not_used_in_the_next_match(db: Path, fifo: Path) -> None:
    late = f"read -r line; read -r go <{fifo}; echo 99"
    async with (
        arena_server(db, time="2") as server,
        run_bot_process(server, f"{late}\n{FIRST_LEGAL}"),
    ):
        await server.run_bot("Ann")
        lost = await server.start_match("mybot", "Ann")
        assert lost.result.termination is Termination.TIMEOUT
        next_match = server.start_match("mybot", "Ann")
        await asyncio.to_thread(fifo.write_text, "go\n")
        assert (await next_match).result.termination is Termination.NO_LEGAL_MOVE


def test_end_of_the_program_ends_the_bot(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bots", f"stdio:{mybot(tmp_path, 'exit 3')}"]
    nowhere = ["--url", "ws://127.0.0.1:1/play"]
    ended = subprocess.run(
        [*command, *nowhere], capture_output=True, text=True, timeout=TEST_TIMEOUT
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "bots: mybot ended with status 3\n"


@in_event_loop
async def test_end_of_the_program_loses_the_match(db: Path) -> None:
    async with (
        arena_server(db, grace=0.1) as server,
        run_bot_process(server, "read -r line; kill -SEGV $$") as bot,
    ):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.DISCONNECT
        assert await bot.wait_for_end() == ProcessResult(1, "", "bots: mybot ended with SIGSEGV\n")


@in_event_loop
async def test_standard_error_of_the_program_is_passed_on(db: Path) -> None:
    script = f"echo hello\necho 'to its author' >&2\n{FIRST_LEGAL}"
    async with arena_server(db) as server, run_bot_process(server, script, "--until-eof") as bot:
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.NO_LEGAL_MOVE
        assert {*(await bot.wait_for_end()).errors.splitlines()} == {
            "to its author",
            "bots: ignored 'hello' from mybot: not an answer",
        }


@in_event_loop
async def test_end_of_the_arena_ends_bot_and_program(db: Path) -> None:
    async with AsyncExitStack() as after:
        async with arena_server(db) as server:
            bot = await after.enter_async_context(run_bot_process(server, FIRST_LEGAL))
        assert await bot.wait_for_end() == ProcessResult(0, "", "")


@in_event_loop
async def test_end_of_the_input_ends_bot_and_program(db: Path) -> None:
    async with (
        arena_server(db) as server,
        run_bot_process(server, FIRST_LEGAL, "--until-eof") as bot,
    ):
        assert await bot.wait_for_end() == ProcessResult(0, "", "")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
@in_event_loop
async def test_signal_ends_bot_and_program(db: Path, number: signal.Signals, status: int) -> None:
    async with arena_server(db) as server, run_bot_process(server, FIRST_LEGAL) as bot:
        bot.process.send_signal(number)
        assert await bot.wait_for_end() == ProcessResult(status, "", "")


@in_event_loop
async def test_sigterm_kills_the_program(db: Path) -> None:
    async with arena_server(db) as server, run_bot_process(server, IGNORES_SIGTERM) as bot:
        await server.connect_bot("Ann")
        server.start_match("mybot", "Ann")
        bot.process.terminate()
        assert await bot.wait_for_end() == ProcessResult(143, "", "")
