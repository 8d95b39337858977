"""Running matches on a server: regular ends, time, lag and failures."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from arena.match.referee import Referee
from arena.model.observer import Observer
from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.model.time_control import TimeControl
from arena.protocol.player import Error, Finished, Move, Resign, TakeBack, Turn
from arena.server.loop_lag import SAMPLE_INTERVAL
from arena.server.match_runner import CASUAL_GRACE, MatchRunner
from arena.server.player_endpoint import UNREADABLE_LIMIT
from arena.server.sessions import Session
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from core import GAMES as ALL_GAMES
from core.game import IllegalMove
from core.take_stones import Board
from tests.support.arena_server import (
    TEST_TIMEOUT,
    ArenaServer,
    ScriptedBot,
    arena_server,
    in_event_loop,
    pairing,
    read_matches,
    two_bots,
)

GARBAGE: list[str | bytes] = ["", b"\x00", '{"type":"move","match":"1","ply":0,"move":"x"}']


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


# Lost matches

Action = Callable[[ScriptedBot, Turn], Awaitable[None]]


async def result_of(db: Path, action: Action, time: str = "20", grace: float = 20) -> MatchResult:
    """Return the result of a match in which player 1 acts at its first turn."""
    async with arena_server(db, time, grace) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await action(one, await one.receive(Turn))
        record = await task
        assert (record.winner, server.records()) == ("two", [record])
        return record.result


async def wait_for_end(one: ScriptedBot, _turn: Turn) -> None:
    await one.receive(Finished)


@pytest.mark.parametrize(
    ("opening", "move"),
    [((), 2), ((), 5), ((), 0), ((), -1), ((), 8), ((), 10**30), ((1, 4), 4), ((1, 4), 3)],
)
@in_event_loop
async def test_an_illegal_move_loses(db: Path, opening: tuple[int, ...], move: int) -> None:
    with pytest.raises(IllegalMove) as rule:
        Board(7, [*opening, move])
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=opening)
        await one.play(move)
        reason = f"player 1 (one) made an {rule.value}"
        assert (await task).result == MatchResult(Termination.ILLEGAL_MOVE, 2, reason)


@in_event_loop
async def test_an_illegal_move_is_not_recorded(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        await two.play(1)
        assert [move.move for move in (await task).moves] == [1]


@pytest.mark.parametrize("move", [2, -(2**63) - 1, 10**4299])
@in_event_loop
async def test_an_illegal_move_is_recorded_as_the_fault(db: Path, move: int) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(move)
        record = await task
        assert record.fault
        assert (record.fault.ply, record.fault.move, server.records()) == (0, move, [record])


@pytest.fixture
def ignore_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never abort a match because this machine is busy."""
    monkeypatch.setattr("arena.match.referee.MAX_LAG", TEST_TIMEOUT)


@pytest.mark.usefixtures("ignore_lag")
@in_event_loop
async def test_the_timeout_includes_the_increment(db: Path) -> None:
    async with arena_server(db, time="0.1+0.1") as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        await two.play(2)
        assert (await task).result.termination is Termination.TIMEOUT


@pytest.mark.usefixtures("ignore_lag")
@in_event_loop
async def test_a_bot_that_does_not_move_loses_on_time(db: Path) -> None:
    result = await result_of(db, wait_for_end, time="0.01")
    assert result == MatchResult(Termination.TIMEOUT, 2, "player 1 (one) has used up its time")


@pytest.mark.usefixtures("ignore_lag")
@in_event_loop
async def test_a_timeout_is_recorded_as_the_fault(db: Path) -> None:
    await result_of(db, wait_for_end, time="0.01/move")
    [record] = read_matches(db)
    assert record.fault
    assert (record.fault.ply, record.fault.move) == (0, None)


@pytest.mark.usefixtures("ignore_lag")
@in_event_loop
async def test_the_timeout_includes_the_margin(db: Path) -> None:
    await result_of(db, wait_for_end, time="0.01 margin 0.05")
    [record] = read_matches(db)
    assert record.fault
    assert record.fault.charged >= 0.06 - 1e-9


@in_event_loop
async def test_resigning_loses(db: Path) -> None:
    async def resign(one: ScriptedBot, turn: Turn) -> None:
        await one.send(Resign(turn.match))

    result = await result_of(db, resign)
    assert result == MatchResult(Termination.RESIGNATION, 2, "player 1 (one) resigned")


