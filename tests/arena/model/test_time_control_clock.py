"""Charges and remaining time of the clock."""

import gc
import math
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.time_control import CREDIT_RATE, Charge, Clock, TimeControl
from tests.support.cases import loop_over

CONTROL = TimeControl(10, 2)
MARGIN = TimeControl(10, 2, margin=1)
PER_MOVE = TimeControl(10, per_move=True)
PER_MOVE_MARGIN = TimeControl(10, per_move=True, margin=1)
seconds = st.floats(0, 1e6)


def clock_after(*after: float, credit: float = 0.0, control: TimeControl = CONTROL) -> Clock:
    """Return player 1's clock after moves that took `after` seconds each."""
    clock = Clock(control)
    for number, elapsed in enumerate(after):
        clock.start(1, 100.0 * number)
        clock.stop(100.0 * number + elapsed, credit)
    return clock


def test_only_the_running_clock_counts_down() -> None:
    for control in (CONTROL, MARGIN):
        clock = Clock(control)
        assert (clock.remaining(1, 0.0), clock.remaining(2, 0.0)) == (10, 10)
        assert (clock.overdrawn, clock.deadline) == (None, None)
        clock.start(1, 100.0)
        assert (clock.remaining(1, 103.0), clock.remaining(2, 103.0)) == (7, 10)
        assert clock.remaining(1, 120.0) == 0
        clock.stop(103.0, 0.0)
        assert clock.deadline is None


@loop_over(
    "after, credit, charge",
    (3.0, 0.0, Charge(3.0, 0.0, 3.0, 0.0)),
    (3.0, 0.0, Charge(3.0, 0.0, 3.0, 0.5)),  # lag is not credited
    (3.0, 0.0625, Charge(3.0, 0.0625, 2.9375, 0.0)),
    (3.0, 1.0, Charge(3.0, 0.5, 2.5, 0.0)),
    (0.0625, 1.0, Charge(0.0625, 0.0625, 0.0, 0.0)),
    (0.0, 1.0, Charge(0.0, 0.0, 0.0, 0.0)),
)
def test_charge(after: float, credit: float, charge: Charge) -> None:
    clock = Clock(CONTROL, max_credit=0.5)
    clock.start(2, 100.0)
    assert clock.stop(100.0 + after, credit, charge.lag) == charge


def test_credit_comes_from_a_quota_that_refills_slowly() -> None:
    clock = Clock(TimeControl(100), max_credit=0.5)

    def credit(player: int, elapsed: float, measured: float) -> float:
        clock.start(player, 10.0)
        return clock.stop(10.0 + elapsed, measured).credit

    assert credit(1, 1.0, 0.25) == 0.25
    assert credit(1, 1.0, 1.0) == pytest.approx(0.25 + CREDIT_RATE)
    assert credit(1, 4.0, 1.0) == pytest.approx(4 * CREDIT_RATE)
    assert credit(2, 1.0, 1.0) == 0.5  # each player has a quota of its own
    assert credit(1, 60.0, 0.0) == 0.0
    assert credit(1, 1.0, 2.0) == 0.5  # and no more, however long it was not used


def test_without_a_quota_there_is_no_credit() -> None:
    clock = Clock(CONTROL)
    clock.start(1, 0.0)
    assert clock.stop(3.0, 1.0) == Charge(3.0, 0.0, 3.0, 0.0)


