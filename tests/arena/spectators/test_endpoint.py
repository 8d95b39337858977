"""Endpoint for spectators of a real arena: description, requests, errors, people, and the end.

Description of an arena for spectators.
"""

import asyncio
import json
from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from arena.lobby.challenges import CasualPlayer, Challenges
from arena.model.addresses import AddressLimits
from arena.protocol.codec import UNREADABLE_LIMIT, RequestError
from arena.protocol.player import Challenge, Challenged
from arena.protocol.positions import ExplainedSteps, TracedSearch
from arena.protocol.spectator import (
    About,
    Analysis,
    ChallengeInfo,
    CheckName,
    ErrorReply,
    FindChallenge,
    Games,
    Lobby,
    MatchSnapshot,
    NameCheck,
    ParameterInfo,
    PositionInfo,
    Record,
    TournamentInfo,
)
from arena.server.admission import Admission
from arena.spectators import endpoint
from arena.spectators.endpoint import RUN, check_name, describe_arena, find_challenge
from arena.spectators.workers import questions
from arena.tournament.plan import Plan
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.polling import awaited, until
from tests.support.servers.spectators import begin_match, play_match, spectated_arena

LONG = {"game": "take_stones", "setup": {"stones": 1000}, "depth": 30}
ANN = CasualPlayer("Ann", ["take_stones"], 1, "127.0.0.1")
PLAN = Plan("take_stones", {"ann": "random", "bob": "greedy"}, ({"stones": 7},), "5+0", 3)


async def test_new_spectator_receives_the_description(db: Path) -> None:
    async with spectated_arena(db) as server:
        about = await (await server.connect_spectator()).receive(About)
        assert about == describe_arena(["take_stones", "isolation"], "20+0")
        assert about.time == "20+0"


async def test_stored_match_is_sent_from_the_database(db: Path) -> None:
    async with spectated_arena(db) as server:
        match_id = await play_match(server)
    async with spectated_arena(db) as server:
        match = await (await server.follow(match_id)).receive(MatchSnapshot)
        assert match.result
        assert match.winners
        assert len(match.winners) == len(match.moves.moves) + 1


