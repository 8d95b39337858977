"""The referee: how matches end, what players are told, and what nobody thought of."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.referee import LATE, Referee, Outgoing
from arena.model.clock import MAX_CREDIT, TimeControl
from arena.model.results import Fault, MatchResult, Pairing, PlayedMove, Termination
from arena.protocol.player import Error, Finished, FromArena, Move, Resign, TakeBackAsked, Turn
from core import GAMES
from core.game import IllegalMove
from tests.support.reference import Taken, legal_moves, player_to_move

CONTROL = TimeControl(10, 2)
GRACE = 5.0

Event = Callable[[Referee], Outgoing | None]


def new_match(
    stones: int = 7,
    opening: Taken = (),
    control: TimeControl = CONTROL,
    casual: bool = False,
    yielding: Collection[int] = (),
) -> Referee:
    """A match that has not begun."""
    setup = {"stones": stones}
    pairing = Pairing(1, ("anna", "bert"), "take_stones", setup, opening, casual)
    return Referee("m", pairing, control, GRACE, yielding)


class Played:
    """A match begun at 0, in which some things have happened, and all that was told."""

    def __init__(
        self,
        *events: Event,
        stones: int = 7,
        opening: Taken = (),
        control: TimeControl = CONTROL,
        casual: bool = False,
        yielding: Collection[int] = (),
    ) -> None:
        self.match = new_match(stones, opening, control, casual, yielding)
        self.told = self.match.start(0.0)
        for event in events:
            self.told += event(self.match) or []

    @property
    def ending(self) -> tuple[Termination, int | None] | None:
        result = self.match.result
        return (result.termination, result.winner) if result else None


def moves(
    player: int,
    stone: int,
    at: float = 0.0,
    credit: float = 0.0,
    ply: int | None = None,
    lag: float = 0.0,
) -> Event:
    """A move arrives, for the ply that is due unless another is given."""
    return lambda match: match.move(
        player, Move("m", match.ply if ply is None else ply, stone), at, credit, lag
    )


def game(*stones: int) -> list[Event]:
    """The players take these stones in turn, in no time."""
    return [moves(1 + ply % 2, stone) for ply, stone in enumerate(stones)]


def resigns(player: int) -> Event:
    return lambda match: match.resign(player, Resign("m"))


def garbles(player: int) -> Event:
    return lambda match: match.unreadable(player)


def goes(player: int, at: float) -> Event:
    return lambda match: match.disconnected(player, at)


def comes(player: int, at: float) -> Event:
    return lambda match: match.reconnected(player, at)


def time_is(now: float, lag: float = 0.0) -> Event:
    return lambda match: match.tick(now, lag)


def takes_back(player: int, at: float = 0.0) -> Event:
    return lambda match: match.take_back(player, at)


def aborts(cause: str) -> Event:
    return lambda match: match.abort(cause)


NO_LEGAL_MOVE = Termination.NO_LEGAL_MOVE
ILLEGAL_MOVE = Termination.ILLEGAL_MOVE
TIMEOUT = Termination.TIMEOUT
DISCONNECT = Termination.DISCONNECT
RESIGNATION = Termination.RESIGNATION
MALFORMED = Termination.MALFORMED
ABORTED = Termination.ABORTED

ANNA, BERT = "player 1 (anna)", "player 2 (bert)"

# What happens in a match with 7 stones, how it ends, who wins, and what the referee says.
ENDINGS: dict[str, tuple[Sequence[Event], Termination, int | None, str]] = {
    "1 cannot move": (game(3, 6, 2, 4, 1, 7), NO_LEGAL_MOVE, 2, f"{ANNA} cannot move"),
    "2 cannot move": (game(1, 4, 2, 6, 3), NO_LEGAL_MOVE, 1, f"{BERT} cannot move"),
    "a stone twice": (
        game(3, 6, 3),
        ILLEGAL_MOVE,
        2,
        f"{ANNA} made an illegal move 3: stone 3 has already been taken",
    ),
    "out of time at a move": ([moves(1, 3, at=10)], TIMEOUT, 2, f"{ANNA} has used up its time"),
    "2 out of time at a move": (
        [moves(1, 3, at=9), moves(2, 6, at=19)],
        TIMEOUT,
        1,
        f"{BERT} has used up its time",
    ),
    "out of time with an illegal move": (
        [moves(1, 2, at=10)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "out of time for all the credit there is": (
        [moves(1, 3, at=10.125, credit=5)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "never answers": ([time_is(10 + MAX_CREDIT)], TIMEOUT, 2, f"{ANNA} has used up its time"),
    "2 never answers": (
        [moves(1, 3, at=9), time_is(19 + MAX_CREDIT)],
        TIMEOUT,
        1,
        f"{BERT} has used up its time",
    ),
    "answers only what is refused": (
        [moves(1, 3, at=3, ply=7), time_is(10 + MAX_CREDIT)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "out of time while the other is gone": (
        [goes(2, at=9), time_is(10 + MAX_CREDIT)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "gone on its turn": (
        [goes(1, at=2), time_is(7)],
        DISCONNECT,
        2,
        f"{ANNA} was disconnected for 5 s",
    ),
    "gone on the other's turn": (
        [goes(2, at=2), time_is(7)],
        DISCONNECT,
        1,
        f"{BERT} was disconnected for 5 s",
    ),
    "gone when its time runs out": (
        [goes(1, at=8), time_is(10 + MAX_CREDIT)],
        DISCONNECT,
        2,
        f"{ANNA} was gone when its time ran out",
    ),
    "both gone": (
        [goes(2, at=1), goes(1, at=2), time_is(6)],
        DISCONNECT,
        1,
        f"{BERT} was disconnected for 5 s",
    ),
    "back and gone again": (
        [goes(1, at=0), comes(1, at=1), goes(1, at=2), time_is(5), time_is(7)],
        DISCONNECT,
        2,
        f"{ANNA} was disconnected for 5 s",
    ),
    "back and out of time": (
        [goes(1, at=6), comes(1, at=9), time_is(10 + MAX_CREDIT)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "resigns on its turn": ([resigns(1)], RESIGNATION, 2, f"{ANNA} resigned"),
    "resigns on the other's turn": ([resigns(2)], RESIGNATION, 1, f"{BERT} resigned"),
    "unreadable": ([garbles(1)] * 3, MALFORMED, 2, f"{ANNA} sent 3 unreadable messages"),
    "unreadable on the other's turn": (
        [garbles(2)] * 3,
        MALFORMED,
        1,
        f"{BERT} sent 3 unreadable messages",
    ),
    "unreadable now and then": (
        [garbles(1), *game(3, 6), garbles(1), garbles(2), garbles(1)],
        MALFORMED,
        2,
        f"{ANNA} sent 3 unreadable messages",
    ),
    "aborted": ([aborts("the power failed")], ABORTED, None, "the power failed"),
    "the arena is late with a move": (
        [moves(1, 3, at=10.5, lag=0.5)],
        ABORTED,
        None,
        "the arena was late by 0.500 s when a flag fell",
    ),
    "the arena is late with an illegal move": (
        [moves(1, 2, at=10.5, lag=0.5)],
        ABORTED,
        None,
        "the arena was late by 0.500 s when a flag fell",
    ),
    "the arena is late with the clock": (
        [time_is(11, lag=0.90625)],
        ABORTED,
        None,
        "the arena was late by 0.906 s when a flag fell",
    ),
    "the arena is a little late with a move": (
        [moves(1, 3, at=10, lag=LATE)],
        ABORTED,
        None,
        "the arena was late by 0.100 s when a flag fell",
    ),
    "the arena is not late enough with a move": (
        [moves(1, 3, at=10, lag=LATE - 1e-9)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "the arena is less late than a move": (
        [moves(1, 3, at=10.5, lag=0.5 - 1e-9)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "the arena is less late than the clock": (
        [time_is(11, lag=0.875)],
        TIMEOUT,
        2,
        f"{ANNA} has used up its time",
    ),
    "the arena is late while a player is gone": (
        [goes(1, at=8), time_is(10 + MAX_CREDIT, lag=0.5)],
        ABORTED,
        None,
        "the arena was late by 0.500 s when a flag fell",
    ),
    "the arena is less late than the clock of a player that is gone": (
        [goes(1, at=8), time_is(11, lag=0.875)],
        DISCONNECT,
        2,
        f"{ANNA} was gone when its time ran out",
    ),
}

# What is not enough to end a match.
HARMLESS: dict[str, Sequence[Event]] = {
    "nothing": [],
    "a moment before the time is up": [moves(1, 3, at=9.984375)],
    "saved by the credit": [moves(1, 3, at=10.03125, credit=0.0625)],
    "saved by the increment of a move before": [*game(3, 6), moves(1, 2, at=11.984375)],
    "the clock may still be saved by the credit": [time_is(10.0625)],
    "two unreadable messages each": [garbles(1), garbles(2)] * 2,
    "gone for a while": [goes(1, at=0), time_is(4.984375), comes(1, at=5), time_is(6)],
    "gone for a while on the other's turn": [goes(2, at=0), comes(2, at=4), time_is(6)],
    "back without having gone": [comes(1, at=1), comes(2, at=1)],
    "the arena is late, but the flag stands": [moves(1, 3, at=9, lag=5), time_is(10, lag=5)],
    "refused moves": [moves(2, 3), moves(1, 2, ply=1), moves(2, 99, ply=-1)],
}

# Stones that may not be taken: how many there are, what has been taken, and the stone.
ILLEGAL: list[tuple[int, Taken, int]] = [
    (7, (), 2),  # the first is odd,
    (20, (), 8),
    (7, (), 5),  # and below half
    (6, (), 3),  # which is not half itself
    (10, (), 5),
    (7, (3,), 2),  # neither a factor nor a multiple
    (7, (3, 6), 4),
    (7, (3,), 3),  # taken already
    (7, (3, 1), 3),
    (7, (3, 6, 2), 6),
    (7, (), 0),  # there is no such stone
    (7, (), -1),
    (7, (3,), 9),
    (7, (3,), -3),
    (7, (3,), 0),
    (7, (), 2**63),
    (7, (), 2**64 + 1),
    (7, (3,), 2**64 + 6),
    (7, (3,), -(2**64) + 6),
    (7, (3,), 6 * 10**4298),
]

REFUSED: dict[str, tuple[Event, int, str, str]] = {
    "late": (moves(1, 3, ply=0), 1, "wrong_ply", "ply 0 is not the next, which is 2"),
    "repeated": (moves(2, 6, ply=1), 2, "wrong_ply", "ply 1 is not the next, which is 2"),
    "early": (moves(1, 2, ply=3), 1, "wrong_ply", "ply 3 is not the next, which is 2"),
    "never": (moves(1, 2, ply=-1), 1, "wrong_ply", "ply -1 is not the next, which is 2"),
    "out of turn": (moves(2, 2), 2, "not_your_turn", "ply 2 is not yours"),
}

EVENTS = {
    "move": moves(1, 2, at=1),
    "illegal move": moves(1, 5, at=1),
    "move out of turn": moves(2, 2, at=1),
    "resignation": resigns(1),
    "unreadable": garbles(1),
    "gone": goes(1, at=1),
    "back": comes(1, at=1),
    "time": time_is(1000),
    "take-back": takes_back(1),
    "abort": aborts("too late"),
}


@pytest.mark.parametrize(
    ("events", "termination", "winner", "reason"), ENDINGS.values(), ids=ENDINGS
)
def test_ending(
    events: Sequence[Event], termination: Termination, winner: int | None, reason: str
) -> None:
    assert Played(*events).match.result == MatchResult(termination, winner, reason)


def test_every_termination_is_in_the_table() -> None:
    assert {termination for _, termination, _, _ in ENDINGS.values()} == {*Termination}


@pytest.mark.parametrize("events", HARMLESS.values(), ids=HARMLESS)
def test_not_ended(events: Sequence[Event]) -> None:
    assert Played(*events).match.result is None


@pytest.mark.parametrize(("stones", "taken", "stone"), ILLEGAL)
def test_illegal_move(stones: int, taken: Taken, stone: int) -> None:
    played = Played(*game(*taken, stone), stones=stones)
    assert played.ending == (ILLEGAL_MOVE, 1 + (len(taken) + 1) % 2)


@pytest.mark.parametrize(("stones", "taken", "stone"), ILLEGAL)
def test_reason_of_an_illegal_move(stones: int, taken: Taken, stone: int) -> None:
    result = Played(*game(*taken, stone), stones=stones).match.result
    assert result
    assert f"made an illegal move {len(taken) + 1}: stone {stone} " in result.reason


@pytest.mark.parametrize(("stones", "taken", "stone"), ILLEGAL)
def test_an_illegal_move_is_not_recorded(stones: int, taken: Taken, stone: int) -> None:
    played = Played(*game(*taken, stone), stones=stones)
    assert tuple(move.move for move in played.match.moves) == taken


@pytest.mark.parametrize("stones", [1, 2])
def test_player_1_loses_at_once_when_no_stone_may_be_first(stones: int) -> None:
    assert Played(stones=stones).ending == (NO_LEGAL_MOVE, 2)


def test_nobody_is_told_of_the_end() -> None:
    assert Played(stones=1).told == []


def test_an_opening_may_leave_nothing_to_play() -> None:
    assert Played(stones=7, opening=(1, 7)).ending == (NO_LEGAL_MOVE, 2)


# What players are told


def test_player_1_is_told_to_begin() -> None:
    turn = Turn("m", "take_stones", {"stones": 7}, [], 0, 1, (10000, 10000), 2000, "bert", False)
    assert Played().told == [(1, turn)]


def test_player_2_is_told_to_go_on() -> None:
    turn = Turn("m", "take_stones", {"stones": 7}, [3], 1, 2, (9000, 10000), 2000, "anna")
    assert Played(moves(1, 3, at=3)).told[1:] == [(2, turn)]


@pytest.mark.parametrize(
    ("opening", "player", "opponent"), [((3,), 2, "anna"), ((3, 6), 1, "bert")]
)
def test_turn_after_an_opening(opening: Taken, player: int, opponent: str) -> None:
    clocks, ply = (10000, 10000), len(opening)
    turn = Turn("m", "take_stones", {"stones": 7}, [*opening], ply, player, clocks, 2000, opponent)
    assert Played(opening=opening).told == [(player, turn)]


def test_moves_of_the_opening_are_not_the_players() -> None:
    played = Played(moves(1, 2), opening=(3, 6))
    assert played.match.moves == [PlayedMove(2, 2, 0.0, 0.0, 0.0, 0.0)]


def test_clocks_that_are_filled_anew() -> None:
    control = TimeControl(10, per_move=True, margin=1)
    turn = Turn("m", "take_stones", {"stones": 7}, [3], 1, 2, (10000, 10000), 0, "anna", True)
    assert Played(moves(1, 3, at=10.5), control=control).told[1:] == [(2, turn)]


def test_the_margin_is_not_told() -> None:
    _, turn = Played(moves(1, 3, at=10.5), control=TimeControl(10, margin=1)).told[1]
    assert isinstance(turn, Turn)
    assert turn.clocks_ms == (0, 10000)


def test_clocks_are_rounded_down() -> None:
    _, turn = Played(moves(1, 3, at=1.0009765625)).told[1]
    assert isinstance(turn, Turn)
    assert turn.clocks_ms == (10999, 10000)


@pytest.mark.parametrize(("event", "player", "code", "text"), REFUSED.values(), ids=REFUSED)
def test_answer_to_a_refused_move(event: Event, player: int, code: str, text: str) -> None:
    played = Played(*game(3, 6), event)
    assert played.told[3:] == [(player, Error(code, f"match m: {text}", "m"))]


@pytest.mark.parametrize("event", [refused[0] for refused in REFUSED.values()], ids=REFUSED)
def test_a_refused_move_changes_nothing(event: Event) -> None:
    match = Played(*game(3, 6)).match
    before = (match.ply, match.deadline, [*match.moves])
    event(match)
    assert (match.ply, match.deadline, match.moves) == before


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_after_the_end_nobody_is_told_anything(event: Event) -> None:
    match = Played(*game(3, 6), resigns(2)).match
    assert not event(match)


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_after_the_end_nothing_changes(event: Event) -> None:
    match = Played(*game(3, 6), resigns(2)).match
    before = (match.result, match.ply, [*match.moves], match.finished(1))
    event(match)
    assert (match.result, match.ply, match.moves, match.finished(1)) == before


def test_a_match_aborted_before_its_start_does_not_start() -> None:
    match = new_match()
    match.abort("stopped")
    assert match.start(0.0) == []


def test_on_its_turn_a_player_that_is_back_is_told_again() -> None:
    played = Played(moves(1, 3, at=1), goes(2, at=2), comes(2, at=4))
    turn = Turn("m", "take_stones", {"stones": 7}, [3], 1, 2, (11000, 7000), 2000, "anna")
    assert played.told[2:] == [(2, turn)]


def test_off_its_turn_a_player_that_is_back_waits() -> None:
    assert Played(goes(2, at=2), comes(2, at=4)).told[1:] == []


def test_a_player_that_is_back_may_move() -> None:
    played = Played(goes(1, at=2), comes(1, at=4), moves(1, 3, at=5))
    assert played.match.moves == [PlayedMove(0, 3, 5.0, 0.0, 5.0, 0.0)]


def test_the_end_as_it_is_told() -> None:
    match = Played(*game(3, 6), resigns(1)).match
    assert match.finished(2) == Finished(
        "m", 2, 2, "resignation", "player 1 (anna) resigned", [3, 6]
    )


def test_the_opening_is_told_at_the_end() -> None:
    assert Played(moves(1, 2), resigns(1), opening=(3, 6)).match.finished(1).moves == [3, 6, 2]


def test_the_end_is_not_told_before() -> None:
    with pytest.raises(AssertionError, match="not over"):
        Played().match.finished(1)


# Time


@pytest.mark.parametrize(
    ("at", "credit", "move"),
    [
        (3.0, 0.0, PlayedMove(0, 3, 3.0, 0.0, 3.0, 0.0)),
        (3.0, 0.0625, PlayedMove(0, 3, 3.0, 0.0625, 2.9375, 0.0)),
        (3.0, 60.0, PlayedMove(0, 3, 3.0, MAX_CREDIT, 3.0 - MAX_CREDIT, 0.0)),
        (0.0625, 60.0, PlayedMove(0, 3, 0.0625, 0.0625, 0.0, 0.0)),
    ],
)
def test_time_of_a_move(at: float, credit: float, move: PlayedMove) -> None:
    assert Played(moves(1, 3, at, credit)).match.moves == [move]


def test_no_deadline_before_the_start() -> None:
    assert new_match().deadline is None


def test_the_deadline_is_the_clocks() -> None:
    assert Played().match.deadline == 10 + MAX_CREDIT


def test_the_deadline_follows_the_clock_of_the_player_to_move() -> None:
    assert Played(moves(1, 3, at=9)).match.deadline == 19 + MAX_CREDIT


@pytest.mark.parametrize("player", [1, 2])
def test_the_deadline_of_a_player_that_is_gone(player: int) -> None:
    assert Played(goes(player, at=2)).match.deadline == 7


def test_the_deadline_of_who_went_first() -> None:
    assert Played(goes(2, at=1), goes(1, at=2)).match.deadline == 6


def test_the_deadline_of_a_player_that_is_back() -> None:
    assert Played(goes(1, at=2), comes(1, at=3)).match.deadline == 10 + MAX_CREDIT


def test_no_deadline_after_the_end() -> None:
    assert Played(goes(1, at=2), resigns(1)).match.deadline is None


def test_a_player_may_have_been_gone_before_the_start() -> None:
    match = new_match()
    match.disconnected(2, 100.0)
    match.start(103.0)
    assert match.deadline == 105


@pytest.mark.parametrize(
    ("control", "events"),
    [
        (TimeControl(10, margin=1), [moves(1, 3, at=11)]),
        (TimeControl(10, margin=1), [moves(1, 3, at=10.5), moves(2, 6), moves(1, 2, at=0.5)]),
        (TimeControl(10, per_move=True), [moves(1, 3, at=10)]),
        (TimeControl(10, per_move=True), [time_is(10 + MAX_CREDIT)]),
        (TimeControl(10, per_move=True, margin=1), [time_is(11 + MAX_CREDIT)]),
    ],
)
def test_out_of_time_by_another_control(control: TimeControl, events: Sequence[Event]) -> None:
    assert Played(*events, control=control).ending == (TIMEOUT, 2)


@pytest.mark.parametrize(
    ("control", "events"),
    [
        (TimeControl(10, margin=1), [moves(1, 3, at=10.984375)]),
        (TimeControl(10, margin=1), [time_is(10.984375 + MAX_CREDIT)]),
        (TimeControl(10, per_move=True), [moves(1, 3, at=9), moves(2, 6, 18), moves(1, 2, 27)]),
        (TimeControl(10, per_move=True, margin=1), [moves(1, 3, at=10.5), moves(2, 6, at=21)]),
    ],
)
def test_in_time_by_another_control(control: TimeControl, events: Sequence[Event]) -> None:
    assert Played(*events, control=control).match.result is None


def test_the_lag_is_kept_with_the_move() -> None:
    match = Played(moves(1, 3, at=3, lag=0.25)).match
    assert match.moves == [PlayedMove(0, 3, 3.0, 0.0, 3.0, 0.25)]


def test_a_turn_begins_with_the_match() -> None:
    match = new_match()
    match.start(100.0)
    assert match.turn_since == 100


def test_a_turn_begins_with_the_move_before() -> None:
    assert Played(moves(1, 3, at=3)).match.turn_since == 3


# What is taken back

ASKED = TakeBackAsked("m")
NOTHING = "match m: you have not moved yet"


def casual(*events: Event, yielding: Collection[int] = (2,), opening: Taken = ()) -> Played:
    """A match that counts for nobody, in which such things have happened."""
    return Played(*events, casual=True, yielding=yielding, opening=opening)


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([*game(3, 6), takes_back(1)], []),
        ([*game(3, 6, 2, 4), takes_back(1)], [3, 6]),
        ([*game(3, 6, 2, 4), takes_back(1), takes_back(1)], []),
        ([*game(3, 6, 2), takes_back(1)], [3, 6, 2]),  # the other has not answered yet
        ([*game(3, 6, 2), takes_back(1), moves(2, 4)], [3, 6]),
        ([*game(3, 6, 2), takes_back(1), takes_back(1), moves(2, 4)], [3, 6]),
        ([*game(3, 6, 2), takes_back(1), moves(2, 99)], [3, 6]),  # what it answers is all the same
        ([*game(3, 6, 2), takes_back(1), moves(2, 99, ply=2)], [3, 6, 2]),
    ],
)
def test_who_yields_lets_the_other_take_back(events: list[Event], left: list[int]) -> None:
    assert [move.move for move in casual(*events).match.moves] == left


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([*game(3, 6), takes_back(1)], [3, 6]),
        ([*game(3, 6), takes_back(1), takes_back(1)], [3, 6]),
        ([*game(3, 6), takes_back(1), takes_back(2)], []),
        (
            [*game(3, 6), takes_back(2), takes_back(1)],
            [3],
        ),  # whose wish it was makes the difference
        ([*game(3, 6, 2), takes_back(1), takes_back(2)], [3, 6]),
        ([*game(3), takes_back(1), takes_back(2)], []),
        ([*game(3), takes_back(1), moves(2, 6), takes_back(2)], [3, 6]),
        ([*game(3, 6), takes_back(1), moves(1, 2), takes_back(2)], [3, 6, 2]),
        ([*game(3, 6), takes_back(1), moves(1, 2, ply=1), takes_back(2)], []),
    ],
)
def test_others_have_to_agree(events: list[Event], left: list[int]) -> None:
    assert [move.move for move in casual(*events, yielding=()).match.moves] == left


def test_the_other_is_asked_once() -> None:
    played = casual(*game(3, 6), takes_back(1), takes_back(1), yielding=())
    assert played.told[3:] == [(2, ASKED)]


def test_the_other_is_asked_again_after_a_move() -> None:
    played = casual(*game(3), takes_back(1), moves(2, 6), takes_back(1), yielding=())
    assert [word for word in played.told if word == (2, ASKED)] == [(2, ASKED)] * 2


def test_who_was_asked_and_is_back_is_asked_again() -> None:
    played = casual(*game(3, 6), takes_back(1), goes(2, at=1), comes(2, at=2), yielding=())
    assert played.told[4:] == [(2, ASKED)]


def test_who_yields_is_asked_nothing_when_it_is_back() -> None:
    told = casual(*game(3), takes_back(1), goes(2, at=1), comes(2, at=2)).told
    assert [type(message) for _, message in told[2:]] == [Turn]


def test_who_has_taken_back_is_to_move() -> None:
    turn = Turn("m", "take_stones", {"stones": 7}, [], 0, 1, (10000, 10000), 2000, "bert")
    assert casual(*game(3, 6), takes_back(1)).told[3:] == [(1, turn)]


def test_the_clock_starts_anew_when_a_move_is_taken_back() -> None:
    match = casual(moves(1, 3, at=3), moves(2, 6, at=7), takes_back(1, at=12)).match
    assert (match.turn_since, match.deadline) == (12, 22 + MAX_CREDIT)


def test_what_was_taken_back_is_made_again() -> None:
    match = casual(*game(3, 6), takes_back(1, at=5), moves(1, 1, at=6)).match
    assert match.moves == [PlayedMove(0, 1, 1.0, 0.0, 1.0, 0.0)]


@pytest.mark.parametrize("yielding", [(), (2,)])
@pytest.mark.parametrize("events", [[], [takes_back(2)], game(3, 6)[:1]])
def test_nothing_to_take_back(events: list[Event], yielding: tuple[int, ...]) -> None:
    player = 1 + len(events)
    told = casual(*events, takes_back(player), yielding=yielding).told
    assert told[-1] == (player, Error("nothing_to_take_back", NOTHING, "m"))


@pytest.mark.parametrize("player", [1, 2])
def test_the_opening_is_not_taken_back(player: int) -> None:
    played = casual(takes_back(player), opening=(3, 6, 2))
    assert (played.match.ply, played.told[-1][1]) == (
        3,
        Error("nothing_to_take_back", NOTHING, "m"),
    )


def test_a_match_that_counts_takes_nothing_back() -> None:
    text = "match m: a move in a match that counts is final"
    played = Played(*game(3, 6), takes_back(1), yielding=(2,))
    assert played.told[-1] == (1, Error("not_casual", text, "m"))


def test_who_is_let_answer_first_may_fall() -> None:
    assert casual(*game(3), takes_back(1), time_is(11)).ending == (TIMEOUT, 1)


# The turn that ended it


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (moves(1, 6, at=3, lag=0.5), Fault(2, 6, 3.0, 0.0, 3.0, 0.5)),
        (moves(1, 10**30, at=3, credit=0.0625), Fault(2, 10**30, 3.0, 0.0625, 2.9375, 0.0)),
        (moves(1, 2, at=12), Fault(2, 2, 12.0, 0.0, 12.0, 0.0)),
        (moves(1, 6, at=13, lag=0.25), Fault(2, 6, 13.0, 0.0, 13.0, 0.25)),
        (moves(1, 2, at=13, lag=5), Fault(2, 2, 13.0, 0.0, 13.0, 5.0)),
        (time_is(13), Fault(2, None, 13.0, MAX_CREDIT, 13.0 - MAX_CREDIT, 0.0)),
        (time_is(13, lag=5), Fault(2, None, 13.0, MAX_CREDIT, 13.0 - MAX_CREDIT, 5.0)),
    ],
)
def test_fault(event: Event, fault: Fault) -> None:
    assert Played(*game(3, 6), event).match.fault == fault


def test_the_fault_of_a_player_that_is_gone() -> None:
    fault = Fault(0, None, 11.0, MAX_CREDIT, 11.0 - MAX_CREDIT, 0.0)
    assert Played(goes(1, at=8), time_is(11)).match.fault == fault


@pytest.mark.parametrize("events", HARMLESS.values(), ids=HARMLESS)
def test_no_fault_before_the_end(events: Sequence[Event]) -> None:
    assert Played(*events).match.fault is None


@pytest.mark.parametrize(
    "ending", ["1 cannot move", "gone on its turn", "resigns on its turn", "unreadable", "aborted"]
)
def test_no_fault_without_a_turn_that_ended_it(ending: str) -> None:
    assert Played(*ENDINGS[ending][0]).match.fault is None


def test_the_fault_is_not_among_the_moves() -> None:
    assert [move.move for move in Played(*game(3, 6, 4)).match.moves] == [3, 6]


# The position


def test_a_setup_that_the_game_refuses() -> None:
    match = Referee("m", Pairing(1, ("anna", "bert"), "take_stones", {"stones": 0}), CONTROL, GRACE)
    with pytest.raises(ValueError, match="n must be at least 1, not 0"):
        match.start(0.0)


def test_an_opening_that_the_game_refuses() -> None:
    with pytest.raises(IllegalMove, match="stone 3 has already been taken"):
        new_match(opening=(3, 3)).start(0.0)


def test_a_match_that_could_not_start_may_be_aborted() -> None:
    match = new_match(opening=(3, 3))
    with pytest.raises(IllegalMove):
        match.start(0.0)
    match.abort("no such opening")
    assert match.finished(1) == Finished("m", 1, None, "aborted", "no such opening", [3, 3])


@pytest.mark.parametrize("name", GAMES)
def test_a_match_in_any_game(name: str) -> None:
    setup = {parameter: facts.usual[0] for parameter, facts in GAMES[name].parameters.items()}
    match = Referee("m", Pairing(1, ("anna", "bert"), name, setup), CONTROL, GRACE)
    [(player, turn)] = match.start(0.0)
    assert isinstance(turn, Turn)
    assert (player, turn.game, turn.setup) == (1, name, setup)


# By the rules


@st.composite
def openings(draw: st.DrawFn) -> tuple[int, Taken]:
    """A number of stones and some taken by the rules."""
    stones = draw(st.integers(1, 40))
    taken: Taken = ()
    for _ in range(draw(st.integers(0, 12))):
        if legal := legal_moves(stones, taken):
            taken = (*taken, draw(st.sampled_from(legal)))
    return stones, taken


@given(openings())
def test_it_is_over_when_there_is_no_legal_move(opening: tuple[int, Taken]) -> None:
    stones, taken = opening
    is_over = Played(stones=stones, opening=taken).match.result is not None
    assert is_over == (legal_moves(stones, taken) == [])


@given(openings().filter(lambda opening: legal_moves(*opening)), st.integers(-2, 42))
def test_a_move_is_accepted_if_it_is_legal(opening: tuple[int, Taken], stone: int) -> None:
    stones, taken = opening
    mover = player_to_move(taken)
    match = Played(moves(mover, stone), stones=stones, opening=taken).match
    assert bool(match.moves) == (stone in legal_moves(stones, taken))


# Whatever happens


class Happening(NamedTuple):
    """Something that happens `wait` seconds after the last; `number` means what suits it."""

    kind: str
    player: int
    number: int
    wait: float
    credit: float
    lag: float


class Story(NamedTuple):
    """A match that went on to its end, what it was at each point, and what was told."""

    stones: int
    control: TimeControl
    match: Referee
    results: list[MatchResult | None]
    told: list[tuple[int, FromArena]]


QUICK = TimeControl(4, 0.5)
CONTROLS = [QUICK, TimeControl(4, 0.5, margin=0.75), TimeControl(2, per_move=True, margin=0.25)]


def happen(match: Referee, stones: int, it: Happening, now: float) -> Outgoing | None:
    """Let something happen; most moves are by the rules."""
    taken = tuple(move.move for move in match.moves)
    legal = legal_moves(stones, taken) or [0]
    events = {
        "move": moves(
            player_to_move(taken), legal[it.number % len(legal)], now, it.credit, lag=it.lag
        ),
        "stray": moves(it.player, it.number, now, it.credit, lag=it.lag),
        "misplaced": moves(it.player, legal[0], now, it.credit, ply=it.number),
        "resigns": resigns(it.player),
        "garbles": garbles(it.player),
        "goes": goes(it.player, now),
        "comes": comes(it.player, now),
        "takes back": takes_back(it.player, now),
        "time": time_is(now, it.lag),
        "aborts": aborts("stopped"),
    }
    return events[it.kind](match)


def tell(
    stones: int,
    control: TimeControl,
    script: list[Happening],
    casual: bool = False,
    yielding: Collection[int] = (2,),
) -> Story:
    """Play a script, and then wait for the deadline."""
    match = new_match(stones, control=control, casual=casual, yielding=yielding)
    story = Story(stones, control, match, [], [])
    now = 0.0
    story.told.extend(story.match.start(now))
    for it in script:
        now += it.wait
        story.results.append(story.match.result)
        story.told.extend(happen(story.match, stones, it, now) or [])
    story.results.append(story.match.result)
    if story.match.deadline is not None:
        story.match.tick(max(now, story.match.deadline))
    story.results.append(story.match.result)
    return story


kinds = ["move"] * 20 + ["stray", "misplaced", "garbles", "goes", "comes", "comes", "time"] * 2
kinds += ["takes back"] * 5
happenings = st.builds(
    Happening,
    st.sampled_from([*kinds, "resigns", "aborts"]),
    st.sampled_from([1, 2]),
    st.integers(0, 30),
    st.integers(0, 16).map(lambda eighths: eighths / 8),
    st.sampled_from([0.0, 0.03125, 0.0625, 1.0]),
    st.sampled_from([0.0, 0.0, 0.0625, 0.25, 2.0]),
)
scripts = st.integers(1, 30), st.sampled_from(CONTROLS), st.lists(happenings, max_size=40)
stories = given(st.builds(tell, *scripts))
casual_stories = given(
    st.builds(tell, *scripts, st.just(True), st.sampled_from([(), (2,), (1, 2)]))
)


@stories
def test_a_match_ends_at_its_deadline_at_the_latest(story: Story) -> None:
    assert story.match.result is not None


@stories
def test_a_match_ends_once(story: Story) -> None:
    assert len({id(result) for result in story.results if result}) == 1


@stories
def test_a_result_is_not_taken_back(story: Story) -> None:
    ended = [result is not None for result in story.results]
    assert ended == sorted(ended)


@stories
def test_only_an_aborted_match_has_no_winner(story: Story) -> None:
    result = story.match.result
    assert result
    assert (result.winner is None) == (result.termination is ABORTED)


@stories
def test_the_reason_names_the_loser(story: Story) -> None:
    names = {1: ("player 2 (bert) ",), 2: ("player 1 (anna) ",), None: ("stopped", "the arena ")}
    result = story.match.result
    assert result
    assert result.reason.startswith(names[result.winner])


@stories
def test_recorded_moves_are_legal(story: Story) -> None:
    taken = tuple(move.move for move in story.match.moves)
    assert all(stone in legal_moves(story.stones, taken[:ply]) for ply, stone in enumerate(taken))


@stories
def test_recorded_plies_count_up(story: Story) -> None:
    assert [move.ply for move in story.match.moves] == [*range(len(story.match.moves))]


@stories
def test_who_cannot_move_is_the_one_that_loses_on_the_board(story: Story) -> None:
    taken = tuple(move.move for move in story.match.moves)
    cannot_move = legal_moves(story.stones, taken) == []
    result = story.match.result
    assert result
    assert (result.termination is NO_LEGAL_MOVE) == cannot_move


@stories
def test_charged_is_elapsed_less_the_credit(story: Story) -> None:
    assert all(move.charged == move.elapsed - move.credit for move in story.match.moves)


@stories
def test_the_credit_is_bounded(story: Story) -> None:
    assert all(0 <= move.credit <= min(MAX_CREDIT, move.elapsed) for move in story.match.moves)


def banks(story: Story) -> list[tuple[float, float]]:
    """What the players had before each move, and after the last."""
    left = [story.control.base] * 2
    history = [(left[0], left[1])]
    for move in story.match.moves:
        if not story.control.per_move:
            left[move.ply % 2] += story.control.increment - move.charged
        history.append((left[0], left[1]))
    return history


@stories
def test_charges_and_clocks_agree(story: Story) -> None:
    first = {turn.ply: turn for _, turn in reversed(story.told) if isinstance(turn, Turn)}
    for ply, turn in first.items():
        expected = [1000 * max(0.0, bank) for bank in banks(story)[ply]]
        assert turn.clocks_ms == pytest.approx(expected, abs=1.001)


@stories
def test_no_player_moves_with_its_time_used_up(story: Story) -> None:
    for move, left in zip(story.match.moves, banks(story), strict=False):
        assert move.charged < left[move.ply % 2] + story.control.margin + 1e-9


@stories
def test_a_fallen_flag_is_a_fault_and_so_is_an_illegal_move(story: Story) -> None:
    result = story.match.result
    assert result
    is_fault = result.termination in {TIMEOUT, ILLEGAL_MOVE} or "flag" in result.reason
    is_fault |= "its time ran out" in result.reason
    assert (story.match.fault is not None) == is_fault


@stories
def test_the_fault_is_in_the_turn_after_the_last_move(story: Story) -> None:
    fault = story.match.fault
    assert fault is None or fault.ply == len(story.match.moves)


@stories
def test_nobody_loses_on_time_to_an_arena_that_is_late(story: Story) -> None:
    fault, result = story.match.fault, story.match.result
    if fault and result and result.termination is TIMEOUT:
        left = banks(story)[-1][fault.ply % 2] + story.control.margin
        assert fault.lag < LATE or fault.lag < fault.charged - left + 1e-9


@stories
def test_a_turn_is_told_to_the_player_whose_turn_it_is(story: Story) -> None:
    turns = [(player, turn) for player, turn in story.told if isinstance(turn, Turn)]
    assert all(player == turn.you == player_to_move(tuple(turn.moves)) for player, turn in turns)


@stories
def test_a_turn_tells_the_moves_so_far(story: Story) -> None:
    taken = [move.move for move in story.match.moves]
    turns = [turn for _, turn in story.told if isinstance(turn, Turn)]
    assert all(turn.moves == taken[: turn.ply] for turn in turns)


# Whatever happens, and is taken back


@casual_stories
def test_a_casual_match_ends_at_its_deadline_at_the_latest(story: Story) -> None:
    assert story.match.result is not None


@casual_stories
def test_moves_that_are_left_are_legal(story: Story) -> None:
    taken = tuple(move.move for move in story.match.moves)
    assert all(stone in legal_moves(story.stones, taken[:ply]) for ply, stone in enumerate(taken))


@casual_stories
def test_plies_that_are_left_count_up(story: Story) -> None:
    assert [move.ply for move in story.match.moves] == [*range(len(story.match.moves))]


@casual_stories
def test_the_last_turn_tells_the_moves_that_are_left(story: Story) -> None:
    taken = [move.move for move in story.match.moves]
    turns = [turn for _, turn in story.told if isinstance(turn, Turn)]
    assert not turns or turns[-1].moves == taken[: turns[-1].ply]


@casual_stories
def test_the_last_turn_tells_the_clocks_without_what_was_taken_back(story: Story) -> None:
    for turn in [turn for _, turn in story.told if isinstance(turn, Turn)][-1:]:
        mine, other = turn.you - 1, 2 - turn.you
        expected = [1000 * max(0.0, bank) for bank in banks(story)[turn.ply]]
        assert turn.clocks_ms[other] == pytest.approx(expected[other], abs=1.001)
        assert turn.clocks_ms[mine] <= expected[mine]  # its clock runs when it is told again


@casual_stories
def test_nobody_moves_on_time_that_was_given_back_in_vain(story: Story) -> None:
    for move, left in zip(story.match.moves, banks(story), strict=False):
        assert move.charged < left[move.ply % 2] + story.control.margin + 1e-9
