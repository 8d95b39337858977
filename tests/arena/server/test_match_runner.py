"""Running matches: regular ends, turns, capacities and times."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.player import Finished, Resign, Turn
from arena.server.admission import Admission
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import arena_server, two_bots

# Matches


@loop_over("time", ["20+0.5", "20/move margin 1"])
async def test_a_turn_describes_the_position_and_the_clock(db: Path, time: str) -> None:
    async with arena_server(db, time=time) as server:
        _, two = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        turn = await two.receive(Turn)
        assert (turn.game, turn.setup, turn.opponent) == ("take_stones", {"stones": 7}, "one")
        assert (turn.moves, turn.ply, turn.you, turn.clocks_ms[0]) == ([1, 4, 2], 3, 2, 20_000)
        per_move = time != "20+0.5"
        assert (turn.increment_ms, turn.per_move) == (0 if per_move else 500, per_move)
        task.cancel()


async def test_a_clock_that_is_set_back_leaves_times_in_order(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = count(2e9, -1.0)
    monkeypatch.setattr("time.time", lambda: next(times))
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        await one.send(Resign(turn.match))
        await two.receive(Finished)
        record = await task
        assert 0 < record.finished_at - record.started_at < TEST_TIMEOUT


async def test_a_match_is_stored_before_its_end_is_announced(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        assert not server.arena.server.sessions.is_free("one")
        for player, move in [(one, 1), (two, 4), (one, 2), (two, 6), (one, 3)]:
            match = (await player.play(move)).match
        reason = "player 2 (two) cannot move"
        for you, player in enumerate([one, two], 1):
            expected = Finished(match, you, 1, "no_legal_move", reason, [1, 4, 2, 6, 3])
            assert await player.receive(Finished) == expected
            [stored] = server.records()
        assert await task == stored
        assert stored.result == MatchResult(Termination.NO_LEGAL_MOVE, 1, reason)
        assert [move.move for move in stored.moves] == [1, 4, 2, 6, 3]
        assert server.arena.server.sessions.is_free("one")


async def test_a_match_does_not_wait_until_its_start_is_stored(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        with closing(sqlite3.connect(db, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            task = server.start_match("one", "two", opening=(1, 4, 2, 6))
            await one.play(3)
            other.execute("ROLLBACK")
        record = await task
        assert (record.winner, server.records()) == ("one", [record])


async def test_a_bot_plays_matches_at_once_up_to_its_capacity(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = [await server.connect_bot(name, matches=2) for name in ("one", "two")]
        first = server.start_match("one", "two", opening=(1, 4, 2, 6))
        assert server.arena.server.sessions.is_free("one")
        second = server.start_match("two", "one", opening=(1, 4, 2, 6))
        assert not server.arena.server.sessions.is_free("one")
        await two.play(3)
        await one.play(3)
        assert [(await task).winner for task in (first, second)] == ["one", "two"]


# Time


@loop_over("limit", [20.0, 1e-9])
async def test_a_move_is_credited_with_the_network_delay_up_to_a_limit(
    db: Path, limit: float
) -> None:
    admission = Admission(behind_proxy=True)
    async with arena_server(db, max_credit=limit, admission=admission) as server:
        one = await server.connect({"X-Real-IP": "192.0.2.1"})
        await one.log_in("one")
        await server.connect_bot("two")
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        [move] = (await task).moves
        assert 0 < move.credit <= move.elapsed
        assert move.credit == limit or limit == 20
        assert move.charged == move.elapsed - move.credit


async def test_a_timer_that_ends_after_the_match_changes_nothing(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        matches = server.arena.server.matches
        running = matches.running[turn.match]
        await one.send(Resign(turn.match))
        await two.receive(Finished)
        matches._tick(running)
        assert (running.timer, (await task).winner) == (None, "two")