async def test_a_name_and_a_challenge_are_answered(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectator = await server.connect_spectator()
        assert (await spectator.request("check_name", NameCheck, name=" Ann")).name == "Ann"
        reply = await spectator.request("find_challenge", ErrorReply, challenge="x")
        assert reply == ErrorReply("unknown_challenge", "this arena has no challenges", 1)


async def test_requests_are_answered(db: Path) -> None:
    async with spectated_arena(db) as server:
        match_id = await play_match(server)
        spectator = await server.follow()
        games = await spectator.request("find_games", Games)
        assert [summary.facts.match for summary in games.games] == [match_id]
        record = await spectator.request("find_record", Record, match=match_id)
        assert '[Player1 "one"]' in record.text
        setup = {"stones": 7}
        analysis = await spectator.request("analyse", Analysis, game="take_stones", setup=setup)
        assert [*analysis.legal_moves] == [1, 3]
        position = await spectator.request(
            "find_position", PositionInfo, game="take_stones", setup=setup, moves=[3]
        )
        assert [*position.legal_moves] == [1, 6]
        reply = await spectator.request("analyse", ErrorReply, game="chess", setup={})
        assert (reply.code, reply.request) == ("bad_position", 1)
        reply = await (await server.follow(77)).receive(ErrorReply)
        assert reply == ErrorReply("unknown_match", "unknown match 77", None)


async def test_a_search_is_traced_and_explained(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectator = await server.follow()
        search = {"tree": "((3 5) (2 9))"}
        found = await spectator.request("trace", TracedSearch, search=search)
        assert (found.totals.value, found.stopped) == (3, None)
        answer = await spectator.request(
            "explain_steps", ExplainedSteps, search=search, first=len(found.steps) - 1, count=9
        )
        assert [*answer.texts] == ["A returns 3."]
        error = await spectator.request("trace", ErrorReply, search={"tree": "(1 2"})
        assert (error.code, error.request) == ("bad_position", 1)
        assert "is not closed" in error.message


async def test_connection_is_closed_after_too_many_unreadable_messages(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectator = await server.follow()
        for _ in range(UNREADABLE_LIMIT):
            await spectator.connection.send("?")
            assert (await spectator.receive(ErrorReply)).code == "unreadable"
        with pytest.raises(ConnectionClosed):
            await spectator.receive(ErrorReply)
        assert spectator.connection.close_code == 1008


async def test_spectator_can_follow_something_else(db: Path) -> None:
    async with spectated_arena(db) as server:
        await begin_match(server)
        other, spectator = await server.follow(), await server.follow()
        await other.connection.close()
        await spectator.receive(Lobby)
        await spectator.send("watch", match=1)
        assert (await spectator.receive(MatchSnapshot)).facts.match == 1
        await spectator.send("watch", match=None)
        assert (await spectator.receive(Lobby)).full


async def test_moves_are_counted_as_changes_only_while_spectators_are_connected(db: Path) -> None:
    async with spectated_arena(db) as server:
        assert not server.arena.live_state.is_watched
        one, other = await server.follow(), await server.follow()
        await one.receive(Lobby)
        await one.connection.close()
        await other.receive(Lobby)
        assert server.arena.live_state.is_watched
        await other.connection.close()
        await until(lambda: not server.arena.live_state.is_watched, "the last spectator to leave")


async def test_connections_are_closed_at_the_end(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectator = await server.follow()
    with pytest.raises(ConnectionClosed):
        await spectator.receive(About)
    assert spectator.connection.close_code == 1000


@pytest.mark.slow
async def test_messages_are_answered_in_order(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectator = await server.connect_spectator()
        await spectator.receive(About)
        await spectator.send("analyse", request=1, **LONG)
        await spectator.send("find_games", request=2)
        await spectator.send("watch", match=None)
        for kind in ("analysis", "games", "lobby"):
            assert f'"type":"{kind}"' in await spectator.connection.recv()


@pytest.mark.slow
async def test_too_many_messages_of_a_connection_are_refused(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "MAX_UNANSWERED", 2)
    async with spectated_arena(db) as server:
        spectator = await server.connect_spectator()
        await spectator.receive(About)
        await spectator.send("analyse", request=1, **LONG)
        for request in range(2, 6):
            await spectator.send("find_games", request=request)
        replies = [json.loads(await spectator.connection.recv()) for _ in range(5)]
        refused = [reply["request"] for reply in replies if reply.get("code") == "busy"]
        answered = [reply["request"] for reply in replies if reply["type"] != "error"]
        # The analysis may be read together with the questions: then it is one of the two.
        assert refused in ([4, 5], [3, 4, 5])
        assert answered == [1, 2, 3][: len(answered)]
        assert len(refused) + len(answered) == 5


@pytest.mark.slow
async def test_large_messages_of_a_connection_do_not_wait_together(db: Path) -> None:
    large = {"game": "take_stones", "setup": {"stones": 7}, "moves": [1] * 5000}
    async with spectated_arena(db) as server:
        spectator = await server.connect_spectator()
        await spectator.receive(About)
        await spectator.send("analyse", request=1, **LONG)
        for request in (2, 3):
            await spectator.send("find_position", request=request, **large)
        await spectator.send("find_games", request=4)
        replies = [json.loads(await spectator.connection.recv()) for _ in range(4)]
        codes = {reply["request"]: reply.get("code") for reply in replies}
        assert codes == {1: None, 2: "bad_position", 3: "busy", 4: None}


@pytest.mark.slow
async def test_questions_of_spectators_that_have_left_disturb_no_other(db: Path) -> None:
    async with spectated_arena(db) as server:
        for _ in range(questions.MAX_WAITING_PER_ADDRESS + 2):
            gone = await server.follow()
            await gone.send("analyse", request=1, **LONG)
            await gone.connection.close()
            await gone.connection.wait_closed()
        await (await server.follow()).request(
            "analyse", Analysis, game="take_stones", setup={"stones": 7}
        )


async def test_questions_wait_by_address(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MAX_WAITING_PER_ADDRESS", 1)
    async with spectated_arena(db, admission=Admission(behind_proxy=True)) as server:
        busy = [await server.connect_spectator("192.0.2.1") for _ in range(3)]
        asked = [LONG | {"depth": depth} for depth in (30, 31, 32)]
        tasks = [
            asyncio.create_task(one.request("analyse", ErrorReply, **fields))
            for one, fields in zip(busy, asked, strict=True)
        ]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        assert [task.result().code for task in tasks if task.done()] == ["busy"]
        other = await server.connect_spectator("192.0.2.2")
        await other.request("analyse", Analysis, game="take_stones", setup={"stones": 7})
        for task in tasks:
            task.cancel()


async def test_each_connection_of_a_trusted_network_asks_for_itself(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "MAX_WAITING_PER_ADDRESS", 1)
    limits = AddressLimits(trusted={ip_network("192.0.2.0/24"): 9})
    admission = Admission(behind_proxy=True, limits=limits)
    async with spectated_arena(db, admission=admission) as server:
        spectators = [await server.connect_spectator("192.0.2.1") for _ in range(3)]
        asked = [
            one.request("analyse", Analysis, game="take_stones", setup={"stones": stones})
            for one, stones in zip(spectators, (7, 8, 9), strict=True)
        ]
        await asyncio.gather(*asked)


async def test_a_message_that_is_too_long_once_decompressed_ends_the_connection(db: Path) -> None:
    async with spectated_arena(db) as server:
        spectator = await server.connect_spectator(compression="deflate")
        await spectator.connection.send("x" * 70_000)
        async with awaited("the end of the connection"):
            await spectator.connection.wait_closed()
        assert spectator.connection.close_code == 1009


@loop_over(
    "name, expected, problem",
    ("\uff21nn ", "Ann", None),
    ("x" * 60_000, "x" * 1000, "expected 1 to 64 characters, got 1000"),
    ("a\u2800", "a\u2800", "the name has an invisible character, U+2800"),
)
def test_a_name_is_checked_in_its_closest_spelling(
    name: str, expected: str, problem: str | None
) -> None:
    assert check_name(CheckName(1, name)) == NameCheck(1, expected, problem)


def test_an_open_challenge_is_found() -> None:
    challenges = Challenges({})
    setup = {"stones": 20}
    answer = challenges.receive(
        ANN, Challenge("take_stones", setup, 2, time="180+2", moves=(3,), hints=True)
    )
    assert isinstance(answer, Challenged)
    info = ChallengeInfo(5, "Ann", "take_stones", setup, 2, "180+2", (3,), True)
    assert find_challenge(FindChallenge(5, answer.challenge), challenges) == info


@loop_over(
    "challenges, problem",
    [(None, "this arena has no challenges"), (Challenges({}), "challenge 'x' is not open")],
)
def test_other_challenges_are_unknown(challenges: Challenges | None, problem: str) -> None:
    with pytest.raises(RequestError, match=problem):
        find_challenge(FindChallenge(1, "x"), challenges)


def test_an_arena_without_casual_players_has_no_house_bots() -> None:
    about = describe_arena(["take_stones"], "5+0")
    assert (about.run, about.is_open, about.offers, about.tournament) == (RUN, False, {}, None)


def test_an_open_arena_may_have_house_bots() -> None:
    assert describe_arena(["take_stones"], "5+0", house_bots={}).is_open
    about = describe_arena(["take_stones"], "5+0", house_bots={"random": ["take_stones"]})
    assert about.offers == {"random": ["take_stones"]}


def test_games_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    games = describe_arena(["take_stones", "isolation", NIM.name], "5+0").games
    assert [game.title for game in games] == ["Take-Stones", "Isolation", NIM.title]
    assert [game.is_solved for game in games] == [True, False, False]
    assert [game.has_matching for game in games] == [True, False, False]
    assert [game.has_board for game in games] == [True, True, False]
    size = ParameterInfo("size of the board", 3, (8,), 8, 8)
    assert games[1].parameters == {"size": size}


def test_a_tournament_is_described() -> None:
    expected = TournamentInfo("take_stones", "round-robin", ["ann", "bob"], 2, False, 3)
    assert describe_arena(["take_stones"], "5+0", PLAN).tournament == expected
