"""Command line of the arena, run in this process and in others."""

import asyncio
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
from websockets.asyncio.client import connect

from arena.__main__ import main
from arena.cli.parser import parse
from arena.cli.shared_options import Command
from arena.model.results import MatchRecord
from tests.support.polling import PATIENCE, TEST_TIMEOUT, missed
from tests.support.servers.arena_server import ScriptedBot
from tests.support.tournaments.played import play_tournament

COMMAND = [sys.executable, "-m", "arena"]
SMALL = ["tournament", "--bots", "random", "greedy", "spec:1", "--stones", "7", "--seed", "1"]
GUEST = ["tournament", "--bots", "random", "external:guest", "--stones", "7", "--seed", "1"]


def with_flags(command: Sequence[object], words: Sequence[object]) -> list[str]:
    """Return a command with more words, the flags of which replace its own."""
    more, kept, is_kept = [*map(str, words)], [], True
    flags = {word for word in more if word.startswith("--")}
    for word in map(str, command):
        if word.startswith("--"):
            is_kept = word not in flags
        if is_kept:
            kept.append(word)
    return [*kept, *more]


PRINTING_SECONDS = 5.0 * PATIENCE  # in which an aborted program prints where it is

Process = subprocess.Popen[str]


C = TypeVar("C", bound=Command)


def configured(kind: type[C], *words: str) -> C:
    """Return the configuration of a command line, which must be of this class."""
    config = parse(words)
    assert isinstance(config, kind)
    return config


class CompletedCommand(NamedTuple):
    """Exit status and output of a command."""

    status: int | str | None
    out: str
    err: str


Run = Callable[..., CompletedCommand]
Launch = Callable[..., Process]


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command line in this process."""

    def run(*arguments: object) -> CompletedCommand:
        status: int | str | None
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code
        return CompletedCommand(status, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the database of the small tournament, completely played."""
    return play_tournament(tmp_path_factory.mktemp("small") / "arena.db", *SMALL)


@pytest.fixture
def complete(small: Path, db: Path) -> Path:
    """Copy the database of the small tournament for a test."""
    return Path(shutil.copy(small, db))


@contextmanager
def launcher() -> Iterator[Launch]:
    """Yield a function that starts programs; they are killed at the end of the context."""
    with ExitStack() as stack:
        yield lambda *command: stack.enter_context(running_process(*command))


@pytest.fixture
def launch() -> Iterator[Launch]:
    """Yield a function that starts programs; they are killed after the pages are closed."""
    with launcher() as start:
        yield start


@contextmanager
def running_process(
    *command: object, err: int = subprocess.PIPE, env: Mapping[str, str] | None = None
) -> Iterator[Process]:
    """Run a program in another process, which is killed at the end."""
    with subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=err,
        text=True,
        env=env,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def watchdog(process: Process) -> Iterator[None]:
    """Abort a program after TEST_TIMEOUT seconds: it then prints where it hangs."""
    timer = threading.Timer(TEST_TIMEOUT, _abort, [process])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _abort(process: Process) -> None:
    process.send_signal(signal.SIGABRT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(PRINTING_SECONDS)
    process.kill()


def wait_for_line(process: Process, pattern: str, times: int = 1) -> str:
    """Wait for `times` matching lines on standard error; return the first group of the last."""
    assert process.stderr
    lines = []
    with watchdog(process):
        for line in process.stderr:
            lines.append(line)
            if found := re.search(pattern, line):
                times -= 1
                if not times:
                    return found[1]
    raise AssertionError(f"no line matches {pattern}:\n{''.join(lines)}")


def wait_for_url(process: Process) -> str:
    return wait_for_line(process, r"(ws://[^\s,]+)")


def wait_for_exit(process: Process) -> CompletedCommand:
    """Wait until a program exits."""
    with watchdog(process):
        out, err = process.communicate()
    if process.returncode == -signal.SIGABRT:
        raise AssertionError(f"{missed('the end of the program')}, which was doing this:\n{err}")
    return CompletedCommand(process.returncode, out, err)


@contextmanager
def running_bot(kind: str, name: str, url: str) -> Iterator[None]:
    """Run a bot that connects to the URL, in another process."""
    command = [sys.executable, "-m", "bots", kind, "--name", name, "--url", url]
    with running_process(*command, err=subprocess.DEVNULL):
        yield


@asynccontextmanager
async def connect_guest(url: str) -> AsyncIterator[ScriptedBot]:
    """Connect a scripted bot named guest."""
    async with connect(url, compression=None, proxy=None) as connection:
        player = ScriptedBot(connection)
        await player.log_in("guest")
        yield player


@contextmanager
def scripted_bots(url: str, *names: str) -> Iterator[None]:
    """Let scripted bots play all games, in a thread, until the arena has closed the connections."""

    async def play(name: str) -> None:
        async with connect(url, compression=None, proxy=None) as connection:
            player = ScriptedBot(connection)
            await player.log_in(name, games=["isolation", "take_stones"])
            await player.play_to_end()

    async def play_all() -> None:
        await asyncio.gather(*map(play, names))

    thread = threading.Thread(target=lambda: asyncio.run(play_all()), daemon=True)
    thread.start()
    yield
    thread.join(TEST_TIMEOUT)
    assert not thread.is_alive(), missed("the end of the bots")


def without_times(records: list[MatchRecord]) -> list[object]:
    """Return the finished matches without their times."""
    return [
        (record.pairing, record.result, [move.move for move in record.moves])
        for record in records
        if record.winner
    ]


def last_line(end: CompletedCommand) -> CompletedCommand:
    """Keep only the last line of standard error."""
    return end._replace(err=end.err.splitlines()[-1])
