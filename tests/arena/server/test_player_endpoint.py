"""The endpoint /play: hellos, oversized messages, and the limit on useless messages."""

import json
from pathlib import Path

import pytest

from arena.model.results import Info, Termination
from arena.network.trace import MessageTrace
from arena.protocol.codec import RequestError, encode
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Error,
    Finished,
    FromBot,
    Hello,
    Move,
    Resign,
    Turn,
    Welcome,
)
from arena.server.player_endpoint import check_hello
from arena.storage.access import generate_token
from tests.support.cases import loop_over
from tests.support.servers.arena_server import (
    MESSAGES_IN_BUDGET,
    ScriptedBot,
    arena_server,
    two_bots,
)

GAMES = ["take_stones"]
TWO_GAMES = ["take_stones", "isolation"]


async def test_all_messages_are_traced_without_secrets(db: Path, tmp_path: Path) -> None:
    path = tmp_path / "trace"
    with MessageTrace(path, print) as trace:
        async with arena_server(db, trace=trace) as server:
            bot = await server.connect()
            secret = generate_token()
            await bot.send(Hello(PROTOCOL_VERSION, "Ann", GAMES, token=secret))
            key = (await bot.receive(Welcome)).session
            await bot.send(Resign("9"))
            await bot.receive(Error)
            refused = await server.connect()
            await refused.send("what?")
            await refused.wait_closed()
            await bot.connection.close()
            await server.wait_until_disconnected("Ann")
    text = path.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert secret not in text
    assert key not in text
    kinds = [(line["connection"], line["bot"], [*line][3]) for line in lines]
    assert kinds == [
        (1, None, "open"),
        (1, None, "in"),
        (1, "Ann", "out"),
        (1, "Ann", "in"),
        (1, "Ann", "out"),
        (2, None, "open"),
        (2, None, "in"),
        (2, None, "out"),
        (2, None, "close"),
        (1, "Ann", "close"),
    ]
    assert lines[1]["in"]["token"] == lines[2]["out"]["session"] == "***"
    assert (lines[3]["in"]["match"], lines[4]["out"]["code"]) == ("9", "unknown_match")
    assert (lines[6]["in"], lines[8]["close"], lines[9]["close"]) == ("what?", 1008, 1000)


# Hello


async def test_welcome_has_the_name_the_grace_and_the_margin(db: Path) -> None:
    async with arena_server(db, "5+0.05 margin 0.25", grace=0.5) as server:
        bot = await server.connect()
        await bot.send('{"type":"hello","protocol":1,"name":"Ann","games":["take_stones"],"new":2}')
        welcome = await bot.receive(Welcome)
        assert (welcome.name, welcome.grace, welcome.margin) == ("Ann", 0.5, 0.25)


@loop_over(
    "first, code, words",
    (Hello(PROTOCOL_VERSION, "x", ["chess"]), "unknown_game", "this arena plays take_stones"),
    (Hello(PROTOCOL_VERSION, "here", GAMES), "name_taken", "here is already connected"),
    (
        Hello(PROTOCOL_VERSION, "here", GAMES, 1, "no key"),
        "name_taken",
        "here is already connected",
    ),
    (Hello(PROTOCOL_VERSION, "x" * 65, GAMES), "expected_hello", "name"),
    (Hello(PROTOCOL_VERSION, "x", GAMES, 0), "expected_hello", "matches"),
    ('{"type":"hello","protocol":1,"name":" x","games":[]}', "expected_hello", "space"),
    ("what?", "expected_hello", "malformed"),
    (b"{}", "expected_hello", "binary"),
)
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


