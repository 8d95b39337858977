"""Running matches when the arena fails: lag, exceptions of a game, failures of the database."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from arena.model.observer import Observer
from arena.model.results import MatchResult, Pairing, Termination
from arena.protocol.player import Finished, Move, Resign, Turn
from arena.server.loop_lag import SAMPLE_INTERVAL
from arena.server.match_runner import EXCUSES
from arena.server.server import Server
from arena.storage.schema import DatabaseError
from core import GAMES as ALL_GAMES
from core.take_stones import Board
from tests.support.servers.arena_server import arena_server, two_bots
from tests.support.tournaments.observers import RecordingObserver

# Lag of the arena


BLOCKED = 0.3  # seconds


class BlockingObserver(Observer):
    """Observer that blocks the event loop from the first turn of a match on."""

    def started(self, *_: object) -> None:
        asyncio.get_running_loop().call_soon(time.sleep, BLOCKED)


async def test_a_late_move_during_a_lag_aborts_the_match(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        assert (await one.receive(Finished)).termination == "aborted"
        record = await task
        assert (record.result.termination, record.result.winner) == (Termination.ABORTED, None)
        assert "the arena was late by" in record.result.reason
        assert record.fault
        assert record.fault.lag >= BLOCKED - SAMPLE_INTERVAL
        assert server.records() == [record]


async def test_no_move_during_a_lag_is_a_timeout(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        await two_bots(server)
        record = await server.start_match("one", "two")
        assert (record.result.termination, record.winner) == (Termination.TIMEOUT, "two")
        assert record.fault
        assert record.fault.lag >= BLOCKED - SAMPLE_INTERVAL


async def test_useless_messages_during_a_lag_void_no_loss(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        while not task.done():
            await one.send(Move(turn.match, turn.ply + 1, 1))
            await one.connection.recv()
        assert (await task).result.termination is Termination.TIMEOUT


async def test_lag_excuses_a_player_a_few_times_only(db: Path) -> None:
    async with arena_server(db, time="0.05", observer=BlockingObserver()) as server:
        one, _ = await two_bots(server)
        ends = []
        for _ in range(EXCUSES + 1):
            server.start_match("one", "two")
            turn = await one.play(1)
            await one.send(Resign(turn.match))  # while the end is being stored
            ends.append((await one.receive(Finished)).termination)
        assert ends == ["aborted"] * EXCUSES + ["timeout"]


class ExpensiveObserver(Observer):
    """Observer that blames the first player for a lag after the first turn of a match."""

    server: Server

    def started(self, match: int, pairing: Pairing) -> None:  # noqa: ARG002
        loop = asyncio.get_running_loop()
        loop.call_soon(time.sleep, BLOCKED)
        source = self.server.sessions.bots[pairing.players[0]].source
        loop.call_soon(self.server.matches.lag.charge, source, BLOCKED)


async def test_lag_does_not_excuse_those_who_cause_it(db: Path) -> None:
    observer = ExpensiveObserver()
    async with arena_server(db, time="0.05", observer=observer) as server:
        observer.server = server.arena.server
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.play(1)
        assert (await task).result.termination is Termination.TIMEOUT


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


async def test_a_game_that_cannot_start_aborts_the_match(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, out_of_memory)
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        await two_bots(server)
        record = await server.start_match("one", "two")
        reason = "MemoryError: no room for 7 stones and 0 moves"
        assert record.result == MatchResult(Termination.ABORTED, None, reason)
        assert server.records() == [record]
    assert observer.lines == [("started", 1, record.pairing), ("finished", record)]


async def test_an_exception_of_the_game_aborts_its_match_alone(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_game(monkeypatch, BrokenPosition)
    async with arena_server(db) as server:
        one, two = [await server.connect_bot(name, matches=2) for name in ("one", "two")]
        other = server.start_match("one", "two", opening=(1, 6))
        turn = await one.receive(Turn)
        task = server.start_match("one", "two")
        await one.play(1)
        await two.play(4)
        record = await task
        reason = "RuntimeError: stone 4 is glued down"
        assert record.result == MatchResult(Termination.ABORTED, None, reason)
        assert [move.move for move in record.moves] == [1]
        for bot in (one, two):
            end = await bot.receive(Finished)
            assert (end.winner, end.termination, end.moves) == (None, "aborted", [1])
        await one.send(Resign(turn.match))
        assert (await other).result.termination is Termination.RESIGNATION


# Failures of the database


def drop_table(db: Path, table: str) -> None:
    with closing(sqlite3.connect(db)) as database:
        database.execute(f"DROP TABLE {table}")


async def test_a_match_that_cannot_begin_is_an_error_and_announced_as_aborted(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        drop_table(db, "matches")
        with pytest.raises(DatabaseError, match="no such table"):
            await server.start_match("one", "two")
        await one.receive(Turn)
        for bot in (one, two):
            end = await bot.receive(Finished)
            assert (end.termination, end.winner, end.moves) == ("aborted", None, [])
            assert end.reason == "the start of the match could not be stored"
        assert server.arena.server.sessions.is_free("one")


async def test_a_match_that_cannot_be_stored_is_an_error_and_not_announced(db: Path) -> None:
    observer = RecordingObserver(db)
    async with arena_server(db, observer=observer) as server:
        one, _ = await two_bots(server)
        drop_table(db, "moves")
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        with pytest.raises(DatabaseError, match="no such table"):
            await task
        assert server.arena.server.sessions.is_free("one")
    with pytest.raises(ConnectionClosed):
        await one.receive(Finished)
    assert [line[0] for line in observer.lines] == ["started", "moved"]
