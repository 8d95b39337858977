"""Programs that read and write lines, alone and in a real arena."""

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
IGNORES_ITS_END = "trap '' TERM; while true; do sleep 60; done"


def a_turn(moves: list[int], you: int = 1, *, per_move: bool = False) -> Turn:
    """A turn on 20 stones."""
    clocks = (5000, 4000)
    setup = {"stones": 20}
    return Turn("1", "take_stones", setup, moves, len(moves), you, clocks, 50, "o", per_move)


# The line


def test_a_line_tells_all() -> None:
    assert turn_line(a_turn([3, 6, 2], you=2)) == (
        "turn game=take_stones stones=20 you=2 time_ms=4000 opponent_ms=5000 increment_ms=50 "
        "moves=3,6,2 legal=1,4,8,10,12,14,16,18,20\n"
    )


def test_a_line_before_the_first_move() -> None:
    assert turn_line(a_turn([])).endswith(" moves= legal=1,3,5,7,9\n")


def test_a_line_tells_of_a_clock_for_each_move() -> None:
    assert " increment_ms=50 per_move=1 moves=" in turn_line(a_turn([], per_move=True))


@pytest.mark.parametrize(("waited", "left"), [(0.5, 4500), (5.0, 0), (60.0, 0)])
def test_a_line_tells_what_is_left_after_the_wait(waited: float, left: int) -> None:
    assert f" time_ms={left} " in turn_line(a_turn([]), waited)


@given(st.sampled_from([*GAMES]), st.data())
def test_a_line_can_be_read_back(name: str, data: st.DataObject) -> None:
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


# A program


@dataclass
class Ran:
    """A program, and what has become of it."""

    program: Program
    failures: SimpleQueue[ProgramFailed]

    def failure(self) -> str:
        return str(self.failures.get(timeout=TEST_TIMEOUT))


@contextmanager
def running(*command: str) -> Iterator[Ran]:
    failures: SimpleQueue[ProgramFailed] = SimpleQueue()
    program = Program(command, failures.put)
    try:
        yield Ran(program, failures)
    finally:
        program.hang_up()
        program.end(deadline=0)


