"""Referee: terminations, faults, setup and opening."""

from collections.abc import Sequence
from functools import partial

import pytest

from arena.match.adjudicator import MAX_LAG
from arena.match.reasons import error_reason, shorten_numbers
from arena.match.referee import Referee
from arena.model.results import Fault, MatchResult, Pairing, Termination
from arena.protocol.player import Finished, Move, Turn
from core import GAMES
from core.game import IllegalMove, Outcome
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.games.toy_games import NIM, Heap
from tests.support.tournaments.scenarios import (
    ABORTED,
    CONTROL,
    DISCONNECT,
    GRACE,
    ILLEGAL_MOVE,
    MALFORMED,
    MAX_CREDIT,
    NO_LEGAL_MOVE,
    RESIGNATION,
    TIMEOUT,
    Event,
    Scenario,
    abort,
    disconnect,
    game,
    new_match,
    play,
    reconnect,
    resign,
    send_unreadable,
    tick,
)

ANNA, BERT = "player 1 (anna)", "player 2 (bert)"

# Events in a match with 7 stones, then termination, winner and reason.
ANNA_LATE = TIMEOUT, 2, f"{ANNA} has used up its time"
BERT_LATE = TIMEOUT, 1, f"{BERT} has used up its time"
ANNA_GONE = DISCONNECT, 2, f"{ANNA} was disconnected for 5 s"
BERT_GONE = DISCONNECT, 1, f"{BERT} was disconnected for 5 s"
ANNA_GONE_TOO_LONG = DISCONNECT, 2, f"{ANNA} was gone when its time ran out"
ANNA_UNREADABLE = MALFORMED, 2, f"{ANNA} sent 3 unreadable messages"
LATE_ARENA = ABORTED, None, "the arena was late by 0.500 s when a flag fell"
ENDINGS: dict[str, tuple[Sequence[Event], Termination, int | None, str]] = {
    "1 cannot move": (game(3, 6, 2, 4, 1, 7), NO_LEGAL_MOVE, 2, f"{ANNA} cannot move"),
    "2 cannot move": (game(1, 4, 2, 6, 3), NO_LEGAL_MOVE, 1, f"{BERT} cannot move"),
    "illegal move": (
        game(3, 6, 3),
        ILLEGAL_MOVE,
        2,
        f"{ANNA} made an illegal move 3: stone 3 has already been taken",
    ),
    "out of time at a move": ([play(1, 3, at=10)], *ANNA_LATE),
    "2 out of time at a move": ([play(1, 3, at=9), play(2, 6, at=19)], *BERT_LATE),
    "out of time with an illegal move": ([play(1, 2, at=10)], *ANNA_LATE),
    "out of time despite the maximum credit": ([play(1, 3, at=10.125, credit=5)], *ANNA_LATE),
    "no move": ([tick(10 + MAX_CREDIT)], *ANNA_LATE),
    "no move of player 2": ([play(1, 3, at=9), tick(19 + MAX_CREDIT)], *BERT_LATE),
    "only a rejected move": ([play(1, 3, at=3, ply=7), tick(10 + MAX_CREDIT)], *ANNA_LATE),
    "out of time while the opponent is disconnected": (
        [disconnect(2, at=9), tick(10 + MAX_CREDIT)],
        *ANNA_LATE,
    ),
    "disconnected on its turn": ([disconnect(1, at=2), tick(7)], *ANNA_GONE),
    "disconnected on the opponent's turn": ([disconnect(2, at=2), tick(7)], *BERT_GONE),
    "disconnected when its time runs out": (
        [disconnect(1, at=8), tick(10 + MAX_CREDIT)],
        *ANNA_GONE_TOO_LONG,
    ),
    "both disconnected": ([disconnect(2, at=1), disconnect(1, at=2), tick(6)], *BERT_GONE),
    "disconnected twice": (
        [disconnect(1, at=0), reconnect(1, at=1), disconnect(1, at=2), tick(5), tick(7)],
        *ANNA_GONE,
    ),
    "reconnected and out of time": (
        [disconnect(1, at=6), reconnect(1, at=9), tick(10 + MAX_CREDIT)],
        *ANNA_LATE,
    ),
    "resignation on its turn": ([resign(1)], RESIGNATION, 2, f"{ANNA} resigned"),
    "resignation on the opponent's turn": ([resign(2)], RESIGNATION, 1, f"{BERT} resigned"),
    "unreadable messages": ([send_unreadable(1)] * 3, *ANNA_UNREADABLE),
    "unreadable messages on the opponent's turn": (
        [send_unreadable(2)] * 3,
        MALFORMED,
        1,
        f"{BERT} sent 3 unreadable messages",
    ),
    "unreadable messages between moves": (
        [
            send_unreadable(1),
            *game(3, 6),
            send_unreadable(1),
            send_unreadable(2),
            send_unreadable(1),
        ],
        *ANNA_UNREADABLE,
    ),
    "aborted": ([abort("power failure")], ABORTED, None, "power failure"),
    "move after lag": ([play(1, 3, at=10.5, lag=0.5)], *LATE_ARENA),
    "illegal move after lag": ([play(1, 2, at=10.5, lag=0.5)], *LATE_ARENA),
    "move after lag without an excuse": ([play(1, 3, at=10.5, lag=0.5, excuse=0.25)], *ANNA_LATE),
    "deadline after lag": (
        [tick(11, lag=0.90625)],
        ABORTED,
        None,
        "the arena was late by 0.906 s when a flag fell",
    ),
    "late deadline without an excuse": ([tick(11, lag=0.90625, excuse=0.0)], *ANNA_LATE),
    "move after the least lag that aborts": (
        [play(1, 3, at=10, lag=MAX_LAG)],
        ABORTED,
        None,
        "the arena was late by 0.100 s when a flag fell",
    ),
    "move after too little lag": ([play(1, 3, at=10, lag=MAX_LAG - 1e-9)], *ANNA_LATE),
    "move later than the lag": ([play(1, 3, at=10.5, lag=0.5 - 1e-9)], *ANNA_LATE),
    "deadline later than the lag": ([tick(11, lag=0.875)], *ANNA_LATE),
    "lag while a player is disconnected": (
        [disconnect(1, at=8), tick(10 + MAX_CREDIT, lag=0.5)],
        *LATE_ARENA,
    ),
    "deadline of a disconnected player later than the lag": (
        [disconnect(1, at=8), tick(11, lag=0.875)],
        *ANNA_GONE_TOO_LONG,
    ),
}