# The seconds of each move, and how far the clock is overdrawn after the last (None: not at all).
@loop_over(
    "control, after, overdrawn",
    (CONTROL, [9.984375], None),
    (CONTROL, [10.0], 0.0),
    (CONTROL, [10.5], 0.5),
    (CONTROL, [9.0, 2.984375], None),  # saved by the increment of the move before
    (PER_MOVE, [9.984375] * 3, None),
    (PER_MOVE, [1.0, 10.0], 0.0),  # unused time does not carry over
    (MARGIN, [10.984375], None),
    (MARGIN, [11.0], 0.0),  # the increment is added after the check
    (MARGIN, [10.5, 2.484375], None),  # the increment covers the overdraft
    (MARGIN, [10.5, 2.5], 0.0),  # one margin for the whole match
    (MARGIN, [10.5, 4.5], 2.0),
    (PER_MOVE_MARGIN, [10.984375] * 3, None),  # a margin for every move
    (PER_MOVE_MARGIN, [10.5, 11.0], 0.0),
    (PER_MOVE_MARGIN, [10.5, 11.25], 0.25),
)
def test_overdrawn_time(control: TimeControl, after: list[float], overdrawn: float | None) -> None:
    assert clock_after(*after, control=control).overdrawn == overdrawn


@loop_over("control", [CONTROL, PER_MOVE])
def test_credit_can_prevent_a_timeout(control: TimeControl) -> None:
    clock = Clock(control, max_credit=0.5)
    clock.start(1, 100.0)
    clock.stop(110.0, 0.0625)
    assert clock.overdrawn is None


def test_clocks_show_no_overdraft_and_stop_once() -> None:
    clock = clock_after(10.0, 2.5, control=MARGIN)  # overdrawn by 0.5, increment 2
    clock.start(1, 200.0)
    assert clock.remaining(1, 201.5) == 0
    with pytest.raises(AssertionError, match="no clock is running"):
        Clock(CONTROL).stop(100.0, 0.0)
    lists = [kept for kept in gc.get_referents(clock_after(3.0, 4.0)) if isinstance(kept, list)]
    kept = [value for values in lists for value in values]
    assert len(kept) > 2
    assert not any(map(gc.is_tracked, kept))


@loop_over("text", ["unlimited", "5 nodes"])
def test_without_a_limit_there_is_no_deadline(text: str) -> None:
    clock = Clock(TimeControl.parse(text))
    clock.start(1, 10.0)
    assert clock.deadline is None
    assert clock.stop(1e12, 0.0).charged == 1e12 - 10
    assert clock.remaining(1, 1e12) == math.inf
    assert clock.overdrawn is None


@loop_over(
    "control, after, charges, remaining",
    (CONTROL, [3.0, 4.0], 1, 10 - 3 + 2),
    (CONTROL, [1e-17], 1, 10),  # exact despite rounding
    (PER_MOVE, [3.0, 4.0], 2, 10),
)
def test_refund_restores_the_remaining_time_and_stops_the_clock(
    control: TimeControl, after: list[float], charges: int, remaining: float
) -> None:
    clock = clock_after(*after, control=control)
    clock.start(2, 200.0)
    clock.refund(charges)
    assert clock.remaining(1, 300.0) == remaining
    assert clock.deadline is None


small = st.floats(0, 20)
small_controls = st.builds(
    TimeControl, st.floats(0.125, 20), small, per_move=st.booleans(), margin=small
)


@given(small_controls, seconds, small, small, st.floats(0, 1))
def test_move_after_the_deadline_is_a_timeout(
    control: TimeControl, now: float, early: float, after: float, credit: float
) -> None:
    clock = Clock(control, max_credit=0.5)
    clock.start(1, now)
    clock.stop(now + early, credit)
    clock.start(1, now)
    assert clock.deadline is not None
    is_late = now + after > clock.deadline + 1e-6
    clock.stop(now + after, credit)
    assert clock.overdrawn is not None or not is_late


def test_deadline_includes_the_credit_in_reserve() -> None:
    clock = Clock(TimeControl(10), max_credit=0.5)
    clock.start(1, 0.0)
    assert clock.deadline == 10.5
    clock.stop(0.5, 0.5)
    clock.start(1, 0.0)
    assert clock.deadline == pytest.approx(10 + 10.5 * CREDIT_RATE)
    clock.limit_credit(0.125)
    assert clock.deadline == 10.125


