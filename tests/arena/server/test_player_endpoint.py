"""The endpoint /play: hellos, oversized messages, and the limit on useless messages."""

from pathlib import Path

import pytest

from arena.model.results import Termination
from arena.protocol.player import PROTOCOL_VERSION, Error, Finished, FromBot, Hello, Resign, Welcome
from tests.support.servers.arena_server import (
    MESSAGES_IN_BUDGET,
    ScriptedBot,
    arena_server,
    in_event_loop,
    two_bots,
)

GAMES = ["take_stones"]


# Hello


@in_event_loop
async def test_welcome_repeats_the_name(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect()
        await bot.send('{"type":"hello","protocol":1,"name":"Ann","games":["take_stones"],"new":2}')
        assert '"name":"Ann"' in str(await bot.connection.recv())


@in_event_loop
async def test_welcome_has_the_grace_and_the_margin(db: Path) -> None:
    async with arena_server(db, "5+0.05 margin 0.25", grace=0.5) as server:
        bot = await server.connect()
        await bot.send(Hello(PROTOCOL_VERSION, "Ann", GAMES))
        welcome = await bot.receive(Welcome)
        assert (welcome.grace, welcome.margin) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("first", "code", "words"),
    [
        (Resign("1"), "expected_hello", "must be hello"),
        (
            Hello(99, "x", GAMES),
            "unknown_protocol",
            "unsupported protocol version 99 (supported: 1)",
        ),
        (Hello(PROTOCOL_VERSION, "x", ["chess"]), "unknown_game", "this arena plays take_stones"),
        (Hello(PROTOCOL_VERSION, "here", GAMES), "name_taken", "here is already connected"),
        (
            Hello(PROTOCOL_VERSION, "here", GAMES, 1, "no key"),
            "name_taken",
            "here is already connected",
        ),
        (Hello(PROTOCOL_VERSION, "x" * 65, GAMES), "expected_hello", "name"),
        (Hello(PROTOCOL_VERSION, "", GAMES), "expected_hello", "name"),
        (Hello(PROTOCOL_VERSION, "x", GAMES, 0), "expected_hello", "matches"),
        ('{"type":"hello","protocol":1,"name":" x","games":[]}', "expected_hello", "space"),
        ("what?", "expected_hello", "malformed"),
        (b"{}", "expected_hello", "binary"),
    ],
)
@in_event_loop
async def test_unacceptable_hellos_are_refused(
    db: Path, first: FromBot | str, code: str, words: str
) -> None:
    async with arena_server(db) as server:
        await server.connect_bot("here")
        bot = await server.connect()
        await bot.send(first)
        error = await bot.receive(Error)
        assert (error.code, words in error.message) == (code, True), error
        assert await bot.wait_closed() == (1008, code)


@in_event_loop
async def test_a_silent_connection_is_closed(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.01)
    async with arena_server(db) as server:
        bot = await server.connect()
        error = await bot.receive(Error)
        assert (error.code, error.message) == ("expected_hello", "no hello within 0.01 s")
        assert await bot.wait_closed() == (1008, "expected_hello")


@in_event_loop
async def test_a_connection_without_hello_leaves_no_session(db: Path) -> None:
    async with arena_server(db) as server:
        await (await server.connect()).connection.close()
        await server.connect_bot("one")
        assert [*server.arena.sessions.bots] == ["one"]


@in_event_loop
async def test_a_second_hello_is_unexpected(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send(Hello(PROTOCOL_VERSION, "other", GAMES))
        assert (await bot.receive(Error)).code == "unexpected"


@in_event_loop
async def test_a_second_hello_does_not_change_the_name(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send(Hello(PROTOCOL_VERSION, "other", GAMES))
        await bot.receive(Error)
        assert [*server.arena.sessions.bots] == ["one"]


# Useless messages


async def send_useless(bot: ScriptedBot, times: int) -> None:
    """Send useless messages, and receive an error for each."""
    for _ in range(times):
        await bot.send(Resign("x"))
        await bot.receive(Error)


@pytest.mark.usefixtures("ignores_lag", "no_turns")
@in_event_loop
async def test_useless_messages_use_up_the_budget(db: Path) -> None:
    async with arena_server(db, time="0.2") as server:
        one, _ = await two_bots(server)
        await send_useless(one, MESSAGES_IN_BUDGET)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert (await task).result.termination is Termination.TIMEOUT


@pytest.mark.usefixtures("no_turns")
@in_event_loop
async def test_useful_messages_compensate_useless_ones(db: Path) -> None:
    async with arena_server(db) as server:
        one = await server.connect_bot("one")
        await server.run_bot("two")
        for _ in range(3 * MESSAGES_IN_BUDGET):
            task = server.start_match("one", "two", opening=(1, 4, 2, 6))
            await one.play(3)
            assert (await task).winner == "one"
            await one.receive(Finished)
            await send_useless(one, 1)
