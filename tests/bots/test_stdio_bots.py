"""Bots that are programs, in an arena."""

import asyncio
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from arena.model.results import Termination
from tests.bots.test_process import Ended
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, arena_server

FIRST_LEGAL = """\
while read -r line; do
    legal=${line##* legal=}
    echo "${legal%%,*}"
done
"""
IGNORES_SIGTERM = "trap '' TERM; while true; do sleep 60; done"


class BotProcess:
    """A process of python -m bots."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def wait_for_end(self) -> Ended:
        """Close its input, and wait for its end and that of all programs."""
        output, errors = await self.process.communicate(b"")
        return Ended(self.process.returncode, output.decode(), errors.decode())


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


async def test_program_plays_two_matches_at_once(db: Path) -> None:
    async with arena_server(db) as server, run_bot_process(server, FIRST_LEGAL, "--matches", "2"):
        await server.run_bot("Ann", 2)
        for record in await asyncio.gather(
            server.start_match("mybot", "Ann"), server.start_match("Ann", "mybot")
        ):
            assert record.result.termination is Termination.NO_LEGAL_MOVE


@pytest.mark.usefixtures("measured")
def test_end_of_the_program_ends_the_bot(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bots", f"stdio:{mybot(tmp_path, 'exit 3')}"]
    nowhere = ["--url", "ws://127.0.0.1:1/play"]
    ended = subprocess.run(
        [*command, *nowhere], capture_output=True, text=True, timeout=TEST_TIMEOUT
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "bots: mybot ended with status 3\n"


async def test_standard_error_of_the_program_is_passed_on(db: Path) -> None:
    script = f"echo hello\necho 'to its author' >&2\n{FIRST_LEGAL}"
    async with arena_server(db) as server, run_bot_process(server, script, "--until-eof") as bot:
        await server.run_bot("Ann")
        record = await server.start_match("mybot", "Ann")
        assert record.result.termination is Termination.NO_LEGAL_MOVE
        assert {*(await bot.wait_for_end()).errors.splitlines()} == {
            "to its author",
            "bots: ignored output 'hello' (expected a number or resign)",
        }


async def test_end_of_the_arena_ends_bot_and_program(db: Path) -> None:
    async with AsyncExitStack() as after:
        async with arena_server(db) as server:
            bot = await after.enter_async_context(run_bot_process(server, FIRST_LEGAL))
        assert await bot.wait_for_end() == Ended(0, "", "")


@pytest.mark.usefixtures("measured")
async def test_end_of_the_input_ends_bot_and_program(db: Path) -> None:
    async with (
        arena_server(db) as server,
        run_bot_process(server, FIRST_LEGAL, "--until-eof") as bot,
    ):
        assert await bot.wait_for_end() == Ended(0, "", "")


@loop_over(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
@pytest.mark.usefixtures("measured")
async def test_signal_ends_bot_and_program(db: Path, number: signal.Signals, status: int) -> None:
    async with arena_server(db) as server, run_bot_process(server, FIRST_LEGAL) as bot:
        bot.process.send_signal(number)
        assert await bot.wait_for_end() == Ended(status, "", "")


@pytest.mark.usefixtures("measured")
async def test_sigterm_kills_the_program(db: Path) -> None:
    async with arena_server(db) as server, run_bot_process(server, IGNORES_SIGTERM) as bot:
        await server.connect_bot("Ann")
        server.start_match("mybot", "Ann")
        bot.process.terminate()
        assert await bot.wait_for_end() == Ended(143, "", "")
