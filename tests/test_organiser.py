"""The organiser: which match is played when, in a real arena."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from arena.messages import Resign, Turn
from arena.organiser import play_schedule, play_whoever_is_here
from arena.results import MatchRecord, Pairing, Termination
from arena.store import StoreError
from arena.tournament import Plan
from tests.conftest import Venue, in_loop, pairing, venue

SETUPS = [{"stones": 3}, {"stones": 7}]
OPEN = {"take_stones": SETUPS}  # what an arena pairs whoever is here for

Leg = tuple[str, str, str]


class Watch:
    """Sees what is played, and how much of it at once: in all, and by each bot."""

    def __init__(self, wanted: int = 0) -> None:
        self.begun: list[Pairing] = []
        self.ended: list[MatchRecord] = []
        self.most: Counter[str] = Counter()
        self.enough = asyncio.Event()
        self._wanted = wanted
        self._playing: Counter[str] = Counter()

    def started(self, pairing: Pairing) -> None:
        self.begun.append(pairing)
        self._playing.update([*pairing.players, "all"])
        self.most |= self._playing

    def finished(self, record: MatchRecord) -> None:
        self.ended.append(record)
        self._playing.subtract([*record.pairing.players, "all"])
        if len(self.ended) == self._wanted:
            self.enough.set()


def schedule(bots: str, rounds: int = 1) -> list[Pairing]:
    return [*Plan("take_stones", tuple(bots), tuple(SETUPS), "20", 1, rounds).schedule()]


async def robots(here: Venue, names: str, matches: int = 1) -> None:
    for name in names:
        await here.robot(name, matches)


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait until it has ended."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# A schedule


@in_loop
async def test_every_pairing_is_played_once(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "abc")
        await play_schedule(here.arena, schedule("abc"), 2, Watch())
        assert [record.pairing for record in here.records()] == schedule("abc")


@in_loop
async def test_what_is_observed_is_what_is_stored(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "abc")
        watch = Watch()
        await play_schedule(here.arena, schedule("abc"), 2, watch)
        assert sorted(watch.ended, key=lambda record: record.id) == sorted(
            here.records(), key=lambda record: record.id
        )


@in_loop
async def test_one_at_a_time_is_in_order(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "abc", matches=9)
        watch = Watch()
        await play_schedule(here.arena, schedule("abc"), 1, watch)
        assert (watch.begun, watch.most["all"]) == (schedule("abc"), 1)


@in_loop
async def test_as_many_at_once_as_wanted(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "abc", matches=9)
        watch = Watch()
        await play_schedule(here.arena, schedule("abc"), 3, watch)
        assert watch.most["all"] == 3


@in_loop
async def test_no_bot_plays_more_at_once_than_it_said(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "ab", matches=2)
        await robots(here, "cd")
        watch = Watch()
        await play_schedule(here.arena, schedule("abcd"), 9, watch)
        assert [watch.most[name] for name in "abcd"] == [2, 2, 1, 1]


CROSSED = [pairing("a", "b", number=1), pairing("b", "a", number=2), pairing("c", "d", number=3)]


@in_loop
async def test_who_is_busy_holds_up_nobody_else(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "abcd")
        watch = Watch()
        await play_schedule(here.arena, CROSSED, 2, watch)
        assert [pairing.number for pairing in watch.begun] == [1, 3, 2]


@in_loop
async def test_it_looks_ahead_only_so_far(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.organiser.LOOKAHEAD", 1)
    async with venue(db) as here:
        await robots(here, "abcd")
        watch = Watch()
        await play_schedule(here.arena, CROSSED, 2, watch)
        assert [pairing.number for pairing in watch.begun] == [1, 2, 3]


@in_loop
async def test_a_schedule_may_be_endless(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.organiser.LOOKAHEAD", 5)
    drawn = 0

    def endless() -> Iterator[Pairing]:
        nonlocal drawn
        while True:
            drawn += 1
            yield pairing("a", "b", number=drawn)

    async with venue(db) as here:
        await robots(here, "ab")
        watch = Watch(wanted=3)
        task = asyncio.create_task(play_schedule(here.arena, endless(), 1, watch))
        await watch.enough.wait()
        await cancelled(task)
        assert drawn <= len(watch.begun) + 5


@in_loop
async def test_an_empty_schedule_is_over_at_once(db: Path) -> None:
    async with venue(db) as here:
        await play_schedule(here.arena, [], 1, Watch())
        assert here.records() == []


@in_loop
async def test_a_bot_that_has_gone_loses_its_matches(db: Path) -> None:
    async with venue(db, grace=0) as here:
        await robots(here, "ab")
        await play_schedule(here.arena, schedule("abc"), 2, Watch())
        lost = [record.result.termination for record in here.records() if record.loser == "c"]
        assert lost == 8 * [Termination.DISCONNECT]


# Its end before the end


async def begin(here: Venue, pairings: Iterable[Pairing]) -> asyncio.Task[None]:
    return asyncio.create_task(play_schedule(here.arena, pairings, 2, Watch()))


@in_loop
async def test_what_is_cancelled_is_stored_as_aborted(db: Path) -> None:
    async with venue(db) as here:
        a = await here.bot("a")
        task = await begin(here, CROSSED[:2])
        await a.hear(Turn)
        await cancelled(task)
    assert [record.result.termination for record in here.records()] == [Termination.ABORTED]


def store_elsewhere(db: Path, number: int) -> None:
    """Another program stores a result of this match."""
    row = f"INSERT INTO matches VALUES (99,{number},'','{{}}','[]','','','',0,0,'timeout',1,'')"
    with closing(sqlite3.connect(db)) as other, other:
        other.execute(row)


@in_loop
async def test_a_result_that_cannot_be_stored_ends_everything(db: Path) -> None:
    async with venue(db) as here:
        a, c = await here.bot("a"), await here.bot("c")
        task = await begin(here, CROSSED)
        await c.hear(Turn)
        store_elsewhere(db, number=1)
        await a.say(Resign((await a.hear(Turn)).match))
        with pytest.raises(StoreError, match="cannot write to the database: UNIQUE"):
            await task
    aborted = [record for record in here.records() if record.winner is None]
    assert [record.pairing.number for record in aborted] == [3]


# Whoever is here


async def open_house(
    here: Venue,
    watch: Watch,
    played: Counter[Leg],
    setups: Mapping[str, Sequence[Mapping[str, int]]] = OPEN,
) -> None:
    """Pair whoever is here until the watch has seen enough."""
    playing = play_whoever_is_here(here.arena, setups, played, 1, watch)
    task = asyncio.create_task(playing)
    await watch.enough.wait()
    await cancelled(task)


@in_loop
async def test_both_sides_and_all_setups_in_turn(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "ab")
        watch = Watch(wanted=5)
        await open_house(here, watch, Counter())
    begun = [("".join(p.players), p.setup["stones"]) for p in watch.begun]
    assert begun[:5] == [("ab", 3), ("ba", 3), ("ab", 7), ("ba", 7), ("ab", 3)]


BOTH: dict[str, list[dict[str, int]]] = {"isolation": [{}], "take_stones": SETUPS}


@in_loop
async def test_each_game_with_its_own_setups(db: Path) -> None:
    async with venue(db, games=[*BOTH]) as here:
        for name in "ab":
            await here.robot(name, games=[*BOTH])
        watch = Watch(wanted=7)
        await open_house(here, watch, Counter(), BOTH)
    begun = [(p.game, "".join(p.players), p.setup) for p in watch.begun]
    assert begun[:6] == [
        ("isolation", "ab", {}),
        ("take_stones", "ab", {"stones": 3}),
        ("isolation", "ba", {}),
        ("take_stones", "ba", {"stones": 3}),
        ("isolation", "ab", {}),
        ("take_stones", "ab", {"stones": 7}),
    ]


@in_loop
async def test_nobody_plays_a_game_that_it_does_not_know(db: Path) -> None:
    async with venue(db, games=[*BOTH]) as here:
        await here.robot("a", games=["isolation", "chess"])
        await here.robot("b", games=[*BOTH])
        await here.robot("c", games=["take_stones"])
        watch = Watch(wanted=5)
        await open_house(here, watch, Counter(), BOTH)
    games = {"".join(sorted(p.players)): p.game for p in watch.begun}
    assert games == {"ab": "isolation", "bc": "take_stones"}


@in_loop
async def test_those_first_that_have_met_least(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "abc")
        watch = Watch(wanted=2)
        played = {"ab": 1, "ba": 2, "ac": 1, "ca": 1, "bc": 1}
        legs = {(leg[0], leg[1], "take_stones"): count for leg, count in played.items()}
        await open_house(here, watch, Counter(legs))
    assert [pairing.players for pairing in watch.begun[:2]] == [("c", "b"), ("a", "c")]


@in_loop
async def test_it_goes_on_counting(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "ab")
        watch, played = Watch(wanted=2), Counter({("a", "b", "take_stones"): 5})
        await open_house(here, watch, played)
        assert played.total() == 5 + len(watch.begun)


@in_loop
async def test_matches_are_of_no_tournament(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "ab")
        await open_house(here, Watch(wanted=1), Counter())
        assert {record.pairing.number for record in here.records()} == {None}


@in_loop
async def test_who_is_alone_waits_for_another(db: Path) -> None:
    async with venue(db) as here:
        await robots(here, "a")
        watch = Watch(wanted=1)
        playing = asyncio.create_task(open_house(here, watch, Counter()))
        await here.arena.change(within=0)
        assert watch.begun == []
        await robots(here, "b")
        await playing
        assert watch.ended[0].pairing.players == ("a", "b")


@in_loop
async def test_who_has_gone_is_not_paired(db: Path) -> None:
    async with venue(db) as here:
        gone = await here.bot("0")
        await here.arena.joined(["0"], lambda: None)
        await gone.connection.close()
        await here.leaves("0")
        await robots(here, "ab")
        watch = Watch(wanted=3)
        await open_house(here, watch, Counter())
        assert {name for pairing in watch.begun for name in pairing.players} == {"a", "b"}
