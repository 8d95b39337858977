"""Casual players in a real arena: who is let in, and how they come to their matches."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from arena.lobby.challenges import Challenges
from arena.lobby.matchmaking import Ladder
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, Termination
from arena.protocol.player import (
    PROTOCOL,
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
from arena.storage.schema import StoreError
from tests.arena.runner.test_organiser import Watch, cancelled, robots
from tests.conftest import Player, Venue, in_loop, venue

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
) -> AsyncIterator[Venue]:
    """An arena that takes challenges and offers a bot, until the test has seen enough."""
    challenges = Challenges({"robot": GAMES})
    async with venue(db, observer=observer, door=door, challenges=challenges) as here:
        ladder = Ladder()
        playing = play_all_comers(here.arena, SETUPS, ladder, concurrency, challenges, bring)
        task = asyncio.create_task(playing)
        yield here
        await cancelled(task)
        assert not {"Ann", "Bob", "robot"} & {name for leg in ladder.legs for name in leg}


async def says_hello(here: Venue, name: str, token: str | None = None) -> Player:
    """A casual player that has said hello."""
    player = await here.stranger()
    await player.say(Hello(PROTOCOL, name, GAMES, token=token, casual=True))
    return player


async def refused(player: Player) -> str:
    """The code of the refusal, by the message and by the end of the connection."""
    error = await player.hear(Error)
    assert await player.closed() == (1008, error.code)
    return error.code


async def met(here: Venue) -> tuple[Player, Player]:
    """Two players, the first of whom has challenged the second, at the beginning of their match."""
    ann, bob = await here.guest("Ann"), await here.guest("Bob")
    await ann.say(SEVEN)
    await bob.say(Accept((await ann.hear(Challenged)).challenge))
    for player in (ann, bob):
        await player.hear(Started)
    return ann, bob


# Who comes in


@in_loop
async def test_a_tournament_has_no_casual_players(db: Path) -> None:
    async with venue(db) as here:
        assert await refused(await says_hello(here, "Ann")) == "no_challenges"


@in_loop
async def test_casual_players_have_names_of_their_own(db: Path) -> None:
    async with salon(db) as here:
        await here.bot("Ann")
        await here.guest("Ann")
        assert (here.arena.bots["Ann"].casual, here.arena.guests["Ann"].casual) == (False, True)


@in_loop
async def test_two_casual_players_have_two_names(db: Path) -> None:
    async with salon(db) as here:
        await here.guest("Ann")
        assert await refused(await says_hello(here, "Ann")) == "name_taken"


@in_loop
async def test_who_has_gone_is_forgotten(db: Path) -> None:
    async with salon(db) as here:
        ann = await here.guest("Ann")
        assert here.arena.has_guest("Ann")
        await ann.connection.close()
        await here.leaves("Ann")
        assert here.arena.guests == {}


# Names that are somebody's


@asynccontextmanager
async def guarded(db: Path) -> AsyncIterator[tuple[Venue, str]]:
    """Such an arena with a list of tokens, in which Ann has one, and hers."""
    path = db.with_name("tokens.json")
    token = add(path, "Ann", 1795286096.0)
    async with salon(db, door=Door(Identities(path, print))) as here:
        yield here, token


@in_loop
async def test_casual_players_need_no_token(db: Path) -> None:
    async with guarded(db) as (here, _):
        assert (await here.guest("Bob")).session


@in_loop
async def test_bots_need_theirs_as_ever(db: Path) -> None:
    async with guarded(db) as (here, _):
        bot = await here.stranger()
        await bot.say(Hello(PROTOCOL, "Bob", GAMES))
        assert await refused(bot) == "token_needed"


@pytest.mark.parametrize("is_shown", [False, True])
@in_loop
async def test_nobody_plays_casually_under_a_name_with_a_token(db: Path, is_shown: bool) -> None:
    async with guarded(db) as (here, token):
        player = await says_hello(here, "Ann", token if is_shown else None)
        assert await refused(player) == "name_reserved"


@pytest.mark.parametrize("token", [None, "tsa_guess"])
@in_loop
async def test_nobody_else_has_the_name_of_an_offered_bot(db: Path, token: str | None) -> None:
    door = Door()
    door.reserve("robot")
    async with salon(db, door=door) as here:
        assert await refused(await says_hello(here, "robot", token)) == "name_reserved"


@in_loop
async def test_an_offered_bot_has_its_name(db: Path) -> None:
    door = Door()
    token = door.reserve("robot")
    async with salon(db, door=door) as here:
        await (await says_hello(here, "robot", token)).hear(Welcome)
        assert here.arena.guests["robot"].yields


@in_loop
async def test_others_do_not_yield(db: Path) -> None:
    async with salon(db) as here:
        await here.guest("Ann")
        assert not here.arena.guests["Ann"].yields


@in_loop
async def test_a_name_is_reserved_among_casual_players_only(db: Path) -> None:
    door = Door()
    door.reserve("robot")
    async with salon(db, door=door) as here:
        await here.bot("robot")
        assert not here.arena.bots["robot"].yields


# Challenges


@in_loop
async def test_two_players_meet(db: Path) -> None:
    async with salon(db) as here:
        ann, bob = await met(here)
        for player, stone in [(ann, 1), (bob, 4), (ann, 2), (bob, 6), (ann, 3)]:
            await player.take(stone)
        assert (await bob.hear(Finished)).winner == 1
    [record] = here.records()
    pairing = Pairing(None, ("Ann", "Bob"), "take_stones", {"stones": 7}, (), True, "86400/move")
    assert record.pairing == pairing


@in_loop
async def test_both_are_told_which_match_it_is(db: Path) -> None:
    async with salon(db) as here:
        ann, bob = await here.guest("Ann"), await here.guest("Bob")
        await ann.say(Challenge("take_stones", {"stones": 7}, 2))
        await bob.say(Accept((await ann.hear(Challenged)).challenge))
        told = [await player.hear(Started) for player in (ann, bob)]
        match = (await bob.hear(Turn)).match
    assert told == [
        Started(match, "take_stones", {"stones": 7}, 2, "Bob"),
        Started(match, "take_stones", {"stones": 7}, 1, "Ann"),
    ]


@in_loop
async def test_a_challenge_ends_with_the_connection(db: Path) -> None:
    async with salon(db) as here:
        ann, bob = await here.guest("Ann"), await here.guest("Bob")
        await ann.say(SEVEN)
        accept = Accept((await ann.hear(Challenged)).challenge)
        await ann.connection.close()
        await here.leaves("Ann")
        await bob.say(accept)
        assert (await bob.hear(Error)).code == "unknown_challenge"


@in_loop
async def test_a_challenge_ends_when_another_connection_takes_over(db: Path) -> None:
    async with salon(db) as here:
        ann, bob = await here.guest("Ann"), await here.guest("Bob")
        await ann.say(SEVEN)
        accept = Accept((await ann.hear(Challenged)).challenge)
        await here.guest("Ann", session=ann.session)
        await bob.say(accept)
        assert (await bob.hear(Error)).code == "unknown_challenge"


@in_loop
async def test_bad_challenges_are_answered(db: Path) -> None:
    async with salon(db) as here:
        ann = await here.guest("Ann")
        await ann.say(Challenge("chess", {}, 1))
        assert (await ann.hear(Error)).code == "bad_challenge"


@pytest.mark.parametrize("message", [SEVEN, Accept("x")])
@in_loop
async def test_challenges_are_for_casual_players(db: Path, message: FromBot) -> None:
    async with salon(db) as here:
        bot = await here.bot("Ann")
        await bot.say(message)
        assert (await bot.hear(Error)).code == "not_casual"


@in_loop
async def test_where_no_challenges_are_taken(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("Ann")
        await bot.say(SEVEN)
        assert (await bot.hear(Error)).code == "not_casual"


@in_loop
async def test_a_flood_of_challenges_is_one(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.server.PAUSE", 0.5)
    async with salon(db) as here:
        ann, bob = await here.guest("Ann"), await here.guest("Bob")
        for _ in range(PATIENCE + 1):
            await ann.say(SEVEN)
            key = (await ann.hear(Challenged)).challenge
        await ann.say(SEVEN)  # which nobody reads for a while
        await bob.say(Accept(key))
        await ann.hear(Started)


# Offered bots


@in_loop
async def test_an_offered_bot_plays(db: Path) -> None:
    async with salon(db) as here:
        await here.robot("robot", casual=True)
        ann = await here.guest("Ann")
        await ann.say(ONE)
        assert (await ann.hear(Started)).opponent == "robot"
        await ann.say(Resign((await ann.hear(Turn)).match))
        assert (await ann.hear(Finished)).termination == Termination.RESIGNATION


@in_loop
async def test_one_match_after_another(db: Path) -> None:
    async with salon(db) as here:
        await here.robot("robot", casual=True)
        ann = await here.guest("Ann")
        for _ in range(5):
            await ann.say(ONE)
            await ann.say(Resign((await ann.hear(Started)).match))
            await ann.hear(Turn)
            await ann.hear(Finished)
    assert len(here.records()) == 5


@in_loop
async def test_a_bot_that_does_not_come(db: Path) -> None:
    async with salon(db) as here:
        ann = await here.guest("Ann")
        for _ in range(2):  # nothing of it is left to be in the way
            await ann.say(ONE)
            assert await ann.hear(Error) == Error("opponent_missing", "robot is not here")


@in_loop
async def test_a_challenger_that_does_not_wait(db: Path) -> None:
    asked, come = asyncio.Event(), asyncio.Event()

    async def bring(_name: str) -> None:
        asked.set()
        await come.wait()

    async with salon(db, bring=bring) as here:
        await here.robot("robot", casual=True)
        ann = await here.guest("Ann")
        await ann.say(ONE)
        await asked.wait()
        await ann.connection.close()
        await here.leaves("Ann")
        come.set()
        await (again := await here.guest("Ann")).say(ONE)
        assert (await again.hear(Started)).opponent == "robot"
    assert len(here.records()) == 1


# Taking back


@in_loop
async def test_a_move_is_taken_back_if_both_want_it(db: Path) -> None:
    async with salon(db) as here:
        ann, bob = await met(here)
        turn = await ann.take(3)
        await bob.hear(Turn)
        await ann.say(TakeBack(turn.match))
        await bob.hear(TakeBackAsked)
        await bob.say(TakeBack(turn.match))
        assert (await ann.hear(Turn)).moves == []


@in_loop
async def test_nothing_is_taken_back_in_a_match_that_counts(db: Path) -> None:
    async with salon(db) as here:
        one = await here.bot("one")
        await here.robot("two")
        turn = await one.hear(Turn)
        await one.say(TakeBack(turn.match))
        assert (await one.hear(Error)).code == "not_casual"


@in_loop
async def test_nothing_is_taken_back_in_a_match_of_others(db: Path) -> None:
    async with salon(db) as here:
        ann = await here.guest("Ann")
        await ann.say(TakeBack("9"))
        assert (await ann.hear(Error)).code == "unknown_match"


# The ladder


@in_loop
async def test_casual_players_are_never_paired(db: Path) -> None:
    watch = Watch(wanted=5)
    async with salon(db, watch) as here:
        for name in ("Ann", "Bob"):
            await here.robot(name, matches=9, casual=True)
        await robots(here, "ab")
        await watch.enough.wait()
    assert {frozenset(record.pairing.players) for record in watch.ended} == {frozenset("ab")}


@in_loop
async def test_casual_matches_need_not_wait(db: Path) -> None:
    async with salon(db, concurrency=1) as here:
        one, _ = await here.bot("one"), await here.bot("two")
        await one.hear(Turn)
        ann, _ = await met(here)
        assert (await ann.hear(Turn)).opponent == "Bob"


@in_loop
async def test_bots_are_told_nothing_new(db: Path) -> None:
    async with salon(db) as here:
        await here.robot("two")
        bot = await here.bot("one")
        await met(here)
        await bot.hear(Turn)


# The end


class Silenced(Observer):
    """Cannot tell of the end of a match any more."""

    def finished(self, record: MatchRecord) -> None:
        raise OSError(f"nobody listens to {record.id}")


@in_loop
async def test_an_observer_that_fails_ends_everything(db: Path) -> None:
    challenges = Challenges({})
    async with venue(db, observer=Silenced(), challenges=challenges) as here:
        playing = play_all_comers(here.arena, SETUPS, Ladder(), 1, challenges, nobody_to_bring)
        task = asyncio.create_task(playing)
        ann, _ = await met(here)
        await ann.say(Resign((await ann.hear(Turn)).match))
        with pytest.raises(OSError, match="nobody listens to 1"):
            await task


@in_loop
async def test_a_database_that_fails_ends_everything(db: Path) -> None:
    challenges = Challenges({})
    async with venue(db, challenges=challenges) as here:
        playing = play_all_comers(here.arena, SETUPS, Ladder(), 1, challenges, nobody_to_bring)
        task = asyncio.create_task(playing)
        ann, _ = await met(here)
        with closing(sqlite3.connect(db)) as database:
            database.execute("DROP TABLE moves")
        await ann.take(1)
        await ann.say(Resign("1"))
        with pytest.raises(StoreError, match="no such table"):
            await task


@in_loop
async def test_what_is_being_played_at_the_end_is_stored_as_aborted(db: Path) -> None:
    async with salon(db) as here:
        await met(here)
    assert [record.result.termination for record in here.records()] == [Termination.ABORTED]
