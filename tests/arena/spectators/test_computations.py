"""Computations for the spectators of a real arena: leaderboards, accuracies and winners."""

import asyncio
import os
from pathlib import Path

import pytest

from arena.model.results import Pairing
from arena.protocol.spectator import (
    Analysis,
    Games,
    Leaderboards,
    Lobby,
    MatchSnapshot,
    Winners,
)
from arena.spectators import computations
from arena.spectators.workers import process
from core import GAMES
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.games.installed_games import install_for_children
from tests.support.games.toy_games import FATAL_NIM
from tests.support.polling import awaited, until
from tests.support.servers.spectators import begin_match, play_match, spectated_arena


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


async def test_leaderboards_get_accuracies(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computations, "JUDGE_SECONDS", 0.01)
    monkeypatch.setattr(computations, "LEADERBOARD_SECONDS", 0.01)
    async with spectated_arena(db) as server:
        await play_match(server)
        spectator = await server.follow()
        while not (leaderboard := (await spectator.receive(Leaderboards)).tables[0]).judged:
            pass
        assert leaderboard.judged == leaderboard.finished == 1


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


async def test_winners_are_discarded_when_nobody_follows(db: Path) -> None:
    async with spectated_arena(db) as server:
        await begin_match(server)
        spectator = await server.follow(1)
        first = [*(await spectator.receive(Winners)).winners]
        await spectator.send("watch", match=None)
        await spectator.receive(Leaderboards)
        await spectator.request("find_games", Games)  # which the process answers after that
        await spectator.send("watch", match=1)
        assert [*(await spectator.receive(Winners)).winners] == first


async def test_winners_are_found_again_by_another_process(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "IDLE_SECONDS", 0.0)
    others = {*children()}  # of other tests
    async with spectated_arena(db) as server:
        await begin_match(server)
        spectator = await server.follow(1)
        first = [*(await spectator.receive(Winners)).winners]
        await until(lambda: not {*children()} - others, "the end of the workers")
        await spectator.request("analyse", Analysis, game="take_stones", setup={"stones": 7})
        await spectator.send("watch", match=None)
        await spectator.receive(Leaderboards)
        await spectator.send("watch", match=1)
        assert [*(await spectator.receive(Winners)).winners] == first


async def test_judging_ends_when_it_has_ended_two_processes(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, FATAL_NIM.name, FATAL_NIM)
    install_for_children(monkeypatch, tmp_path, FATAL_NIM.name, "FATAL_NIM")
    monkeypatch.setattr(computations, "JUDGE_SECONDS", 0.01)
    monkeypatch.setattr(computations, "LEADERBOARD_SECONDS", 0.01)
    pairing = Pairing(None, ("one", "two"), FATAL_NIM.name, {"heap": 10})
    async with spectated_arena(db, games=[FATAL_NIM.name]) as server:
        for name in pairing.players:
            await server.run_bot(name, games=[FATAL_NIM.name])
        [judging] = (task for task in asyncio.all_tasks() if "judge" in repr(task.get_coro()))
        spectator = await server.follow()
        await server.arena.server.start_match(pairing)
        async with awaited("the end of judging"):
            await asyncio.wait([judging])
        await server.arena.server.start_match(pairing)
        while (await spectator.receive(Leaderboards)).tables[0].finished < 2:
            pass


def children() -> list[str]:
    """Return the numbers of the processes that the event loop's thread has started."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


async def test_winners_are_unknown_if_their_process_ends(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, FATAL_NIM.name, FATAL_NIM)
    install_for_children(monkeypatch, tmp_path, FATAL_NIM.name, "FATAL_NIM")
    async with spectated_arena(db, games=[FATAL_NIM.name]) as server:
        for name in ("one", "two"):
            await server.run_bot(name, games=[FATAL_NIM.name])
        pairing = Pairing(None, ("one", "two"), FATAL_NIM.name, {"heap": 10})
        record = await server.arena.server.start_match(pairing)
        spectator = await server.follow(record.id)
        match = await spectator.receive(MatchSnapshot)
        assert (match.winners, match.facts.match) == (None, record.id)
        games = await spectator.request("find_games", Games)  # another process answers
        assert [summary.facts.match for summary in games.games] == [record.id]
