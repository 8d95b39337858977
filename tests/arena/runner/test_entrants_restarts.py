"""Restarts: a bot gets a new process for each match, and waits for it."""

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.model.observer import CompositeObserver, Observer
from arena.runner import entrants as module
from arena.runner.entrants import Entrants, Restarts
from arena.runner.organiser import play_schedule
from arena.server.admission import Admission
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from bots.specification import read_bots
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, arena_server, read_matches

# Notes its process and its matches in a file; plays several matches at once if it may.
PROGRAM = """
import json, os, sys
from websockets.sync.client import connect
log = open(sys.argv[1], "a", buffering=1)
with connect(os.environ["ARENA_URL"], proxy=None) as arena:
    arena.send(json.dumps({"type": "hello", "protocol": 1, "name": os.environ["ARENA_NAME"],
                           "games": ["take_stones"], "matches": 9}))
    for frame in arena:
        message = json.loads(frame)
        if message["type"] == "turn":
            print(os.getpid(), message["match"], file=log)
            arena.send(json.dumps({"type": "resign", "match": message["match"]}))
        if message["type"] == "finished":
            print(os.getpid(), "finished", file=log)
"""
PLAN = Plan(
    "take_stones",
    {"ann": "cmd", "bob": "external:bob", "cay": "external:cay"},
    ({"stones": 7},),
    "5+0.05",
    1,
    rounds=2,
    settings={"ann": {"restart": "on"}},
)


@pytest.fixture(autouse=True)
def _long_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", TEST_TIMEOUT)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@asynccontextmanager
async def running(
    db: Path, log: Path
) -> AsyncIterator[tuple[ArenaServer, Restarts, CompositeObserver]]:
    """Run an arena with ann's process, which is restarted, and the bots bob and cay."""
    program = log.with_name("program.py")
    program.write_text(PROGRAM)
    bots = {"ann": f"cmd:{shlex.quote(sys.executable)} {program} {log}"}
    admission = Admission()
    observers: list[Observer] = []
    observer = CompositeObserver(observers)
    with Entrants(read_bots(bots), admission, print, settings=PLAN.settings) as entrants:
        async with arena_server(db, admission=admission, observer=observer) as server:
            restarts = entrants.restarts(server.arena.server)
            observers.append(restarts)
            entrants.launch(server.url, seed=1, matches=9)
            await server.wait_until_connected("ann")
            supervision = asyncio.create_task(supervise(entrants))
            try:
                yield server, restarts, observer
            finally:
                supervision.cancel()


def rated_matches(db: Path) -> int:
    """Return the number of matches that count: one that a late arena aborts is played again."""
    return sum(record.is_rated for record in read_matches(db))


async def supervise(entrants: Entrants) -> None:
    while True:
        entrants.supervise()
        await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_each_match_has_a_new_process(db: Path, log: Path) -> None:
    async with running(db, log) as (server, restarts, observer):
        assert all(map(restarts.is_ready, ("ann", "bob")))
        for name in ("bob", "cay"):
            await server.run_bot(name, 9)
        await play_schedule(server.arena.server, Schedule(PLAN, []), 9, observer, restarts.is_ready)
    turns = [line.split() for line in log.read_text().splitlines()]
    matches = {match: process for process, match in turns if match != "finished"}
    assert len(matches) == 8
    assert len({*matches.values()}) == 8  # none plays two, not even at the same time
    finished = [process for process, match in turns if match == "finished"]
    assert {*finished} == {*matches.values()}
    assert rated_matches(db) == 12


@pytest.mark.slow
async def test_a_bot_that_does_not_come_back_plays_on_without_its_process(
    db: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.0)
    async with running(db, log) as (server, restarts, observer):
        log.with_name("program.py").write_text("raise SystemExit")
        for name in ("bob", "cay"):
            await server.run_bot(name, 9)
        await play_schedule(server.arena.server, Schedule(PLAN, []), 9, observer, restarts.is_ready)
    assert rated_matches(db) == 12
