"""Processes of a real arena: the limit on analyses, and their end."""

from pathlib import Path

import pytest

from arena.protocol.spectator import ErrorReply, Games
from arena.spectators.workers import pool
from tests.support.arena_server import in_event_loop
from tests.support.spectators import spectated_arena


@in_event_loop
async def test_too_many_analyses_are_refused(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MAX_ANALYSES", 0)
    async with spectated_arena(db) as server:
        spectator = await server.follow()
        reply = await spectator.request(
            "analyse", ErrorReply, game="take_stones", setup={"stones": 7}
        )
        assert reply.code == "busy"


@in_event_loop
async def test_closing_arena_cancels_analyses(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectators = [await server.follow() for _ in range(3)]
        for spectator in spectators:  # the first analysis blocks the others
            setup = {"stones": 1000}
            await spectator.send("analyse", request=1, game="take_stones", setup=setup, depth=30)
        await (await server.follow()).request("find_games", Games)
    for spectator in spectators:
        assert (await spectator.receive(ErrorReply)).code == "closing"
        await spectator.connection.wait_closed()
        assert spectator.connection.close_code == 1000
