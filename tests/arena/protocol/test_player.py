"""Messages between the arena and a bot."""

import json

import pytest
from msgspec.structs import replace

from arena.model.results import Info
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
from tests.support.cases import loop_over

HELLO = Hello(1, "greedy", ["take_stones"], 4, "key")
TURN = Turn(
    "7", "take_stones", {"stones": 7}, [3, 6], 2, 1, (4987, 5000), 50, "bert", True, 50, False
)
FINISHED = Finished("7", 2, None, "aborted", "the arena was stopped", [3, 6])

FROM_BOT = [
    (
        HELLO,
        '{"type":"hello","protocol":1,"name":"greedy","games":["take_stones"],'
        '"matches":4,"session":"key","token":null,"casual":false}',
    ),
    (Move("7", 2, 6), '{"type":"move","match":"7","ply":2,"move":6}'),
    (
        Move("7", 2, 6, info=Info(0.5, 4, pv=(6, 2))),
        '{"type":"move","match":"7","ply":2,"move":6,'
        '"info":{"evaluation":0.5,"depth":4,"pv":[6,2]}}',
    ),
    (Resign("7"), '{"type":"resign","match":"7"}'),
]

FROM_ARENA = [
    (
        Welcome(1, "greedy", "key", 5.0, 0.1),
        '{"type":"welcome","protocol":1,"name":"greedy","session":"key","grace":5.0,"margin":0.1}',
    ),
    (
        TURN,
        '{"type":"turn","match":"7","game":"take_stones","setup":{"stones":7},"moves":[3,6],'
        '"ply":2,"you":1,"clocks_ms":[4987,5000],"increment_ms":50,"opponent":"bert",'
        '"per_move":true,"opponent_increment_ms":50,"opponent_per_move":false}',
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


@loop_over(("message", "frame"), [*FROM_BOT, *FROM_ARENA])
def test_message_is_encoded(message: FromBot | FromArena, frame: str) -> None:
    assert encode(message) == frame


@loop_over(("message", "frame"), FROM_BOT)
def test_message_of_a_bot_is_decoded(message: FromBot, frame: str) -> None:
    assert decode_from_bot(frame) == message


@loop_over(("message", "frame"), FROM_ARENA)
def test_message_of_the_arena_is_decoded(message: FromArena, frame: str) -> None:
    assert decode_from_arena(frame) == message


@loop_over("frame", [frame for _, frame in FROM_ARENA])
def test_bot_cannot_send_messages_of_the_arena(frame: str) -> None:
    with pytest.raises(DecodeError, match="Invalid value"):
        decode_from_bot(frame)


@loop_over("frame", [frame for _, frame in FROM_BOT])
def test_arena_cannot_send_messages_of_a_bot(frame: str) -> None:
    with pytest.raises(DecodeError, match="Invalid value"):
        decode_from_arena(frame)


@loop_over(("message", "frame"), FROM_BOT)
def test_unknown_fields_are_ignored(message: FromBot, frame: str) -> None:
    later = json.dumps({**json.loads(frame), "mood": {"good": True}})
    assert decode_from_bot(later) == message


def test_messages_have_defaults() -> None:
    frame = '{"type":"hello","protocol":1,"name":"greedy","games":[]}'
    assert decode_from_bot(frame) == Hello(1, "greedy", [], matches=1, session=None)
    values = json.loads(encode(TURN))
    del values["per_move"]
    assert decode_from_arena(json.dumps(values)) == replace(TURN, per_move=False)
    assert json.loads(encode(Error("unreadable", "what?")))["match"] is None


def test_too_long_names_are_rejected() -> None:
    with pytest.raises(DecodeError, match="length <= 64"):
        decode_from_bot(encode(Hello(1, "x" * 65, [])))
