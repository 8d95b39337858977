"""Time controls as text: parsing and formatting."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.time_control import TimeControl, controls_text, parse_controls
from tests.support.cases import loop_over

valid_texts = st.from_regex(
    r"[0-9]{1,4}(\.[0-9]{0,20})?(\+[0-9]{0,3}\.[0-9]{1,20}|/move)?( margin [0-9]{1,4}\.[0-9]*)?",
    fullmatch=True,
)
seconds = st.floats(0, 1e6)
NO_NODES = st.none()
positive = st.floats(0, 1e6, exclude_min=True)
controls = st.builds(TimeControl, positive, seconds, st.just(False), seconds, NO_NODES) | st.builds(
    TimeControl, positive, st.just(0.0), st.just(True), seconds, NO_NODES
)


def parse_or_none(text: str) -> TimeControl | None:
    """Return the parsed time control, or None if the text is invalid."""
    try:
        return TimeControl.parse(text)
    except ValueError:
        return None


@loop_over(
    "text, control",
    ("5+0.05", TimeControl(5, 0.05)),
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
    ("unlimited", TimeControl(math.inf, per_move=True)),
    ("1 nodes", TimeControl(math.inf, per_move=True, nodes=1)),
    (f"{10**15 - 1} nodes", TimeControl(math.inf, per_move=True, nodes=10**15 - 1)),
)
def test_text_is_parsed(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@loop_over(
    "text",
    *("", "+", "5+", "+5", "5 + 1", " 5", "5\n", "-5", "5+-1", "5++1", "5+1+1", "1e3", "inf"),
    *("nan", "1_000", "five", "5s", "0x10", ".", "5+.", "\N{ARABIC-INDIC DIGIT FIVE}", "5,5"),
    *("/move", "5+1/move", "5/move+1", "5/ move", "5/Move", "5 /move", "5/move/move", "5/moves"),
    *("margin 1", "5 margin", "5 margin ", "5margin 1", "5 margin -1", "5  margin 1"),
    *("0 nodes", "-1 nodes", "nodes", "1e3 nodes", "9999999999999999 nodes", "1 node"),
    *("Unlimited", "unlimited margin 1", "1 nodes margin 1", "unlimited 5", "1.5 nodes"),
    *("5 margin 1 margin 1", "5 margin 1+1", "5 margin 1/move", "5 margin nan"),
)
def test_invalid_text_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not BASE"):
        TimeControl.parse(text)


@loop_over(
    "text",
    *("0", "0.0+5", "1000000.1", "9" * 400, "0/move", "1000000.1/move", "0 margin 5"),
)
def test_time_out_of_range_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="must be above 0 and at most 1000000 seconds"):
        TimeControl.parse(text)


@loop_over("text", "5+1000000.1", "5+" + "9" * 400, "5 margin 1000000.1", "5 margin " + "9" * 400)
def test_a_part_out_of_range_is_named(text: str) -> None:
    part = "margin" if "margin" in text else "increment"
    with pytest.raises(ValueError, match=f": {part} must be at most 1000000 seconds$"):
        TimeControl.parse(text)


@loop_over(
    "control, text",
    (TimeControl(5, 0.05), "5+0.05"),
    (TimeControl(10, 0), "10+0"),
    (TimeControl(1e6, 0.1), "1000000+0.1"),
    (TimeControl(0.00001, 1e-7), "0.00001+0.0000001"),
    (TimeControl(0.5, per_move=True), "0.5/move"),
    (TimeControl(5, 0.05, margin=0.25), "5+0.05 margin 0.25"),
    (TimeControl(5, margin=0.000001), "5+0 margin 0.000001"),
    (TimeControl(10, per_move=True, margin=1), "10/move margin 1"),
    (TimeControl(math.inf, per_move=True), "unlimited"),
    (TimeControl(math.inf, per_move=True, nodes=7), "7 nodes"),
)
def test_time_control_is_formatted(control: TimeControl, text: str) -> None:
    assert str(control) == text


@given(controls)
def test_time_control_survives_a_round_trip(control: TimeControl) -> None:
    assert TimeControl.parse(str(control)) == control


@loop_over(("text", "has_clock"), [("5+1", True), ("1000000/move", True), ("unlimited", False)])
def test_has_clock(text: str, has_clock: bool) -> None:
    assert TimeControl.parse(text).has_clock == has_clock


def test_message_names_all_forms() -> None:
    expected = (
        "time 'slow' is not BASE+INCREMENT, BASE or TIME/move in seconds, as 5+0.05, nor, in"
        ' process, "unlimited" or "N nodes"'
    )
    with pytest.raises(ValueError, match="is not BASE") as caught:
        TimeControl.parse("slow")
    assert str(caught.value) == expected


@given(st.text() | valid_texts)
def test_parsed_times_are_in_range(text: str) -> None:
    control = parse_or_none(text)
    assert (
        control is None
        or not control.has_clock
        or (
            0 < control.base <= 1e6 and 0 <= control.increment <= 1e6 and 0 <= control.margin <= 1e6
        )
    )
    assert control is None or not (control.per_move and control.increment)


def test_both_players_have_one_time_control_or_two() -> None:
    one, two = TimeControl(10, 0.1), TimeControl(1, per_move=True, margin=0.5)
    assert parse_controls("10+0.1") == (one, one)
    assert parse_controls("10+0.1 vs 1/move margin 0.5") == (one, two)
    for controls in ((one, one), (one, two), (two, one)):
        assert parse_controls(controls_text(*controls)) == controls


@loop_over("text", ["10 vs ", " vs 10", "1 vs 2 vs 3", "10vs 5"])
def test_two_time_controls_need_both(text: str) -> None:
    with pytest.raises(ValueError, match="is not BASE"):
        parse_controls(text)
