"""The server, with bots that connect, behave and misbehave."""

import asyncio
import base64
import http.client
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from arena.clock import TimeControl
from arena.messages import PROTOCOL, Error, Finished, FromBot, Hello, Move, Resign, Turn, encode
from arena.results import MatchResult, Termination
from arena.server import MAX_FRAME, UNREADABLE_LIMIT, Arena
from arena.store import Store
from core.game import IllegalMove
from core.take_stones import Board
from tests.conftest import SECONDS, Player, Venue, in_loop, pairing, venue

GAMES = ["take_stones"]
GARBAGE: list[str | bytes] = ["", b"\x00", '{"type":"move","match":"1","ply":0,"move":"x"}']


class Stop(Exception):
    """Ends an arena irregularly."""


def ignore() -> None:
    """Nothing is to be checked while bots join."""


# Who comes in


@in_loop
async def test_elsewhere_is_nothing(db: Path) -> None:
    async with venue(db) as here:
        here.url = here.url.replace("/play", "/watch")
        with pytest.raises(InvalidStatus, match="404"):
            await here.stranger()


@in_loop
async def test_a_query_does_no_harm(db: Path) -> None:
    async with venue(db) as here:
        here.url += "?bot=me"
        await here.bot("a")


def get(url: str) -> tuple[int, str]:
    """What a browser is told."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=SECONDS)) as browser:
        browser.request("GET", "/")
        response = browser.getresponse()
        return response.status, response.read().decode()


@in_loop
async def test_a_browser_is_told_where_bots_connect(db: Path) -> None:
    async with venue(db) as here:
        answer = await asyncio.to_thread(get, here.url)
        assert answer == (404, "Bots connect to /play with WebSockets.\n")


@in_loop
async def test_welcome_repeats_the_name(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.stranger()
        await bot.say('{"type":"hello","protocol":1,"name":"Ann","games":["take_stones"],"new":2}')
        assert '"name":"Ann"' in str(await bot.connection.recv())


@in_loop
async def test_every_welcome_has_its_own_session(db: Path) -> None:
    async with venue(db) as here:
        assert (await here.bot("one")).session != (await here.bot("two")).session


@pytest.mark.parametrize(
    ("first", "code", "words"),
    [
        (Resign("1"), "expected_hello", "must be hello"),
        (Hello(99, "x", GAMES), "unknown_protocol", "protocol 99 is unknown, known is 1"),
        (Hello(PROTOCOL, "x", ["chess"]), "unknown_game", "this arena plays take_stones"),
        (Hello(PROTOCOL, "here", GAMES), "name_taken", "here is already here"),
        (Hello(PROTOCOL, "here", GAMES, 1, "no key"), "name_taken", "here is already here"),
        (Hello(PROTOCOL, "x" * 65, GAMES), "expected_hello", "name"),
        (Hello(PROTOCOL, "", GAMES), "expected_hello", "name"),
        (Hello(PROTOCOL, "x", GAMES, 0), "expected_hello", "matches"),
        ('{"type":"hello","protocol":1,"name":" x","games":[]}', "expected_hello", "space"),
        ("what?", "expected_hello", "malformed"),
        (b"{}", "expected_hello", "binary"),
    ],
)
@in_loop
async def test_who_is_not_let_in(db: Path, first: FromBot | str, code: str, words: str) -> None:
    async with venue(db) as here:
        await here.bot("here")
        bot = await here.stranger()
        await bot.say(first)
        error = await bot.hear(Error)
        assert (error.code, words in error.message) == (code, True), error
        assert await bot.closed() == (1008, code)


@in_loop
async def test_who_says_nothing_is_sent_away(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.HELLO_SECONDS", 0.01)
    async with venue(db) as here:
        bot = await here.stranger()
        error = await bot.hear(Error)
        assert (error.code, error.message) == ("expected_hello", "no hello within 0.01 s")
        assert await bot.closed() == (1008, "expected_hello")


@in_loop
async def test_who_leaves_without_a_word_is_nobody(db: Path) -> None:
    async with venue(db) as here:
        await (await here.stranger()).connection.close()
        await here.bot("one")
        assert [*here.arena.bots] == ["one"]


@in_loop
async def test_an_oversized_hello_is_not_read(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.stranger()
        await bot.say("x" * (MAX_FRAME + 1))
        assert (await bot.closed())[0] == 1009


@in_loop
async def test_an_oversized_message_ends_a_connection(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
        await bot.say("x" * (MAX_FRAME + 1))
        assert (await bot.closed())[0] == 1009


@in_loop
async def test_a_name_is_free_again_after_leaving(db: Path) -> None:
    async with venue(db) as here:
        first = await here.bot("one")
        await first.connection.close()
        await here.leaves("one")
        assert (await here.bot("one")).session != first.session


@in_loop
async def test_a_second_hello_is_unexpected(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
        await bot.say(Hello(PROTOCOL, "other", GAMES))
        assert (await bot.hear(Error)).code == "unexpected"


@in_loop
async def test_a_second_hello_changes_no_name(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
        await bot.say(Hello(PROTOCOL, "other", GAMES))
        await bot.hear(Error)
        assert [*here.arena.bots] == ["one"]


# Who is expected


@in_loop
async def test_joined_waits_for_all(db: Path) -> None:
    async with venue(db) as here:
        await here.bot("one")
        joined = asyncio.create_task(here.arena.joined(["one", "two"], ignore))
        await here.bot("three")
        assert not joined.done()
        await here.bot("two")
        await joined


@in_loop
async def test_joined_ends_with_what_the_check_raises(db: Path) -> None:
    def check() -> NoReturn:
        raise Stop

    async with venue(db) as here:
        with pytest.raises(Stop):
            await here.arena.joined(["one"], check)


@in_loop
async def test_joined_checks_again_while_nobody_comes(db: Path) -> None:
    checks = iter([None, Stop()])

    def check() -> None:
        if stop := next(checks):
            raise stop

    async with venue(db) as here:
        with pytest.raises(Stop):
            await here.arena.joined(["one"], check)


@in_loop
async def test_who_has_joined_is_remembered(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
        await here.arena.joined(["one"], ignore)
        await bot.connection.close()
        await here.leaves("one")
        assert [*here.arena.bots] == ["one"]


# Matches


async def two_bots(here: Venue) -> tuple[Player, Player]:
    return await here.bot("one"), await here.bot("two")


@in_loop
async def test_a_turn_says_everything(db: Path) -> None:
    async with venue(db, time="20+0.5") as here:
        _, two = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2))
        turn = await two.hear(Turn)
        left = turn.clocks_ms[1]
        expected = [1, 4, 2], 3, 2, (20_000, left), 500, "one"
        assert (turn.game, turn.setup) == ("take_stones", {"stones": 7})
        assert (turn.moves, turn.ply, turn.you, turn.clocks_ms, turn.increment_ms) == expected[:5]
        assert turn.opponent == expected[5]
        task.cancel()


@in_loop
async def test_a_match_to_its_end(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        task = here.start("one", "two")
        for player, move in [(one, 1), (two, 4), (one, 2), (two, 6), (one, 3)]:
            await player.take(move)
        reason = "player 2 (two) cannot move"
        assert (await task).result == MatchResult(Termination.NO_LEGAL_MOVE, 1, reason)


@in_loop
async def test_what_both_are_told_of_the_end(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        here.start("one", "two", opening=(1, 4, 2, 6))
        match = (await one.take(3)).match
        for you, player in enumerate([one, two], 1):
            reason = "player 2 (two) cannot move"
            expected = Finished(match, you, 1, "no_legal_move", reason, [1, 4, 2, 6, 3])
            assert await player.hear(Finished) == expected


@in_loop
async def test_a_match_is_stored_before_it_is_announced(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        here.start("one", "two", opening=(1, 4, 2, 6))
        await one.take(3)
        await one.hear(Finished)
        [record] = here.records()
        assert (record.winner, [move.move for move in record.moves]) == ("one", [3])


@in_loop
async def test_what_is_returned_is_what_is_stored(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2, 6))
        await one.take(3)
        assert [await task] == here.records()


@in_loop
async def test_a_match_that_is_over_at_its_start(db: Path) -> None:
    async with venue(db) as here:
        await two_bots(here)
        record = await here.arena.start(pairing("one", "two", stones=1))
        assert (record.winner, record.moves) == ("two", ())


@in_loop
async def test_a_finished_match_frees_its_bots(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two")
        assert not here.arena.is_free("one")
        await one.say(Resign((await one.hear(Turn)).match))
        await task
        assert here.arena.is_free("one")


@in_loop
async def test_a_bot_is_free_for_as_many_matches_as_it_says(db: Path) -> None:
    async with venue(db) as here:
        await here.bot("one", matches=2)
        tasks = [here.start("one", "two")]
        assert here.arena.is_free("one")
        tasks.append(here.start("three", "one"))
        assert not here.arena.is_free("one")
        for task in tasks:
            task.cancel()


@in_loop
async def test_two_matches_of_the_same_bots_at_once(db: Path) -> None:
    async with venue(db) as here:
        one, two = await here.bot("one", matches=2), await here.bot("two", matches=2)
        first = here.start("one", "two", opening=(1, 4, 2, 6))
        second = here.start("two", "one", opening=(1, 4, 2, 6))
        await two.take(3)
        await one.take(3)
        assert [(await task).winner for task in (first, second)] == ["one", "two"]


# How matches are lost

Misdeed = Callable[[Player, Turn], Awaitable[None]]


async def lost_by(db: Path, misdeed: Misdeed, time: str = "20", grace: float = 20) -> MatchResult:
    """The result of a match in which player 1 does something at its first turn."""
    async with venue(db, time, grace) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two")
        await misdeed(one, await one.hear(Turn))
        record = await task
        assert (record.winner, here.records()) == ("two", [record])
        return record.result


@pytest.mark.parametrize(
    ("opening", "move"),
    [((), 2), ((), 5), ((), 0), ((), -1), ((), 8), ((), 10**30), ((1, 4), 4), ((1, 4), 3)],
)
@in_loop
async def test_an_illegal_move_loses(db: Path, opening: tuple[int, ...], move: int) -> None:
    with pytest.raises(IllegalMove) as rule:
        Board(7, [*opening, move])
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=opening)
        await one.take(move)
        reason = f"player 1 (one) made an {rule.value}"
        assert (await task).result == MatchResult(Termination.ILLEGAL_MOVE, 2, reason)


@in_loop
async def test_an_illegal_move_is_not_recorded(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        task = here.start("one", "two")
        await one.take(1)
        await two.take(1)
        assert [move.move for move in (await task).moves] == [1]


@in_loop
async def test_a_bot_that_stalls_loses_on_time(db: Path) -> None:
    async def stall(one: Player, _turn: Turn) -> None:
        await one.hear(Finished)

    result = await lost_by(db, stall, time="0.01")
    assert result == MatchResult(Termination.TIMEOUT, 2, "player 1 (one) has used up its time")


@in_loop
async def test_resigning_loses(db: Path) -> None:
    async def resign(one: Player, turn: Turn) -> None:
        await one.say(Resign(turn.match))

    result = await lost_by(db, resign)
    assert result == MatchResult(Termination.RESIGNATION, 2, "player 1 (one) resigned")


@in_loop
async def test_garbage_is_answered_and_then_loses(db: Path) -> None:
    async def babble(one: Player, _turn: Turn) -> None:
        for garbage in GARBAGE:
            await one.say(garbage)
            assert (await one.hear(Error)).code == "unreadable"

    result = await lost_by(db, babble)
    reason = "player 1 (one) sent 3 unreadable messages"
    assert result == MatchResult(Termination.MALFORMED, 2, reason)


@in_loop
async def test_nothing_but_garbage_ends_the_connection(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
        for _ in range(UNREADABLE_LIMIT):
            await bot.say("[" * 1000)
            await bot.hear(Error)
        assert (await bot.hear(Error)).message == f"{UNREADABLE_LIMIT} unreadable messages"
        assert await bot.closed() == (1008, "unreadable")


@in_loop
async def test_who_vanishes_loses_after_the_grace(db: Path) -> None:
    async def vanish(one: Player, _turn: Turn) -> None:
        one.connection.transport.abort()

    result = await lost_by(db, vanish, grace=0.01)
    reason = "player 1 (one) was disconnected for 0.01 s"
    assert result == MatchResult(Termination.DISCONNECT, 2, reason)


@in_loop
async def test_who_was_never_there_loses_after_the_grace(db: Path) -> None:
    async with venue(db, grace=0.01) as here:
        await here.bot("two")
        result = (await here.start("one", "two")).result
        assert (result.termination, result.winner) == (Termination.DISCONNECT, 2)


@in_loop
async def test_who_was_never_there_is_forgotten_after_it(db: Path) -> None:
    async with venue(db, grace=0) as here:
        await here.bot("two")
        await here.start("one", "two")
        assert [*here.arena.bots] == ["two"]


# Coming back


@in_loop
async def test_the_session_key_takes_over_from_a_live_socket(db: Path) -> None:
    async with venue(db) as here:
        half_open = await here.bot("one")
        again = await here.bot("one", session=half_open.session)
        assert again.session == half_open.session
        assert (await half_open.closed())[0] == 1006


@in_loop
async def test_who_comes_back_gets_its_turn_again(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        here.start("one", "two")
        before = await one.hear(Turn)
        after = await (await here.bot("one", session=one.session)).hear(Turn)
        assert (after.match, after.ply, after.moves) == (before.match, before.ply, before.moves)


@in_loop
async def test_the_clock_has_been_running_meanwhile(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        here.start("one", "two")
        before = await one.hear(Turn)
        after = await (await here.bot("one", session=one.session)).hear(Turn)
        assert after.clocks_ms[0] < before.clocks_ms[0]


@in_loop
async def test_a_match_goes_on_after_a_vanished_bot_is_back(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2, 6))
        await one.hear(Turn)
        await one.connection.close()
        await here.leaves("one")
        await (await here.bot("one", session=one.session)).take(3)
        assert (await task).winner == "one"


@in_loop
async def test_who_is_not_to_move_waits_when_it_is_back(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        here.start("one", "two")
        again = await here.bot("two", session=two.session)
        await one.take(1)
        assert (await again.hear(Turn)).moves == [1]


@in_loop
async def test_a_new_key_for_who_comes_back_without_one(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        here.start("one", "two")
        await one.connection.close()
        await here.leaves("one")
        again = await here.bot("one", session="forgotten")
        assert (await again.hear(Turn)).you == 1
        assert again.session not in {one.session, "forgotten"}


# Answers that are none


@in_loop
async def test_a_move_in_no_match(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
        await bot.say(Move("x" * 100, 0, 1))
        error = await bot.hear(Error)
        assert (error.code, error.match) == ("unknown_match", "x" * 64)


@in_loop
async def test_a_move_in_the_match_of_others(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        three = await here.bot("three")
        here.start("one", "two")
        await three.say(Move((await one.hear(Turn)).match, 0, 1))
        assert (await three.hear(Error)).code == "unknown_match"


@pytest.mark.parametrize("ply", [-1, 0, 2])
@in_loop
async def test_a_move_for_another_ply(db: Path, ply: int) -> None:
    async with venue(db) as here:
        _, two = await two_bots(here)
        here.start("one", "two", opening=(1,))
        match = (await two.hear(Turn)).match
        await two.say(Move(match, ply, 4))
        error = await two.hear(Error)
        assert (error.code, error.match) == ("wrong_ply", match)


@in_loop
async def test_a_move_out_of_turn(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        here.start("one", "two")
        await two.say(Move((await one.hear(Turn)).match, 0, 1))
        assert (await two.hear(Error)).code == "not_your_turn"


@in_loop
async def test_the_same_move_again(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        here.start("one", "two")
        turn = await one.take(1)
        await one.say(Move(turn.match, turn.ply, 1))
        assert (await one.hear(Error)).code == "wrong_ply"


@in_loop
async def test_a_move_after_the_end(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        here.start("one", "two", opening=(1, 4, 2, 6))
        turn = await one.take(3)
        await one.hear(Finished)
        await one.say(Move(turn.match, turn.ply, 3))
        assert (await one.hear(Error)).code == "unknown_match"


# Time


@in_loop
async def test_a_move_is_credited_with_the_latency(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2, 6))
        await one.take(3)
        [move] = (await task).moves
        assert 0 < move.credit <= move.elapsed
        assert move.charged == move.elapsed - move.credit


@in_loop
async def test_the_credit_is_bounded(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.clock.MAX_CREDIT", 1e-9)
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two", opening=(1, 4, 2, 6))
        await one.take(3)
        assert [move.credit for move in (await task).moves] == [1e-9]


# Those that do not read

KEY = base64.b64encode(bytes(16)).decode()
HANDSHAKE = (
    "GET /play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(message: FromBot) -> bytes:
    return Frame(Opcode.TEXT, encode(message).encode()).serialize(mask=True)


def deaf(url: str) -> socket.socket:
    """A bot that says hello and never reads."""
    result = socket.socket()
    result.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    address = urlsplit(url)
    result.settimeout(SECONDS)
    result.connect((address.hostname, address.port))
    result.sendall(HANDSHAKE.encode() + frame(Hello(PROTOCOL, "deaf", GAMES)))
    return result


def flood(bot: socket.socket) -> None:
    """Ask for answers until the arena has had enough."""
    questions = frame(Resign("\1" * 64)) * 100
    while True:
        bot.sendall(questions)


@in_loop
async def test_who_does_not_read_is_cut_off(db: Path) -> None:
    async with venue(db) as here:
        with await asyncio.to_thread(deaf, here.url) as bot:
            with pytest.raises(ConnectionError):
                await asyncio.to_thread(flood, bot)
            await here.leaves("deaf")
        assert "deaf" not in here.arena.bots


@in_loop
async def test_who_does_not_read_holds_up_nobody(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        with await asyncio.to_thread(deaf, here.url) as bot:
            flooding = asyncio.create_task(asyncio.to_thread(flood, bot))
            task = here.start("one", "two", opening=(1, 4, 2, 6))
            await one.take(3)
            assert (await task).winner == "one"
            with pytest.raises(ConnectionError):
                await flooding


# The arena's end


@in_loop
async def test_at_a_regular_end_bots_need_not_come_back(db: Path) -> None:
    async with venue(db) as here:
        bot = await here.bot("one")
    assert (await bot.closed())[0] == 1000


@in_loop
async def test_at_an_irregular_end_bots_are_to_come_back(db: Path) -> None:
    bots = []
    with suppress(Stop):
        async with venue(db) as here:
            bots.append(await here.bot("one"))
            raise Stop
    assert [(await bot.closed())[0] for bot in bots] == [1012]


@in_loop
async def test_a_cancelled_match_is_stored_as_aborted(db: Path) -> None:
    async with venue(db) as here:
        one, two = await two_bots(here)
        task = here.start("one", "two")
        await one.take(1)
        await two.hear(Turn)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    [record] = here.records()
    assert record.result == MatchResult(Termination.ABORTED, None, "the arena was stopped")
    assert [move.move for move in record.moves] == [1]


@in_loop
async def test_nobody_is_told_of_a_cancelled_match(db: Path) -> None:
    async with venue(db) as here:
        one, _ = await two_bots(here)
        task = here.start("one", "two")
        await one.hear(Turn)
        task.cancel()
    with pytest.raises(ConnectionClosed):
        await one.hear(Finished)


async def listen(store: Store, port: int) -> None:
    async with Arena(store, GAMES, TimeControl(1, 0), grace=1) as arena:
        await arena.listen("127.0.0.1", port)


@in_loop
async def test_a_port_in_use_is_an_error(db: Path) -> None:
    async with venue(db) as here:
        port = urlsplit(here.url).port or 0
        with Store(db.with_name("other.db")) as store, pytest.raises(OSError, match="in use"):
            await listen(store, port)