@in_event_loop
async def test_the_third_unreadable_message_loses(db: Path) -> None:
    async def send_garbage(one: ScriptedBot, _turn: Turn) -> None:
        for garbage in GARBAGE:
            await one.send(garbage)
            assert (await one.receive(Error)).code == "unreadable"

    result = await result_of(db, send_garbage)
    reason = "player 1 (one) sent 3 unreadable messages"
    assert result == MatchResult(Termination.MALFORMED, 2, reason)


@in_event_loop
async def test_ten_unreadable_messages_close_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        for _ in range(UNREADABLE_LIMIT):
            await bot.send("[" * 1000)
            await bot.receive(Error)
        assert (await bot.receive(Error)).message == f"{UNREADABLE_LIMIT} unreadable messages"
        assert await bot.wait_closed() == (1008, "unreadable")


@in_event_loop
async def test_a_disconnected_bot_loses_after_the_grace(db: Path) -> None:
    async def vanish(one: ScriptedBot, _turn: Turn) -> None:
        one.connection.transport.abort()

    result = await result_of(db, vanish, grace=0.01)
    reason = "player 1 (one) was disconnected for 0.01 s"
    assert result == MatchResult(Termination.DISCONNECT, 2, reason)


@in_event_loop
async def test_a_bot_that_never_connected_loses_after_the_grace(db: Path) -> None:
    async with arena_server(db, grace=0.01) as server:
        await server.connect_bot("two")
        result = (await server.start_match("one", "two")).result
        assert (result.termination, result.winner) == (Termination.DISCONNECT, 2)


@in_event_loop
async def test_a_bot_that_never_connected_is_forgotten_after_its_match(db: Path) -> None:
    async with arena_server(db, grace=0) as server:
        await server.connect_bot("two")
        await server.start_match("one", "two")
        assert [*server.arena.sessions.bots] == ["two"]


# Rejected moves


@in_event_loop
async def test_a_move_in_an_unknown_match_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send(Move("x" * 100, 0, 1))
        error = await bot.receive(Error)
        assert (error.code, error.match) == ("unknown_match", "x" * 64)


@in_event_loop
async def test_a_move_in_a_match_of_others_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        three = await server.connect_bot("three")
        server.start_match("one", "two")
        await three.send(Move((await one.receive(Turn)).match, 0, 1))
        assert (await three.receive(Error)).code == "unknown_match"


@pytest.mark.parametrize("ply", [-1, 0, 2])
@in_event_loop
async def test_a_move_for_another_ply_is_an_error(db: Path, ply: int) -> None:
    async with arena_server(db) as server:
        _, two = await two_bots(server)
        server.start_match("one", "two", opening=(1,))
        match = (await two.receive(Turn)).match
        await two.send(Move(match, ply, 4))
        error = await two.receive(Error)
        assert (error.code, error.match) == ("wrong_ply", match)


@in_event_loop
async def test_a_move_out_of_turn_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two")
        await two.send(Move((await one.receive(Turn)).match, 0, 1))
        assert (await two.receive(Error)).code == "not_your_turn"


@in_event_loop
async def test_a_repeated_move_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        turn = await one.play(1)
        await one.send(Move(turn.match, turn.ply, 1))
        assert (await one.receive(Error)).code == "wrong_ply"


@in_event_loop
async def test_a_move_after_the_end_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two", opening=(1, 4, 2, 6))
        turn = await one.play(3)
        await one.receive(Finished)
        await one.send(Move(turn.match, turn.ply, 3))
        assert (await one.receive(Error)).code == "unknown_match"


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


# Lag of the arena

BLOCKED = 0.3  # seconds


class BlockingObserver(Observer):
    """Observer that blocks the event loop from the first turn of a match on."""

    def started(self, *_: object) -> None:
        asyncio.get_running_loop().call_soon(time.sleep, BLOCKED)


