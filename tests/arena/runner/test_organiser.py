"""Organisers of schedules and of matchmaking, in a running arena."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.lobby.matchmaking import Matchmaker
from arena.model.observer import Observer
from arena.model.results import MatchRecord, MatchResult, Pairing, Termination
from arena.protocol.player import Resign, Turn
from arena.runner.organiser import play_schedule, run_matchmaking
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from arena.tournament.plan import FORMATS, Plan
from arena.tournament.schedule import MAX_ATTEMPTS, Schedule
from tests.support.cases import loop_over
from tests.support.polling import until
from tests.support.servers.arena_server import (
    ArenaServer,
    arena_server,
    broken_game,
    read_matches,
)

SETUPS = ({"stones": 3}, {"stones": 7})
MATCHMAKING_SETUPS = {"take_stones": SETUPS}


class RecordingObserver(Observer):
    """Observer that records pairings, results and the highest numbers of simultaneous matches."""

    def __init__(self, wanted: int = 0) -> None:
        self.scheduled_pairings: list[Pairing] = []
        self.started_pairings: list[Pairing] = []
        self.records: list[MatchRecord] = []
        self.maximum: Counter[str] = Counter()
        self.done = asyncio.Event()
        self._wanted = wanted
        self._playing: Counter[str] = Counter()

    def scheduled(self, pairing: Pairing) -> None:
        self.scheduled_pairings.append(pairing)

    def started(self, match: int, pairing: Pairing) -> None:  # noqa: ARG002
        self.started_pairings.append(pairing)
        self._playing.update([*pairing.players, "all"])
        self.maximum |= self._playing

    def finished(self, record: MatchRecord) -> None:
        self.records.append(record)
        self._playing.subtract([*record.pairing.players, "all"])
        if len(self.records) == self._wanted:
            self.done.set()


def make_plan(bots: str, rounds: int = 1, **more: Any) -> Plan:
    return Plan(
        "take_stones", dict(zip(bots, bots, strict=True)), SETUPS, "20", 1, rounds=rounds, **more
    )


def make_schedule(bots: str, rounds: int = 1) -> Schedule:
    return Schedule(make_plan(bots, rounds), [])


def all_pairings(bots: str) -> list[Pairing]:
    """Return the pairings of a round robin, in order."""
    return [*iter(make_schedule(bots).next_pairing, None)]


async def run_bots(server: ArenaServer, names: str, matches: int = 1) -> None:
    for name in names:
        await server.run_bot(name, matches)


async def cancel(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait until it has ended."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# A schedule


async def play(
    db: Path, bots: str, matches: int, concurrency: int, observer: RecordingObserver
) -> None:
    """Play a round robin of bots that accept `matches` simultaneous matches each."""
    async with arena_server(db, observer=observer) as server:
        await run_bots(server, bots, matches)
        await play_schedule(server.arena.server, make_schedule(bots), concurrency, observer)


async def test_every_pairing_is_announced_in_order_and_played_once(db: Path) -> None:
    observer = RecordingObserver()
    await play(db, "abc", 1, 2, observer)
    stored = read_matches(db)
    assert [record.pairing for record in stored] == all_pairings("abc")
    assert observer.scheduled_pairings == all_pairings("abc")
    assert sorted(observer.records, key=lambda record: record.id) == stored


@loop_over("concurrency", [1, 3])
async def test_concurrency_is_reached(db: Path, concurrency: int) -> None:
    observer = RecordingObserver()
    await play(db, "abc", 9, concurrency, observer)
    assert observer.maximum["all"] == concurrency
    assert concurrency > 1 or observer.started_pairings == all_pairings("abc")


async def test_capacity_of_bots_is_respected(db: Path) -> None:
    observer = RecordingObserver()
    async with arena_server(db, observer=observer) as server:
        await run_bots(server, "ab", matches=2)
        await run_bots(server, "cd")
        await play_schedule(server.arena.server, make_schedule("abcd"), 9, observer)
    assert [observer.maximum[name] for name in "abcd"] == [2, 2, 1, 1]


@loop_over(("lookahead", "first"), [(None, [1, 3]), (1, [1, 2])])
async def test_later_pairings_of_free_bots_are_played_first(
    db: Path, monkeypatch: pytest.MonkeyPatch, lookahead: int | None, first: list[int]
) -> None:
    if lookahead:
        monkeypatch.setattr("arena.runner.organiser.LOOKAHEAD", lookahead)
    observer = RecordingObserver()
    await play(db, "abcd", 1, 2, observer)
    assert [pairing.number for pairing in observer.started_pairings[:2]] == first


async def test_a_schedule_may_be_huge(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.organiser.LOOKAHEAD", 5)
    observer = RecordingObserver(wanted=3)
    async with arena_server(db, observer=observer) as server:
        await run_bots(server, "ab")
        huge = make_schedule("ab", rounds=10**12)
        task = asyncio.create_task(play_schedule(server.arena.server, huge, 1, observer))
        await observer.done.wait()
        await cancel(task)
    assert len(observer.scheduled_pairings) <= len(observer.started_pairings) + 5


class ChangeAtTheEnd(Observer):
    """Observer that reports a change at the moment at which a match ends."""

    server: ArenaServer

    def finished(self, record: MatchRecord) -> None:
        super().finished(record)
        self.server.arena.server._changed.set()


async def test_a_change_at_the_end_of_a_match_ends_no_other(db: Path) -> None:
    changes = ChangeAtTheEnd()
    async with arena_server(db, observer=changes) as server:
        changes.server = server
        await run_bots(server, "ab")
        await play_schedule(
            server.arena.server, make_schedule("ab", rounds=3), 1, RecordingObserver()
        )
        assert len(server.records()) == 12


@loop_over("kind", FORMATS)
async def test_every_format_is_played_to_its_end(db: Path, kind: str) -> None:
    plan = make_plan("abcde", rounds=2, format=kind)
    async with arena_server(db) as server:
        await run_bots(server, "abcde")
        assert (
            await play_schedule(server.arena.server, Schedule(plan, []), 2, RecordingObserver())
            == []
        )
    with DatabaseReader(db) as records:
        assert Schedule(plan, records.results()).is_over


async def test_a_decided_sequential_test_ends_the_schedule(db: Path) -> None:
    observer = RecordingObserver()
    plan = make_plan("ab", rounds=10**6, sprt="elo0=0 elo1=300 alpha=0.05 beta=0.05")
    async with arena_server(db, grace=0, observer=observer) as server:
        await run_bots(server, "a")
        played = Schedule(plan, [])
        await play_schedule(server.arena.server, played, 2, observer)
    assert played.test
    assert (played.test.accepted, len(observer.records) < 100) == ("accepted H1", True)


# Aborted matches


async def play_broken_game(
    db: Path, times: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[MatchRecord], list[MatchRecord]]:
    """Play two matches of a broken game; return the unplayed and the stored ones."""
    monkeypatch.setattr("arena.match.adjudicator.GAMES", {"take_stones": broken_game(times)})
    plan = replace(make_plan("ab"), setups=({"stones": 7},))
    async with arena_server(db) as server:
        await run_bots(server, "ab")
        unplayed = await play_schedule(
            server.arena.server, Schedule(plan, []), 1, RecordingObserver()
        )
    return unplayed, read_matches(db)


@loop_over("times", [MAX_ATTEMPTS - 1, MAX_ATTEMPTS])
async def test_aborted_matches_are_played_again_a_few_times(
    db: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    unplayed, records = await play_broken_game(db, times, monkeypatch)
    is_given_up = times == MAX_ATTEMPTS
    assert [record.pairing.number for record in unplayed] == [1] * is_given_up
    endings = [(record.pairing.number, record.result.winner is None) for record in records]
    assert endings == times * [(1, True)] + [(1, False)] * (not is_given_up) + [(2, False)]
    aborted = MatchResult(Termination.ABORTED, None, "MemoryError: no room")
    assert {record.result for record in records[:times]} == {aborted}


class FailingObserver(RecordingObserver):
    """Observer that fails at the end of a match."""

    def finished(self, record: MatchRecord) -> None:
        super().finished(record)
        raise OSError("broken pipe")


async def test_a_failing_observer_ends_the_schedule(db: Path) -> None:
    with pytest.raises(OSError, match="broken pipe"):
        await play(db, "ab", 1, 1, FailingObserver())
    assert read_matches(db)[0].winner


# Cancellation


PlayTask = asyncio.Task[list[MatchRecord]]


async def start_schedule(server: ArenaServer, bots: str) -> PlayTask:
    return asyncio.create_task(
        play_schedule(server.arena.server, make_schedule(bots), 2, RecordingObserver())
    )


def store_elsewhere(db: Path, number: int) -> None:
    """Store a result of this match behind the arena's back."""
    result = f"(99,{number},'take_stones','{{}}','[]','x','y','5',0,0,'resignation',1,'')"
    with closing(sqlite3.connect(db)) as other, other:
        other.execute(f"INSERT INTO matches VALUES {result}")


