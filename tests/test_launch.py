"""Bots as processes: they start, join, and never outlive the arena."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.launch import Process, Processes
from arena.server import Arena
from tests.conftest import in_loop, venue

NOBODY_LISTENS = "ws://127.0.0.1:1/play"

# An arena's process that does nothing but keep a bot.
KEEPER = """\
import sys
from arena.launch import Processes
with Processes() as processes:
    processes.launch("orphan", "random", sys.argv[1], 1)
    sys.stdin.read()
"""


def popen(process: Process) -> subprocess.Popen[bytes]:
    """What the operating system knows of a bot."""
    return process._process


@pytest.fixture
def waiting() -> Iterator[Process]:
    """A bot that goes on trying to connect."""
    process = Process("x", ["random", "--url", NOBODY_LISTENS])
    yield process
    process.stop()


@pytest.fixture
def unknown() -> Iterator[Process]:
    """A bot that ends at once."""
    process = Process("x", ["nobody"])
    popen(process).wait()
    yield process
    process.stop()


async def joins(arena: Arena, processes: Processes, name: str) -> list[str]:
    """Wait until a bot is here. Returns the failures."""

    def check() -> None:
        assert processes.failures() == []

    await arena.joined([name], check)
    return processes.failures()


@pytest.mark.parametrize("bot", ["random", "greedy", "spec:1"])
@in_loop
async def test_a_bot_joins_under_the_name_it_is_given(db: Path, bot: str) -> None:
    with Processes() as processes:
        async with venue(db) as here:
            processes.launch("Ann", bot, here.url, seed=1)
            assert await joins(here.arena, processes, "Ann") == []


def test_while_it_runs_it_has_not_failed(waiting: Process) -> None:
    assert waiting.failure is None


def test_what_it_complained_of(unknown: Process) -> None:
    assert unknown.failure == "there is no bot 'nobody', but random, greedy, spec, perfect"


def test_a_status_when_it_did_not_complain(waiting: Process) -> None:
    popen(waiting).kill()
    popen(waiting).wait()
    assert waiting.failure == "it ended with status -9"


def test_it_leaves_when_its_input_ends() -> None:
    process = Process("x", ["random", "--url", NOBODY_LISTENS])
    process.stop()
    assert popen(process).returncode == 0


def test_it_is_killed_when_it_does_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.launch.STOP_SECONDS", 0.05)
    process = Process("x", ["random", "--url", NOBODY_LISTENS])
    popen(process).send_signal(signal.SIGSTOP)
    process.stop()
    assert popen(process).returncode == -signal.SIGKILL


def test_failures_name_the_bot() -> None:
    with Processes() as processes:
        processes.launch("Ann", "random:3", NOBODY_LISTENS, 1)
        processes.launch("Bob", "random", NOBODY_LISTENS, 1)
        while not (failures := processes.failures()):
            popen(processes._running[0]).wait()
        assert failures == ["bot Ann has left: only spec has a depth, not 'random:3'"]


@in_loop
async def test_what_a_bot_complained_of_that_the_arena_refused(db: Path) -> None:
    with Processes() as processes:
        async with venue(db) as here:
            await here.bot("Ann")
            processes.launch("Ann", "random", here.url, 1)
            await asyncio.to_thread(popen(processes._running[0]).wait)
            assert processes.failures() == [
                "bot Ann has left: a bot named Ann is already here (name_taken)"
            ]


@in_loop
async def test_no_bot_outlives_an_arena_that_is_killed(db: Path) -> None:
    async with venue(db) as here:
        command = [sys.executable, "-c", KEEPER, here.url]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as keeper:
            await here.arena.joined(["orphan"], lambda: None)
            keeper.kill()
        await here.leaves("orphan")
