"""Size of a tournament that is to take a given time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.time_control import TimeControl
from arena.tournament.duration import (
    LONGEST,
    MOVE_SECONDS,
    Load,
    TournamentSize,
    choose_size,
    format_duration,
    parse_duration,
    time_controls,
)
from tests.support.cases import loop_over

LOAD = Load(matches=100, plies=10, programs=0.5, start=0.1, concurrency=1)
CONTROLS = time_controls(start=0.1)


@loop_over(
    "text, seconds", [("45m", 2700), ("90s", 90), ("2h", 7200), ("1h30m5s", 5405), ("90m", 5400)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@loop_over("text", ["", "45", "m", "1m1h", "-5m", "1.5h", "5 m", "x"])
def test_invalid_durations(text: str) -> None:
    reason = re.escape(f"{text!r} is not a duration such as 45m, 90s, 2h or 1h30m")
    with pytest.raises(ValueError, match=f"^{reason}$"):
        parse_duration(text)


@loop_over("text", ["0s", "0h0m", "169h"])
def test_durations_out_of_range(text: str) -> None:
    with pytest.raises(ValueError, match=f"^'{text}' is not above 0 and at most 168h$"):
        parse_duration(text)


@loop_over(
    "seconds, text",
    [(0.1, "1s"), (59.4, "59s"), (89, "1m"), (90, "2m"), (3599, "1h"), (5400, "1h30m")],
)
def test_durations_as_text(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@given(st.integers(1, int(LONGEST)))
def test_the_text_of_a_duration_is_one(seconds: int) -> None:
    assert abs(parse_duration(format_duration(seconds)) - seconds) <= 30


def size(seconds: float, load: Load = LOAD) -> tuple[int, str]:
    """Return the chosen rounds and time control."""
    chosen = choose_size(load, seconds, CONTROLS)
    return chosen.rounds, str(chosen.time)


def test_the_time_of_a_round_decides_what_is_chosen() -> None:
    # A program has 5 moves with 0.5 s each, and half of the players are programs.
    control = TimeControl(1.0, per_move=True)
    assert choose_size(LOAD, 1000, [control]) == TournamentSize(
        3, control, 100 * (0.05 + 2 * 0.5 * 2.5)
    )
    control = TimeControl(1.0, per_move=True)
    slow = LOAD._replace(start=3.0)
    assert choose_size(slow, 1000, [control]).round_seconds == 100 * (0.05 + 2 * 0.5 * 15)
    control = TimeControl(9.0, 0.2)  # 10 s for a player, of which half is used
    assert choose_size(LOAD, 1000, [control]).round_seconds == 100 * (0.05 + 2 * 0.5 * 5)
    assert size(1e4)[0] < size(1e4, LOAD._replace(concurrency=4))[0]
    controls = [TimeControl(3.0, per_move=True), TimeControl(2.5, per_move=True)]
    assert choose_size(LOAD, 1000, controls)[:2] == (1, controls[0])


@loop_over(
    "seconds, expected",
    (1e6, (399, "10/move")),
    (5100, (2, "10/move")),
    (5000, (3, "5/move")),
    (600, (2, "1/move")),
    (500, (1, "1/move")),
    (260, (1, "1/move")),
    (254, (0, "1/move")),
)
def test_longest_time_with_two_rounds_is_chosen(seconds: float, expected: tuple[int, str]) -> None:
    assert size(seconds) == expected


@given(
    st.floats(1, LONGEST),
    st.builds(
        Load,
        st.integers(2, 10_000),
        st.floats(1, 100),
        st.floats(0.05, 1),
        st.floats(0.01, 10),
        st.integers(1, 64),
    ),
)
def test_all_rounds_fit(seconds: float, load: Load) -> None:
    chosen = choose_size(load, seconds, time_controls(load.start))
    assert chosen.rounds * chosen.round_seconds <= seconds * (1 + 1e-9)
    assert (chosen.rounds + 1) * chosen.round_seconds > seconds * (1 - 1e-9)


def test_time_controls_leave_room_for_starts() -> None:
    assert [control.base for control in time_controls(0.1)] == [*MOVE_SECONDS]
    assert [str(control) for control in time_controls(1.0)] == ["10/move", "5/move"]
    assert [control.base for control in time_controls(7.0)] == [10.0]