def begun(db: Path) -> list[int]:
    """Return the numbers of the matches whose start is stored."""
    with closing(sqlite3.connect(db)) as other:
        return [number for (number,) in other.execute("SELECT number FROM matches ORDER BY id")]


async def test_a_database_error_ends_the_schedule(db: Path) -> None:
    async with arena_server(db) as server:
        first, other = all_pairings("abcd")[0].players[0], all_pairings("abcd")[2].players[0]
        one, two = await server.connect_bot(first), await server.connect_bot(other)
        task = await start_schedule(server, "abcd")
        await two.receive(Turn)
        await until(lambda: begun(db) == [1, 3], "the starts to be stored")
        store_elsewhere(db, number=1)
        await one.send(Resign((await one.receive(Turn)).match))
        with pytest.raises(DatabaseError, match="cannot write to the database: UNIQUE"):
            await task
    aborted = [record for record in server.records() if record.winner is None]
    assert [record.pairing.number for record in aborted] == [3]


# Matchmaking


async def matchmake(
    server: ArenaServer,
    observer: RecordingObserver,
    matchmaker: Matchmaker,
    setups: Mapping[str, Sequence[Mapping[str, int]]] = MATCHMAKING_SETUPS,
    concurrency: int = 1,
) -> None:
    """Run matchmaking until the observer has seen enough matches."""
    playing = run_matchmaking(server.arena.server, setups, matchmaker, concurrency)
    task = asyncio.create_task(playing)
    await observer.done.wait()
    await cancel(task)


