"""Computations for the spectators of a real arena: leaderboards, accuracies and winners."""

import asyncio
from itertools import count
from pathlib import Path

import pytest

from arena.model.results import Pairing, PlayedMove
from arena.protocol.spectator import Leaderboards, Lobby, MatchMoves, MatchSnapshot, Winners
from arena.spectators import computations
from core import GAMES
from core.game import Solver
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.arena_server import in_event_loop
from tests.support.spectators import begin_match, play_match, spectated_arena


@in_event_loop
async def test_lobby_spectator_receives_the_leaderboards(db: Path) -> None:
    async with spectated_arena(db) as server:
        await play_match(server)
        [leaderboard] = (await (await server.follow()).receive(Leaderboards)).tables
        assert (leaderboard.game, leaderboard.finished) == ("take_stones", 1)
        assert {row.bot for row in leaderboard.bots} == {"one", "two"}


@in_event_loop
async def test_leaderboards_wait_for_their_next_time(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computations, "LEADERBOARD_SECONDS", 3600.0)
    async with spectated_arena(db) as server:
        await play_match(server)
        spectator = await server.follow()
        assert [table.finished for table in (await spectator.receive(Leaderboards)).tables] == [1]
        await server.start_match("one", "two")
        while (await spectator.receive(Lobby)).finished != 2:
            pass
        monkeypatch.setattr(computations, "LEADERBOARD_SECONDS", 0.0)
        assert [table.finished for table in (await spectator.receive(Leaderboards)).tables] == [2]


@in_event_loop
async def test_leaderboards_get_accuracies(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computations, "JUDGE_SECONDS", 0.01)
    monkeypatch.setattr(computations, "LEADERBOARD_SECONDS", 0.01)
    async with spectated_arena(db) as server:
        await play_match(server)
        spectator = await server.follow()
        while not (leaderboard := (await spectator.receive(Leaderboards)).tables[0]).judged:
            pass
        assert leaderboard.judged == leaderboard.finished == 1


@in_event_loop
async def test_winners_are_sent(db: Path) -> None:
    async with spectated_arena(db) as server:
        _, two = await begin_match(server)
        spectator = await server.follow(1)
        update = await spectator.receive(Winners)
        received = [*update.winners]
        await two.play(1)
        while len(received) < 3:
            more = await spectator.receive(Winners)
            received[more.ply :] = more.winners
        assert received == [solve(Board(7, [3, 1][:ply])).winner for ply in range(3)]


@in_event_loop
async def test_match_without_a_solver_has_no_winners(db: Path) -> None:
    async with spectated_arena(db) as server:
        for name in ("one", "two"):
            await server.run_bot(name, games=["isolation"])
        record = await server.arena.start_match(Pairing(None, ("one", "two"), "isolation", {}))
        match = await (await server.follow(record.id)).receive(MatchSnapshot)
        assert match.winners is None
        assert match.result


class Interruption(BaseException):
    """An end that is not a failure of the game."""


@in_event_loop
async def test_winners_are_computed_again_after_an_interruption(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, is_reported, calls = GAMES["take_stones"], asyncio.Event(), count()
    assert game.solver
    solver = game.solver

    def interrupted_solver(board: Board, seconds: float | None) -> Solver:
        if next(calls):
            return solver(board, seconds)
        raise Interruption

    monkeypatch.setitem(GAMES, game.name, game._replace(solver=interrupted_solver))
    # The loop reports the task when it has ended.
    asyncio.get_running_loop().set_exception_handler(lambda *_: is_reported.set())
    async with spectated_arena(db) as server:
        _, two = await begin_match(server)
        spectator = await server.follow(1)
        await is_reported.wait()
        await two.play(1)
        update = await spectator.receive(Winners)
        assert update.winners[0] == solve(Board(7)).winner


@in_event_loop
async def test_takeback_replaces_moves_and_winners(db: Path) -> None:
    async with spectated_arena(db) as server:
        await begin_match(server)
        spectator = await server.follow(1)
        await spectator.receive(Winners)
        server.live_state.taken_back(1, 0)
        server.live_state.moved(1, PlayedMove(0, 1, 0.0, 0.0, 0.0, 0.0))
        update = (await spectator.receive(MatchMoves)).moves
        assert (update.ply, [*update.moves]) == (0, [1])
        more = await spectator.receive(Winners)
        assert (more.ply, [*more.winners]) == (1, [solve(Board(7, [1])).winner])
