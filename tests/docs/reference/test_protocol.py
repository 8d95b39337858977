"""The protocol: the page matches the sources and a running arena."""

import ast
import asyncio
import inspect
import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import websockets.asyncio.connection
import websockets.protocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import CloseCode

from arena.cli.shared_options import DEFAULT_GRACE
from arena.lobby import challenges
from arena.match import adjudicator, reasons
from arena.model import time_control
from arena.model.observer import Observer
from arena.model.results import Pairing, Termination
from arena.model.time_control import TimeControl
from arena.network import budget, connection, frames, listener
from arena.protocol import codec
from arena.protocol import player as messages
from arena.protocol.codec import decode_from_arena, decode_from_bot, encode
from arena.protocol.player import FromBot, Hello
from arena.runner import house_bots as offers
from arena.runner import processes
from arena.server import match_runner, server
from arena.server.server import Server
from arena.storage.writer import DatabaseWriter
from bots.client import FIRST_DELAY, LAST_DELAY, Client
from bots.greedy_bot import GreedyBot
from core import GAMES
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import arena_server

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "reference" / "protocol.md").read_text()
SOURCES = [
    path
    for package in ("network", "server", "storage", "match", "lobby", "runner")
    for path in sorted((ROOT / "arena" / package).glob("*.py"))
]

Facts = dict[str, Any]


def section(title: str) -> str:
    """Return the section of a heading, up to the next of the same or a higher rank."""
    found = re.search(rf"^(#+) {title}\n(.*?)(?=^#{{1,2}} |\Z)", TEXT, re.M | re.S)
    assert found, f"no section {title!r}"
    rank = len(found[1])
    return re.split(rf"^#{{1,{rank}}} ", found[2], flags=re.M)[0]


def examples(text: str) -> list[str]:
    """Return the lines of JSON in a text."""
    return re.findall(r"^```json\n(.*)\n```$", text, re.M)


def columns(text: str) -> list[list[str]]:
    """Return the cells of the rows of all tables in a text."""
    return [line.split(" | ") for line in re.findall(r"^\| (.+) \|$", text, re.M)]


def rows(text: str) -> list[str]:
    """Return the first words of the rows of all tables in a text."""
    return re.findall(r"^\| `?([a-z_0-9]+)`? \|.*\|$", text, re.M)


EXCHANGE = [
    (line[0], line[2:])
    for line in re.findall(r"^```exchange\n(.*?)^```$", TEXT, re.M | re.S)[0].splitlines()
]
FROM_BOT = examples(section("Messages to the arena")) + examples(section("Tokens"))
FROM_BOT += [text for who, text in EXCHANGE if who == ">"]
FROM_ARENA = examples(section("The games")) + examples(section("Versions"))
FROM_ARENA += examples(section("Messages from the arena"))
FROM_ARENA += [text for who, text in EXCHANGE if who == "<"]
TYPES = {kind.__struct_config__.tag: kind for kind in get_args(messages.FromBot)} | {
    kind.__struct_config__.tag: kind for kind in get_args(messages.FromArena)
}
DIAGRAMS = re.findall(r"^```mermaid\nsequenceDiagram\n(.*?)^```$", TEXT, re.M | re.S)
GRACE = DEFAULT_GRACE
DIRECTIONS = [("from", kind) for kind in get_args(messages.FromBot)] + [
    ("to", kind) for kind in get_args(messages.FromArena)
]


# Games


def test_every_game_is_explained() -> None:
    assert re.findall(r"^### (\w+)$", section("The games"), re.M) == [*GAMES]
    turn = json.loads(examples(section("isolation"))[0])
    documented = section("isolation").partition("The legal moves are")[2]
    position = GAMES["isolation"].position(**turn["setup"], moves=turn["moves"])
    assert position.legal_moves() == [int(number) for number in re.findall(r"\d+", documented)]


# Messages


def test_every_message_is_tested_and_explained_in_its_direction() -> None:
    assert len(FROM_BOT) + len(FROM_ARENA) == len(re.findall(r'^(?:[<>] )?\{"type"', TEXT, re.M))
    for title, union in (
        ("Messages to the arena", messages.FromBot),
        ("Messages from the arena", messages.FromArena),
    ):
        explained = re.findall(r"^### (\w+)$", section(title), re.M)
        assert explained == [kind.__struct_config__.tag for kind in get_args(union)]


@loop_over("example", FROM_BOT)
def test_examples_of_a_bot_are_valid(example: str) -> None:
    understood = json.loads(encode(decode_from_bot(example)))
    assert understood == understood | json.loads(example)