@contextmanager
def shell(script: str) -> Iterator[Ran]:
    with running("sh", "-c", script) as ran:
        yield ran


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs that have to be killed."""
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
        pytest.param(18 * "9", int(18 * "9"), id="far beyond all moves"),
    ],
)
def test_an_answer_is_a_number_or_resign(line: str, move: int | None) -> None:
    with shell(f"read -r line; printf '{line}\\n'") as ran:
        assert ran.program.ask("turn\n") == move


@pytest.mark.parametrize("line", ["move: 8", "-8", "8.0", "8 9", "Resign", "٣", 19 * "9", ""])
def test_other_lines_are_no_answer(line: str) -> None:
    with running("cat") as ran:
        assert ran.program.ask(f"{line}\n5\n") == 5


@pytest.fixture(scope="module")
def cat() -> Iterator[Program]:
    """A program that answers what it reads."""
    with running("cat") as ran:
        yield ran.program


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 10**18 - 1))
def test_whatever_it_prints_before_its_answer_is_harmless(
    cat: Program, text: str, move: int
) -> None:
    chatter = "".join(f"? {line}\n" for line in text.split("\n"))
    assert cat.ask(f"{chatter}{move}\n") == move


def test_an_answer_too_many_is_not_that_to_the_next_line() -> None:
    with shell("read -r line; printf '5\\n7\\n'; read -r line; echo 9; read -r line") as ran:
        assert [ran.program.ask("turn\n"), ran.program.ask("turn\n")] == [5, 9]


def test_the_first_line_that_is_no_answer_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with running("cat") as ran:
        ran.program.ask("\nmove: 8\nagain\n8\n")
    assert capsys.readouterr().err == "bots: 'move: 8' from cat is no answer: ignored\n"


def test_an_answer_too_many_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with running("cat") as ran:
        ran.program.ask("8\n9\n")
        ran.program.ask("8\n")
    assert capsys.readouterr().err == "bots: '9' from cat was not asked for: ignored\n"


def test_what_is_shown_is_safe_and_short(capsys: pytest.CaptureFixture[str]) -> None:
    with running("cat") as ran:
        ran.program.ask("\x1b[2J" + 1000 * "x" + "\n8\n")
    shown = capsys.readouterr().err
    assert shown.startswith("bots: '\\x1b[2Jxxx")
    assert len(shown) < 300


def test_it_goes_on_where_nobody_reads_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with io.FileIO(write, "w") as raw:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, write_through=True))
        with running("cat") as ran:
            assert ran.program.ask("hello\n8\n") == 8
        monkeypatch.undo()


def test_long_lines_cross_with_much_chatter() -> None:
    with shell("yes | head -c 500000; read -r line; echo ${#line}") as ran:
        assert ran.program.ask(300_000 * "x" + "\n") == 300_000


# Its end

ENDS = [
    pytest.param("exit 3", "sh ended with status 3", id="status"),
    pytest.param("exit 0", "sh ended with status 0", id="status 0"),
    pytest.param("kill -SEGV $$", "sh ended with SIGSEGV", id="signal"),
    pytest.param("kill -35 $$", "sh ended with signal 35", id="signal without a name"),
    pytest.param(
        "cat /dev/zero",
        f"sh has written more than {MAX_LINE} bytes without an end of line",
        id="endless line",
    ),
    pytest.param("exec >&-; sleep 60", "sh has closed its output", id="closed output"),
]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("script", "failure"), ENDS)
def test_its_end_is_told(script: str, failure: str) -> None:
    with shell(script) as ran:
        assert ran.failure() == failure


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("script", "failure"), ENDS)
def test_who_waits_for_its_answer_is_told_of_its_end(script: str, failure: str) -> None:
    with shell(f"read -r line; {script}") as ran, pytest.raises(ProgramFailed, match=failure):
        ran.program.ask("turn\n")


def test_who_asks_after_its_end_is_told() -> None:
    with shell("exit 3") as ran:
        ran.failure()
        with pytest.raises(ProgramFailed, match="sh ended with status 3"):
            ran.program.ask("turn\n")


@pytest.mark.usefixtures("impatient")
def test_a_closed_input_is_a_failure() -> None:
    with shell("exec <&-; sleep 60") as ran:
        with pytest.raises(ProgramFailed, match="sh has closed its input"):
            ran.program.ask(10**6 * "x" + "\n")  # more than a pipe can hold
        assert ran.failure() == "sh has closed its input"


@pytest.mark.parametrize(
    ("command", "why"),
    [("./nobody", "No such file or directory"), ("/", "Permission denied")],
)
def test_a_program_that_cannot_be_run(command: str, why: str) -> None:
    with pytest.raises(ProgramFailed, match=f"^cannot run '{command}': {why}$"), running(command):
        pass


# A bot


@contextmanager
def playing(script: str, matches: int = 1) -> Iterator[StdioBot]:
    bot = StdioBot(f"sh -c '{script}'", matches)
    bot.start()
    try:
        yield bot
    finally:
        bot.close()


PID = "while read -r line; do echo $$; done"


def slow_with_three(fifo: Path) -> str:
    """Answers with its process id, but after a first move of 3 only when the test lets it."""
    wait = f'case $line in *" moves=3 "*) read -r go <{fifo};; esac'
    return f"while read -r line; do {wait}; echo $$; done"


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def test_a_bot_is_named_after_its_program() -> None:
    assert StdioBot("'/some where/mybot.sh' --level 3", 1).name == "mybot.sh"


@pytest.mark.parametrize("command", ["", "  ", "''"])
def test_a_command_names_a_program(command: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{command!r} names no program")):
        StdioBot(command, 1)


def test_a_command_has_balanced_quotes() -> None:
    with pytest.raises(ValueError, match=r"""command './my"bot' cannot be split: No closing"""):
        StdioBot('./my"bot', 1)


def test_a_bot_answers_with_what_its_program_says() -> None:
    with playing("read -r line; echo 7") as bot:
        assert bot.answer(a_turn([])) == 7


def test_its_program_is_started_once() -> None:
    with playing(PID, matches=9) as bot:
        assert len({bot.answer(a_turn([])) for _ in range(5)}) == 1


def test_two_matches_at_once_have_two_copies(fifo: Path) -> None:
    answers: list[int | None] = []
    with playing(slow_with_three(fifo), matches=2) as bot:
        slow = threading.Thread(target=lambda: answers.append(bot.answer(a_turn([3]))))
        slow.start()
        with fifo.open("w") as go:
            answers.append(bot.answer(a_turn([5])))
            go.write("go\n")
        slow.join()
    assert len({*answers}) == 2


def test_a_bot_waits_for_a_copy_that_still_thinks(fifo: Path) -> None:
    answers: list[int | None] = []
    with playing(slow_with_three(fifo)) as bot:
        turns = [a_turn([3]), a_turn([5])]
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


def test_a_bot_watches_its_programs() -> None:
    with playing("exit 3") as bot, pytest.raises(ProgramFailed, match="sh ended with status 3"):
        bot.watch()


@pytest.mark.usefixtures("impatient")
def test_a_program_that_does_not_leave_is_killed() -> None:
    with playing(IGNORES_ITS_END.replace("'", '"')) as bot:
        pass
    with pytest.raises(ProgramFailed, match="SIGKILL"):
        bot.watch()


# In a real arena


@dataclass
class Ended:
    """How a bridge has ended. Its errors are complete when no program is left to write any."""

    status: int | None
    output: str
    errors: str


class Bridge:
    """python -m bots as a process."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def ended(self) -> Ended:
        """Close its input, and wait until it has ended and all programs with it."""
        output, errors = await self.process.communicate(b"")
        return Ended(self.process.returncode, output.decode(), errors.decode())


def mybot(folder: Path, script: str) -> Path:
    """A program in the shell's language."""
    program = folder / "mybot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


