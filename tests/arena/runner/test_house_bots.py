"""House bots: started on demand, supervised, and ended with the arena."""

import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.lobby.challenges import MAX_CASUAL_MATCHES, Challenges
from arena.protocol.player import PROTOCOL_VERSION, Error, Hello
from arena.runner.house_bots import THINK_SECONDS, HouseBots
from arena.runner.processes import JOIN_SECONDS, NICENESS
from arena.server.admission import Admission
from bots.specification import read_bots
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, arena_server

BOTS = {"Greta": "greedy"}


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for a bot's process, which a busy machine starts late."""
    monkeypatch.setattr("arena.runner.house_bots.JOIN_SECONDS", TEST_TIMEOUT)


@asynccontextmanager
async def arena_with_house_bots(
    db: Path, bots: dict[str, str], report: Callable[[str], None] = print
) -> AsyncIterator[tuple[ArenaServer, HouseBots]]:
    """Run an arena with these house bots."""
    admission = Admission()
    with HouseBots(read_bots(bots), admission, report) as house_bots:
        challenges = Challenges({name: ["take_stones"] for name in bots})
        async with arena_server(db, admission=admission, challenges=challenges) as server:
            yield server, house_bots


def pids(house_bots: HouseBots) -> list[int]:
    """Return the ids of the processes that were started last."""
    processes = [process._process for process in house_bots._processes._running]
    return [process.pid for process in processes if process]


async def test_a_house_bot_is_started_once_on_demand_and_ends_with_the_arena(db: Path) -> None:
    async with arena_with_house_bots(db, {**BOTS, "Rolf": "random"}) as (server, house_bots):
        for name, count in (("Ann", 0), ("Greta", 1), ("Rolf", 2), ("Greta", 2)):
            await house_bots.ensure_connected(name, server.arena.server, server.url)
            assert len(pids(house_bots)) == count
        greta = server.arena.server.sessions.casual_players["Greta"]
        assert (greta.capacity, greta.grants_takebacks) == (MAX_CASUAL_MATCHES, True)
        stranger = await server.connect()
        await stranger.send(Hello(PROTOCOL_VERSION, "Greta", ["take_stones"], casual=True))
        assert (await stranger.receive(Error)).code == "name_reserved"
        running = pids(house_bots)
        priority = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        for pid in running:
            assert os.getpriority(os.PRIO_PROCESS, pid) == priority
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            assert words[words.index("--think") + 1] == f"{THINK_SECONDS:g}" == "2"
    for pid in running:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_waiting_for_house_bots_has_an_end(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert JOIN_SECONDS == 10
    monkeypatch.setattr("arena.runner.house_bots.JOIN_SECONDS", 0.01)
    async with arena_with_house_bots(db, {"cat": "cmd:cat"}) as (server, house_bots):
        await house_bots.ensure_connected("cat", server.arena.server, server.url)
        assert not server.arena.server.sessions.has_casual_player("cat")


async def test_house_bots_that_die_restart(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.house_bots.SUPERVISE_INTERVAL", 0.01)
    monkeypatch.setattr("arena.runner.processes.FIRST_DELAY", 0.01)
    messages: list[str] = []
    async with arena_with_house_bots(db, BOTS, messages.append) as (server, house_bots):
        await house_bots.ensure_connected("Greta", server.arena.server, server.url)
        os.kill(pids(house_bots)[0], signal.SIGKILL)
        await server.wait_until_disconnected("Greta")
        await house_bots.ensure_connected("Greta", server.arena.server, server.url)
        assert server.arena.server.sessions.has_casual_player("Greta")
    assert messages == ["bot Greta has left: killed by SIGKILL; restarting it in 0.01 s"]
