"""Encoding and decoding of frames."""

import json
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from arena import protocol
from arena.model.results import Info
from arena.protocol.codec import DecodeError, InvalidInfo, decode_from_bot, encode
from arena.protocol.player import FromBot, Move
from tests.support.cases import loop_over

# Invalid frames, and parts of the error messages.
INVALID = [
    ("", "truncated"),
    ("move 3", "malformed"),
    ("[]", "got `array`"),
    ("null", "got `null`"),
    ("NaN", "malformed"),
    ("{}", "missing required field `type`"),
    ('{"type":1}', r"Expected `str` - at `\$.type`"),
    ('{"type":"move"}', "missing required field `match`"),
    ('{"type":"move","match":"7","ply":2}', "missing required field `move`"),
    ('{"type":"move","match":"7","ply":2,"move":6} x', "trailing characters"),
    ('{"type":"hello","protocol":1,"games":[]}', "missing required field `name`"),
    ('{"type":"hello","protocol":1,"name":"","games":[]}', "length >= 1"),
    ('{"type":"hello","protocol":1,"name":" a","games":[]}', "without surrounding spaces"),
    ('{"type":"hello","protocol":1,"name":"\\ud800","games":[]}', "surrogate"),
    ('{"type":"hello","protocol":1,"name":"a","games":[],"matches":0}', ">= 1"),
    ('{"type":"hello","protocol":1,"name":"a","games":[],"matches":1001}', "<= 1000"),
    ('{"type":"hello","protocol":1,"name":"a","games":[7]}', r"\$\.games\[0\]"),
    ("[" * 60000, "array"),
    ('{"type":"resign","match":"7","more":' + "[" * 60000, "recursion"),
]


def decode_or_none(frame: str) -> FromBot | None:
    """Return the decoded message, or None if the frame is rejected."""
    try:
        return decode_from_bot(frame)
    except DecodeError:
        return None


@loop_over(("frame", "fault"), INVALID)
def test_invalid_frames_are_rejected(frame: str, fault: str) -> None:
    with pytest.raises(DecodeError, match=fault):
        decode_from_bot(frame)


@loop_over("move", ["3.0", "1e1", "true", '"3"', "null", "[3]", "1e400", "9" * 4301])
def test_moves_that_are_not_integers_are_rejected(move: str) -> None:
    with pytest.raises(DecodeError, match=r"at `\$\.move`"):
        decode_from_bot(f'{{"type":"move","match":"7","ply":0,"move":{move}}}')


@loop_over("move", [0, -1, 2**63, 2**64, -(2**64), 10**4299])
def test_integers_of_any_size_are_decoded(move: int) -> None:
    assert decode_from_bot(encode(Move("7", 0, move))) == Move("7", 0, move)


def test_binary_frames_are_rejected_by_a_value_error() -> None:
    with pytest.raises(DecodeError, match="binary"):
        decode_from_bot(encode(Move("7", 0, 1)).encode())
    assert issubclass(DecodeError, ValueError)


@given(st.builds(Move, st.text(), st.integers(), st.integers()))
def test_every_move_survives_a_round_trip(move: Move) -> None:
    assert decode_from_bot(encode(move)) == move


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
fields = st.sampled_from(
    ["protocol", "name", "games", "matches", "session", "match", "ply", "move"]
)
nearly_messages = st.builds(
    lambda tag, values: json.dumps({"type": tag, **values}),
    st.sampled_from(["hello", "move", "resign", "turn"]),
    st.dictionaries(fields, json_values),
)


@given(st.text() | json_values.map(json.dumps) | nearly_messages)
def test_every_frame_is_decoded_or_rejected(frame: str) -> None:
    message = decode_or_none(frame)
    assert message is None or decode_or_none(encode(message)) == message


MOVE = '{"type":"move","match":"7","ply":2,"move":6,"log":"why","info":%s}'


@loop_over(
    "info, error",
    ("5", "Expected `object | null`, got `int` - at `$.info`"),
    ('{"depth":-1}', "Expected `int` >= 0 - at `$.info.depth`"),
    ('{"evaluation":"x"}', "Expected `float | null`, got `str` - at `$.info.evaluation`"),
    ('{"evaluation":1e400}', "Number out of range - at `$.info.evaluation`"),
    ('{"nodes":1.5}', "Expected `int | null`, got `float` - at `$.info.nodes`"),
    (json.dumps({"pv": [1] * 65}), "Expected `array` of length <= 64 - at `$.info.pv`"),
)
def test_invalid_info_leaves_the_move(info: str, error: str) -> None:
    with pytest.raises(InvalidInfo) as raised:
        decode_from_bot(MOVE % info)
    assert str(raised.value) == error
    assert raised.value.move == Move("7", 2, 6, "why")


def test_a_move_that_is_invalid_beside_its_info_is_rejected() -> None:
    with pytest.raises(DecodeError, match="ply") as raised:
        decode_from_bot('{"type":"move","match":"7","info":5,"ply":"x","move":6}')
    assert not isinstance(raised.value, InvalidInfo)


def test_unknown_fields_of_info_are_ignored() -> None:
    assert decode_from_bot(MOVE % '{"depth":3,"mood":"good"}') == Move(
        "7", 2, 6, "why", Info(depth=3)
    )


@loop_over("module", [module.name for module in iter_modules(protocol.__path__)])
def test_messages_cannot_be_changed_by_those_who_share_them(module: str) -> None:
    name = f"arena.protocol.{module}"
    members = [found for _, found in getmembers(import_module(name), isclass)]
    messages = [
        found for found in members if issubclass(found, Struct) and found.__module__ == name
    ]
    assert all(found.__struct_config__.frozen for found in messages if found.__name__[0] != "_")
