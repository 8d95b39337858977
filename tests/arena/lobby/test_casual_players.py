"""Casual players in a real arena: who is let in, and how they come to their matches."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from arena.lobby.challenges import Challenges
from arena.lobby.matchmaking import Matchmaker
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, Termination
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Accept,
    Challenge,
    Challenged,
    Error,
    Finished,
    FromBot,
    Hello,
    Resign,
    Started,
    TakeBack,
    TakeBackAsked,
    Turn,
    Welcome,
)
from arena.runner.organiser import play_all_comers
from arena.server.admission import Door
from arena.server.server import PATIENCE
from arena.server.tokens import Identities, add
from arena.storage.schema import DatabaseError
from tests.arena.runner.test_organiser import Watch, cancelled, robots
from tests.support.arena_server import ArenaServer, ScriptedBot, arena_server, in_event_loop

GAMES = ["take_stones"]
SETUPS = {"take_stones": ({"stones": 7},)}
SEVEN = Challenge("take_stones", {"stones": 7}, 1)
ONE = Challenge("take_stones", {"stones": 7}, 1, "robot")


async def nobody_to_bring(_name: str) -> None:
    """Offered bots are here already, or they do not come."""


@asynccontextmanager
async def salon(
    db: Path,
    observer: Observer | None = None,
    door: Door | None = None,
    concurrency: int = 1,
    bring: Callable[[str], Awaitable[object]] = nobody_to_bring,
) -> AsyncIterator[ArenaServer]:
    """An arena that takes challenges and offers a bot, until the test has seen enough."""
    challenges = Challenges({"robot": GAMES})
    async with arena_server(db, observer=observer, door=door, challenges=challenges) as server:
        matchmaker = Matchmaker()
        playing = play_all_comers(server.arena, SETUPS, matchmaker, concurrency, challenges, bring)
        task = asyncio.create_task(playing)
        yield server
        await cancelled(task)
        assert not {"Ann", "Bob", "robot"} & {name for leg in matchmaker.legs for name in leg}


async def says_hello(server: ArenaServer, name: str, token: str | None = None) -> ScriptedBot:
    """A casual player that has said hello."""
    player = await server.connect()
    await player.send(Hello(PROTOCOL_VERSION, name, GAMES, token=token, casual=True))
    return player


async def refused(player: ScriptedBot) -> str:
    """The code of the refusal, by the message and by the end of the connection."""
    error = await player.receive(Error)
    assert await player.wait_closed() == (1008, error.code)
    return error.code


async def met(server: ArenaServer) -> tuple[ScriptedBot, ScriptedBot]:
    """Two players, the first of whom has challenged the second, at the beginning of their match."""
    ann, bob = await server.connect_casual_player("Ann"), await server.connect_casual_player("Bob")
    await ann.send(SEVEN)
    await bob.send(Accept((await ann.receive(Challenged)).challenge))
    for player in (ann, bob):
        await player.receive(Started)
    return ann, bob


# Who comes in


@in_event_loop
async def test_a_tournament_has_no_casual_players(db: Path) -> None:
    async with arena_server(db) as server:
        assert await refused(await says_hello(server, "Ann")) == "no_challenges"


@in_event_loop
async def test_casual_players_have_names_of_their_own(db: Path) -> None:
    async with salon(db) as server:
        await server.connect_bot("Ann")
        await server.connect_casual_player("Ann")
        assert (server.arena.bots["Ann"].casual, server.arena.guests["Ann"].casual) == (False, True)


@in_event_loop
async def test_two_casual_players_have_two_names(db: Path) -> None:
    async with salon(db) as server:
        await server.connect_casual_player("Ann")
        assert await refused(await says_hello(server, "Ann")) == "name_taken"


@in_event_loop
async def test_who_has_gone_is_forgotten(db: Path) -> None:
    async with salon(db) as server:
        ann = await server.connect_casual_player("Ann")
        assert server.arena.has_guest("Ann")
        await ann.connection.close()
        await server.wait_until_disconnected("Ann")
        assert server.arena.guests == {}


# Names that are somebody's


@asynccontextmanager
async def guarded(db: Path) -> AsyncIterator[tuple[ArenaServer, str]]:
    """Such an arena with a list of tokens, in which Ann has one, and hers."""
    path = db.with_name("tokens.json")
    token = add(path, "Ann", 1795286096.0)
    async with salon(db, door=Door(Identities(path, print))) as server:
        yield server, token


@in_event_loop
async def test_casual_players_need_no_token(db: Path) -> None:
    async with guarded(db) as (server, _):
        assert (await server.connect_casual_player("Bob")).session


@in_event_loop
async def test_bots_need_theirs_as_ever(db: Path) -> None:
    async with guarded(db) as (server, _):
        bot = await server.connect()
        await bot.send(Hello(PROTOCOL_VERSION, "Bob", GAMES))
        assert await refused(bot) == "token_needed"


@pytest.mark.parametrize("is_shown", [False, True])
@in_event_loop
async def test_nobody_plays_casually_under_a_name_with_a_token(db: Path, is_shown: bool) -> None:
    async with guarded(db) as (server, token):
        player = await says_hello(server, "Ann", token if is_shown else None)
        assert await refused(player) == "name_reserved"


@pytest.mark.parametrize("token", [None, "tsa_guess"])
@in_event_loop
async def test_nobody_else_has_the_name_of_an_offered_bot(db: Path, token: str | None) -> None:
    door = Door()
    door.reserve("robot")
    async with salon(db, door=door) as server:
        assert await refused(await says_hello(server, "robot", token)) == "name_reserved"


@in_event_loop
async def test_an_offered_bot_has_its_name(db: Path) -> None:
    door = Door()
    token = door.reserve("robot")
    async with salon(db, door=door) as server:
        await (await says_hello(server, "robot", token)).receive(Welcome)
        assert server.arena.guests["robot"].yields


@in_event_loop
async def test_others_do_not_yield(db: Path) -> None:
    async with salon(db) as server:
        await server.connect_casual_player("Ann")
        assert not server.arena.guests["Ann"].yields


@in_event_loop
async def test_a_name_is_reserved_among_casual_players_only(db: Path) -> None:
    door = Door()
    door.reserve("robot")
    async with salon(db, door=door) as server:
        await server.connect_bot("robot")
        assert not server.arena.bots["robot"].yields


# Challenges


@in_event_loop
async def test_two_players_meet(db: Path) -> None:
    async with salon(db) as server:
        ann, bob = await met(server)
        for player, stone in [(ann, 1), (bob, 4), (ann, 2), (bob, 6), (ann, 3)]:
            await player.play(stone)
        assert (await bob.receive(Finished)).winner == 1
    [record] = server.records()
    pairing = Pairing(None, ("Ann", "Bob"), "take_stones", {"stones": 7}, (), True, "86400/move")
    assert record.pairing == pairing


@in_event_loop
async def test_both_are_told_which_match_it_is(db: Path) -> None:
    async with salon(db) as server:
        ann, bob = (
            await server.connect_casual_player("Ann"),
            await server.connect_casual_player("Bob"),
        )
        await ann.send(Challenge("take_stones", {"stones": 7}, 2))
        await bob.send(Accept((await ann.receive(Challenged)).challenge))
        told = [await player.receive(Started) for player in (ann, bob)]
        match = (await bob.receive(Turn)).match
    assert told == [
        Started(match, "take_stones", {"stones": 7}, 2, "Bob"),
        Started(match, "take_stones", {"stones": 7}, 1, "Ann"),
    ]


@in_event_loop
async def test_a_challenge_ends_with_the_connection(db: Path) -> None:
    async with salon(db) as server:
        ann, bob = (
            await server.connect_casual_player("Ann"),
            await server.connect_casual_player("Bob"),
        )
        await ann.send(SEVEN)
        accept = Accept((await ann.receive(Challenged)).challenge)
        await ann.connection.close()
        await server.wait_until_disconnected("Ann")
        await bob.send(accept)
        assert (await bob.receive(Error)).code == "unknown_challenge"


@in_event_loop
async def test_a_challenge_ends_when_another_connection_takes_over(db: Path) -> None:
    async with salon(db) as server:
        ann, bob = (
            await server.connect_casual_player("Ann"),
            await server.connect_casual_player("Bob"),
        )
        await ann.send(SEVEN)
        accept = Accept((await ann.receive(Challenged)).challenge)
        await server.connect_casual_player("Ann", session=ann.session)
        await bob.send(accept)
        assert (await bob.receive(Error)).code == "unknown_challenge"


@in_event_loop
async def test_bad_challenges_are_answered(db: Path) -> None:
    async with salon(db) as server:
        ann = await server.connect_casual_player("Ann")
        await ann.send(Challenge("chess", {}, 1))
        assert (await ann.receive(Error)).code == "bad_challenge"


@pytest.mark.parametrize("message", [SEVEN, Accept("x")])
@in_event_loop
async def test_challenges_are_for_casual_players(db: Path, message: FromBot) -> None:
    async with salon(db) as server:
        bot = await server.connect_bot("Ann")
        await bot.send(message)
        assert (await bot.receive(Error)).code == "not_casual"


@in_event_loop
async def test_where_no_challenges_are_taken(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("Ann")
        await bot.send(SEVEN)
        assert (await bot.receive(Error)).code == "not_casual"


@in_event_loop
async def test_a_flood_of_challenges_is_one(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.server.PAUSE", 0.5)
    async with salon(db) as server:
        ann, bob = (
            await server.connect_casual_player("Ann"),
            await server.connect_casual_player("Bob"),
        )
        for _ in range(PATIENCE + 1):
            await ann.send(SEVEN)
            key = (await ann.receive(Challenged)).challenge
        await ann.send(SEVEN)  # which nobody reads for a while
        await bob.send(Accept(key))
        await ann.receive(Started)


# Offered bots


@in_event_loop
async def test_an_offered_bot_plays(db: Path) -> None:
    async with salon(db) as server:
        await server.run_bot("robot", casual=True)
        ann = await server.connect_casual_player("Ann")
        await ann.send(ONE)
        assert (await ann.receive(Started)).opponent == "robot"
        await ann.send(Resign((await ann.receive(Turn)).match))
        assert (await ann.receive(Finished)).termination == Termination.RESIGNATION


@in_event_loop
async def test_one_match_after_another(db: Path) -> None:
    async with salon(db) as server:
        await server.run_bot("robot", casual=True)
        ann = await server.connect_casual_player("Ann")
        for _ in range(5):
            await ann.send(ONE)
            await ann.send(Resign((await ann.receive(Started)).match))
            await ann.receive(Turn)
            await ann.receive(Finished)
    assert len(server.records()) == 5


@in_event_loop
async def test_a_bot_that_does_not_come(db: Path) -> None:
    async with salon(db) as server:
        ann = await server.connect_casual_player("Ann")
        for _ in range(2):  # nothing of it is left to be in the way
            await ann.send(ONE)
            assert await ann.receive(Error) == Error("opponent_missing", "robot is not here")


@in_event_loop
async def test_a_challenger_that_does_not_wait(db: Path) -> None:
    asked, come = asyncio.Event(), asyncio.Event()

    async def bring(_name: str) -> None:
        asked.set()
        await come.wait()

    async with salon(db, bring=bring) as server:
        await server.run_bot("robot", casual=True)
        ann = await server.connect_casual_player("Ann")
        await ann.send(ONE)
        await asked.wait()
        await ann.connection.close()
        await server.wait_until_disconnected("Ann")
        come.set()
        await (again := await server.connect_casual_player("Ann")).send(ONE)
        assert (await again.receive(Started)).opponent == "robot"
    assert len(server.records()) == 1


# Taking back


@in_event_loop
async def test_a_move_is_taken_back_if_both_want_it(db: Path) -> None:
    async with salon(db) as server:
        ann, bob = await met(server)
        turn = await ann.play(3)
        await bob.receive(Turn)
        await ann.send(TakeBack(turn.match))
        await bob.receive(TakeBackAsked)
        await bob.send(TakeBack(turn.match))
        assert (await ann.receive(Turn)).moves == []


@in_event_loop
async def test_nothing_is_taken_back_in_a_match_that_counts(db: Path) -> None:
    async with salon(db) as server:
        one = await server.connect_bot("one")
        await server.run_bot("two")
        turn = await one.receive(Turn)
        await one.send(TakeBack(turn.match))
        assert (await one.receive(Error)).code == "not_casual"


@in_event_loop
async def test_nothing_is_taken_back_in_a_match_of_others(db: Path) -> None:
    async with salon(db) as server:
        ann = await server.connect_casual_player("Ann")
        await ann.send(TakeBack("9"))
        assert (await ann.receive(Error)).code == "unknown_match"


# The matchmaker


@in_event_loop
async def test_casual_players_are_never_paired(db: Path) -> None:
    watch = Watch(wanted=5)
    async with salon(db, watch) as server:
        for name in ("Ann", "Bob"):
            await server.run_bot(name, matches=9, casual=True)
        await robots(server, "ab")
        await watch.enough.wait()
    assert {frozenset(record.pairing.players) for record in watch.ended} == {frozenset("ab")}


@in_event_loop
async def test_casual_matches_need_not_wait(db: Path) -> None:
    async with salon(db, concurrency=1) as server:
        one, _ = await server.connect_bot("one"), await server.connect_bot("two")
        await one.receive(Turn)
        ann, _ = await met(server)
        assert (await ann.receive(Turn)).opponent == "Bob"


@in_event_loop
async def test_bots_are_told_nothing_new(db: Path) -> None:
    async with salon(db) as server:
        await server.run_bot("two")
        bot = await server.connect_bot("one")
        await met(server)
        await bot.receive(Turn)


# The end


class Silenced(Observer):
    """Cannot tell of the end of a match any more."""

    def finished(self, record: MatchRecord) -> None:
        raise OSError(f"nobody listens to {record.id}")


@in_event_loop
async def test_an_observer_that_fails_ends_everything(db: Path) -> None:
    challenges = Challenges({})
    async with arena_server(db, observer=Silenced(), challenges=challenges) as server:
        playing = play_all_comers(
            server.arena, SETUPS, Matchmaker(), 1, challenges, nobody_to_bring
        )
        task = asyncio.create_task(playing)
        ann, _ = await met(server)
        await ann.send(Resign((await ann.receive(Turn)).match))
        with pytest.raises(OSError, match="nobody listens to 1"):
            await task


@in_event_loop
async def test_a_database_that_fails_ends_everything(db: Path) -> None:
    challenges = Challenges({})
    async with arena_server(db, challenges=challenges) as server:
        playing = play_all_comers(
            server.arena, SETUPS, Matchmaker(), 1, challenges, nobody_to_bring
        )
        task = asyncio.create_task(playing)
        ann, _ = await met(server)
        with closing(sqlite3.connect(db)) as database:
            database.execute("DROP TABLE moves")
        await ann.play(1)
        await ann.send(Resign("1"))
        with pytest.raises(DatabaseError, match="no such table"):
            await task


@in_event_loop
async def test_what_is_being_played_at_the_end_is_stored_as_aborted(db: Path) -> None:
    async with salon(db) as server:
        await met(server)
    assert [record.result.termination for record in server.records()] == [Termination.ABORTED]
