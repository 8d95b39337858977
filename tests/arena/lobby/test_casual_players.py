"""Casual players in a real arena: admission, challenges, house bots and takebacks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect

from arena.lobby.challenges import MAX_CASUAL_MATCHES, Challenges
from arena.lobby.matchmaking import Matchmaker
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, Termination
from arena.protocol.codec import decode_from_arena
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Accept,
    Challenge,
    Challenged,
    ChallengeReceived,
    Error,
    Finished,
    Hello,
    OpponentBack,
    OpponentLeft,
    Resign,
    Started,
    TakeBack,
    Turn,
    Welcome,
)
from arena.runner.organiser import run_lobby
from arena.server import player_endpoint
from arena.server.admission import Admission
from arena.server.match_runner import CASUAL_GRACE
from arena.storage.access import TokenAuthenticator, WatchedFile, add_ban, add_token, load_bans
from tests.arena.runner.test_organiser import RecordingObserver, cancel, run_bots
from tests.support.cases import loop_over
from tests.support.servers.arena_server import (
    MESSAGES_IN_BUDGET,
    ArenaServer,
    ScriptedBot,
    arena_server,
)

GAMES = ["take_stones"]
SETUPS = {"take_stones": ({"stones": 7},)}
CHALLENGE = Challenge("take_stones", {"stones": 7}, 1)
BOT_CHALLENGE = Challenge("take_stones", {"stones": 7}, 1, "robot")


async def launch_nothing(_name: str) -> None:
    """Launch no house bot: it is connected already, or never will be."""


@asynccontextmanager
async def casual_arena(
    db: Path,
    observer: Observer | None = None,
    admission: Admission | None = None,
    concurrency: int = 1,
    bring: Callable[[str], Awaitable[object]] = launch_nothing,
) -> AsyncIterator[ArenaServer]:
    """Run an arena with challenges and one house bot."""
    challenges = Challenges({"robot": GAMES})
    running = arena_server(db, observer=observer, admission=admission, challenges=challenges)
    async with running as server:
        matchmaker = Matchmaker()
        playing = run_lobby(server.arena.server, SETUPS, matchmaker, concurrency, challenges, bring)
        task = asyncio.create_task(playing)
        yield server
        await cancel(task)
        assert not {"Ann", "Bob", "robot"} & {name for leg in matchmaker.legs for name in leg}


async def send_casual_hello(
    server: ArenaServer, name: str, token: str | None = None
) -> ScriptedBot:
    """Connect a casual player and send its hello."""
    player = await server.connect()
    await player.send(Hello(PROTOCOL_VERSION, name, GAMES, token=token, casual=True))
    return player


async def connect_two_players(server: ArenaServer) -> tuple[ScriptedBot, ScriptedBot]:
    return await server.connect_casual_player("Ann"), await server.connect_casual_player("Bob")


async def start_casual_match(server: ArenaServer) -> tuple[ScriptedBot, ScriptedBot]:
    """Connect two players and start a match that the first has proposed."""
    ann, bob = await connect_two_players(server)
    await ann.send(CHALLENGE)
    await bob.send(Accept((await ann.receive(Challenged)).challenge))
    for player in (ann, bob):
        await player.receive(Started)
    return ann, bob


# Admission


async def test_casual_players_have_names_and_a_grace_of_their_own(db: Path) -> None:
    async with casual_arena(db) as server:
        await server.connect_bot("Ann")
        ann = await send_casual_hello(server, "Ann")
        welcome = await ann.receive(Welcome)
        assert (welcome.grace, welcome.margin) == (CASUAL_GRACE, 0)
        sessions = server.arena.server.sessions
        assert (sessions.bots["Ann"].casual, sessions.casual_players["Ann"].casual) == (False, True)
        assert sessions.has_casual_player("Ann")
        assert not sessions.casual_players["Ann"].grants_takebacks
        assert await (await send_casual_hello(server, "Ann")).refusal() == "name_taken"
        await ann.connection.close()
        while sessions.casual_players:  # it is forgotten
            await server.arena.server.wait_for_change()


# Reserved names


@asynccontextmanager
async def arena_with_tokens(db: Path) -> AsyncIterator[tuple[ArenaServer, str]]:
    """Run an arena with a token file; yield the token of Ann too."""
    path = db.with_name("tokens.json")
    token = add_token(path, "Ann", 1795286096.0)
    async with casual_arena(db, admission=Admission(TokenAuthenticator(path, print))) as server:
        yield server, token


async def test_only_casual_players_need_no_token_but_the_names_are_reserved(db: Path) -> None:
    async with arena_with_tokens(db) as (server, token):
        assert (await server.connect_casual_player("Bob")).session
        bot = await server.connect()
        await bot.send(Hello(PROTOCOL_VERSION, "Bob", GAMES))
        assert await bot.refusal() == "token_needed"
        for sent in (None, token):
            player = await send_casual_hello(server, "Ann", sent)
            assert await player.refusal() == "name_reserved"


async def test_name_of_a_house_bot_is_reserved_among_casual_players(db: Path) -> None:
    admission = Admission()
    reserved = admission.casual_names.reserve("robot")
    async with casual_arena(db, admission=admission) as server:
        for token in (None, "tsa_guess"):
            player = await send_casual_hello(server, "robot", token)
            assert await player.refusal() == "name_reserved"
        await (await send_casual_hello(server, "robot", reserved)).receive(Welcome)
        assert server.arena.server.sessions.casual_players["robot"].grants_takebacks
        await server.connect_bot("robot")
        assert not server.arena.server.sessions.bots["robot"].grants_takebacks


# Challenges


async def test_accepted_challenge_is_played(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob = [await server.connect_casual_player(name) for name in ("Ann", "Bob")]
        await ann.send(Challenge("take_stones", {"stones": 7}, 2))
        await bob.send(Accept((await ann.receive(Challenged)).challenge))
        messages = [await player.receive(Started) for player in (ann, bob)]
        match = (await bob.play(1)).match
        assert messages == [
            Started(match, "take_stones", {"stones": 7}, 2, "Bob"),
            Started(match, "take_stones", {"stones": 7}, 1, "Ann"),
        ]
        for player, stone in [(ann, 4), (bob, 2), (ann, 6), (bob, 3)]:
            await player.play(stone)
        assert (await ann.receive(Finished)).winner == 1
    [record] = server.records()
    pairing = Pairing(None, ("Bob", "Ann"), "take_stones", {"stones": 7}, (), True, "3600/move")
    assert record.pairing == pairing


async def test_a_rematch_is_asked_for(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob = [await server.connect_casual_player(name) for name in ("Ann", "Bob")]
        await ann.send(CHALLENGE)
        await bob.send(Accept((await ann.receive(Challenged)).challenge))
        started = [await player.receive(Started) for player in (ann, bob)]
        to_move = ann if started[0].you == 1 else bob
        await to_move.receive(Turn)
        await bob.send(Resign(started[1].match))
        for player in (ann, bob):
            await player.receive(Finished)
        rematch = replace(CHALLENGE, opponent="Bob")
        await ann.send(rematch)
        key = (await ann.receive(Challenged)).challenge
        assert await bob.receive(ChallengeReceived) == ChallengeReceived(key, "Ann")
        await bob.connection.close()
        await server.wait_until_disconnected("Bob")
        await ann.send(rematch)
        assert (await ann.receive(Error)).message == "Bob is not connected"


async def connect_challenger(server: ArenaServer) -> tuple[ScriptedBot, ScriptedBot, Accept]:
    """Return Ann, who has an open challenge, Bob, and the message with which he accepts it."""
    ann, bob = [await server.connect_casual_player(name) for name in ("Ann", "Bob")]
    await ann.send(CHALLENGE)
    return ann, bob, Accept((await ann.receive(Challenged)).challenge)


async def lose_connection(server: ArenaServer, player: ScriptedBot, name: str) -> None:
    """End a connection without a close frame, as when a phone falls asleep."""
    player.connection.transport.abort()
    await server.wait_until_disconnected(name)


async def test_a_player_who_leaves_withdraws_the_challenge(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob, accept = await connect_challenger(server)
        await ann.connection.close()
        await server.wait_until_disconnected("Ann")
        await bob.send(accept)
        assert (await bob.receive(Error)).code == "unknown_challenge"


@loop_over("is_noticed", [False, True])
async def test_a_challenge_survives_a_lost_connection(db: Path, is_noticed: bool) -> None:
    async with casual_arena(db) as server:
        ann, bob, accept = await connect_challenger(server)
        if is_noticed:
            await lose_connection(server, ann, "Ann")
        again = await server.connect_casual_player("Ann", session=ann.session)
        assert again.session == ann.session
        await bob.send(accept)
        assert (await again.receive(Started)).opponent == "Bob"


async def test_the_wait_for_an_opponent_is_no_absence_from_the_match(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob, accept = await connect_challenger(server)
        await lose_connection(server, ann, "Ann")
        server.arena.server.sessions.casual_players["Ann"].disconnected_at -= CASUAL_GRACE
        await bob.send(accept)
        started = await bob.receive(Started)
        again = await server.connect_casual_player("Ann", session=ann.session)
        assert (await again.receive(Started)).match == started.match


async def test_a_ban_ends_the_challenge_of_an_absent_player(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_endpoint, "CASUAL_GRACE", 1.0)
    bans = db.with_name("bans.json")
    async with casual_arena(db, admission=Admission(bans=WatchedFile(bans, load_bans))) as server:
        ann, bob, accept = await connect_challenger(server)
        await lose_connection(server, ann, "Ann")
        add_ban(bans, "Ann", 0.0)
        server.arena.server.remove_clients()
        await bob.send(accept)
        assert (await bob.receive(Error)).code == "unknown_challenge"
        over = asyncio.Event()  # set after the end of the absence, which changes nothing more
        asyncio.get_running_loop().call_later(1.0, over.set)
        await over.wait()
        assert "Ann" not in server.arena.server.sessions.casual_players


async def test_a_challenge_is_withdrawn_after_a_long_absence(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_endpoint, "CASUAL_GRACE", 0.0)
    async with casual_arena(db) as server:
        ann, bob, accept = await connect_challenger(server)
        await lose_connection(server, ann, "Ann")
        await bob.send(accept)
        assert (await bob.receive(Error)).code == "unknown_challenge"
        assert "Ann" not in server.arena.server.sessions.casual_players


async def test_a_challenge_is_not_that_of_another_client_of_the_name(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob, accept = await connect_challenger(server)
        await lose_connection(server, ann, "Ann")
        await server.connect_casual_player("Ann")
        await bob.send(accept)
        assert (await bob.receive(Error)).code == "unknown_challenge"


async def test_messages_that_are_refused(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bot = await server.connect_casual_player("Ann"), await server.connect_bot("one")
        for player, message, code in (
            (ann, Challenge("chess", {}, 1), "bad_challenge"),
            (ann, TakeBack("9"), "unknown_match"),
            (bot, CHALLENGE, "not_casual"),
            (bot, Accept("x"), "not_casual"),
        ):
            await player.send(message)
            assert (await player.receive(Error)).code == code
        await server.run_bot("two")
        await bot.send(TakeBack((await bot.receive(Turn)).match))
        assert (await bot.receive(Error)).code == "not_casual"


async def test_tournament_refuses_casual_players_and_challenges(db: Path) -> None:
    async with arena_server(db) as server:
        assert await (await send_casual_hello(server, "Ann")).refusal() == "no_challenges"
        bot = await server.connect_bot("Ann")
        await bot.send(CHALLENGE)
        assert (await bot.receive(Error)).code == "not_casual"


@pytest.mark.usefixtures("no_turns")
async def test_challenges_use_up_the_budget(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob = await connect_two_players(server)
        for _ in range(MESSAGES_IN_BUDGET):
            await ann.send(CHALLENGE)
            key = (await ann.receive(Challenged)).challenge
        await ann.send(CHALLENGE)  # not read
        await bob.send(Accept(key))
        await ann.receive(Started)


# Attempts to take all places


async def take_places(
    server: ArenaServer, name: str, address: str, stack: AsyncExitStack
) -> list[type[Started | Error]]:
    """Challenge the house bot ten times as one player; return the kinds of the replies."""
    connecting = connect(server.url, additional_headers={"X-Real-IP": address}, proxy=None)
    player = ScriptedBot(await stack.enter_async_context(connecting))
    await player.log_in(name, matches=1000, casual=True)
    for _ in range(10):
        await player.send(Challenge("take_stones", {"stones": 7}, 2, "robot"))
    replies: list[type[Started | Error]] = []
    while len(replies) < 10:
        message = decode_from_arena(await player.connection.recv())
        if isinstance(message, Started | Error):
            replies.append(type(message))
    return replies


async def test_one_address_cannot_take_all_places(db: Path) -> None:
    admission = Admission(behind_proxy=True)
    async with casual_arena(db, admission=admission) as server, AsyncExitStack() as stack:
        await server.run_bot("robot", matches=MAX_CASUAL_MATCHES, casual=True)
        started = [
            (await take_places(server, f"{number}", "192.0.2.1", stack)).count(Started)
            for number in range(4)
        ]
        other = await take_places(server, "Ann", "192.0.2.2", stack)
    assert (started, other.count(Started)) == ([8, 8, 8, 1], 8)


@pytest.mark.usefixtures("ignores_lag")
async def test_reconnecting_does_not_keep_a_place(db: Path) -> None:
    async with casual_arena(db) as server:
        await server.run_bot("robot", casual=True)
        ann = await server.connect_casual_player("Ann")
        challenge = Challenge("take_stones", {"stones": 7}, 1, "robot", "0.2/move")
        await ann.send(challenge)
        await ann.receive(Started)
        turn = await ann.receive(Turn)
        again = await server.connect_casual_player("Ann", session=ann.session)
        assert (await again.receive(Started)).match == turn.match
        assert (await again.receive(Turn)).clocks_ms[0] <= turn.clocks_ms[0]
        assert (await again.receive(Finished)).termination == Termination.TIMEOUT
        await again.send(challenge)
        await again.receive(Started)


# House bots


async def test_challenge_to_an_absent_house_bot_is_refused(db: Path) -> None:
    async with casual_arena(db) as server:
        ann = await server.connect_casual_player("Ann")
        for _ in range(2):  # the first one leaves no state behind
            await ann.send(BOT_CHALLENGE)
            assert await ann.receive(Error) == Error("opponent_missing", "robot is not connected")


async def test_challenger_disconnects_during_the_launch(db: Path) -> None:
    asked, come = asyncio.Event(), asyncio.Event()

    async def bring(_name: str) -> None:
        asked.set()
        await come.wait()

    async with casual_arena(db, bring=bring) as server:
        await server.run_bot("robot", casual=True)
        ann = await server.connect_casual_player("Ann")
        await ann.send(BOT_CHALLENGE)
        await asked.wait()
        await ann.connection.close()
        await server.wait_until_disconnected("Ann")
        come.set()
        await (again := await server.connect_casual_player("Ann")).send(BOT_CHALLENGE)
        assert (await again.receive(Started)).opponent == "robot"
    assert len(server.records()) == 1


# Takebacks


async def test_a_player_hears_that_its_opponent_left_and_came_back(db: Path) -> None:
    async with casual_arena(db) as server:
        ann, bob = await start_casual_match(server)
        await ann.receive(Turn)
        await bob.connection.close()
        left = await ann.receive(OpponentLeft)
        assert (left.claim_ms, left.grace_ms) == (30_000, 60_000)
        await server.connect_casual_player("Bob", session=bob.session)
        assert await ann.receive(OpponentBack) == OpponentBack(left.match)


# Matchmaking


async def test_matchmaker_never_pairs_casual_players(db: Path) -> None:
    observer = RecordingObserver(wanted=5)
    async with casual_arena(db, observer) as server:
        for name in ("Ann", "Bob"):
            await server.run_bot(name, matches=9, casual=True)
        await run_bots(server, "ab")
        await observer.done.wait()
    assert {frozenset(record.pairing.players) for record in observer.records} == {frozenset("ab")}


async def test_casual_match_ignores_the_concurrency_limit(db: Path) -> None:
    async with casual_arena(db, concurrency=1) as server:
        one, two = await server.connect_bot("one"), await server.connect_bot("two")
        await one.receive(Turn)
        ann, _ = await start_casual_match(server)
        assert (await ann.receive(Turn)).opponent == "Bob"
        await one.send(Resign("1"))
        await two.receive(Finished)  # the bots have received no casual messages
    records = server.records()
    [casual] = [record for record in records if record.pairing.casual]
    assert casual.result.termination is Termination.ABORTED  # at the end of the arena


# Shutdown


class FailingObserver(Observer):
    """An observer that fails when a match ends."""

    def finished(self, record: MatchRecord) -> None:
        raise OSError(f"cannot report match {record.id}")


async def test_failing_observer_stops_the_arena(db: Path) -> None:
    challenges = Challenges({})
    async with arena_server(db, observer=FailingObserver(), challenges=challenges) as server:
        playing = run_lobby(
            server.arena.server, SETUPS, Matchmaker(), 1, challenges, launch_nothing
        )
        task = asyncio.create_task(playing)
        ann, _ = await start_casual_match(server)
        await ann.send(Resign((await ann.receive(Turn)).match))
        with pytest.raises(OSError, match="cannot report match 1"):
            await task
