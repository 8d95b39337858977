"""Processes of a real arena: long questions, and their end."""

from pathlib import Path
from typing import get_args

import psutil
import pytest

from arena.model.observer import Observer, Problems
from arena.protocol.bots import BotInfo, BotMatches
from arena.protocol.positions import SearchStart, Trace
from arena.protocol.spectator import Analysis, ErrorReply, Games, Margins, ToSpectator
from arena.spectators.leaderboards.queries import LeaderboardQueries
from arena.spectators.workers.pool import ANALYSIS_MEMORY, LEADERBOARDS, Workers
from arena.spectators.workers.program import create
from arena.tournament.format_state import FormatState
from tests.support.servers.spectators import play_match, spectated_arena

LONG = {"request": 1, "game": "take_stones", "setup": {"stones": 1000}, "depth": 30}


@pytest.mark.slow
async def test_a_long_analysis_delays_no_other_question(db: Path) -> None:
    async with spectated_arena(db) as server:
        busy, other = await server.follow(), await server.follow()
        await busy.send("analyse", **LONG)
        await other.request("find_games", Games)
        search = (await busy.receive(Analysis)).search
        assert search
        assert search.stopped == "seconds"


async def test_analyses_have_little_memory(db: Path) -> None:
    workers = Workers(db, None, Problems(Observer(), print))
    others = {*psutil.Process().children()}
    try:
        await workers.ask("here", Trace(1, SearchStart(tree="(1 2)")))
        [process] = {*psutil.Process().children()} - others
        assert process.rlimit(psutil.RLIMIT_DATA)[0] == ANALYSIS_MEMORY
    finally:
        await workers.close()


def test_the_number_of_the_question_is_the_first_field_of_every_answer() -> None:
    numbered = [kind for kind in get_args(ToSpectator) if "request" in kind.__struct_fields__]
    assert len(numbered) > 15
    for kind in numbered:
        assert kind is ErrorReply or kind.__struct_fields__[0] == "request"


def test_object_of_the_process_for_leaderboards(complete: Path) -> None:
    leaderboards = create(LEADERBOARDS, "LeaderboardQueries", complete, None)
    assert isinstance(leaderboards, LeaderboardQueries)
    assert '"finished":6' in leaderboards.compute(None, FormatState())


async def test_questions_about_a_bot_and_margins_are_answered(db: Path) -> None:
    async with spectated_arena(db) as server:
        await play_match(server)
        spectator = await server.follow()
        margins = await spectator.request("find_margins", Margins, game="take_stones")
        assert {*margins.margins} == {"one", "two"}
        info = await spectator.request("find_bot", BotInfo, bot="one")
        assert [standing.game for standing in info.games] == ["take_stones"]
        matches = await spectator.request(
            "find_bot_matches", BotMatches, bot="one", game="take_stones"
        )
        assert (matches.bot, matches.matches) == ("one", 1)


async def test_closing_arena_cancels_analyses(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectators = [await server.follow() for _ in range(3)]
        for spectator in spectators:  # the first analysis blocks the others
            await spectator.send("analyse", **LONG)
            await (await spectator.connection.ping())  # which is read after it
    for spectator in spectators:
        assert (await spectator.receive(ErrorReply)).code == "closing"
        await spectator.connection.wait_closed()
        assert spectator.connection.close_code == 1000
