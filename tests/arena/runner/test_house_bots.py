"""Bots that are offered: they come when they are wanted, and stay."""

import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.lobby.challenges import MAX_CASUAL_MATCHES, Challenges
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello
from arena.runner.house_bots import JOIN_SECONDS, THINK_SECONDS, HouseBots
from arena.runner.processes import NICENESS
from arena.server.admission import Admission
from tests.support.arena_server import ArenaServer, arena_server, in_event_loop

BOTS = {"Greta": "greedy"}


@asynccontextmanager
async def offering(
    db: Path, bots: dict[str, str], tell: Callable[[str], None] = print
) -> AsyncIterator[tuple[ArenaServer, HouseBots]]:
    """An arena that offers these bots."""
    admission = Admission()
    with HouseBots(bots, admission, tell) as offers:
        challenges = Challenges({name: ["take_stones"] for name in bots})
        async with arena_server(db, admission=admission, challenges=challenges) as server:
            yield server, offers


def pids(offers: HouseBots) -> list[int]:
    """The processes that have been started last."""
    processes = [process._process for process in offers._processes._running]
    return [process.pid for process in processes if process]


@in_event_loop
async def test_a_bot_comes_when_it_is_wanted(db: Path) -> None:
    async with offering(db, BOTS) as (server, offers):
        assert pids(offers) == []
        await offers.ensure_connected("Greta", server.arena, server.url)
        greta = server.arena.sessions.casual_players["Greta"]
        assert (greta.capacity, greta.grants_takebacks) == (MAX_CASUAL_MATCHES, True)


@in_event_loop
async def test_it_gives_way_to_the_arena(db: Path) -> None:
    async with offering(db, BOTS) as (server, offers):
        await offers.ensure_connected("Greta", server.arena, server.url)
        own = os.getpriority(os.PRIO_PROCESS, 0)
        [pid] = pids(offers)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, own + NICENESS)


@in_event_loop
async def test_it_does_not_think_for_long(db: Path) -> None:
    async with offering(db, BOTS) as (server, offers):
        await offers.ensure_connected("Greta", server.arena, server.url)
        [pid] = pids(offers)
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        assert words[words.index("--think") + 1] == f"{THINK_SECONDS:g}" == "2"


@in_event_loop
async def test_a_bot_comes_once(db: Path) -> None:
    async with offering(db, {**BOTS, "Rolf": "random"}) as (server, offers):
        for name in ("Greta", "Rolf", "Greta"):
            await offers.ensure_connected(name, server.arena, server.url)
        assert len(pids(offers)) == 2


@in_event_loop
async def test_who_is_not_offered_is_not_waited_for(db: Path) -> None:
    async with offering(db, BOTS) as (server, offers):
        await offers.ensure_connected("Ann", server.arena, server.url)
        assert pids(offers) == []


@in_event_loop
async def test_who_does_not_come_is_not_waited_for_for_ever(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runner.house_bots.JOIN_SECONDS", 0.01)
    async with offering(db, {"cat": "cmd:cat"}) as (server, offers):
        await offers.ensure_connected("cat", server.arena, server.url)
        assert not server.arena.sessions.has_casual_player("cat")


def test_a_challenger_waits_for_so_long() -> None:
    assert JOIN_SECONDS == 10


@in_event_loop
async def test_who_dies_comes_again(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.house_bots.SUPERVISE_INTERVAL", 0.01)
    monkeypatch.setattr("arena.runner.processes.FIRST_DELAY", 0.01)
    told: list[str] = []
    async with offering(db, BOTS, told.append) as (server, offers):
        await offers.ensure_connected("Greta", server.arena, server.url)
        os.kill(pids(offers)[0], signal.SIGKILL)
        await server.wait_until_disconnected("Greta")
        await offers.ensure_connected("Greta", server.arena, server.url)
        assert server.arena.sessions.has_casual_player("Greta")
    news = "bot Greta has left: killed by SIGKILL; restarting it in 0.01 s"
    assert told == [news]


@in_event_loop
async def test_nobody_else_has_its_name(db: Path) -> None:
    async with offering(db, BOTS) as (server, _):
        stranger = await server.connect()
        await stranger.send(Hello(PROTOCOL_VERSION, "Greta", ["take_stones"], casual=True))
        assert (await stranger.receive(Error)).code == "name_reserved"


@in_event_loop
async def test_nobody_stays_when_the_arena_ends(db: Path) -> None:
    async with offering(db, BOTS) as (server, offers):
        await offers.ensure_connected("Greta", server.arena, server.url)
        [pid] = pids(offers)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
