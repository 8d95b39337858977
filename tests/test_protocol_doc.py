"""docs/protocol.md is true and complete: checked against the sources and a real arena."""

import ast
import asyncio
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import serve
from websockets.frames import CloseCode

from arena import clock, match, messages, playing, server
from arena.arguments import parser
from arena.messages import decode_from_arena, decode_from_bot, encode
from arena.observer import Observer
from arena.results import Pairing, Termination
from arena.server import Arena
from arena.store import Store
from bots.client import FIRST_DELAY, LAST_DELAY, Client
from bots.greedy_bot import GreedyBot
from core import GAMES

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "protocol.md").read_text()
SOURCES = [ROOT / "arena" / name for name in ("server.py", "match.py")]
PATIENCE = 10.0  # seconds after which a test has failed

Facts = dict[str, Any]


def section(title: str) -> str:
    """What stands below a heading, down to the next of its rank or a higher one."""
    found = re.search(rf"^(#+) {title}\n(.*?)(?=^#{{1,2}} |\Z)", TEXT, re.M | re.S)
    assert found, f"no section {title!r}"
    rank = len(found[1])
    return re.split(rf"^#{{1,{rank}}} ", found[2], flags=re.M)[0]


def examples(text: str) -> list[str]:
    """The JSON in a text, one line each."""
    return re.findall(r"^```json\n(.*)\n```$", text, re.M)


def rows(text: str) -> list[str]:
    """What the rows of the tables in a text are about."""
    return re.findall(r"^\| `?([a-z_0-9]+)`? \|.*\|$", text, re.M)


EXCHANGE = [
    (line[0], line[2:])
    for line in re.findall(r"^```exchange\n(.*?)^```$", TEXT, re.M | re.S)[0].splitlines()
]
FROM_BOT = examples(section("What you send")) + [text for who, text in EXCHANGE if who == ">"]
FROM_ARENA = examples(section("The games")) + examples(section("What the arena sends"))
FROM_ARENA += [text for who, text in EXCHANGE if who == "<"]
TYPES = {kind.__struct_config__.tag: kind for kind in get_args(messages.FromBot)} | {
    kind.__struct_config__.tag: kind for kind in get_args(messages.FromArena)
}
PING = inspect.signature(serve).parameters  # the library's own defaults
GRACE = parser().parse_args(["serve"]).grace


# Games


def test_every_game_is_explained() -> None:
    assert re.findall(r"^### (\w+)$", section("The games"), re.M) == [*GAMES]


def test_the_legal_moves_of_isolation_are_as_told() -> None:
    turn = json.loads(examples(section("isolation"))[0])
    told = section("isolation").partition("The legal moves are")[2]
    position = GAMES["isolation"].position(**turn["setup"], taken=turn["moves"])
    assert position.legal_moves() == [int(number) for number in re.findall(r"\d+", told)]


# Messages


def test_no_example_is_overlooked() -> None:
    assert len(FROM_BOT) + len(FROM_ARENA) == len(re.findall(r'^(?:[<>] )?\{"type"', TEXT, re.M))


@pytest.mark.parametrize("example", FROM_BOT)
def test_what_a_bot_sends_is_understood(example: str) -> None:
    understood = json.loads(encode(decode_from_bot(example)))
    assert understood == understood | json.loads(example)


@pytest.mark.parametrize("example", FROM_ARENA)
def test_what_the_arena_sends_has_exactly_these_fields(example: str) -> None:
    assert json.loads(encode(decode_from_arena(example))) == json.loads(example)


def test_every_message_is_explained_in_its_direction() -> None:
    for title, union in (
        ("What you send", messages.FromBot),
        ("What the arena sends", messages.FromArena),
    ):
        explained = re.findall(r"^### (\w+)$", section(title), re.M)
        assert explained == [kind.__struct_config__.tag for kind in get_args(union)]


@pytest.mark.parametrize("name", TYPES)
def test_every_field_of_a_message_is_explained(name: str) -> None:
    table = section(name).split("| field |")[1].split("\n\n")[0]
    assert rows(table) == list(TYPES[name].__struct_fields__)


@pytest.mark.parametrize("name", TYPES)
def test_every_message_has_an_example_with_all_fields(name: str) -> None:
    assert {*json.loads(examples(section(name))[0])} == {"type", *TYPES[name].__struct_fields__}


@pytest.mark.parametrize("name", [tag for tag in TYPES if tag in ("hello", "move", "resign")])
def test_fields_that_may_be_left_out_are_marked(name: str) -> None:
    marked = re.findall(r"^\| `(\w+)` \|[^|]*optional", section(name), re.M)
    fields = msgspec.structs.fields(TYPES[name])
    assert marked == [field.name for field in fields if not field.required]


# Words


