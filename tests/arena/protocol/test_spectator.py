"""Messages between the arena and a spectator."""

import json

import pytest

from arena.model.results import MAX_PARAMETERS, Termination
from arena.protocol.codec import DecodeError, encode
from arena.protocol.positions import MAX_DEPTH, MAX_STEPS, MAX_TREE
from arena.protocol.spectator import (
    MAX_GAMES,
    Analyse,
    ErrorReply,
    FindGames,
    FindRecord,
    FromSpectator,
    HeadToHead,
    Leaderboard,
    Leaderboards,
    Lobby,
    MatchFinished,
    Result,
    Watch,
    decode_from_spectator,
)
from tests.support.cases import loop_over

TOO_MANY = {f"parameter {number}": 1 for number in range(MAX_PARAMETERS + 1)}


@loop_over(
    "frame, message",
    ('{"type":"watch"}', Watch()),
    ('{"type":"watch","match":12,"more":1}', Watch(12)),
    ('{"type":"find_games","request":1}', FindGames(1)),
    ('{"type":"find_record","request":1,"match":2}', FindRecord(1, 2)),
    (
        '{"type":"analyse","request":1,"game":"chess","setup":{"size":8},"moves":[1],"depth":0}',
        Analyse(1, "chess", {"size": 8}, [1], 0),
    ),
)
def test_message_of_a_spectator_is_decoded(frame: str, message: FromSpectator) -> None:
    assert decode_from_spectator(frame) == message


@loop_over(
    "frame",
    b'{"type":"watch"}',
    "",
    "{}",
    '{"type":"move"}',
    '{"type":"watch","match":"1"}',
    '{"type":"find_games"}',
    f'{{"type":"find_games","request":1,"limit":{MAX_GAMES + 1}}}',
    f'{{"type":"find_games","request":1,"setup":{json.dumps(TOO_MANY)}}}',
    f'{{"type":"analyse","request":1,"game":"x","setup":{{}},"depth":{MAX_DEPTH + 1}}}',
    f'{{"type":"trace","request":1,"search":{{"tree":"{"1" * (MAX_TREE + 1)}"}}}}',
    f'{{"type":"explain_steps","request":1,"search":{{}},"first":0,"count":{MAX_STEPS + 1}}}',
    "[" * 100_000,
)
def test_invalid_frames_are_rejected(frame: str | bytes) -> None:
    with pytest.raises(DecodeError):
        decode_from_spectator(frame)


def test_what_is_absent_is_omitted_or_null() -> None:
    assert encode(Lobby(playing=2)) == '{"type":"lobby","playing":2}'
    leaderboard = Leaderboard("chess", 1, 0, "", "", [], [HeadToHead(0, 1, (3, 0), (0, 1), 1)])
    assert '"meetings":[[0,1,[3,0],[0,1],1,[0,0]]]' in encode(Leaderboards([leaderboard]))
    text = '{"type":"error","code":"unreadable","message":"what?","request":null}'
    assert encode(ErrorReply("unreadable", "what?")) == text
    result = Result(1, 2, Termination.TIMEOUT, "late", 1.5)
    assert "fault" not in encode(MatchFinished(result))
