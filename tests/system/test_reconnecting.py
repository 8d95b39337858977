"""Connections that are lost in every way, and bots that come back, or do not, or too late."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.player import PROTOCOL_VERSION, Error, Finished, Hello, Move, Turn
from tests.support.arena_command import COMMAND, GUEST, Process, bot, ended, guest, started, url
from tests.support.arena_server import (
    TEST_TIMEOUT,
    ArenaServer,
    ScriptedBot,
    arena_server,
    in_event_loop,
    read_matches,
    two_bots,
)
from tests.support.raw_socket import UNKNOWN, Raw, frame, nothing_left, websocket

GAMES = ["take_stones"]


@asynccontextmanager
async def halfopen(server: ArenaServer, name: str) -> AsyncIterator[Raw]:
    """A bot that is gone right after its hello, of which no network tells."""
    async with websocket(server.url) as result:
        await result.send(frame(Hello(PROTOCOL_VERSION, name, GAMES)))
        await server.wait_until_connected(name)
        yield result


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena wants to hear from its bots more often."""
    monkeypatch.setattr("arena.server.server.PING_INTERVAL", 0.2)
    monkeypatch.setattr("arena.server.server.CLOSE_TIMEOUT", 0.05)


async def vanish(player: ScriptedBot) -> None:
    """Lose a connection without a word."""
    player.connection.transport.abort()
    await player.connection.wait_closed()


async def go(server: ArenaServer, player: ScriptedBot, name: str) -> None:
    """Lose a connection, and let the arena see it."""
    await vanish(player)
    await server.wait_until_disconnected(name)


# Sockets that are half open


@pytest.mark.usefixtures("restless")
@in_event_loop
async def test_a_half_open_socket_is_noticed(db: Path) -> None:
    async with nothing_left(), arena_server(db) as server, halfopen(server, "one"):
        await server.wait_until_disconnected("one")


@pytest.mark.usefixtures("restless")
@in_event_loop
async def test_who_answers_pings_stays(db: Path) -> None:
    async with arena_server(db) as server, halfopen(server, "one"):
        await server.connect_bot("two")
        await server.wait_until_disconnected("one")
        assert server.arena.sessions.bots["two"].connection


@pytest.mark.usefixtures("restless")
@in_event_loop
async def test_a_half_open_socket_loses_the_match_after_the_grace(db: Path) -> None:
    async with arena_server(db, grace=0.01) as server, halfopen(server, "one"):
        await server.connect_bot("two")
        result = (await server.start_match("one", "two")).result
        reason = "player 1 (one) was disconnected for 0.01 s"
        assert result == MatchResult(Termination.DISCONNECT, 2, reason)


@pytest.mark.usefixtures("restless")
@in_event_loop
async def test_the_name_of_a_half_open_socket_is_free_then(db: Path) -> None:
    async with arena_server(db) as server, halfopen(server, "one"):
        server.arena.sessions.expect(["one"])
        await server.wait_until_disconnected("one")
        assert (await server.connect_bot("one")).session