@asynccontextmanager
async def bridge(server: ArenaServer, script: str, *options: str) -> AsyncIterator[Bridge]:
    """Run a bridge to mybot, which is in the arena, and end it."""
    program = mybot(server.db.parent, script)
    command = [sys.executable, "-m", "bots", f"stdio:{program}", "--url", server.url, *options]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        await server.wait_until_connected("mybot")
        yield Bridge(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate(b"")


@in_event_loop
async def test_matches_are_played_to_the_end_on_either_side(db: Path) -> None:
    async with arena_server(db) as server, bridge(server, FIRST_LEGAL):
        await server.run_bot("Ann")
        for players in [("mybot", "Ann"), ("Ann", "mybot")]:
            record = await server.start_match(*players)
            assert record.result.termination is Termination.NO_LEGAL_MOVE


@in_event_loop
async def test_it_can_resign(db: Path) -> None:
    async with (
        arena_server(db) as server,
        bridge(server, "read -r line; echo resign; read -r line"),
    ):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.RESIGNATION


@in_event_loop
async def test_an_illegal_move_is_for_the_arena_to_judge(db: Path) -> None:
    async with arena_server(db) as server, bridge(server, "read -r line; echo 99; read -r line"):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.ILLEGAL_MOVE


@in_event_loop
async def test_two_matches_are_played_at_once(db: Path) -> None:
    async with arena_server(db) as server, bridge(server, FIRST_LEGAL, "--matches", "2"):
        await server.run_bot("Ann", 2)
        for record in await asyncio.gather(
            server.start_match("mybot", "Ann"), server.start_match("Ann", "mybot")
        ):
            assert record.result.termination is Termination.NO_LEGAL_MOVE


@in_event_loop
async def test_without_an_answer_its_time_runs_out(db: Path) -> None:
    async with arena_server(db, time="0.2") as server, bridge(server, "cat >&2"):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.TIMEOUT


@in_event_loop
async def test_a_late_answer_is_not_taken_for_one_in_the_next_match(db: Path, fifo: Path) -> None:
    late = f"read -r line; read -r go <{fifo}; echo 99"
    async with arena_server(db, time="2") as server, bridge(server, f"{late}\n{FIRST_LEGAL}"):
        await server.run_bot("Ann")
        lost = await server.start_match("mybot", "Ann")
        assert lost.result.termination is Termination.TIMEOUT
        next_match = server.start_match("mybot", "Ann")
        await asyncio.to_thread(fifo.write_text, "go\n")
        assert (await next_match).result.termination is Termination.NO_LEGAL_MOVE


def test_a_program_that_ends_at_once_ends_the_bridge(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bots", f"stdio:{mybot(tmp_path, 'exit 3')}"]
    nowhere = ["--url", "ws://127.0.0.1:1/play"]
    ended = subprocess.run(
        [*command, *nowhere], capture_output=True, text=True, timeout=TEST_TIMEOUT
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "bots: mybot ended with status 3\n"


@in_event_loop
async def test_a_program_that_ends_in_a_match_loses_it(db: Path) -> None:
    async with (
        arena_server(db, grace=0.1) as server,
        bridge(server, "read -r line; kill -SEGV $$") as run,
    ):
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.DISCONNECT
        assert await run.ended() == Ended(1, "", "bots: mybot ended with SIGSEGV\n")


@in_event_loop
async def test_what_a_program_says_is_passed_on_or_harmless(db: Path) -> None:
    script = f"echo hello\necho 'to its author' >&2\n{FIRST_LEGAL}"
    async with arena_server(db) as server, bridge(server, script, "--until-eof") as run:
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.NO_LEGAL_MOVE
        assert {*(await run.ended()).errors.splitlines()} == {
            "to its author",
            "bots: 'hello' from mybot is no answer: ignored",
        }


@in_event_loop
async def test_the_end_of_the_arena_is_the_end_of_all(db: Path) -> None:
    async with AsyncExitStack() as after:
        async with arena_server(db) as server:
            run = await after.enter_async_context(bridge(server, FIRST_LEGAL))
        assert await run.ended() == Ended(0, "", "")


@in_event_loop
async def test_the_end_of_its_input_is_the_end_of_all(db: Path) -> None:
    async with arena_server(db) as server, bridge(server, FIRST_LEGAL, "--until-eof") as run:
        assert await run.ended() == Ended(0, "", "")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
@in_event_loop
async def test_a_signal_is_the_end_of_all(db: Path, number: signal.Signals, status: int) -> None:
    async with arena_server(db) as server, bridge(server, FIRST_LEGAL) as run:
        run.process.send_signal(number)
        assert await run.ended() == Ended(status, "", "")


@in_event_loop
async def test_no_program_outlives_the_bridge(db: Path) -> None:
    async with arena_server(db) as server, bridge(server, IGNORES_ITS_END) as run:
        await server.connect_bot("Ann")
        server.start_match("mybot", "Ann")
        run.process.terminate()
        assert await run.ended() == Ended(143, "", "")
