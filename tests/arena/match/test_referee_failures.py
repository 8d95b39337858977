"""Referee: failures of programs that bots report."""

import pytest

from arena.match.referee import Referee
from arena.model.results import Pairing, Termination
from arena.model.time_control import TimeControl
from arena.protocol.codec import DecodeError, decode_from_bot, encode
from arena.protocol.player import Move, Resign
from tests.support.cases import loop_over

REASON = "player 2 (bert) failed: java ended with status 1"


@pytest.fixture
def referee() -> Referee:
    """Return the referee of a match in which player 2 is to move."""
    pairing = Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7})
    referee = Referee("m", pairing, TimeControl.parse("5"), 1.0)
    referee.start(0.0)
    referee.move(1, Move("m", 0, 3, log="not kept"), 1.0)
    assert referee.log == ""
    return referee


@pytest.mark.parametrize("termination", ["disconnect", "malformed", "timeout"])
def test_a_failure_is_a_forfeit(referee: Referee, termination: str) -> None:
    text = '{"type":"resign","match":"m","failure":{"termination":"%s","reason":"%s","log":"x"}}'
    message = decode_from_bot(text % (termination, "java ended with status 1"))
    assert isinstance(message, Resign)
    assert encode(message) == text % (termination, "java ended with status 1")
    referee.resign(2, message)
    assert referee.result
    assert (referee.result.termination, referee.result.reason) == (Termination(termination), REASON)
    assert referee.result.winner == 1
    assert referee.log == "x"


@pytest.mark.parametrize(("log", "kept"), [(None, ""), ("Move: 5", "Move: 5")])
def test_the_log_of_an_illegal_move_is_kept(referee: Referee, log: str | None, kept: str) -> None:
    referee.move(2, Move("m", 1, 5, log), 2.0)
    assert referee.result
    assert referee.result.termination is Termination.ILLEGAL_MOVE
    assert referee.log == kept


@loop_over(
    "failure",
    '{"termination":"resignation","reason":"x"}',
    '{"termination":"timeout","reason":""}',
    '{"termination":"timeout","reason":"two\\nlines"}',
    '{"termination":"timeout","reason":"%s"}' % ("x" * 201),
    '{"termination":"timeout","reason":"x","log":"%s"}' % ("x" * 4001),
    '{"termination":"timeout"}',
)
def test_invalid_failures(failure: str) -> None:
    with pytest.raises(DecodeError):
        decode_from_bot(f'{{"type":"resign","match":"m","failure":{failure}}}')


def test_defaults_are_not_sent() -> None:
    assert encode(Resign("m")) == '{"type":"resign","match":"m"}'
