"""The organiser: which match is played when, in a real arena."""

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
from arena.runner.organiser import MAX_ATTEMPTS, play_schedule, run_matchmaking
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from arena.tournament.plan import FORMATS, Plan
from arena.tournament.schedule import Schedule
from core import GAMES
from tests.support.arena_server import (
    ArenaServer,
    arena_server,
    broken_game,
    in_event_loop,
    read_matches,
)

SETUPS = ({"stones": 3}, {"stones": 7})
OPEN = {"take_stones": SETUPS}  # what an arena pairs whoever is here for

GAME = GAMES["take_stones"]


class Watch(Observer):
    """Sees what is played, and how much of it at once: in all, and by each bot."""

    def __init__(self, wanted: int = 0) -> None:
        self.known: list[Pairing] = []
        self.begun: list[Pairing] = []
        self.ended: list[MatchRecord] = []
        self.most: Counter[str] = Counter()
        self.enough = asyncio.Event()
        self._wanted = wanted
        self._playing: Counter[str] = Counter()

    def scheduled(self, pairing: Pairing) -> None:
        self.known.append(pairing)

    def started(self, match: int, pairing: Pairing) -> None:  # noqa: ARG002
        self.begun.append(pairing)
        self._playing.update([*pairing.players, "all"])
        self.most |= self._playing

    def finished(self, record: MatchRecord) -> None:
        self.ended.append(record)
        self._playing.subtract([*record.pairing.players, "all"])
        if len(self.ended) == self._wanted:
            self.enough.set()


def a_plan(bots: str, rounds: int = 1, **more: Any) -> Plan:
    return Plan(
        "take_stones", dict(zip(bots, bots, strict=True)), SETUPS, "20", 1, rounds=rounds, **more
    )


def schedule(bots: str, rounds: int = 1) -> Schedule:
    return Schedule(a_plan(bots, rounds), [])


def listed(bots: str) -> list[Pairing]:
    """A round robin's pairings, in order."""
    return [*iter(schedule(bots).next_pairing, None)]


async def robots(server: ArenaServer, names: str, matches: int = 1) -> None:
    for name in names:
        await server.run_bot(name, matches)


async def cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait until it has ended."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# A schedule


async def play(db: Path, bots: str, matches: int, concurrency: int, watch: Watch) -> None:
    """Play a round robin of bots that can play so many matches at once."""
    async with arena_server(db, observer=watch) as server:
        await robots(server, bots, matches)
        await play_schedule(server.arena, schedule(bots), concurrency, watch)


@in_event_loop
async def test_every_pairing_is_played_once(db: Path) -> None:
    await play(db, "abc", 1, 2, Watch())
    assert [record.pairing for record in read_matches(db)] == listed("abc")


@in_event_loop
async def test_what_is_observed_is_what_is_stored(db: Path) -> None:
    watch = Watch()
    await play(db, "abc", 1, 2, watch)
    assert sorted(watch.ended, key=lambda record: record.id) == sorted(
        read_matches(db), key=lambda record: record.id
    )


@in_event_loop
async def test_all_is_scheduled_before_it_begins(db: Path) -> None:
    watch = Watch()
    await play(db, "abc", 1, 2, watch)
    assert watch.known == listed("abc")


@in_event_loop
async def test_one_at_a_time_is_in_order(db: Path) -> None:
    watch = Watch()
    await play(db, "abc", 9, 1, watch)
    assert (watch.begun, watch.most["all"]) == (listed("abc"), 1)


@in_event_loop
async def test_as_many_at_once_as_wanted(db: Path) -> None:
    watch = Watch()
    await play(db, "abc", 9, 3, watch)
    assert watch.most["all"] == 3


@in_event_loop
async def test_no_bot_plays_more_at_once_than_it_said(db: Path) -> None:
    watch = Watch()
    async with arena_server(db, observer=watch) as server:
        await robots(server, "ab", matches=2)
        await robots(server, "cd")
        await play_schedule(server.arena, schedule("abcd"), 9, watch)
    assert [watch.most[name] for name in "abcd"] == [2, 2, 1, 1]