async def test_a_silent_connection_is_closed(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.player_endpoint.HELLO_TIMEOUT", 0.01)
    async with arena_server(db) as server:
        bot = await server.connect()
        error = await bot.receive(Error)
        assert (error.code, error.message) == ("expected_hello", "no hello within 0.01 s")
        assert await bot.wait_closed() == (1008, "expected_hello")


async def test_a_second_hello_does_not_change_the_name(db: Path) -> None:
    async with arena_server(db) as server:
        await (await server.connect()).connection.close()  # leaves no session
        bot = await server.connect_bot("one")
        await bot.send(Hello(PROTOCOL_VERSION, "other", GAMES))
        assert (await bot.receive(Error)).code == "unexpected"
        assert [*server.arena.server.sessions.bots] == ["one"]


# Useless messages


async def send_useless(bot: ScriptedBot, times: int) -> None:
    """Send useless messages, and receive an error for each."""
    for _ in range(times):
        await bot.send(Resign("x"))
        await bot.receive(Error)


@pytest.mark.usefixtures("ignores_lag", "no_turns")
async def test_useless_messages_use_up_the_budget(db: Path) -> None:
    async with arena_server(db, time="0.2") as server:
        one, _ = await two_bots(server)
        await send_useless(one, MESSAGES_IN_BUDGET)
        task = server.start_match("one", "two", opening=(1, 4, 2, 6))
        await one.play(3)
        assert (await task).result.termination is Termination.TIMEOUT


@pytest.mark.usefixtures("no_turns")
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


# Information with a move


async def test_information_is_stored_with_the_match(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        match = server.start_match("one", "two")
        await one.receive(Turn)
        await one.send(Move("1", 0, 3, info=Info(0.5, 4, 17, (3, 6))))
        await two.receive(Turn)
        await two.send(Move("1", 1, 6, info=Info()))
        turn = await one.receive(Turn)
        assert "info" not in encode(turn)
        await one.send(Move("1", 2, 7, info=Info(depth=1)))  # illegal
        await match
        assert server.records()[0].infos == {0: Info(0.5, 4, 17, (3, 6))}


async def test_invalid_information_does_not_cost_the_match(db: Path) -> None:
    async with arena_server(db) as server:
        one, two = await two_bots(server)
        match = server.start_match("one", "two")
        for ply, (bot, move) in enumerate([(one, 3), (two, 6), (one, 2), (two, 4), (one, 1)]):
            await bot.receive(Turn)
            await bot.send(
                f'{{"type":"move","match":"1","ply":{ply},"move":{move},"info":{{"depth":-1}}}}'
            )
            error = await bot.receive(Error)
            assert (error.code, error.match) == ("bad_info", "1")
            assert error.message == (
                "match 1: info ignored: Expected `int` >= 0 - at `$.info.depth`"
            )
        await two.receive(Turn)
        await two.send(Resign("1"))
        record = await match
        assert [played.move for played in record.moves] == [3, 6, 2, 4, 1]
        assert record.infos == {}


@pytest.mark.parametrize(
    ("message", "code", "text"),
    [
        (Resign("1"), "expected_hello", "the first message must be hello"),
        (
            Hello(7, "x", TWO_GAMES),
            "unknown_protocol",
            "unsupported protocol version 7 (supported: 1)",
        ),
        (
            Hello(PROTOCOL_VERSION, "x", []),
            "unknown_game",
            "this arena plays take_stones, isolation",
        ),
        (
            Hello(PROTOCOL_VERSION, "x", TWO_GAMES, casual=True),
            "no_challenges",
            "this arena has no matches for casual players",
        ),
    ],
)
def test_hellos_of_other_arenas_are_refused(message: FromBot, code: str, text: str) -> None:
    with pytest.raises(RequestError) as refusal:
        check_hello(message, TWO_GAMES, takes_challenges=False)
    assert (refusal.value.code, str(refusal.value)) == (code, text)


@pytest.mark.parametrize("takes_challenges", [False, True])
def test_one_common_game_is_enough(takes_challenges: bool) -> None:
    hello = Hello(PROTOCOL_VERSION, "x", ["chess", "isolation"])
    assert check_hello(hello, TWO_GAMES, takes_challenges) is hello


def test_casual_players_are_accepted_with_challenges() -> None:
    hello = Hello(PROTOCOL_VERSION, "x", TWO_GAMES, casual=True)
    assert check_hello(hello, TWO_GAMES, takes_challenges=True) is hello