@in_event_loop
async def test_the_session_key_takes_over_from_a_half_open_socket(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.receive(Turn)
        one.connection.transport.pause_reading()
        await (await server.connect_bot("one", session=one.session)).play(3)
        assert (await task).winner == "one"
        one.connection.transport.abort()


# Welcomes that are lost


async def hello(server: ArenaServer, name: str) -> Error:
    """Say hello without a key, which is refused."""
    stranger = await server.connect()
    await stranger.send(Hello(PROTOCOL_VERSION, name, GAMES))
    return await stranger.receive(Error)


@in_event_loop
async def test_a_name_is_not_free_before_the_welcome_can_be_answered(db: Path) -> None:
    async with arena_server(db) as server, halfopen(server, "one"):
        assert (await hello(server, "one")).code == "name_taken"


@in_event_loop
async def test_a_name_is_free_when_the_welcome_is_lost(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.sessions.WELCOME_TIMEOUT", 0.0)
    async with arena_server(db) as server, halfopen(server, "one") as lost:
        assert (await server.connect_bot("one")).session
        assert await lost.wait_closed() is None


@in_event_loop
async def test_a_name_is_not_free_once_the_welcome_is_answered(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.sessions.WELCOME_TIMEOUT", 0.0)
    async with arena_server(db) as server:
        player = await server.connect_bot("one")
        for _ in range(2):  # the answer to the second comes after that to the arena's own
            await (await player.connection.ping())
        assert (await hello(server, "one")).code == "name_taken"


@in_event_loop
async def test_the_name_of_a_connection_that_is_being_closed_is_free(db: Path) -> None:
    async with arena_server(db) as server, halfopen(server, "one") as first:
        await first.send(frame(b"", UNKNOWN))
        await first.read(b"opcode")  # which the arena names as the reason
        assert (await server.connect_bot("one")).session


# Bots that come back


@in_event_loop
async def test_who_drops_on_its_turn_is_told_the_turn_again(db: Path) -> None:
    async with nothing_left(), arena_server(db) as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        before = await one.receive(Turn)
        await go(server, one, "one")
        after = await (await server.connect_bot("one", session=one.session)).play(3)
        assert (before.match, before.ply) == (after.match, after.ply)
        assert before.clocks_ms[0] > after.clocks_ms[0]
        assert (await task).winner == "one"


@in_event_loop
async def test_who_drops_on_the_turn_of_the_other_is_told_its_own(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        await go(server, one, "one")
        again = await server.connect_bot("one", session=one.session)
        await two.play(6)
        await again.play(3)
        assert (await task).winner == "one"


@in_event_loop
async def test_the_move_made_while_one_was_gone_is_told(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two", opening=(1, 4, 2))
        await go(server, one, "one")
        await two.play(6)
        while server.arena.sessions.bots["two"].matches and not moves(server):
            await asyncio.sleep(0)
        again = await server.connect_bot("one", session=one.session)
        assert (await again.receive(Turn)).moves == [1, 4, 2, 6]


def moves(server: ArenaServer) -> int:
    """How many have been made in the match that is played."""
    [running] = server.arena.matches.running.values()
    return len(running.referee.moves)


@in_event_loop
async def test_the_clock_of_who_is_gone_runs_out(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.referee.MAX_LAG", TEST_TIMEOUT)
    async with arena_server(db, time="0.05") as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        await one.receive(Turn)
        await go(server, one, "one")
        reason = "player 1 (one) was gone when its time ran out"
        assert (await task).result == MatchResult(Termination.DISCONNECT, 2, reason)


@in_event_loop
async def test_both_are_gone(db: Path) -> None:
    async with nothing_left(), arena_server(db, grace=0.01) as server:
        one, two = await two_bots(server)
        task = server.start_match("one", "two")
        await vanish(one)
        await vanish(two)
        assert (await task).result.termination is Termination.DISCONNECT
        assert server.records() == [await task]


@in_event_loop
async def test_both_come_back(db: Path) -> None:
    async with arena_server(db) as server:
        bots = await two_bots(server)
        task = server.start_match("one", "two", opening=(1, 4, 2))
        for player, name in zip(bots, ("one", "two"), strict=True):
            await go(server, player, name)
        two = await server.connect_bot("two", session=bots[1].session)
        one = await server.connect_bot("one", session=bots[0].session)
        await two.play(6)
        await one.play(3)
        assert (await task).winner == "one"


@in_event_loop
async def test_who_comes_back_after_the_end_hears_nothing_of_it(db: Path) -> None:
    async with arena_server(db, grace=0.0) as server:
        server.arena.sessions.expect(["one"])
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        await vanish(one)
        await task
        again = await server.connect_bot("one", session=one.session)
        await again.send(Move(turn.match, turn.ply, 1))
        assert (await again.receive(Error)).code == "unknown_match"


# Moves that come too late


@in_event_loop
async def test_a_move_after_the_flag_has_fallen(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.referee.MAX_LAG", TEST_TIMEOUT)
    monkeypatch.setattr("arena.model.clock.MAX_CREDIT", TEST_TIMEOUT)  # what is on its way counts
    async with arena_server(db, time="0.05") as server:
        one, _ = await two_bots(server)
        task = server.start_match("one", "two")
        turn = await one.receive(Turn)
        loop = asyncio.get_running_loop()
        loop.call_later(0.3, asyncio.create_task, one.send(Move(turn.match, turn.ply, 1)))
        record = await task
        assert (record.result.termination, record.moves) == (Termination.TIMEOUT, ())
        assert record.fault
        assert record.fault.move == 1


@in_event_loop
async def test_a_move_after_the_end_of_the_time(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.referee.MAX_LAG", TEST_TIMEOUT)
    async with arena_server(db, time="0.01") as server:
        one, _ = await two_bots(server)
        server.start_match("one", "two")
        turn = await one.receive(Turn)
        await one.receive(Finished)
        await one.send(Move(turn.match, turn.ply, 1))
        assert (await one.receive(Error)).code == "unknown_match"


@in_event_loop
async def test_a_move_that_both_connections_make_counts_once(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        server.start_match("one", "two")
        turn = await one.play(1)
        await two.receive(Turn)
        again = await server.connect_bot("one", session=one.session)
        await again.send(Move(turn.match, turn.ply, 1))
        assert (await again.receive(Error)).code == "wrong_ply"


@in_event_loop
async def test_a_move_in_the_wrong_one_of_twomatches(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = (
            await server.connect_bot("one", matches=2),
            await server.connect_bot("two", matches=2),
        )
        server.start_match("one", "two")
        server.start_match("two", "one")
        other = await two.receive(Turn)
        await one.send(Move(other.match, other.ply, 1))
        await one.receive(Turn)
        assert (await one.receive(Error)).code == "not_your_turn"


# An arena that is stopped, or killed

SIGNALS = pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGTERM, 1012), (signal.SIGKILL, 1006)], ids=["term", "kill"]
)


def interrupt(db: Path, how: signal.Signals) -> int | None:
    """Send a signal to a tournament in a match. Returns with which code its bot's socket ends."""

    async def scenario(process: Process) -> int | None:
        async with guest(url(process)) as player:
            await player.receive(Turn)
            process.send_signal(how)
            return (await player.wait_closed())[0]

    with started(*COMMAND, *GUEST, "--db", db) as process:
        code = asyncio.run(scenario(process))
        ended(process)
        return code


@SIGNALS
def test_an_arena_that_ends_in_a_match(db: Path, how: signal.Signals, code: int) -> None:
    assert interrupt(db, how) == code
    with started(*COMMAND, *GUEST, "--db", db) as process, bot("greedy", "guest", url(process)):
        assert ended(process).status == 0
    assert [record.pairing.number for record in read_matches(db) if record.winner] == [1, 2]