@in_event_loop
async def test_a_timeout_during_a_lag_aborts_the_match(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        await two_bots(server)
        result = (await server.start_match("one", "two")).result
        assert (result.termination, result.winner) == (Termination.ABORTED, None)
        assert "the arena was late by" in result.reason


@in_event_loop
async def test_the_lag_of_an_aborted_match_is_stored(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        await two_bots(server)
        record = await server.start_match("one", "two")
        assert record.fault
        assert record.fault.lag >= BLOCKED - SAMPLE_INTERVAL
        assert server.records() == [record]


@in_event_loop
async def test_bots_receive_the_end_of_a_match_aborted_by_lag(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        await one.receive(Turn)
        assert (await one.receive(Finished)).termination == "aborted"


@in_event_loop
async def test_the_lag_is_stored_with_the_move(db: Path) -> None:
    async with arena_server(db, observer=BlockingObserver()) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        record = await task
        assert record.winner == "one"
        assert [move.lag >= BLOCKED - SAMPLE_INTERVAL for move in record.moves] == [True]
        assert server.records() == [record]


# Exceptions of a game


class BrokenPosition:
    """Position of Take-Stones that raises an exception at stone 4."""

    def __init__(self, *, stones: int, moves: Sequence[int]) -> None:
        self._board = Board(stones, moves)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._board, name)

    def play(self, move: int) -> None:
        if move == 4:
            raise RuntimeError("stone 4 is glued down")
        self._board.play(move)


def out_of_memory(*, stones: int, moves: Sequence[int]) -> Board:
    raise MemoryError(f"no room for {stones} stones and {len(moves)} moves")


def replace_game(monkeypatch: pytest.MonkeyPatch, position: Callable[..., Any]) -> None:
    game = ALL_GAMES["take_stones"]._replace(position=position)
    monkeypatch.setitem(ALL_GAMES, "take_stones", game)


@in_event_loop
async def test_a_game_that_cannot_start_aborts_the_match(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, out_of_memory)
    async with arena_server(db) as server:
        await two_bots(server)
        record = await server.start_match("one", "two")
        reason = "MemoryError: no room for 7 stones and 0 moves"
        assert record.result == MatchResult(Termination.ABORTED, None, reason)
        assert server.records() == [record]


@in_event_loop
async def test_an_illegal_opening_aborts_the_match(db: Path) -> None:
    async with arena_server(db) as server:
        await two_bots(server)
        result = (await server.start_match("one", "two", opening=(1, 1))).result
        assert result.termination is Termination.ABORTED
        assert result.reason.startswith("IllegalMove: illegal move 2: ")


@in_event_loop
async def test_an_exception_of_the_game_aborts_the_match(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, BrokenPosition)
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        await two.play(4)
        record = await task
        reason = "RuntimeError: stone 4 is glued down"
        assert record.result == MatchResult(Termination.ABORTED, None, reason)
        assert [move.move for move in record.moves] == [1]


@in_event_loop
async def test_bots_receive_the_end_after_an_exception_of_the_game(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, BrokenPosition)
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two", opening=(1, 2))
        await one.play(4)
        end = await one.receive(Finished)
        assert (end.winner, end.termination, end.moves) == (None, "aborted", [1, 2])


@in_event_loop
async def test_bots_stay_connected_after_an_exception_of_the_game(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, BrokenPosition)
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two", opening=(1, 2))
        await one.play(4)
        await one.receive(Finished)
        task = server.start_match("one", "two", opening=(1, 5))
        await two.receive(Finished)
        assert (await task).winner == "two"


@in_event_loop
async def test_other_matches_continue_after_an_exception_of_the_game(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, BrokenPosition)
    async with arena_server(db) as server:
        one, _ = (
            await server.connect_bot("one", matches=2),
            await server.connect_bot("two", matches=2),
        )
        other = server.start_match("one", "two", opening=(1, 6))
        turn = await one.receive(Turn)
        server.start_match("one", "two", opening=(1, 2))
        await one.play(4)
        await one.receive(Finished)
        await one.send(Resign(turn.match))
        assert (await other).result.termination is Termination.RESIGNATION


# Observers


class RecordingObserver(Observer):
    """Observer that records its events, and the stored matches at each end."""

    def __init__(self, db: Path) -> None:
        self.db = db
        self.lines: list[tuple[Any, ...]] = []
        self.stored: list[MatchRecord] = []

    def started(self, match: int, pairing: Pairing) -> None:
        self.lines.append(("started", match, pairing))

    def moved(self, match: int, move: PlayedMove) -> None:
        self.lines.append(("moved", match, move))

    def taken_back(self, match: int, ply: int) -> None:
        self.lines.append(("taken back", match, ply))

    def finished(self, record: MatchRecord) -> None:
        self.lines.append(("finished", record))
        self.stored = read_matches(self.db)


class FailingObserver(Observer):
    """Observer that raises an exception at one event."""

    def __init__(self, event: str) -> None:
        self.event = event

    def fail_at(self, event: str) -> None:
        if event == self.event:
            raise OSError(f"no room for {event}")

    def started(self, *_: object) -> None:
        self.fail_at("started")

    def moved(self, *_: object) -> None:
        self.fail_at("moved")

    def finished(self, *_: object) -> None:
        self.fail_at("finished")


@in_event_loop
async def test_an_observer_receives_all_events_in_order(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        await two.play(6)
        await one.play(3)
        record = await task
    begin, end = ("started", record.id, record.pairing), ("finished", record)
    assert observer.lines == [begin, *(("moved", record.id, move) for move in record.moves), end]


@in_event_loop
async def test_each_attempt_at_a_pairing_has_its_own_id(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        await two_bots(server)
        for _ in range(2):
            await server.arena.start_match(pairing("one", "two", stones=1))
    assert [line[1] for line in observer.lines if line[0] == "started"] == [1, 2]


@in_event_loop
async def test_a_match_is_stored_before_its_end_is_observed(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        await two_bots(server)
        record = await server.arena.start_match(pairing("one", "two", stones=1))
    assert observer.stored == [record]


@in_event_loop
async def test_an_illegal_move_is_not_observed(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(2)
        await task
    assert [line[0] for line in observer.lines] == ["started", "finished"]


@in_event_loop
async def test_an_aborted_match_is_observed(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_game(monkeypatch, out_of_memory)
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        await two_bots(server)
        record = await server.start_match("one", "two")
    assert observer.lines == [("started", 1, record.pairing), ("finished", record)]


@in_event_loop
async def test_the_end_of_a_cancelled_match_is_not_observed(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.receive(Turn)
        task.cancel()
        await asyncio.wait([task])
    assert [line[0] for line in observer.lines] == ["started"]


EACH_EVENT = pytest.mark.parametrize("event", ["started", "moved", "finished"])


async def play_short_match(server: ArenaServer) -> MatchRecord:
    one, _ = await two_bots(server)
    task = server.start_match("one", "two", opening=(1, 4, 2, 6))
    await one.play(3)
    return await task


@EACH_EVENT
@in_event_loop
async def test_an_exception_of_the_observer_is_raised(db: Path, event: str) -> None:
    async with arena_server(db, observer=FailingObserver(event)) as server:
        await play_short_match(server)
        with pytest.raises(OSError, match=f"no room for {event}"):
            await server.arena.wait_for_change()


@in_event_loop
async def test_an_exception_of_the_observer_wakes_a_waiting_task(db: Path) -> None:
    async with arena_server(db, observer=FailingObserver("started")) as server:
        await two_bots(server)
        await server.arena.wait_for_change()
        server.start_match("one", "two")
        with pytest.raises(OSError, match="no room"):
            await server.arena.wait_for_change()


@EACH_EVENT
@in_event_loop
async def test_a_match_continues_after_an_exception_of_the_observer(db: Path, event: str) -> None:
    async with arena_server(db, observer=FailingObserver(event)) as server:
        record = await play_short_match(server)
        assert (record.winner, server.records()) == ("one", [record])


@in_event_loop
async def test_the_end_is_announced_after_an_exception_of_the_observer(db: Path) -> None:
    async with arena_server(db, observer=FailingObserver("finished")) as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert (await one.receive(Finished)).winner == 1


# Casual matches


class OfflineMatch(RecordingObserver):
    """A match with 7 stones between two players without connections."""

    def __init__(
        self, db: Path, writer: DatabaseWriter, pairing: Pairing, grants_takebacks: bool
    ) -> None:
        super().__init__(db)
        now = asyncio.get_running_loop().time()
        self.one, self.two = (Session(name, now) for name in pairing.players)
        self.two.grants_takebacks = grants_takebacks
        self.runner = MatchRunner(writer, TimeControl(20), 5.0, self, self.fail)
        self.task = asyncio.create_task(self.runner.play(pairing, [self.one, self.two]))
        self.begun = asyncio.Event()

    def fail(self, error: Exception) -> None:
        raise error

    def started(self, match: int, pairing: Pairing) -> None:
        super().started(match, pairing)
        self.begun.set()

    @property
    def referee(self) -> Referee:
        return self.runner.running["1"].referee

    def receive(self, player: Session, message: Move | Resign | TakeBack) -> bool:
        return self.runner.receive(player, message, asyncio.get_running_loop().time(), 0.0)

    def move(self, player: Session, move: int) -> bool:
        return self.receive(player, Move("1", self.referee.ply, move))

    def take_back(self, player: Session) -> bool:
        return self.receive(player, TakeBack("1"))


@asynccontextmanager
async def offline_match(
    db: Path, casual: bool = True, time: str | None = None, grants_takebacks: bool = False
) -> AsyncIterator[OfflineMatch]:
    """Start a match; cancel it at the end."""
    pairing = Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, (), casual, time)
    with DatabaseWriter(db) as writer:
        match = OfflineMatch(db, writer, pairing, grants_takebacks)
        await match.begun.wait()
        yield match
        match.task.cancel()
        await asyncio.wait([match.task])


@in_event_loop
async def test_a_takeback_is_observed(db: Path) -> None:
    async with offline_match(db, grants_takebacks=True) as match:
        for bot, stone in [(match.one, 3), (match.two, 6), (match.one, 2), (match.two, 4)]:
            match.move(bot, stone)
        match.take_back(match.one)
        assert match.lines[4:] == [("moved", 1, match.lines[4][2]), ("taken back", 1, 2)]


@in_event_loop
async def test_a_move_that_a_takeback_cancels_is_useful_but_not_observed(db: Path) -> None:
    async with offline_match(db, grants_takebacks=True) as match:
        match.move(match.one, 3)
        match.take_back(match.one)
        assert match.move(match.two, 6)
        assert [line[0] for line in match.lines] == ["started", "moved", "taken back"]


@in_event_loop
async def test_a_takeback_needs_the_consent_of_the_opponent(db: Path) -> None:
    async with offline_match(db) as match:
        match.move(match.one, 3)
        assert [match.take_back(bot) for bot in (match.one, match.one, match.two)] == [
            True,
            False,
            True,
        ]
        assert match.lines[2:] == [("taken back", 1, 0)]


@in_event_loop
async def test_a_rated_match_has_no_takebacks(db: Path) -> None:
    async with offline_match(db, casual=False, grants_takebacks=True) as match:
        match.move(match.one, 3)
        assert not match.take_back(match.one)
        assert match.referee.ply == 1


@in_event_loop
async def test_moves_that_were_taken_back_are_not_stored(db: Path) -> None:
    async with offline_match(db, time="20", grants_takebacks=True) as match:
        for bot, stone in [(match.one, 3), (match.two, 6)]:
            match.move(bot, stone)
        match.take_back(match.one)
        for bot, stone in [(match.one, 1), (match.two, 4), (match.one, 2), (match.two, 6)]:
            match.move(bot, stone)
        match.move(match.one, 3)
        record = await match.task
    assert [move.move for move in record.moves] == [1, 4, 2, 6, 3]
    assert read_matches(db) == [record]


@pytest.mark.parametrize(("time", "control"), [(None, "20+0"), ("7/move", "7/move"), ("7", "7")])
@in_event_loop
async def test_a_pairing_can_have_its_own_time_control(
    db: Path, time: str | None, control: str
) -> None:
    async with offline_match(db, time=time) as match:
        match.receive(match.one, Resign("1"))
        assert (await match.task).time_control == control


@in_event_loop
async def test_an_invalid_time_control_is_an_error(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        runner = MatchRunner(writer, TimeControl(20), 5.0, Observer(), print)
        with pytest.raises(ValueError, match="time 'soon' is not BASE"):
            await runner.play(replace(pairing("one", "two"), time="soon"), [])
    assert read_matches(db) == []


@pytest.mark.parametrize(("casual", "grace"), [(True, CASUAL_GRACE), (False, 5.0)])
@in_event_loop
async def test_casual_players_may_be_disconnected_longer(
    db: Path, casual: bool, grace: float
) -> None:
    async with offline_match(db, casual, time="1000") as match:
        assert match.referee.deadline == match.one.disconnected_at + grace


# Failures of the database


def drop_table(db: Path, table: str) -> None:
    with closing(sqlite3.connect(db)) as database:
        database.execute(f"DROP TABLE {table}")


@in_event_loop
async def test_a_match_that_cannot_begin_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        await two_bots(server)
        drop_table(db, "matches")
        with pytest.raises(DatabaseError, match="no such table"):
            await server.start_match("one", "two")
        assert server.arena.sessions.is_free("one")


@in_event_loop
async def test_a_match_that_cannot_be_stored_is_an_error(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        drop_table(db, "moves")
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        with pytest.raises(DatabaseError, match="no such table"):
            await task
        assert server.arena.sessions.is_free("one")


@in_event_loop
async def test_the_end_of_a_match_that_cannot_be_stored_is_not_announced(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, _ = await two_bots(server)
        drop_table(db, "moves")
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        await asyncio.wait([task])
    with pytest.raises(ConnectionClosed):
        await one.receive(Finished)
    assert [line[0] for line in observer.lines] == ["started", "moved"]
    assert isinstance(task.exception(), DatabaseError)