async def test_sides_and_setups_alternate(db: Path) -> None:
    observer, matchmaker = RecordingObserver(wanted=5), Matchmaker()
    async with arena_server(db, observer=observer) as server:
        await run_bots(server, "ab")
        await matchmake(server, observer, matchmaker)
        assert matchmaker.legs.total() == len(observer.records)
        assert {record.pairing.number for record in server.records()} == {None}
    begun = [("".join(p.players), p.setup["stones"]) for p in observer.started_pairings]
    assert begun[:5] == [("ab", 3), ("ba", 3), ("ab", 7), ("ba", 7), ("ab", 3)]


BOTH: dict[str, Sequence[Mapping[str, int]]] = {"isolation": [{}], "take_stones": SETUPS}


async def test_each_game_has_its_own_setups(db: Path) -> None:
    observer = RecordingObserver(wanted=7)
    async with arena_server(db, games=[*BOTH], observer=observer) as server:
        for name in "ab":
            await server.run_bot(name, games=[*BOTH])
        await matchmake(server, observer, Matchmaker(), BOTH)
    begun = [(p.game, "".join(p.players), p.setup) for p in observer.started_pairings]
    assert begun[:6] == [
        ("isolation", "ab", {}),
        ("take_stones", "ab", {"stones": 3}),
        ("isolation", "ba", {}),
        ("take_stones", "ba", {"stones": 3}),
        ("isolation", "ab", {}),
        ("take_stones", "ab", {"stones": 7}),
    ]


async def test_bots_play_only_games_that_they_know(db: Path) -> None:
    observer = RecordingObserver(wanted=5)
    async with arena_server(db, games=[*BOTH], observer=observer) as server:
        await server.run_bot("a", games=["isolation", "chess"])
        await server.run_bot("b", games=[*BOTH])
        await server.run_bot("c", games=["take_stones"])
        await matchmake(server, observer, Matchmaker(), BOTH)
    games = {"".join(sorted(p.players)): p.game for p in observer.started_pairings}
    assert games == {"ab": "isolation", "bc": "take_stones"}


async def test_a_bot_that_forfeits_backs_off(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.lobby.matchmaking.MIN_BACKOFF", 0.01)
    observer = RecordingObserver(wanted=3)
    async with arena_server(db, time="0.01", observer=observer) as server:
        await server.connect_bot("mute")
        await run_bots(server, "a")
        await matchmake(server, observer, Matchmaker())
    gaps = [
        later.started_at - earlier.finished_at for earlier, later in pairwise(observer.records[:3])
    ]
    assert (gaps[0] >= 0.01, gaps[1] >= 0.02) == (True, True)


async def test_a_single_bot_waits_for_another(db: Path) -> None:
    observer = RecordingObserver(wanted=1)
    async with arena_server(db, observer=observer) as server:
        await run_bots(server, "a")
        playing = asyncio.create_task(matchmake(server, observer, Matchmaker()))
        await server.arena.server.wait_for_change(timeout=0)
        assert observer.started_pairings == []
        await run_bots(server, "b")
        await playing
        assert observer.records[0].pairing.players == ("a", "b")


async def test_disconnected_bots_are_not_paired(db: Path) -> None:
    observer = RecordingObserver(wanted=3)
    async with arena_server(db, observer=observer) as server:
        disconnected = await server.connect_bot("0")
        server.arena.server.sessions.expect(["0"])
        await disconnected.connection.close()
        await server.wait_until_disconnected("0")
        await run_bots(server, "ab")
        await matchmake(server, observer, Matchmaker())
        assert {name for pairing in observer.started_pairings for name in pairing.players} == {
            "a",
            "b",
        }
