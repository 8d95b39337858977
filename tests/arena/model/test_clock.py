"""Time controls as text, and what the clock charges."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.clock import MAX_CREDIT, Charge, Clock, TimeControl

CONTROL = TimeControl(10, 2)
MARGIN = TimeControl(10, 2, margin=1)
PER_MOVE = TimeControl(10, per_move=True)
PER_MOVE_MARGIN = TimeControl(10, per_move=True, margin=1)
plain_texts = st.from_regex(
    r"[0-9]{1,4}(\.[0-9]{0,20})?(\+[0-9]{0,3}\.[0-9]{1,20}|/move)?( margin [0-9]{1,4}\.[0-9]*)?",
    fullmatch=True,
)
seconds = st.floats(0, 1e6)
positive = st.floats(0, 1e6, exclude_min=True)
controls = st.builds(TimeControl, positive, seconds, st.just(False), seconds) | st.builds(
    TimeControl, positive, st.just(0.0), st.just(True), seconds
)


def stopped(*after: float, credit: float = 0.0, control: TimeControl = CONTROL) -> Clock:
    """Player 1's clock after moves that took so long."""
    clock = Clock(control)
    for number, elapsed in enumerate(after):
        clock.start(1, 100.0 * number)
        clock.stop(100.0 * number + elapsed, credit)
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
        ("0.5/move", TimeControl(0.5, per_move=True)),
        ("5 margin 0.25", TimeControl(5, margin=0.25)),
        ("5+1 margin .5", TimeControl(5, 1, margin=0.5)),
        ("5/move margin 1000000", TimeControl(5, per_move=True, margin=1e6)),
        ("5 margin 0", TimeControl(5)),
    ],
)
def test_time_control(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "5+", "+5", "5 + 1", " 5", "5\n", "-5", "5+-1", "5++1", "5+1+1", "1e3", "inf"),
        *("nan", "1_000", "five", "5s", "0x10", ".", "5+.", "\N{ARABIC-INDIC DIGIT FIVE}", "5,5"),
        *(
            "/move",
            "5+1/move",
            "5/move+1",
            "5/ move",
            "5/Move",
            "5 /move",
            "5/move/move",
            "5/moves",
        ),
        *("margin 1", "5 margin", "5 margin ", "5margin 1", "5 margin -1", "5  margin 1"),
        *("5 margin 1 margin 1", "5 margin 1+1", "5 margin 1/move", "5 margin nan"),
    ],
)
def test_no_time_control(text: str) -> None:
    with pytest.raises(ValueError, match="is not BASE"):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("0", "0.0+5", "1000000.1", "5+1000000.1", "9" * 400, "5+" + "9" * 400),
        *("0/move", "1000000.1/move", "5 margin 1000000.1", "0 margin 5", "5 margin " + "9" * 400),
    ],
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
        (TimeControl(0.5, per_move=True), "0.5/move"),
        (TimeControl(5, 0.05, margin=0.25), "5+0.05 margin 0.25"),
        (TimeControl(5, margin=0.000001), "5+0 margin 0.000001"),
        (TimeControl(10, per_move=True, margin=1), "10/move margin 1"),
    ],
)
def test_text_of_a_time_control(control: TimeControl, text: str) -> None:
    assert str(control) == text


@given(controls)
def test_a_time_control_survives_being_text(control: TimeControl) -> None:
    assert TimeControl.parse(str(control)) == control


@given(st.text() | plain_texts)
def test_a_text_is_a_usable_time_control_or_none(text: str) -> None:
    control = parsed(text)
    assert control is None or (
        0 < control.base <= 1e6 and 0 <= control.increment <= 1e6 and 0 <= control.margin <= 1e6
    )


@given(st.text() | plain_texts)
def test_what_fills_a_bank_anew_adds_nothing_to_it(text: str) -> None:
    control = parsed(text)
    assert control is None or not (control.per_move and control.increment)


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
    assert stopped(3.0).remaining(1, 200.0) == 10 - 3 + 2


def test_a_bank_is_kept_from_move_to_move() -> None:
    assert stopped(3.0, 4.0).remaining(1, 300.0) == 10 - 3 + 2 - 4 + 2


def test_a_bank_grows_beyond_the_base() -> None:
    assert stopped(0.0).remaining(1, 200.0) == 12


def test_by_the_move_the_bank_is_filled_anew() -> None:
    assert stopped(3.0, 9.0, control=PER_MOVE).remaining(1, 300.0) == 10


def test_by_the_move_a_running_clock_goes_down_too() -> None:
    clock = stopped(3.0, control=PER_MOVE)
    clock.start(1, 200.0)
    assert clock.remaining(1, 204.0) == 6