@loop_over("example", FROM_ARENA)
def test_examples_of_the_arena_have_exactly_their_fields(example: str) -> None:
    assert json.loads(encode(decode_from_arena(example))) == json.loads(example)


@loop_over("name", TYPES)
def test_every_field_of_a_message_is_explained_and_stands_in_the_example(name: str) -> None:
    fields = TYPES[name].__struct_fields__
    table = section(name).split("| field |")[1].split("\n\n")[0]
    assert rows(table) == list(fields)
    assert {*json.loads(examples(section(name))[0])} == {"type", *fields}


@loop_over("name", [kind.__struct_config__.tag for kind in get_args(FromBot)])
def test_optional_fields_are_marked(name: str) -> None:
    marked = re.findall(r"^\| `(\w+)` \|[^|]*optional", section(name), re.M)
    fields = msgspec.structs.fields(TYPES[name])
    assert marked == [field.name for field in fields if not field.required]


# The diagrams


def arrows() -> Iterator[tuple[str, str]]:
    """Yield the direction and the message of every arrow in the diagrams."""
    ends = {"bot->>arena": "from", "other->>arena": "from"}
    for diagram in DIAGRAMS:
        for ends_of, message in re.findall(r"^ +(\w+->>\w+): (\w+)", diagram, re.M):
            yield ends.get(ends_of, "to"), message


def test_diagrams_have_every_message_in_known_syntax() -> None:
    tags = [(way, kind.__struct_config__.tag) for way, kind in DIRECTIONS]
    assert {*arrows()} == {*tags}
    known = r" +(participant \w+ as |(\w+->>\w+|Note over \w+(,\w+)?): [^;#:]+$|loop |end$)"
    lines = [line for diagram in DIAGRAMS for line in diagram.splitlines()]
    assert lines
    assert [line for line in lines if not re.match(known, line)] == []


# Words


def error_codes() -> Iterator[str]:
    """Yield every error code in the sources of the arena."""
    places = {"Error": 0, "RequestError": 0, "_reject": 1}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            values: list[ast.AST] = []
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                values = list(node.args[places[name] :][:1]) if name in places else []
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
                values = [node.value.orelse] if isinstance(node.value, ast.IfExp) else []
            yield from (str(v.value) for v in values if isinstance(v, ast.Constant))


def close_codes() -> set[int]:
    """Return every close code in the sources of the arena, and those that the library adds."""
    sources = "".join(path.read_text() for path in SOURCES)
    names = re.findall(r"CloseCode\.([A-Z_]+)", sources)
    for module in (websockets.protocol, websockets.asyncio.connection):
        names += re.findall(r"fail\(\s*CloseCode\.([A-Z_]+)", inspect.getsource(module))
    return {int(CloseCode[name]) for name in names} - {CloseCode.ABNORMAL_CLOSURE}  # never sent


def test_codes_and_terminations_are_explained() -> None:
    tables = section("error").split("| code |")[1:]
    explained = [code for table in tables for code in rows(table.split("\n\n")[0])]
    assert sorted(explained) == sorted({*error_codes()})
    codes = {"token_needed", "token_unknown", "not_your_name"}
    assert {*re.findall(r"`(\w+)`", section("Tokens"))} >= codes
    table = section("finished").split("| termination |")[1]
    assert rows(table) == [*Termination]
    table = section("Close codes")
    assert {int(code) for code in rows(table) if code.isdigit()} == close_codes()


@loop_over("title", ["error", "The handshake", "Close codes"])
def test_every_code_comes_with_advice(title: str) -> None:
    table = columns(section(title).partition("remedy |")[2])
    assert table
    assert {len(row) for row in table} == {3}


# Behaviour of a running arena


def test_every_status_in_the_sources_is_explained() -> None:
    sources = [path.read_text() for path in (ROOT / "arena").rglob("*.py")]
    given = {
        code
        for text in sources
        for code in re.findall(r"(?:respond\(|later\(connection, )(\d{3}),", text)
    }
    assert given <= {*rows(section("The handshake"))}


async def test_an_unsupported_version_is_refused_as_documented(db: Path) -> None:
    [documented] = examples(section("Versions"))
    async with arena_server(db) as place:
        bot = await place.connect()
        await bot.send(Hello(2, "mybot", ["take_stones"]))
        assert await bot.receive(messages.Error) == decode_from_arena(documented)


