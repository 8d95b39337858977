"""Running matches: regular ends, turns, capacities and times."""

from pathlib import Path

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.player import Finished, Resign, Turn
from tests.support.servers.arena_server import (
    arena_server,
    in_event_loop,
    pairing,
    two_bots,
)

# Matches


@in_event_loop
async def test_a_turn_describes_the_position(db: Path) -> None:
    async with arena_server(db, time="20+0.5") as server:
        _, two = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        turn = await two.receive(Turn)
        left = turn.clocks_ms[1]
        expected = [1, 4, 2], 3, 2, (20_000, left), 500, "one"
        assert (turn.game, turn.setup) == ("take_stones", {"stones": 7})
        assert (turn.moves, turn.ply, turn.you, turn.clocks_ms, turn.increment_ms) == expected[:5]
        assert (turn.opponent, turn.per_move) == (expected[5], False)
        task.cancel()


@in_event_loop
async def test_a_turn_describes_a_clock_per_move(db: Path) -> None:
    async with arena_server(db, time="20/move margin 1") as server:
        one, two = await two_bots(server)
        server.start_match("one", "two")
        await one.play(1)
        turn = await two.receive(Turn)
        assert (turn.clocks_ms[0], turn.increment_ms, turn.per_move) == (20_000, 0, True)


@in_event_loop
async def test_a_match_ends_without_legal_moves(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        for player, move in [(one, 1), (two, 4), (one, 2), (two, 6), (one, 3)]:
            await player.play(move)
        reason = "player 2 (two) cannot move"
        assert (await task).result == MatchResult(Termination.NO_LEGAL_MOVE, 1, reason)


@in_event_loop
async def test_both_players_receive_the_end(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two", opening=(1, 4, 2, 6))
        match = (await one.play(3)).match
        for you, player in enumerate([one, two], 1):
            reason = "player 2 (two) cannot move"
            expected = Finished(match, you, 1, "no_legal_move", reason, [1, 4, 2, 6, 3])
            assert await player.receive(Finished) == expected


@in_event_loop
async def test_a_match_is_stored_before_it_is_announced(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        await one.receive(Finished)
        [record] = server.records()
        assert (record.winner, [move.move for move in record.moves]) == ("one", [3])


@in_event_loop
async def test_the_returned_record_is_stored(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert [await task] == server.records()


@in_event_loop
async def test_a_match_can_be_over_at_its_start(db: Path) -> None:
    async with arena_server(db) as server:
        await two_bots(server)
        record = await server.arena.start_match(pairing("one", "two", stones=1))
        assert (record.winner, record.moves) == ("two", ())


@in_event_loop
async def test_a_finished_match_frees_its_bots(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        assert not server.arena.sessions.is_free("one")
        await one.send(Resign((await one.receive(Turn)).match))
        await task
        assert server.arena.sessions.is_free("one")


@in_event_loop
async def test_a_bot_is_free_up_to_its_capacity(db: Path) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("one", matches=2)
        tasks = [server.start_match("one", "two")]
        assert server.arena.sessions.is_free("one")
        tasks.append(server.start_match("three", "one"))
        assert not server.arena.sessions.is_free("one")
        for task in tasks:
            task.cancel()


@in_event_loop
async def test_two_bots_can_play_two_matches_at_once(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = (
            await server.connect_bot("one", matches=2),
            await server.connect_bot("two", matches=2),
        )
        first = server.start_match("one", "two", opening=(1, 4, 2, 6))
        second = server.start_match("two", "one", opening=(1, 4, 2, 6))
        await two.play(3)
        await one.play(3)
        assert [(await task).winner for task in (first, second)] == ["one", "two"]


# Time


@in_event_loop
async def test_a_move_is_credited_with_the_latency(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        [move] = (await task).moves
        assert 0 < move.credit <= move.elapsed
        assert move.charged == move.elapsed - move.credit


@in_event_loop
async def test_the_credit_is_bounded(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.model.clock.MAX_CREDIT", 1e-9)
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert [move.credit for move in (await task).moves] == [1e-9]
