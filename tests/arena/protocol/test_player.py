"""What goes over the wire, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.protocol.codec import DecodeError, decode_from_arena, decode_from_bot, encode
from arena.protocol.player import (
    Error,
    Finished,
    FromArena,
    FromBot,
    Hello,
    Move,
    Resign,
    Turn,
    Welcome,
)

HELLO = Hello(1, "greedy", ["take_stones"], 4, "key")
TURN = Turn("7", "take_stones", {"stones": 7}, [3, 6], 2, 1, (4987, 5000), 50, "bert", True)
FINISHED = Finished("7", 2, None, "aborted", "the arena was stopped", [3, 6])

FROM_BOT = [
    (
        HELLO,
        '{"type":"hello","protocol":1,"name":"greedy","games":["take_stones"],'
        '"matches":4,"session":"key","token":null,"casual":false}',
    ),
    (Move("7", 2, 6), '{"type":"move","match":"7","ply":2,"move":6}'),
    (Resign("7"), '{"type":"resign","match":"7"}'),
]

FROM_ARENA = [
    (
        Welcome(1, "greedy", "key"),
        '{"type":"welcome","protocol":1,"name":"greedy","session":"key"}',
    ),
    (
        TURN,
        '{"type":"turn","match":"7","game":"take_stones","setup":{"stones":7},"moves":[3,6],'
        '"ply":2,"you":1,"clocks_ms":[4987,5000],"increment_ms":50,"opponent":"bert",'
        '"per_move":true}',
    ),
    (
        FINISHED,
        '{"type":"finished","match":"7","you":2,"winner":null,"termination":"aborted",'
        '"reason":"the arena was stopped","moves":[3,6]}',
    ),
    (
        Error("wrong_ply", "late", "7"),
        '{"type":"error","code":"wrong_ply","message":"late","match":"7"}',
    ),
]

# A frame, and what is wrong with it.
UNREADABLE = [
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
    ('{"type":"hello","protocol":1,"name":" a","games":[]}', "no space around"),
    ('{"type":"hello","protocol":1,"name":"a ","games":[]}', "no space around"),
    ('{"type":"hello","protocol":1,"name":"a\\nb","games":[]}', "printable characters"),
    ('{"type":"hello","protocol":1,"name":"\\u001b[2J","games":[]}', "printable characters"),
    ('{"type":"hello","protocol":1,"name":"\\ud800","games":[]}', "surrogate"),
    ('{"type":"hello","protocol":1,"name":"a","games":[],"matches":0}', ">= 1"),
    ('{"type":"hello","protocol":1,"name":"a","games":[],"matches":1001}', "<= 1000"),
    ('{"type":"hello","protocol":1,"name":"a","games":[7]}', r"\$\.games\[0\]"),
    ("[" * 60000, "array"),
    ('{"type":"resign","match":"7","more":' + "[" * 60000, "recursion"),
]


def read(frame: str) -> FromBot | None:
    """The message in a frame, or None if it is unreadable."""
    try:
        return decode_from_bot(frame)
    except DecodeError:
        return None


@pytest.mark.parametrize(("message", "frame"), [*FROM_BOT, *FROM_ARENA])
def test_text_of_a_message(message: FromBot | FromArena, frame: str) -> None:
    assert encode(message) == frame


@pytest.mark.parametrize(("message", "frame"), FROM_BOT)
def test_the_arena_reads_what_a_bot_writes(message: FromBot, frame: str) -> None:
    assert decode_from_bot(frame) == message


@pytest.mark.parametrize(("message", "frame"), FROM_ARENA)
def test_a_bot_reads_what_the_arena_writes(message: FromArena, frame: str) -> None:
    assert decode_from_arena(frame) == message


@pytest.mark.parametrize(("_message", "frame"), FROM_ARENA)
def test_a_bot_does_not_speak_as_the_arena(_message: FromArena, frame: str) -> None:
    with pytest.raises(DecodeError, match="Invalid value"):
        decode_from_bot(frame)


@pytest.mark.parametrize(("_message", "frame"), FROM_BOT)
def test_the_arena_does_not_speak_as_a_bot(_message: FromBot, frame: str) -> None:
    with pytest.raises(DecodeError, match="Invalid value"):
        decode_from_arena(frame)


@pytest.mark.parametrize(("message", "frame"), FROM_BOT)
def test_unknown_fields_are_ignored(message: FromBot, frame: str) -> None:
    later = json.dumps({**json.loads(frame), "mood": {"good": True}})
    assert decode_from_bot(later) == message


def test_a_hello_may_leave_out_what_has_a_usual_value() -> None:
    frame = '{"type":"hello","protocol":1,"name":"greedy","games":[]}'
    assert decode_from_bot(frame) == Hello(1, "greedy", [], matches=1, session=None)


def test_clocks_are_banks_unless_it_is_said() -> None:
    facts = json.loads(encode(TURN))
    del facts["per_move"]
    assert decode_from_arena(json.dumps(facts)) == replace(TURN, per_move=False)


def test_an_error_may_concern_no_match() -> None:
    assert json.loads(encode(Error("unreadable", "what?")))["match"] is None


@pytest.mark.parametrize("name", ["a", "x" * 64, "spec:4#2", "Gärtner", "石頭", "two words", "🪨"])
def test_possible_name(name: str) -> None:
    hello = Hello(1, name, [])
    assert decode_from_bot(encode(hello)) == hello


def test_a_name_has_an_end() -> None:
    with pytest.raises(DecodeError, match="length <= 64"):
        decode_from_bot(encode(Hello(1, "x" * 65, [])))


@pytest.mark.parametrize(("frame", "fault"), UNREADABLE, ids=range(len(UNREADABLE)))
def test_unreadable(frame: str, fault: str) -> None:
    with pytest.raises(DecodeError, match=fault):
        decode_from_bot(frame)


@pytest.mark.parametrize("move", ["3.0", "1e1", "true", '"3"', "null", "[3]", "1e400", "9" * 4301])
def test_no_whole_number(move: str) -> None:
    with pytest.raises(DecodeError, match=r"at `\$\.move`"):
        decode_from_bot(f'{{"type":"move","match":"7","ply":0,"move":{move}}}')


@pytest.mark.parametrize("move", [0, -1, 2**63, 2**64, -(2**64), 10**4299])
def test_any_whole_number_is_read(move: int) -> None:
    assert decode_from_bot(encode(Move("7", 0, move))) == Move("7", 0, move)


def test_binary_frames_are_not_read() -> None:
    with pytest.raises(DecodeError, match="binary"):
        decode_from_bot(encode(HELLO).encode())


def test_unreadable_is_a_value_error() -> None:
    assert issubclass(DecodeError, ValueError)


@given(st.builds(Move, st.text(), st.integers(), st.integers()))
def test_every_move_comes_through(move: Move) -> None:
    assert decode_from_bot(encode(move)) == move


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
fields = st.sampled_from(
    ["protocol", "name", "games", "matches", "session", "match", "ply", "move"]
)
nearly_messages = st.builds(
    lambda tag, facts: json.dumps({"type": tag, **facts}),
    st.sampled_from(["hello", "move", "resign", "turn"]),
    st.dictionaries(fields, json_values),
)


@given(st.text() | json_values.map(json.dumps) | nearly_messages)
def test_a_frame_is_a_message_or_unreadable(frame: str) -> None:
    message = read(frame)
    assert message is None or read(encode(message)) == message
