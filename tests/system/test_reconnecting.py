"""Connections that are lost in every way, and bots that come back, or do not, or too late."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.model.results import MatchResult, Termination
from arena.protocol.player import PROTOCOL, Error, Finished, Hello, Move, Turn
from tests.conftest import SECONDS, Player, Venue, in_loop, read, two_bots, venue
from tests.support.arena_command import COMMAND, GUEST, Process, bot, ended, guest, started, url
from tests.support.raw_socket import UNKNOWN, Raw, frame, nothing_left, websocket

GAMES = ["take_stones"]


@asynccontextmanager
async def halfopen(here: Venue, name: str) -> AsyncIterator[Raw]:
    """A bot that is gone right after its hello, of which no network tells."""
    async with websocket(here.url) as result:
        await result.send(frame(Hello(PROTOCOL, name, GAMES)))
        await here.joins(name)
        yield result


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena wants to hear from its bots more often."""
    monkeypatch.setattr("arena.server.server.PING_SECONDS", 0.2)
    monkeypatch.setattr("arena.server.server.CLOSE_SECONDS", 0.05)


async def vanish(player: Player) -> None:
    """Lose a connection without a word."""
    player.connection.transport.abort()
    await player.connection.wait_closed()


async def go(here: Venue, player: Player, name: str) -> None:
    """Lose a connection, and let the arena see it."""
    await vanish(player)
    await here.leaves(name)


# Sockets that are half open


@pytest.mark.usefixtures("restless")
@in_loop
async def test_a_half_open_socket_is_noticed(db: Path) -> None:
    async with nothing_left(), venue(db) as here, halfopen(here, "one"):
        await here.leaves("one")


@pytest.mark.usefixtures("restless")
@in_loop
async def test_who_answers_pings_stays(db: Path) -> None:
    async with venue(db) as here, halfopen(here, "one"):
        await here.bot("two")
        await here.leaves("one")
        assert here.arena.bots["two"].connection


@pytest.mark.usefixtures("restless")
@in_loop
async def test_a_half_open_socket_loses_the_match_after_the_grace(db: Path) -> None:
    async with venue(db, grace=0.01) as here, halfopen(here, "one"):
        await here.bot("two")
        result = (await here.start("one", "two")).result
        reason = "player 1 (one) was disconnected for 0.01 s"
        assert result == MatchResult(Termination.DISCONNECT, 2, reason)


@pytest.mark.usefixtures("restless")
@in_loop
async def test_the_name_of_a_half_open_socket_is_free_then(db: Path) -> None:
    async with venue(db) as here, halfopen(here, "one"):
        here.arena.expect(["one"])
        await here.leaves("one")
        assert (await here.bot("one")).session


@in_loop
async def test_the_session_key_takes_over_from_a_half_open_socket(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2, 6))
        await one.hear(Turn)
        one.connection.transport.pause_reading()
        await (await here.bot("one", session=one.session)).take(3)
        assert (await task).winner == "one"
        one.connection.transport.abort()


# Welcomes that are lost


async def hello(here: Venue, name: str) -> Error:
    """Say hello without a key, which is refused."""
    stranger = await here.stranger()
    await stranger.say(Hello(PROTOCOL, name, GAMES))
    return await stranger.hear(Error)


@in_loop
async def test_a_name_is_not_free_before_the_welcome_can_be_answered(db: Path) -> None:
    async with venue(db) as here, halfopen(here, "one"):
        assert (await hello(here, "one")).code == "name_taken"


@in_loop
async def test_a_name_is_free_when_the_welcome_is_lost(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.match_runner.WELCOME_SECONDS", 0.0)
    async with venue(db) as here, halfopen(here, "one") as lost:
        assert (await here.bot("one")).session
        assert await lost.closed() is None


@in_loop
async def test_a_name_is_not_free_once_the_welcome_is_answered(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.match_runner.WELCOME_SECONDS", 0.0)
    async with venue(db) as here:
        player = await here.bot("one")
        for _ in range(2):  # the answer to the second comes after that to the arena's own
            await (await player.connection.ping())
        assert (await hello(here, "one")).code == "name_taken"


@in_loop
async def test_the_name_of_a_connection_that_is_being_closed_is_free(db: Path) -> None:
    async with venue(db) as here, halfopen(here, "one") as first:
        await first.send(frame(b"", UNKNOWN))
        await first.read(b"opcode")  # which the arena names as the reason
        assert (await here.bot("one")).session


# Bots that come back


@in_loop
async def test_who_drops_on_its_turn_is_told_the_turn_again(db: Path) -> None:
    async with nothing_left(), venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2, 6))
        before = await one.hear(Turn)
        await go(here, one, "one")
        after = await (await here.bot("one", session=one.session)).take(3)
        assert (before.match, before.ply) == (after.match, after.ply)
        assert before.clocks_ms[0] > after.clocks_ms[0]
        assert (await task).winner == "one"


@in_loop
async def test_who_drops_on_the_turn_of_the_other_is_told_its_own(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2))
        await go(here, one, "one")
        again = await here.bot("one", session=one.session)
        await two.take(6)
        await again.take(3)
        assert (await task).winner == "one"


