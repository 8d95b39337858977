"""Bots that are offered: they come when they are wanted, and stay."""

import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.lobby.challenges import MOST_MATCHES, Challenges
from arena.protocol.player import PROTOCOL, Error, Hello
from arena.runner.house_bots import JOIN_SECONDS, THINK_SECONDS, Offers
from arena.runner.processes import NICENESS
from arena.server.admission import Door
from tests.conftest import Venue, in_loop, venue

BOTS = {"Greta": "greedy"}


@asynccontextmanager
async def offering(
    db: Path, bots: dict[str, str], tell: Callable[[str], None] = print
) -> AsyncIterator[tuple[Venue, Offers]]:
    """An arena that offers these bots."""
    door = Door()
    with Offers(bots, door, tell) as offers:
        challenges = Challenges({name: ["take_stones"] for name in bots})
        async with venue(db, door=door, challenges=challenges) as here:
            yield here, offers


def pids(offers: Offers) -> list[int]:
    """The processes that have been started last."""
    processes = [process._process for process in offers._processes._running]
    return [process.pid for process in processes if process]


@in_loop
async def test_a_bot_comes_when_it_is_wanted(db: Path) -> None:
    async with offering(db, BOTS) as (here, offers):
        assert pids(offers) == []
        await offers.bring("Greta", here.arena, here.url)
        greta = here.arena.guests["Greta"]
        assert (greta.capacity, greta.yields) == (MOST_MATCHES, True)


@in_loop
async def test_it_gives_way_to_the_arena(db: Path) -> None:
    async with offering(db, BOTS) as (here, offers):
        await offers.bring("Greta", here.arena, here.url)
        own = os.getpriority(os.PRIO_PROCESS, 0)
        [pid] = pids(offers)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, own + NICENESS)


@in_loop
async def test_it_does_not_think_for_long(db: Path) -> None:
    async with offering(db, BOTS) as (here, offers):
        await offers.bring("Greta", here.arena, here.url)
        [pid] = pids(offers)
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        assert words[words.index("--think") + 1] == f"{THINK_SECONDS:g}" == "2"


@in_loop
async def test_a_bot_comes_once(db: Path) -> None:
    async with offering(db, {**BOTS, "Rolf": "random"}) as (here, offers):
        for name in ("Greta", "Rolf", "Greta"):
            await offers.bring(name, here.arena, here.url)
        assert len(pids(offers)) == 2


@in_loop
async def test_who_is_not_offered_is_not_waited_for(db: Path) -> None:
    async with offering(db, BOTS) as (here, offers):
        await offers.bring("Ann", here.arena, here.url)
        assert pids(offers) == []


@in_loop
async def test_who_does_not_come_is_not_waited_for_for_ever(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runner.house_bots.JOIN_SECONDS", 0.01)
    async with offering(db, {"cat": "cmd:cat"}) as (here, offers):
        await offers.bring("cat", here.arena, here.url)
        assert not here.arena.has_guest("cat")


def test_a_challenger_waits_for_so_long() -> None:
    assert JOIN_SECONDS == 10


@in_loop
async def test_who_dies_comes_again(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.house_bots.TEND_SECONDS", 0.01)
    monkeypatch.setattr("arena.runner.processes.FIRST_DELAY", 0.01)
    told: list[str] = []
    async with offering(db, BOTS, told.append) as (here, offers):
        await offers.bring("Greta", here.arena, here.url)
        os.kill(pids(offers)[0], signal.SIGKILL)
        await here.leaves("Greta")
        await offers.bring("Greta", here.arena, here.url)
        assert here.arena.has_guest("Greta")
    news = "bot Greta has left: it was ended by SIGKILL; it starts again in 0.01 s"
    assert told == [news]


@in_loop
async def test_nobody_else_has_its_name(db: Path) -> None:
    async with offering(db, BOTS) as (here, _):
        stranger = await here.stranger()
        await stranger.say(Hello(PROTOCOL, "Greta", ["take_stones"], casual=True))
        assert (await stranger.hear(Error)).code == "name_reserved"


@in_loop
async def test_nobody_stays_when_the_arena_ends(db: Path) -> None:
    async with offering(db, BOTS) as (here, offers):
        await offers.bring("Greta", here.arena, here.url)
        [pid] = pids(offers)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