@pytest.mark.parametrize(
    ("after", "credit", "charge"),
    [
        (3.0, 0.0, Charge(3.0, 0.0, 3.0, 0.0)),
        (3.0, 0.0625, Charge(3.0, 0.0625, 2.9375, 0.0)),
        (3.0, 1.0, Charge(3.0, MAX_CREDIT, 3.0 - MAX_CREDIT, 0.0)),
        (0.0625, 1.0, Charge(0.0625, 0.0625, 0.0, 0.0)),
        (0.0, 1.0, Charge(0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_charge(after: float, credit: float, charge: Charge) -> None:
    clock = Clock(CONTROL)
    clock.start(2, 100.0)
    assert clock.stop(100.0 + after, credit) == charge


def test_a_charge_has_the_lag_and_gives_nothing_for_it() -> None:
    clock = Clock(CONTROL)
    clock.start(2, 100.0)
    assert clock.stop(103.0, 0.0, 0.5) == Charge(3.0, 0.0, 3.0, 0.5)


def test_no_flag_has_fallen_before_a_clock_runs() -> None:
    assert Clock(CONTROL).overdrawn is None


# How long moves take, and by how much the flag has fallen then, if it has.
@pytest.mark.parametrize(
    ("control", "after", "overdrawn"),
    [
        (CONTROL, [9.984375], None),
        (CONTROL, [10.0], 0.0),
        (CONTROL, [10.5], 0.5),
        (CONTROL, [9.0, 2.984375], None),  # saved by the increment of the move before
        (CONTROL, [9.0, 3.0], 0.0),
        (PER_MOVE, [9.984375] * 3, None),
        (PER_MOVE, [1.0, 10.0], 0.0),  # what was saved before is gone
        (PER_MOVE, [1.0, 12.0], 2.0),
        (MARGIN, [10.984375], None),
        (MARGIN, [11.0], 0.0),  # no increment before the flag is looked at
        (MARGIN, [11.5], 0.5),
        (MARGIN, [10.5, 2.484375], None),  # an overdraft is paid off by the increment
        (MARGIN, [10.5, 2.5], 0.0),  # one margin for the whole match
        (MARGIN, [10.5, 4.5], 2.0),
        (PER_MOVE_MARGIN, [10.984375] * 3, None),  # a margin for every move
        (PER_MOVE_MARGIN, [10.5, 11.0], 0.0),
        (PER_MOVE_MARGIN, [10.5, 11.25], 0.25),
    ],
)
def test_the_flag(control: TimeControl, after: list[float], overdrawn: float | None) -> None:
    assert stopped(*after, control=control).overdrawn == overdrawn


@pytest.mark.parametrize("control", [CONTROL, PER_MOVE])
def test_the_credit_may_save_the_flag(control: TimeControl) -> None:
    assert stopped(10.0, credit=0.0625, control=control).overdrawn is None


def test_an_overdraft_is_not_told() -> None:
    clock = stopped(10.0, 2.5, control=MARGIN)  # 0.5 is missing, and the increment is 2
    clock.start(1, 200.0)
    assert clock.remaining(1, 201.5) == 0


def test_an_overdraft_is_taken_from_the_increment() -> None:
    assert stopped(10.5, control=MARGIN).remaining(1, 200.0) == 1.5


def test_by_the_move_an_overdraft_is_forgiven() -> None:
    assert stopped(10.5, control=PER_MOVE_MARGIN).remaining(1, 200.0) == 10


def test_the_margin_is_not_told() -> None:
    assert Clock(MARGIN).remaining(1, 0.0) == 10


def test_no_deadline_before_a_clock_runs() -> None:
    assert Clock(CONTROL).deadline is None


def test_no_deadline_after_the_clock_was_stopped() -> None:
    assert stopped(3.0).deadline is None


@pytest.mark.parametrize(
    ("control", "after", "deadline"),
    [
        (CONTROL, [], 210.0 + MAX_CREDIT),
        (CONTROL, [3.0], 209.0 + MAX_CREDIT),
        (MARGIN, [], 211.0 + MAX_CREDIT),
        (MARGIN, [10.5], 202.5 + MAX_CREDIT),
        (PER_MOVE, [3.0], 210.0 + MAX_CREDIT),
        (PER_MOVE_MARGIN, [10.5], 211.0 + MAX_CREDIT),
    ],
)
def test_the_deadline_leaves_room_for_the_network(
    control: TimeControl, after: list[float], deadline: float
) -> None:
    clock = stopped(*after, control=control)
    clock.start(1, 200.0)
    assert clock.deadline == deadline


def test_what_was_charged_is_given_back() -> None:
    clock = stopped(3.0, 4.0)
    clock.give_back(1)
    assert clock.remaining(1, 300.0) == 10 - 3 + 2


def test_no_clock_runs_when_something_is_given_back() -> None:
    clock = stopped(3.0)
    clock.start(2, 200.0)
    clock.give_back(1)
    assert clock.deadline is None


def test_what_is_given_back_cannot_be_lost_by_rounding() -> None:
    clock = stopped(1e-17)
    clock.give_back(1)
    assert clock.remaining(1, 200.0) == 10


def test_by_the_move_there_is_nothing_to_give_back() -> None:
    clock = stopped(3.0, 4.0, control=PER_MOVE)
    clock.give_back(2)
    assert clock.remaining(1, 300.0) == 10


def test_a_clock_must_run_to_be_stopped() -> None:
    with pytest.raises(AssertionError, match="no clock is running"):
        Clock(CONTROL).stop(100.0, 0.0)


small = st.floats(0, 20)
small_controls = st.builds(
    TimeControl, st.floats(0.125, 20), small, per_move=st.booleans(), margin=small
)


@given(small_controls, seconds, small, st.floats(0, 1))
def test_no_move_in_time_comes_after_the_deadline(
    control: TimeControl, now: float, after: float, credit: float
) -> None:
    clock = Clock(control)
    clock.start(1, now)
    assert clock.deadline is not None
    is_late = now + after > clock.deadline + 1e-6
    clock.stop(now + after, credit)
    assert clock.overdrawn is not None or not is_late


@given(seconds, seconds, st.floats(0, 1))
def test_a_charge_adds_up(since: float, after: float, credit: float) -> None:
    clock = Clock(CONTROL)
    clock.start(1, since)
    charge = clock.stop(since + after, credit)
    assert 0 <= charge.credit <= MAX_CREDIT
    assert charge.charged == charge.elapsed - charge.credit >= 0


# The same by an account book: every sum is done anew, in eighths of a second, which are exact


class Entry(NamedTuple):
    """A move and what it was charged."""

    player: int
    charged: float


def balance(control: TimeControl, book: Sequence[Entry], player: int) -> float:
    """What a player has for the next move, without the margin."""
    spent = [entry.charged for entry in book if entry.player == player]
    if control.per_move:
        return control.base
    return control.base + len(spent) * control.increment - sum(spent)


def overdraft(control: TimeControl, book: Sequence[Entry]) -> float | None:
    """By how much the last move has come too late, or None if it came in time."""
    *before, last = book
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
entries = st.lists(st.builds(Entry, st.sampled_from([1, 2]), eighths), min_size=1, max_size=20)
games = given(exact_controls, entries)


def booked(control: TimeControl, entries: Sequence[Entry]) -> tuple[Clock, list[Entry]]:
    """A clock that was started and stopped for these moves, as far as the flag let them come."""
    clock = Clock(control)
    now = 0.0
    book: list[Entry] = []
    for entry in entries:
        if clock.overdrawn is None:
            clock.start(entry.player, now)
            now += entry.charged
            clock.stop(now, 0.0)
            book.append(entry)
    return clock, book


@games
def test_the_flag_falls_as_the_book_says(control: TimeControl, entries: list[Entry]) -> None:
    clock, book = booked(control, entries)
    assert clock.overdrawn == overdraft(control, book)


@games
def test_no_flag_has_fallen_before(control: TimeControl, entries: list[Entry]) -> None:
    _, book = booked(control, entries)
    early = [overdraft(control, book[: number + 1]) for number in range(len(book) - 1)]
    assert early == [None] * (len(book) - 1)


@games
def test_what_remains_is_as_the_book_says(control: TimeControl, entries: list[Entry]) -> None:
    clock, book = booked(control, entries)
    for player in (1, 2):
        assert clock.remaining(player, 0.0) == max(0.0, balance(control, book, player))


@given(exact_controls, entries, st.integers(0, 20))
def test_what_is_given_back_is_in_no_book(
    control: TimeControl, entries: list[Entry], charges: int
) -> None:
    clock, book = booked(control, entries)
    left = book[: max(0, len(book) - charges)]
    clock.give_back(len(book) - len(left))
    for player in (1, 2):
        assert clock.remaining(player, 0.0) == max(0.0, balance(control, left, player))


@games
def test_the_deadline_is_as_the_book_says(control: TimeControl, entries: list[Entry]) -> None:
    clock, book = booked(control, entries)
    clock.start(2, 1000.0)
    left = balance(control, book, 2) + control.margin
    assert clock.deadline == pytest.approx(1000 + left + MAX_CREDIT)