# Events that do not end a match.
HARMLESS: dict[str, Sequence[Event]] = {
    "no events": [],
    "move just in time": [play(1, 3, at=9.984375)],
    "move in time thanks to the credit": [play(1, 3, at=10.03125, credit=0.0625)],
    "move in time thanks to the increment": [*game(3, 6), play(1, 2, at=11.984375)],
    "tick within the maximum credit": [tick(10.0625)],
    "two unreadable messages each": [send_unreadable(1), send_unreadable(2)] * 2,
    "reconnected in time": [disconnect(1, at=0), tick(4.984375), reconnect(1, at=5), tick(6)],
    "reconnected in time on the opponent's turn": [
        disconnect(2, at=0),
        reconnect(2, at=4),
        tick(6),
    ],
    "reconnected without a disconnection": [reconnect(1, at=1), reconnect(2, at=1)],
    "lag without a timeout": [play(1, 3, at=9, lag=5), tick(10, lag=5)],
    "rejected moves": [play(2, 3), play(1, 2, ply=1), play(2, 99, ply=-1)],
}

# Illegal moves: number of stones, moves so far, the illegal move.
ILLEGAL: list[tuple[int, Taken, int]] = [
    (7, (), 2),  # the first stone must be odd
    (7, (3, 6), 4),  # neither a factor nor a multiple
    (7, (3, 6, 2), 6),  # already taken
    (7, (3,), 0),  # not a stone
    (7, (3,), 2**64 + 6),
    (7, (3,), -(2**64) + 6),
    (7, (3,), 6 * 10**4298),
]


@loop_over(("events", "termination", "winner", "reason"), ENDINGS.values())
def test_match_ends(
    events: Sequence[Event], termination: Termination, winner: int | None, reason: str
) -> None:
    assert Scenario(*events).referee.result == MatchResult(termination, winner, reason)