@given(seconds, seconds, st.floats(0, 1))
def test_charge_is_elapsed_time_minus_credit(since: float, after: float, credit: float) -> None:
    clock = Clock(CONTROL, max_credit=0.5)
    clock.start(1, since)
    charge = clock.stop(since + after, credit)
    assert 0 <= charge.credit <= min(credit, 0.5)
    assert charge.charged == charge.elapsed - charge.credit >= 0


# Comparison with a ledger that adds up all charges anew, in eighths of a second, which are exact


class Turn(NamedTuple):
    """A move and its charge in seconds."""

    player: int
    charged: float


def balance(control: TimeControl, ledger: Sequence[Turn], player: int) -> float:
    """Return the time of a player for the next move, without the margin."""
    spent = [turn.charged for turn in ledger if turn.player == player]
    if control.per_move:
        return control.base
    return control.base + len(spent) * control.increment - sum(spent)


def overdraft(control: TimeControl, ledger: Sequence[Turn]) -> float | None:
    """Return how far the last move overdrew the clock, or None if it was in time."""
    *before, last = ledger
    over = last.charged - balance(control, before, last.player) - control.margin
    return over if over >= 0 else None


eighths = st.integers(0, 40).map(lambda count: count / 8)
exact_controls = st.builds(
    TimeControl,
    st.integers(8, 80).map(lambda count: count / 8),
    eighths,
    per_move=st.booleans(),
    margin=eighths,
)
turns = st.lists(st.builds(Turn, st.sampled_from([1, 2]), eighths), min_size=1, max_size=20)
for_any_game = given(exact_controls, turns)


def replay(control: TimeControl, turns: Sequence[Turn]) -> tuple[Clock, list[Turn]]:
    """Return a clock after these turns, up to the first timeout, and the ledger of them."""
    clock = Clock(control)
    now = 0.0
    ledger: list[Turn] = []
    for turn in turns:
        if clock.overdrawn is None:
            clock.start(turn.player, now)
            now += turn.charged
            clock.stop(now, 0.0)
            ledger.append(turn)
    return clock, ledger


@for_any_game
def test_times_are_those_of_the_ledger(control: TimeControl, turns: list[Turn]) -> None:
    clock, ledger = replay(control, turns)
    assert clock.overdrawn == overdraft(control, ledger)
    early = [overdraft(control, ledger[: number + 1]) for number in range(len(ledger) - 1)]
    assert early == [None] * (len(ledger) - 1)
    for player in (1, 2):
        assert clock.remaining(player, 0.0) == max(0.0, balance(control, ledger, player))
    clock.start(2, 1000.0)
    left = balance(control, ledger, 2) + control.margin
    assert clock.deadline == pytest.approx(1000 + left)


@given(exact_controls, turns, st.integers(0, 20))
def test_refunds_leave_the_ledger(control: TimeControl, turns: list[Turn], charges: int) -> None:
    clock, ledger = replay(control, turns)
    left = ledger[: max(0, len(ledger) - charges)]
    clock.refund(len(ledger) - len(left))
    for player in (1, 2):
        assert clock.remaining(player, 0.0) == max(0.0, balance(control, left, player))


def test_each_player_has_a_time_control() -> None:
    clock = Clock(TimeControl(10, 1), TimeControl(4, per_move=True, margin=1))
    assert [clock.remaining(player, 0) for player in (1, 2)] == [10, 4]
    clock.start(1, 0)
    assert clock.deadline == 10
    clock.stop(2, credit=0)
    clock.start(2, 2)
    assert clock.deadline == 2 + 4 + 1
    clock.stop(5, credit=0)
    assert [clock.remaining(player, 5) for player in (1, 2)] == [9, 4]


def test_one_player_can_be_without_a_clock() -> None:
    clock = Clock(TimeControl.parse("7 nodes"), TimeControl(4))
    clock.start(1, 0)
    assert clock.deadline is None
    clock.stop(1e6, credit=0)
    clock.start(2, 1e6)
    assert clock.deadline == 1e6 + 4
