"""Random messages that are to be as dear as possible: of any type of the protocol, and requests."""

import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.inspect import (
    BoolType,
    CollectionType,
    DictType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
)

from arena.protocol.player import JOINER
from arena.server.server import MAX_FRAME
from core import GAMES

Json = Any
Message = dict[str, Json]

WORDS = (
    *("", "1", "2", "5+0.05", "alpha-beta", "transpositions", "isolation", "take_stones"),
    *("((3 5) (2 9))", "[[3, 5], [2, 9]]", "max\n  a 3\n  b 5"),
)
# Characters that are dear somewhere: combining marks, escapes, brackets, digits, invisible ones.
PIECES = ("a", "\u0344", "\u0334", "\U0001f600", "\ufdfa", "\\", '"', "\0", "(", "(1 ", "9", JOINER)
INTEGERS = (0, 1, 2, 3, 5, 7, 20, 100, 400, 1000, 10_000, 100_000, 2**53 - 1, 2**63 - 1, -1)
HUGE = "9" * 4000  # digits of an integer that takes long to read
MAX_LENGTH = MAX_FRAME - 100  # bytes of a message
HEADERS = (
    *("If-None-Match", "If-Modified-Since", "Accept-Encoding", "Host", "Authorization", "Origin"),
    *("Sec-WebSocket-Key", "Connection", "X"),
)
PATHS = ("/", "/healthz", "/play", "/watch", "/match/1", "/match/1.svg", "/feed.json", "/%c3%a4")


_type_info = cache(msgspec.inspect.type_info)


def random_message(random: Random, kind: type[msgspec.Struct]) -> Message:
    """Return a random message of a type, with a number of 1 if it is a question."""
    info = _type_info(kind)
    assert isinstance(info, StructType)
    assert info.tag_field
    message: Message = {info.tag_field: info.tag, **_fields(random, info)}
    if random.random() < 0.1:
        message["unknown"] = _anything(random)
    return message


def mutated(random: Random, message: Message, kind: type[msgspec.Struct]) -> Message:
    """Return a message with another value of one field, or without it."""
    other = random_message(random, kind)
    name = random.choice([*other])
    return {**message, name: other[name], **_fixed(other)}


def _fixed(message: Mapping[str, Json]) -> Message:
    return {name: message[name] for name in ("type", "request") if name in message}


def encoded(random: Random, message: Message) -> bytes:
    """Return a message as JSON, with or without escapes, no longer than a message may be."""
    text = json.dumps(message, ensure_ascii=random.random() < 0.3)
    data = text.replace(json.dumps(HUGE), HUGE).encode(errors="replace")
    return data if len(data) <= MAX_LENGTH else json.dumps(_fixed(message)).encode()


def random_request(random: Random) -> bytes:
    """Return a random HTTP request."""
    path = random.choice(PATHS)
    if random.random() < 0.2:
        path += "?" + "&".join(f"token={_text(random)[:20]}" for _ in range(_size(random, 300)))
    lines = [f"GET {path} HTTP/1.1", "Host: localhost"]
    for _ in range(random.choice((0, 1, 1, 100))):
        value = random.choice((",", "gzip,", '"a",', "Bearer ", "a", "%41")) * _size(random, 8000)
        lines.append(f"{random.choice(HEADERS)}: {value}")
    request = "\r\n".join(lines).encode(errors="replace")
    return request[: 16 * 1024 - 4] + b"\r\n\r\n"


def _fields(random: Random, info: StructType) -> Message:
    fields = {
        field.encode_name: _value(random, field.type)
        for field in info.fields
        if field.required or random.random() < 0.7
    }
    return fields | ({"request": 1} if "request" in fields else {})


def _value(random: Random, kind: Type) -> Json:
    """Return a random value of a type, now and then one that it does not allow."""
    if random.random() < 0.02:
        return _anything(random)
    match kind:
        case IntType():
            return HUGE if random.random() < 0.05 else random.choice(INTEGERS)
        case FloatType():
            return random.choice((0.5, 1e300, -1))
        case StrType():
            return random.choice(WORDS) if random.random() < 0.4 else _text(random)
        case BoolType():
            return random.random() < 0.5
        case LiteralType():
            return random.choice(kind.values)
        case EnumType():
            return random.choice([*kind.cls]).value
        case UnionType():
            return _value(random, random.choice(kind.types))
        case NoneType():
            return None
        case TupleType():
            return [_value(random, each) for each in kind.item_types]
        case ListType() | CollectionType():
            value = _value(random, kind.item_type)
            return [value] * (_size(random, 32_000) if value != HUGE else _size(random, 15))
        case DictType():
            return _mapping(random, kind)
        case StructType():
            return _fields(random, kind)
    raise TypeError(f"no values of {kind}")


def _mapping(random: Random, kind: DictType) -> Json:
    """Return a setup of a game, or a mapping with many or with dear keys."""
    if random.random() < 0.5:
        game = random.choice([GAMES[name] for name in ("take_stones", "isolation")])
        return {name: random.choice(INTEGERS) for name in game.parameters}
    key = _text(random)[:64]
    return {f"{key}{i}": _value(random, kind.value_type) for i in range(_size(random, 5000))}


def _text(random: Random) -> str:
    pieces = random.choices(PIECES, k=random.randint(1, 3))
    return "".join(pieces) * _size(random, 15_000)


def _anything(random: Random) -> Json:
    nested: Json = 1
    for _ in range(_size(random, 900)):
        nested = [nested]
    return random.choice((nested, _text(random), [1.5] * _size(random, 10_000), {"a": None}))


def _size(random: Random, most: int) -> int:
    """Return a number up to this one: as often small as large."""
    return int(most ** random.random())