@loop_over(
    "number, is_move",
    ("9" * 4300, True),
    ("9" * 4301, False),
    ("-" + "9" * 4300, False),
    ("1.0", False),
    ("1e0", False),
    ('"1"', False),
)
async def test_long_numbers_are_moves_or_unreadable(db: Path, number: str, is_move: bool) -> None:
    async with arena_server(db) as place:
        first, _ = await place.connect_bot("a"), await place.connect_bot("b")
        match = place.start_match("a", "b")
        turn = await first.receive(messages.Turn)
        frame = f'{{"type": "move", "match": "{turn.match}", "ply": 0, "move": {number}}}'
        await first.send(frame)
        if is_move:
            assert (await match).result.termination is Termination.ILLEGAL_MOVE
            digits = number.removeprefix("-")
            shown = f"{digits[: reasons.SHOWN_DIGITS]}... ({len(digits)} digits)"
            assert shown in (await first.receive(messages.Finished)).reason
        else:
            assert (await first.receive(messages.Error)).code == "unreadable"
            await first.send(messages.Resign(turn.match))
            assert (await match).result.termination is Termination.RESIGNATION
    flat = " ".join(section("move").split())
    assert "Any integer of up to 4300 characters is a move" in flat
    assert f"the first {reasons.SHOWN_DIGITS} digits" in flat
    assert f"of more than {reasons.MAX_DIGITS}." in flat


# Numbers


@loop_over(
    "words",
    f"version {messages.PROTOCOL_VERSION} of the protocol",
    f"at most {server.MAX_FRAME // 1024} KiB ({server.MAX_FRAME} bytes)",
    f"longer than {server.MAX_FRAME // 1024} KiB",
    f"more than {connection.MAX_UNSENT // 1024 // 1024} MiB unread",
    f"within {messages.HELLO_TIMEOUT:g} s of connecting",
    f"none came within {messages.HELLO_TIMEOUT:g} s",
    f"{time_control.MAX_CREDIT} s in reserve (`--max-credit`), which each",
    f"second of your turns refills by {time_control.CREDIT_RATE} s",
    f"late by {adjudicator.MAX_LAG} s or more",
    f"{reasons.MALFORMED_LIMIT} in a match lose it",
    f"sent {reasons.MALFORMED_LIMIT} unreadable messages",
    f"{codec.UNREADABLE_LIMIT} on one connection close it with 1008",
    f"{FIRST_DELAY} s, {2 * FIRST_DELAY} s, {4 * FIRST_DELAY} s, and so on up to {LAST_DELAY:g} s",
    f"then every {server.PING_INTERVAL:g} s",
    f"does not answer for {server.PING_INTERVAL:g} s",
    f"you have {GRACE:g} s (`--grace`)",
    f"absence during a match | {GRACE:g} s (`--grace`)",
    f"arena detects its end within {2 * server.PING_INTERVAL:g} s",
    f"message of yours | {server.MAX_FRAME // 1024} KiB",
    f"of yours shorter than {frames.SMALL_FRAGMENT // 1024} KiB, without its last one "
    f"| {frames.MAX_SMALL_FRAGMENTS} |",
    f"HTTP request of the handshake | {connection.REQUEST_TIMEOUT:g} s, "
    f"{connection.MAX_REQUEST // 1024} KiB |",
    f"`hello` after the handshake | {messages.HELLO_TIMEOUT:g} s",
    f"data that you leave unread | {connection.MAX_UNSENT // 1024 // 1024} MiB",
    f"the answer to a ping | {server.PING_INTERVAL:g} s",
    f"in a match | fewer than {reasons.MALFORMED_LIMIT}",
    f"on a connection | fewer than {codec.UNREADABLE_LIMIT}",
    f"budget](#the-budget) of a connection | {connection.MAX_UNITS} units",
    f"A read of at most {connection.READ_SIZE // 1024} KiB",
    f"Each {1000 * budget.UNIT_SECONDS:g} ms of processor time that your input takes costs",
    f"begins with {connection.FIRST_UNITS} units and has at most {connection.MAX_UNITS}.",
    f"gains one each second, and {connection.REFUND} for each useful message",
    f"gets {connection.TURN_UNITS} units then",
    f"are given {server.BUSY_RATE:g} units each second",
    f"open at once | {listener.BURST}, and {listener.RATE:g} more each second; "
    f"{listener.TOTAL_BURST} and {listener.TOTAL_RATE:g} of all clients",
    f"once more every {1 / match_runner.EXCUSES_PER_SECOND / 60:g} minutes",
    f"network delay that is credited | {time_control.MAX_CREDIT} s in reserve (`--max-credit`)",
    f"each from its least value to its largest, at most {challenges.MAX_SETUP_VALUE} |",
    f"in the setup of a challenge | {challenges.MAX_SETUP_VALUE} |",
    f"{challenges.MAX_TEXT_LENGTH} characters at most",
    f"default null: `{challenges.DEFAULT_TIME_CONTROL}`, an hour for each move",
    f"at most {challenges.MAX_TIME:g} s together, the increment at most "
    f"{challenges.MAX_INCREMENT:g} s",
    f"clock of a casual match | {challenges.MAX_TIME:g} s, {challenges.MAX_INCREMENT:g} s more",
    f"at most {challenges.MAX_MATCHES_PER_PLAYER} casual matches at once",
    f"matches of a player at once | {challenges.MAX_MATCHES_PER_PLAYER}, or",
    f"have at most {challenges.MAX_MATCHES_PER_ADDRESS} together",
    f"open challenges of an address | {challenges.MAX_MATCHES_PER_ADDRESS} |",
    f"casual matches at once | {challenges.MAX_CASUAL_MATCHES} |",
    f"| {challenges.MAX_CASUAL_MATCHES} casual matches are being played",
    f"its id: {len(secrets.token_urlsafe(challenges.KEY_BYTES))} letters",
    f"within {processes.JOIN_SECONDS:g} s, as the bot may have to be started",
    f"the bot did not connect within {processes.JOIN_SECONDS:g} s",
    f"take up to {offers.THINK_SECONDS:g} s for a move",
    f"has {match_runner.CASUAL_GRACE:g} s to come back",
    f"absence during a casual match | {match_runner.CASUAL_GRACE:g} s |",
)
def test_numbers_match_the_sources(words: str) -> None:
    assert words in " ".join(TEXT.split())


