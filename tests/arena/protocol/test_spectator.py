"""What goes over the wire to those who watch, and what is refused."""

import pytest

from arena.model.results import Termination
from arena.protocol.player import Unreadable
from arena.protocol.spectator import (
    MAX_DEPTH,
    MAX_GAMES,
    Analyse,
    FindGames,
    FindRecord,
    FromViewer,
    Lobby,
    MatchOver,
    Met,
    Refusal,
    Result,
    Table,
    Tables,
    Watch,
    decode_from_viewer,
    encode,
)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ('{"type":"watch"}', Watch()),
        ('{"type":"watch","match":12,"more":1}', Watch(12)),
        ('{"type":"find_games","request":1}', FindGames(1)),
        ('{"type":"find_record","request":1,"match":2}', FindRecord(1, 2)),
        (
            '{"type":"analyse","request":1,"game":"chess","setup":{"size":8},"moves":[1],"depth":0}',
            Analyse(1, "chess", {"size": 8}, [1], 0),
        ),
    ],
)
def test_what_viewers_say_is_read(frame: str, message: FromViewer) -> None:
    assert decode_from_viewer(frame) == message


@pytest.mark.parametrize(
    "frame",
    [
        b'{"type":"watch"}',
        "",
        "{}",
        '{"type":"move"}',
        '{"type":"watch","match":"1"}',
        '{"type":"find_games"}',
        f'{{"type":"find_games","request":1,"limit":{MAX_GAMES + 1}}}',
        f'{{"type":"analyse","request":1,"game":"x","setup":{{}},"depth":{MAX_DEPTH + 1}}}',
        "[" * 100_000,
    ],
)
def test_what_makes_no_sense_is_refused(frame: str | bytes) -> None:
    with pytest.raises(Unreadable):
        decode_from_viewer(frame)


def test_what_has_not_changed_is_not_told() -> None:
    assert encode(Lobby(playing=2)) == '{"type":"lobby","playing":2}'


def test_a_meeting_is_an_array() -> None:
    table = Table("chess", 1, 0, "", "", [], [Met(0, 1, (3, 0), (0, 1), 1)], [])
    assert '"meetings":[[0,1,[3,0],[0,1],1]]' in encode(Tables([table]))


def test_a_refusal_without_a_question_says_so() -> None:
    text = '{"type":"error","code":"unreadable","message":"what?","request":null}'
    assert encode(Refusal("unreadable", "what?")) == text


def test_a_result_tells_of_a_fault_only_if_there_is_one() -> None:
    result = Result(1, 2, Termination.TIMEOUT, "late", 1.5)
    assert "fault" not in encode(MatchOver(result))