@loop_over(
    "move, shown",
    (10**19, "10000000000000000000"),
    (10**20, "1000000000... (21 digits)"),
    (-(10**20), "-1000000000... (21 digits)"),
    (10**4299, "1000000000... (4300 digits)"),
)
def test_the_reason_has_the_first_digits_of_a_long_number(move: int, shown: str) -> None:
    result = Scenario(play(1, move)).referee.result
    assert result
    assert f"stone {shown} does not exist" in result.reason


def test_names_stay_as_they_are() -> None:
    name = "1" * 64
    referee = Referee("m", Pairing(1, (name, "bert"), "take_stones", {"stones": 7}), CONTROL, GRACE)
    referee.start(0.0)
    referee.move(1, Move("m", 0, 2), 0.1)
    assert referee.result
    assert referee.result.reason.startswith(f"player 1 ({name}) made an illegal move")
    pairing = Pairing(1, ("player 2", "player 1"), "take_stones", {"stones": 2})
    referee = Referee("m", pairing, CONTROL, GRACE)
    referee.start(0.0)
    assert referee.result
    assert referee.result.reason == "player 1 (player 2) cannot move"


@pytest.mark.usefixtures("toy_games")
@loop_over(
    "game, moves, winner, reason",
    ("misere_nim", (1, 3), 1, f"{BERT} has taken the last one"),
    ("misere_nim", (1, 2, 1), 2, f"{ANNA} has taken the last one"),
    ("drawn_nim", (1, 3), None, f"{BERT} has taken the last three"),
    ("drawn_nim", (1, 2, 1), 2, f"{ANNA} has taken the last one"),
)
def test_the_game_decides(game: str, moves: Sequence[int], winner: int | None, reason: str) -> None:
    pairing = Pairing(1, ("anna", "bert"), game, {"heap": 4})
    referee = Referee("m", pairing, CONTROL, GRACE)
    referee.start(0.0)
    for ply, move in enumerate(moves):
        referee.move(1 + ply % 2, Move("m", ply, move), 0.1)
    assert referee.result == MatchResult(Termination.GAME_OVER, winner, reason)
    assert referee.finished_message(1).winner == winner


@loop_over(
    "outcome, error",
    (Outcome(0, "player 1 wins"), "the winner of an outcome must be 1, 2 or None, not 0"),
    (Outcome(1, "late", "timeout"), "an outcome cannot have the termination 'timeout'"),
    (Outcome(None, "stuck", "no_legal_move"), "no_legal_move must have a winner"),
    (Outcome(1, "two\nlines"), "must be one line of text, not 'two"),
    (Outcome(1, "\ud800"), "must be one line of text"),
)
def test_invalid_outcomes(outcome: Outcome, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Heap):
        @property
        def outcome(self) -> Outcome | None:
            return outcome if self.is_over else None

    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(position=partial(Broken, 1)))
    referee = Referee("m", Pairing(1, ("anna", "bert"), NIM.name, {}), CONTROL, GRACE)
    referee.start(0.0)
    with pytest.raises(ValueError, match=error):
        referee.move(1, Move("m", 0, 1), 0.1)


def test_a_legal_move_beyond_64_bits_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Heap):
        def legal_moves(self) -> list[int]:
            return [2**63]

    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(position=partial(Broken, 2**64)))
    referee = Referee("m", Pairing(1, ("anna", "bert"), NIM.name, {}), CONTROL, GRACE)
    referee.start(0.0)
    with pytest.raises(ValueError, match="has more than 64 bits"):
        referee.move(1, Move("m", 0, 2**63), 0.1)


@loop_over(
    "error, reason", [(ValueError("no"), "ValueError: no"), (KeyError("a\nb"), "KeyError: 'a\\nb'")]
)
def test_the_reason_of_an_error_is_one_line(error: Exception, reason: str) -> None:
    assert error_reason(error) == reason
    assert error_reason(ValueError("a\nb\ud800")) == r"ValueError: a\nb\ud800"


def test_every_termination_is_in_the_table() -> None:
    found = {termination for _, termination, _, _ in ENDINGS.values()}
    assert found == {*Termination} - {Termination.GAME_OVER}  # which our games do not have