def test_limits_of_a_hello_match_the_sources() -> None:
    schema = msgspec.json.schema(messages.Hello)["$defs"]["Hello"]["properties"]
    name, matches = schema["name"], schema["matches"]
    assert f"{name['minLength']} to {name['maxLength']} printable" in section("hello")
    assert f"integer, {matches['minimum']} to {matches['maximum']}" in section("hello")
    assert f"a bot's name | {name['maxLength']} characters" in section("Limits")
    assert f"matches at once | {matches['maximum']}," in section("Limits")


# Time


@loop_over("text", re.findall(r"`--time ([^`]+)`", section("Time")))
def test_time_controls_are_explained_correctly(text: str) -> None:
    control = TimeControl.parse(text)
    documented = f"`--time {text}` " + section("Time").split(f"`--time {text}` ")[1].split("- ")[0]
    assert f"`per_move` is {json.dumps(control.per_move)}" in " ".join(documented.split())


def test_times_are_explained() -> None:
    documented = re.findall(r"`--time ([^`]+)`", section("Time"))
    assert {TimeControl.parse(text).per_move for text in documented} == {True, False}
    [documented] = re.findall(r"`(\S+ margin \S+)`", section("Time"))
    assert TimeControl.parse(documented).margin == 0.1


# The exchange


async def follow(connection: ClientConnection) -> list[Facts]:
    """Send the bot's messages of the exchange; return those received."""
    received = []
    for who, text in EXCHANGE:
        if who == ">":
            await connection.send(text)
        else:
            received.append(json.loads(await connection.recv()))
    return received


async def replay(database: Path) -> list[Facts]:
    """Play the match of the exchange; return the messages of the arena."""
    control = TimeControl.parse("5+0.05")
    pairing = Pairing(None, ("greedy", "mybot"), "take_stones", {"stones": 7})
    with DatabaseWriter(database) as writer:
        arena = Server(writer, ["take_stones"], control, 5, 0, Observer())
        async with asyncio.timeout(TEST_TIMEOUT), arena:
            url = f"ws://127.0.0.1:{await arena.listen('127.0.0.1', 0)}/play"
            greedy = asyncio.create_task(Client(url, "greedy", GreedyBot(), ["take_stones"]).play())
            async with connect(url, proxy=None) as connection:
                hearing = asyncio.create_task(follow(connection))
                while arena.sessions.expect(["greedy", "mybot"]):
                    await arena.wait_for_change()
                await arena.start_match(pairing)
                received = await hearing
        await greedy
    return received


def test_the_exchange_is_sent_as_shown(tmp_path: Path) -> None:
    expected = [json.loads(text) for who, text in EXCHANGE if who == "<"]
    received = asyncio.run(replay(tmp_path / "arena.db"))
    for facts in [*expected, *received]:
        facts.pop("session", None)  # drawn at random
        facts.pop("clocks_ms", None)  # however long it took
    assert received == expected
