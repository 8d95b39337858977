"""Time controls as text, and what the clock charges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.clock import MAX_CREDIT, Charge, Clock, TimeControl

CONTROL = TimeControl(10, 2)
plain_texts = st.from_regex(
    r"[0-9]{1,4}(\.[0-9]{0,20})?(\+[0-9]{0,3}\.[0-9]{1,20})?", fullmatch=True
)
seconds = st.floats(0, 1e6)


def stopped(after: float, credit: float = 0.0) -> Clock:
    """Player 1's clock after one move."""
    clock = Clock(CONTROL)
    clock.start(1, 100.0)
    clock.stop(100.0 + after, credit)
    return clock


def parsed(text: str) -> TimeControl | None:
    """The control that a text means, or None if it means none."""
    try:
        return TimeControl.parse(text)
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5+0.05", TimeControl(5, 0.05)),
        ("10", TimeControl(10, 0)),
        ("0.5", TimeControl(0.5, 0)),
        (".5+.25", TimeControl(0.5, 0.25)),
        ("5.+1.", TimeControl(5, 1)),
        ("007+0", TimeControl(7, 0)),
        ("1000000+1000000", TimeControl(1e6, 1e6)),
        ("0.00001", TimeControl(1e-5, 0)),
    ],
)
def test_time_control(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "5+", "+5", "5 + 1", " 5", "5\n", "-5", "5+-1", "5++1", "5+1+1", "1e3", "inf"),
        *("nan", "1_000", "five", "5s", "0x10", ".", "5+.", "\N{ARABIC-INDIC DIGIT FIVE}", "5,5"),
    ],
)
def test_no_time_control(text: str) -> None:
    with pytest.raises(ValueError, match="is not BASE or BASE"):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    "text", ["0", "0.0+5", "1000000.1", "5+1000000.1", "9" * 400, "5+" + "9" * 400]
)
def test_time_out_of_range(text: str) -> None:
    with pytest.raises(ValueError, match="must be above 0 and at most 1000000 seconds"):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (TimeControl(5, 0.05), "5+0.05"),
        (TimeControl(10, 0), "10+0"),
        (TimeControl(1e6, 0.1), "1000000+0.1"),
        (TimeControl(0.00001, 1e-7), "0.00001+0.0000001"),
    ],
)
def test_text_of_a_time_control(control: TimeControl, text: str) -> None:
    assert str(control) == text


@given(st.floats(0, 1e6, exclude_min=True), seconds)
def test_a_time_control_survives_being_text(base: float, increment: float) -> None:
    control = TimeControl(base, increment)
    assert TimeControl.parse(str(control)) == control


@given(st.text() | plain_texts)
def test_a_text_is_a_usable_time_control_or_none(text: str) -> None:
    control = parsed(text)
    assert control is None or 0 < control.base <= 1e6 >= control.increment >= 0


def test_both_players_begin_with_the_base() -> None:
    clock = Clock(CONTROL)
    assert (clock.remaining(1, 0.0), clock.remaining(2, 0.0)) == (10, 10)


def test_a_running_clock_goes_down() -> None:
    clock = Clock(CONTROL)
    clock.start(1, 100.0)
    assert clock.remaining(1, 103.0) == 7


def test_the_other_clock_rests() -> None:
    clock = Clock(CONTROL)
    clock.start(1, 100.0)
    assert clock.remaining(2, 103.0) == 10


def test_a_running_clock_does_not_go_below_0() -> None:
    clock = Clock(CONTROL)
    clock.start(1, 100.0)
    assert clock.remaining(1, 120.0) == 0


def test_a_move_costs_its_time_and_brings_the_increment() -> None:
    assert stopped(after=3.0).remaining(1, 200.0) == 10 - 3 + 2


def test_a_bank_is_kept_from_move_to_move() -> None:
    clock = stopped(after=3.0)
    clock.start(1, 200.0)
    clock.stop(204.0, 0.0)
    assert clock.remaining(1, 300.0) == 10 - 3 + 2 - 4 + 2


def test_a_bank_grows_beyond_the_base() -> None:
    assert stopped(after=0.0).remaining(1, 200.0) == 12


@pytest.mark.parametrize(
    ("after", "credit", "charge"),
    [
        (3.0, 0.0, Charge(3.0, 0.0, 3.0)),
        (3.0, 0.0625, Charge(3.0, 0.0625, 2.9375)),
        (3.0, 1.0, Charge(3.0, MAX_CREDIT, 3.0 - MAX_CREDIT)),
        (0.0625, 1.0, Charge(0.0625, 0.0625, 0.0)),
        (0.0, 1.0, Charge(0.0, 0.0, 0.0)),
    ],
)
def test_charge(after: float, credit: float, charge: Charge) -> None:
    clock = Clock(CONTROL)
    clock.start(2, 100.0)
    assert clock.stop(100.0 + after, credit) == charge


def test_the_flag_stands_with_a_moment_left() -> None:
    assert not stopped(after=9.984375).has_fallen(1)


def test_the_flag_has_fallen_at_0() -> None:
    assert stopped(after=10.0).has_fallen(1)


def test_no_increment_after_the_flag_has_fallen() -> None:
    assert stopped(after=10.5).remaining(1, 200.0) == 0


def test_the_credit_may_save_the_flag() -> None:
    assert not stopped(after=10.0, credit=0.0625).has_fallen(1)


def test_one_flag_falls_alone() -> None:
    assert not stopped(after=10.0).has_fallen(2)


def test_no_deadline_before_a_clock_runs() -> None:
    assert Clock(CONTROL).deadline is None


def test_no_deadline_after_the_clock_was_stopped() -> None:
    assert stopped(after=3.0).deadline is None


def test_the_deadline_leaves_room_for_the_network() -> None:
    clock = Clock(CONTROL)
    clock.start(1, 100.0)
    assert clock.deadline == 110.0 + MAX_CREDIT


def test_the_deadline_of_a_later_move() -> None:
    clock = stopped(after=3.0)
    clock.start(1, 200.0)
    assert clock.deadline == 209.0 + MAX_CREDIT


def test_a_clock_must_run_to_be_stopped() -> None:
    with pytest.raises(AssertionError, match="no clock is running"):
        Clock(CONTROL).stop(100.0, 0.0)


@given(seconds, st.floats(0, 20), st.floats(0, 1))
def test_no_move_in_time_comes_after_the_deadline(now: float, after: float, credit: float) -> None:
    clock = Clock(CONTROL)
    clock.start(1, now)
    assert clock.deadline is not None
    is_late = now + after > clock.deadline + 1e-6
    clock.stop(now + after, credit)
    assert clock.has_fallen(1) or not is_late


@given(seconds, seconds, st.floats(0, 1))
def test_a_charge_adds_up(since: float, after: float, credit: float) -> None:
    clock = Clock(CONTROL)
    clock.start(1, since)
    charge = clock.stop(since + after, credit)
    assert 0 <= charge.credit <= MAX_CREDIT
    assert charge.charged == charge.elapsed - charge.credit >= 0