@loop_over("events", HARMLESS.values())
def test_match_goes_on(events: Sequence[Event]) -> None:
    referee = Scenario(*events).referee
    assert (referee.result, referee.fault) == (None, None)


@loop_over(("stones", "taken", "stone"), ILLEGAL)
def test_illegal_move_loses_and_is_not_recorded(stones: int, taken: Taken, stone: int) -> None:
    scenario = Scenario(*game(*taken, stone), stones=stones)
    assert scenario.ending == (ILLEGAL_MOVE, 1 + (len(taken) + 1) % 2)
    assert tuple(move.move for move in scenario.referee.moves) == taken
    assert scenario.referee.result
    reason = f"made an illegal move {len(taken) + 1}: stone {stone} "
    assert shorten_numbers(reason) in scenario.referee.result.reason


@loop_over(("stones", "opening"), [(1, ()), (2, ()), (7, (1, 7))])
def test_a_match_may_be_over_at_its_start(stones: int, opening: tuple[int, ...]) -> None:
    scenario = Scenario(stones=stones, opening=opening)
    assert (scenario.ending, scenario.sent) == ((NO_LEGAL_MOVE, 2), [])


# Faults


LATE = Fault(0, None, 11.0, MAX_CREDIT, 11.0 - MAX_CREDIT, 0.0)


@loop_over(
    "events, fault",
    ([*game(3, 6), play(1, 6, at=3, lag=0.5)], Fault(2, 6, 3.0, 0.0, 3.0, 0.5)),
    (
        [*game(3, 6), play(1, 10**30, at=3, credit=0.0625)],
        Fault(2, 10**30, 3.0, 0.0625, 2.9375, 0.0),
    ),
    ([*game(3, 6), play(1, 2, at=12)], Fault(2, 2, 12.0, 0.0, 12.0, 0.0)),
    ([*game(3, 6), play(1, 6, at=13, lag=0.25)], Fault(2, 6, 13.0, 0.0, 13.0, 0.25)),
    ([*game(3, 6), play(1, 2, at=13, lag=5)], Fault(2, 2, 13.0, 0.0, 13.0, 5.0)),
    ([*game(3, 6), tick(13)], Fault(2, None, 13.0, MAX_CREDIT, 13.0 - MAX_CREDIT, 0.0)),
    ([*game(3, 6), tick(13, lag=5)], Fault(2, None, 13.0, MAX_CREDIT, 13.0 - MAX_CREDIT, 5.0)),
    ([disconnect(1, at=8), tick(11)], LATE),
)
def test_fault_is_recorded(events: Sequence[Event], fault: Fault) -> None:
    referee = Scenario(*events).referee
    assert referee.fault == fault
    assert [move.move for move in referee.moves] == [3, 6][: fault.ply]


@loop_over(
    "ending",
    "1 cannot move",
    "disconnected on its turn",
    "resignation on its turn",
    "unreadable messages",
    "aborted",
)
def test_no_fault_with_other_terminations(ending: str) -> None:
    assert Scenario(*ENDINGS[ending][0]).referee.fault is None


# Setup and opening


def test_a_setup_or_an_opening_that_cannot_start() -> None:
    referee = Referee(
        "m", Pairing(1, ("anna", "bert"), "take_stones", {"stones": 0}), CONTROL, GRACE
    )
    with pytest.raises(ValueError, match="n must be at least 1, not 0"):
        referee.start(0.0)
    referee = new_match(opening=(3, 3))
    with pytest.raises(IllegalMove, match="stone 3 has already been taken"):
        referee.start(0.0)
    referee.abort("no such opening")
    expected = Finished("m", 1, None, "aborted", "no such opening", [3, 3])
    assert referee.finished_message(1) == expected


@loop_over("name", GAMES)
def test_match_starts_in_every_game(name: str) -> None:
    setup = {parameter: facts.usual[0] for parameter, facts in GAMES[name].parameters.items()}
    referee = Referee("m", Pairing(1, ("anna", "bert"), name, setup), CONTROL, GRACE)
    [(player, turn)] = referee.start(0.0)
    assert isinstance(turn, Turn)
    assert (player, turn.game, turn.setup) == (1, name, setup)
