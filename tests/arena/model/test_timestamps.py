"""Timestamps and numbers of seconds as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.timestamps import format_timestamp, parse_seconds, parse_timestamp
from tests.support.cases import loop_over
from tests.support.tournaments.matches import SECONDS


@given(SECONDS)
def test_seconds_survive_a_round_trip(time: float) -> None:
    assert parse_seconds(repr(time)) == time


@loop_over("text", ["", "nan", "inf", "1e999", "1_0", "0x1", ".5", "٣"])
def test_text_that_is_not_a_finite_number_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="expected a number of seconds"):
        parse_seconds(text)


@given(SECONDS | st.floats(0, 3e11))
def test_timestamps_survive_a_round_trip(time: float) -> None:
    assert parse_timestamp(format_timestamp(time)) == time


@loop_over(
    "time, text",
    (0.0, "1970-01-01T00:00:00Z"),
    (1000.5, "1970-01-01T00:16:40.5Z"),
    (1763736277.1234567, "2025-11-21T14:44:37.1234567Z"),
    (1e-07, "1970-01-01T00:00:00.0000001Z"),
    (253402300799.0, "9999-12-31T23:59:59Z"),
    (253402300800.0, "253402300800.0"),
    (-0.5, "-0.5"),
)
def test_timestamps_have_all_digits(time: float, text: str) -> None:
    assert (format_timestamp(time), parse_timestamp(text)) == (text, time)


@loop_over(
    "text", ["1969-12-31T23:59:59.5Z", "2025-11-21", "2025-11-21T14:44:37", "2025-13-01T00:00:00Z"]
)
def test_invalid_timestamps_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a number of seconds|month must be in 1\.\.12"):
        parse_timestamp(text)