@in_event_loop
async def test_who_is_busy_holds_up_nobody_else(db: Path) -> None:
    watch = Watch()
    await play(db, "abcd", 1, 2, watch)
    assert [pairing.number for pairing in watch.begun[:2]] == [1, 3]


@in_event_loop
async def test_it_looks_ahead_only_so_far(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.organiser.LOOKAHEAD", 1)
    watch = Watch()
    await play(db, "abcd", 1, 2, watch)
    assert [pairing.number for pairing in watch.begun[:2]] == [1, 2]


@in_event_loop
async def test_a_schedule_may_be_endless(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.organiser.LOOKAHEAD", 5)
    watch = Watch(wanted=3)
    async with arena_server(db, observer=watch) as server:
        await robots(server, "ab")
        endless = schedule("ab", rounds=10**12)
        task = asyncio.create_task(play_schedule(server.arena, endless, 1, watch))
        await watch.enough.wait()
        await cancelled(task)
    assert len(watch.known) <= len(watch.begun) + 5


@in_event_loop
async def test_what_is_finished_is_not_played_again(db: Path) -> None:
    watch = Watch()
    played = [(p.number or 0, p.players, 1) for p in listed("abc")]
    async with arena_server(db, observer=watch) as server:
        await robots(server, "abc")
        rest = Schedule(a_plan("abc"), played[3:])
        assert await play_schedule(server.arena, rest, 2, watch) == []
    assert {pairing.number for pairing in watch.begun} == {1, 2, 3}


class Bustle(Observer):
    """Somebody comes in at the very moment at which a match ends."""

    server: ArenaServer

    def finished(self, record: MatchRecord) -> None:
        super().finished(record)
        self.server.arena._changed.set()


@in_event_loop
async def test_a_change_at_the_end_of_a_match_ends_nothing_else(db: Path) -> None:
    bustle = Bustle()
    async with arena_server(db, observer=bustle) as server:
        bustle.server = server
        await robots(server, "ab")
        await play_schedule(server.arena, schedule("ab", rounds=3), 1, Watch())
        assert len(server.records()) == 12


@in_event_loop
async def test_a_bot_that_has_gone_loses_its_matches(db: Path) -> None:
    async with arena_server(db, grace=0) as server:
        await robots(server, "ab")
        await play_schedule(server.arena, schedule("abc"), 2, Watch())
        lost = [record.result.termination for record in server.records() if record.loser == "c"]
        assert lost == 8 * [Termination.DISCONNECT]


@pytest.mark.parametrize("kind", FORMATS)
@in_event_loop
async def test_every_format_is_played_to_its_end(db: Path, kind: str) -> None:
    plan = a_plan("abcde", rounds=2, format=kind)
    async with arena_server(db) as server:
        await robots(server, "abcde")
        assert await play_schedule(server.arena, Schedule(plan, []), 2, Watch()) == []
    with DatabaseReader(db) as records:
        assert Schedule(plan, records.results()).is_over


@in_event_loop
async def test_a_sequential_test_ends_it(db: Path) -> None:
    watch = Watch()
    plan = a_plan("ab", rounds=10**6, sprt="elo0=0 elo1=300 alpha=0.05 beta=0.05")
    async with arena_server(db, grace=0, observer=watch) as server:
        await robots(server, "a")
        played = Schedule(plan, [])
        await play_schedule(server.arena, played, 2, watch)
    assert played.test
    assert (played.test.accepted, len(watch.ended) < 100) == ("accepted H1", True)


# When the arena itself is at fault


async def fail(
    db: Path, times: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[MatchRecord], list[MatchRecord]]:
    """Play two matches of such a game. Returns what is left, and what is stored."""
    monkeypatch.setattr("arena.match.referee.GAMES", {"take_stones": broken_game(times)})
    plan = replace(a_plan("ab"), setups=({"stones": 7},))
    async with arena_server(db) as server:
        await robots(server, "ab")
        left = await play_schedule(server.arena, Schedule(plan, []), 1, Watch())
    return left, read_matches(db)


@in_event_loop
async def test_what_fails_is_tried_again(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, records = await fail(db, MAX_ATTEMPTS - 1, monkeypatch)
    endings = [(record.pairing.number, record.result.winner is None) for record in records]
    assert (left, endings) == ([], 3 * [(1, True)] + [(1, False), (2, False)])


@in_event_loop
async def test_the_cause_is_kept(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, records = await fail(db, 1, monkeypatch)
    assert records[0].result == MatchResult(Termination.ABORTED, None, "MemoryError: no room")


@in_event_loop
async def test_after_so_many_attempts_it_is_left(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, records = await fail(db, MAX_ATTEMPTS, monkeypatch)
    assert [record.pairing.number for record in left] == [1]
    assert [record.pairing.number for record in records] == MAX_ATTEMPTS * [1] + [2]


class Silenced(Watch):
    """Cannot tell of the end of a match any more."""

    def finished(self, record: MatchRecord) -> None:
        super().finished(record)
        raise OSError("nobody listens")


@in_event_loop
async def test_an_observer_that_fails_ends_everything(db: Path) -> None:
    with pytest.raises(OSError, match="nobody listens"):
        await play(db, "ab", 1, 1, Silenced())
    assert read_matches(db)[0].winner


# Its end before the end


Playing = asyncio.Task[list[MatchRecord]]


async def begin(server: ArenaServer, bots: str) -> Playing:
    return asyncio.create_task(play_schedule(server.arena, schedule(bots), 2, Watch()))


@in_event_loop
async def test_what_is_cancelled_is_stored_as_aborted(db: Path) -> None:
    async with arena_server(db) as server:
        a = await server.connect_bot("a")
        task = await begin(server, "ab")
        await a.receive(Turn)
        await cancelled(task)
    assert [record.result.termination for record in server.records()] == [Termination.ABORTED]


def store_elsewhere(db: Path, number: int) -> None:
    """Another program stores a result of this match."""
    row = f"INSERT INTO matches VALUES (99,{number},'','{{}}','[]','','','',0,0,'timeout',1,'')"
    with closing(sqlite3.connect(db)) as other, other:
        other.execute(row)


@in_event_loop
async def test_a_result_that_cannot_be_stored_ends_everything(db: Path) -> None:
    async with arena_server(db) as server:
        first, other = listed("abcd")[0].players[0], listed("abcd")[2].players[0]
        one, two = await server.connect_bot(first), await server.connect_bot(other)
        task = await begin(server, "abcd")
        await two.receive(Turn)
        store_elsewhere(db, number=1)
        await one.send(Resign((await one.receive(Turn)).match))
        with pytest.raises(DatabaseError, match="cannot write to the database: UNIQUE"):
            await task
    aborted = [record for record in server.records() if record.winner is None]
    assert [record.pairing.number for record in aborted] == [3]


# Whoever is here


async def open_house(
    server: ArenaServer,
    watch: Watch,
    matchmaker: Matchmaker,
    setups: Mapping[str, Sequence[Mapping[str, int]]] = OPEN,
) -> None:
    """Pair whoever is here until the watch has seen enough."""
    playing = run_matchmaking(server.arena, setups, matchmaker, 1)
    task = asyncio.create_task(playing)
    await watch.enough.wait()
    await cancelled(task)


@in_event_loop
async def test_both_sides_and_all_setups_in_turn(db: Path) -> None:
    watch = Watch(wanted=5)
    async with arena_server(db, observer=watch) as server:
        await robots(server, "ab")
        await open_house(server, watch, Matchmaker())
    begun = [("".join(p.players), p.setup["stones"]) for p in watch.begun]
    assert begun[:5] == [("ab", 3), ("ba", 3), ("ab", 7), ("ba", 7), ("ab", 3)]


BOTH: dict[str, Sequence[Mapping[str, int]]] = {"isolation": [{}], "take_stones": SETUPS}


@in_event_loop
async def test_each_game_with_its_own_setups(db: Path) -> None:
    watch = Watch(wanted=7)
    async with arena_server(db, games=[*BOTH], observer=watch) as server:
        for name in "ab":
            await server.run_bot(name, games=[*BOTH])
        await open_house(server, watch, Matchmaker(), BOTH)
    begun = [(p.game, "".join(p.players), p.setup) for p in watch.begun]
    assert begun[:6] == [
        ("isolation", "ab", {}),
        ("take_stones", "ab", {"stones": 3}),
        ("isolation", "ba", {}),
        ("take_stones", "ba", {"stones": 3}),
        ("isolation", "ab", {}),
        ("take_stones", "ab", {"stones": 7}),
    ]


@in_event_loop
async def test_nobody_plays_a_game_that_it_does_not_know(db: Path) -> None:
    watch = Watch(wanted=5)
    async with arena_server(db, games=[*BOTH], observer=watch) as server:
        await server.run_bot("a", games=["isolation", "chess"])
        await server.run_bot("b", games=[*BOTH])
        await server.run_bot("c", games=["take_stones"])
        await open_house(server, watch, Matchmaker(), BOTH)
    games = {"".join(sorted(p.players)): p.game for p in watch.begun}
    assert games == {"ab": "isolation", "bc": "take_stones"}


@in_event_loop
async def test_those_first_that_have_played_least(db: Path) -> None:
    watch, matchmaker = Watch(wanted=1), Matchmaker()
    matchmaker.start(("a", "b", "take_stones"))
    async with arena_server(db, observer=watch) as server:
        await robots(server, "abc")
        await open_house(server, watch, matchmaker)
    assert "c" in watch.begun[0].players


@in_event_loop
async def test_it_goes_on_counting(db: Path) -> None:
    watch, matchmaker = Watch(wanted=2), Matchmaker()
    matchmaker.start(("a", "b", "take_stones"))
    async with arena_server(db, observer=watch) as server:
        await robots(server, "ab")
        await open_house(server, watch, matchmaker)
        assert matchmaker.legs.total() == 1 + len(watch.ended)


@in_event_loop
async def test_one_that_forfeits_at_once_rests(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.lobby.matchmaking.MIN_BACKOFF", 0.01)
    watch = Watch(wanted=3)
    async with arena_server(db, time="0.01", observer=watch) as server:
        await server.connect_bot("mute")
        await robots(server, "a")
        await open_house(server, watch, Matchmaker())
    gaps = [later.started_at - earlier.finished_at for earlier, later in pairwise(watch.ended[:3])]
    assert (gaps[0] >= 0.01, gaps[1] >= 0.02) == (True, True)


@in_event_loop
async def test_matches_are_of_no_tournament(db: Path) -> None:
    watch = Watch(wanted=1)
    async with arena_server(db, observer=watch) as server:
        await robots(server, "ab")
        await open_house(server, watch, Matchmaker())
        assert {record.pairing.number for record in server.records()} == {None}


@in_event_loop
async def test_who_is_alone_waits_for_another(db: Path) -> None:
    watch = Watch(wanted=1)
    async with arena_server(db, observer=watch) as server:
        await robots(server, "a")
        playing = asyncio.create_task(open_house(server, watch, Matchmaker()))
        await server.arena.wait_for_change(timeout=0)
        assert watch.begun == []
        await robots(server, "b")
        await playing
        assert watch.ended[0].pairing.players == ("a", "b")


@in_event_loop
async def test_who_has_gone_is_not_paired(db: Path) -> None:
    watch = Watch(wanted=3)
    async with arena_server(db, observer=watch) as server:
        gone = await server.connect_bot("0")
        server.arena.sessions.expect(["0"])
        await gone.connection.close()
        await server.wait_until_disconnected("0")
        await robots(server, "ab")
        await open_house(server, watch, Matchmaker())
        assert {name for pairing in watch.begun for name in pairing.players} == {"a", "b"}