def error_codes() -> Iterator[str]:
    """Every error code that the arena's sources have."""
    places = {"Error": 0, "_Refused": 0, "_refuse": 1}
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
    """Every close code that the arena's sources have, and the library's for a long frame."""
    names = re.findall(r"CloseCode\.([A-Z_]+)", (ROOT / "arena" / "server.py").read_text())
    return {int(CloseCode[name]) for name in names} | {int(CloseCode.MESSAGE_TOO_BIG)}


def test_every_error_code_is_explained() -> None:
    tables = section("error").split("| code |")[1:]
    explained = [code for table in tables for code in rows(table.split("\n\n")[0])]
    assert sorted(explained) == sorted(set(error_codes()))


def test_every_termination_is_explained() -> None:
    table = section("finished").split("| termination |")[1]
    assert rows(table) == [*Termination]


def test_every_close_code_is_explained() -> None:
    table = section("When the arena closes")
    assert {int(code) for code in rows(table) if code.isdigit()} == close_codes()


# Numbers


@pytest.mark.parametrize(
    "words",
    [
        f"version {messages.PROTOCOL} of the protocol",
        f"at most {server.MAX_FRAME // 1024} KiB ({server.MAX_FRAME} bytes)",
        f"longer than {server.MAX_FRAME // 1024} KiB",
        f"more than {playing.MAX_UNSENT // 1024 // 1024} MiB unread",
        f"within {server.HELLO_SECONDS:g} s of connecting",
        f"none came within {server.HELLO_SECONDS:g} s",
        f"at most {clock.MAX_CREDIT} s a move",
        f"late by {match.LATE} s or more",
        f"{match.MALFORMED_LIMIT} in a match lose it",
        f"sent {match.MALFORMED_LIMIT} unreadable messages",
        f"{server.UNREADABLE_LIMIT} on one connection close it with 1008",
        f"{FIRST_DELAY} s, {2 * FIRST_DELAY} s, {4 * FIRST_DELAY} s, and so on "
        f"up to {LAST_DELAY:g} s",
        f"then every {PING['ping_interval'].default} s",
        f"does not answer for {PING['ping_timeout'].default} s",
        f"you have {GRACE:g} s (`--grace`)",
    ],
)
def test_the_numbers_are_those_of_the_sources(words: str) -> None:
    assert words in " ".join(TEXT.split())


def test_the_limits_of_a_hello_are_those_of_the_sources() -> None:
    schema = msgspec.json.schema(messages.Hello)["$defs"]["Hello"]["properties"]
    name, matches = schema["name"], schema["matches"]
    assert f"{name['minLength']} to {name['maxLength']} printable" in section("hello")
    assert f"integer, {matches['minimum']} to {matches['maximum']}" in section("hello")


# Time


@pytest.mark.parametrize("text", re.findall(r"`--time ([^`]+)`", section("Time")))
def test_times_are_as_told(text: str) -> None:
    control = clock.TimeControl.parse(text)
    told = f"`--time {text}` " + section("Time").split(f"`--time {text}` ")[1].split("- ")[0]
    assert f"`per_move` is {json.dumps(control.per_move)}" in " ".join(told.split())


def test_both_kinds_of_time_are_told() -> None:
    told = re.findall(r"`--time ([^`]+)`", section("Time"))
    assert {clock.TimeControl.parse(text).per_move for text in told} == {True, False}


def test_the_margin_is_an_option() -> None:
    [told] = re.findall(r"`(--margin [^`]+)`", section("Time"))
    assert parser().parse_args(["serve", *told.split()]).margin == 0.1


# The exchange


async def follow(connection: ClientConnection) -> list[Facts]:
    """Say what the bot says in the exchange. Returns what it hears instead of what it should."""
    heard = []
    for who, text in EXCHANGE:
        if who == ">":
            await connection.send(text)
        else:
            heard.append(json.loads(await connection.recv()))
    return heard


async def replay(database: Path) -> list[Facts]:
    """Play the match of the exchange. Returns what the arena sends."""
    control = clock.TimeControl.parse("5+0.05")
    pairing = Pairing(None, ("greedy", "mybot"), "take_stones", {"stones": 7})
    with Store(database) as store:
        arena = Arena(store, ["take_stones"], control, 5, Observer())
        async with asyncio.timeout(PATIENCE), arena:
            url = f"ws://127.0.0.1:{await arena.listen('127.0.0.1', 0)}/play"
            greedy = asyncio.create_task(Client(url, "greedy", GreedyBot(), ["take_stones"]).play())
            async with connect(url, proxy=None) as connection:
                hearing = asyncio.create_task(follow(connection))
                while arena.expect(["greedy", "mybot"]):
                    await arena.change()
                await arena.start(pairing)
                heard = await hearing
        await greedy
    return heard


def test_the_exchange_is_what_the_arena_sends(tmp_path: Path) -> None:
    expected = [json.loads(text) for who, text in EXCHANGE if who == "<"]
    heard = asyncio.run(replay(tmp_path / "arena.db"))
    for facts in [*expected, *heard]:
        facts.pop("session", None)  # drawn at random
        facts.pop("clocks_ms", None)  # however long it took
    assert heard == expected