@in_loop
async def test_the_move_made_while_one_was_gone_is_told(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        here.start("one", "two", opening=(1, 4, 2))
        await go(here, one, "one")
        await two.take(6)
        while here.arena.bots["two"].matches and not moves(here):
            await asyncio.sleep(0)
        again = await here.bot("one", session=one.session)
        assert (await again.hear(Turn)).moves == [1, 4, 2, 6]


def moves(here: Venue) -> int:
    """How many have been made in the match that is played."""
    [live] = here.arena.bots["two"].matches.values()
    return len(live.match.moves)


@in_loop
async def test_the_clock_of_who_is_gone_runs_out(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.referee.LATE", SECONDS)
    async with venue(db, time="0.05") as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two")
        await one.hear(Turn)
        await go(here, one, "one")
        reason = "player 1 (one) was gone when its time ran out"
        assert (await task).result == MatchResult(Termination.DISCONNECT, 2, reason)


@in_loop
async def test_both_are_gone(db: Path) -> None:
    async with nothing_left(), venue(db, grace=0.01) as here:
        one, two = await two_bots(here)
        task = here.start("one", "two")
        await vanish(one)
        await vanish(two)
        assert (await task).result.termination is Termination.DISCONNECT
        assert here.records() == [await task]


@in_loop
async def test_both_come_back(db: Path) -> None:
    async with venue(db) as here:
        bots = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2))
        for player, name in zip(bots, ("one", "two"), strict=True):
            await go(here, player, name)
        two = await here.bot("two", session=bots[1].session)
        one = await here.bot("one", session=bots[0].session)
        await two.take(6)
        await one.take(3)
        assert (await task).winner == "one"


@in_loop
async def test_who_comes_back_after_the_end_hears_nothing_of_it(db: Path) -> None:
    async with venue(db, grace=0.0) as here:
        here.arena.expect(["one"])
        one, _ = await two_bots(here)
        task = here.start("one", "two")
        turn = await one.hear(Turn)
        await vanish(one)
        await task
        again = await here.bot("one", session=one.session)
        await again.say(Move(turn.match, turn.ply, 1))
        assert (await again.hear(Error)).code == "unknown_match"


# Moves that come too late


@in_loop
async def test_a_move_after_the_flag_has_fallen(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.referee.LATE", SECONDS)
    monkeypatch.setattr("arena.model.clock.MAX_CREDIT", SECONDS)  # what is on its way counts
    async with venue(db, time="0.05") as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two")
        turn = await one.hear(Turn)
        loop = asyncio.get_running_loop()
        loop.call_later(0.3, asyncio.create_task, one.say(Move(turn.match, turn.ply, 1)))
        record = await task
        assert (record.result.termination, record.moves) == (Termination.TIMEOUT, ())
        assert record.fault
        assert record.fault.move == 1


@in_loop
async def test_a_move_after_the_end_of_the_time(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.match.referee.LATE", SECONDS)
    async with venue(db, time="0.01") as here:
        one, _ = await two_bots(here)
        here.start("one", "two")
        turn = await one.hear(Turn)
        await one.hear(Finished)
        await one.say(Move(turn.match, turn.ply, 1))
        assert (await one.hear(Error)).code == "unknown_match"


@in_loop
async def test_a_move_that_both_connections_make_counts_once(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        here.start("one", "two")
        turn = await one.take(1)
        await two.hear(Turn)
        again = await here.bot("one", session=one.session)
        await again.say(Move(turn.match, turn.ply, 1))
        assert (await again.hear(Error)).code == "wrong_ply"


@in_loop
async def test_a_move_in_the_wrong_one_of_two_matches(db: Path) -> None:
    async with venue(db) as here:
        one, two = await here.bot("one", matches=2), await here.bot("two", matches=2)
        here.start("one", "two")
        here.start("two", "one")
        other = await two.hear(Turn)
        await one.say(Move(other.match, other.ply, 1))
        await one.hear(Turn)
        assert (await one.hear(Error)).code == "not_your_turn"


# An arena that is stopped, or killed

SIGNALS = pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGTERM, 1012), (signal.SIGKILL, 1006)], ids=["term", "kill"]
)


def interrupt(db: Path, how: signal.Signals) -> int | None:
    """Send a signal to a tournament in a match. Returns with which code its bot's socket ends."""

    async def scenario(process: Process) -> int | None:
        async with guest(url(process)) as player:
            await player.hear(Turn)
            process.send_signal(how)
            return (await player.closed())[0]

    with started(*COMMAND, *GUEST, "--db", db) as process:
        code = asyncio.run(scenario(process))
        ended(process)
        return code


@SIGNALS
def test_an_arena_that_ends_in_a_match(db: Path, how: signal.Signals, code: int) -> None:
    assert interrupt(db, how) == code
    with started(*COMMAND, *GUEST, "--db", db) as process, bot("greedy", "guest", url(process)):
        assert ended(process).status == 0
    assert [record.pairing.number for record in read(db) if record.winner] == [1, 2]
