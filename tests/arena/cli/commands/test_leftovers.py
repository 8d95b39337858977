"""Files beside a database: none is left by a command that has ended."""

import asyncio
import json
import signal
from contextlib import nullcontext
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from arena.storage.reader import DatabaseReader
from tests.support.servers.arena_command import (
    COMMAND,
    SMALL,
    Process,
    Run,
    running_process,
    wait_for_exit,
    wait_for_line,
)

ENDLESS = ["tournament", "--bots", "random", "greedy", "--stones", "7", "--plain"]
ENDLESS += ["--rounds", "100000"]


def beside(db: Path) -> list[str]:
    """Return the endings of the files that have the name of a database and more."""
    return sorted(path.name.removeprefix(db.name) for path in db.parent.glob(f"{db.name}?*"))


def wait_for_matches(process: Process) -> None:
    """Wait until matches have been played."""
    assert process.stderr
    assert any(line.startswith("[3/") for line in process.stderr)


def test_reading_and_writing_commands(complete: Path, arena: Run, tmp_path: Path) -> None:
    for command in ("standings", "analyse", "export", "verify"):
        assert arena(command, complete).status == 0
        assert beside(complete) == []
    assert arena("report", complete, "--output", tmp_path / "page.html").status == 0
    assert beside(complete) == []


@pytest.mark.parametrize("words", [[], ["--workers"]])
def test_a_tournament(db: Path, arena: Run, words: list[str]) -> None:
    assert arena(*SMALL, *words, "--db", db).status == 0
    assert beside(db) == []


async def watch(page: str) -> None:
    """Let two processes of an arena read its database for a spectator."""
    address = page.replace("http", "ws", 1)
    awaited = {"games", "tables"}
    async with connect(f"{address}watch", proxy=None) as spectator:
        await spectator.send('{"type": "watch"}')
        await spectator.send('{"type": "find_games", "request": 1}')
        while awaited:
            awaited.discard(json.loads(await spectator.recv())["type"])


@pytest.mark.parametrize("command", ["serve", "view"])
def test_an_arena_with_a_spectator(complete: Path, tmp_path: Path, command: str) -> None:
    words = ["view", complete] if command == "view" else ["serve", "--db", tmp_path / "new.db"]
    with running_process(*COMMAND, *words, "--port", 0) as process:
        asyncio.run(watch(wait_for_line(process, r"(http://[^\s,]+)")))
        process.send_signal(signal.SIGINT)
        assert wait_for_exit(process).status == 130
    assert beside(complete) == beside(tmp_path / "new.db") == []


@pytest.mark.slow
@pytest.mark.parametrize("has_reader", [True, False])
def test_a_tournament_that_is_stopped(db: Path, has_reader: bool) -> None:
    """A reader may end after it."""
    with running_process(*COMMAND, *ENDLESS, "--db", db) as process:
        wait_for_matches(process)
        with DatabaseReader(db) if has_reader else nullcontext() as records:
            assert not records or records.count_rated()
            process.send_signal(signal.SIGINT)
            assert wait_for_exit(process).status == 130
            assert not records or records.count_rated()
    assert beside(db) == []


def test_the_next_run_removes_what_a_killed_one_has_left(db: Path, arena: Run) -> None:
    with running_process(*COMMAND, *ENDLESS, "--db", db) as process:
        wait_for_matches(process)
        process.kill()
    assert beside(db) == ["-shm", "-wal", ".lock"]
    assert arena("standings", db).status == 0
    assert beside(db) == [".lock"]
    assert arena("analyse", db).status == 0
    assert beside(db) == []
