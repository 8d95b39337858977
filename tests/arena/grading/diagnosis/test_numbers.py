"""Numbers in a program's output, compared with quotients."""

from arena.grading.diagnosis.numbers import Rounding, is_negative_zero, parsed, roundings
from tests.support.cases import loop_over

ALL = frozenset(Rounding)
WHOLE = {Rounding.WHOLE, Rounding.NEAREST_WHOLE}


@loop_over(
    "text, quotient, found",
    ("5.3", (21, 4), {Rounding.HALF_UP, Rounding.UP, Rounding.SHORT}),
    ("5,3", (21, 4), {Rounding.HALF_UP, Rounding.UP, Rounding.SHORT}),
    ("5.2", (21, 4), {Rounding.HALF_EVEN, Rounding.TRUNCATED, Rounding.SHORT_HALF_EVEN}),
    ("5.25", (21, 4), {Rounding.NONE, Rounding.HUNDREDTHS}),
    ("5", (21, 4), WHOLE),
    ("5.0", (21, 4), WHOLE),
    ("6", (23, 4), {Rounding.NEAREST_WHOLE}),
    ("1.6666666666666667", (5, 3), {Rounding.NONE}),
    ("1.67", (5, 3), {Rounding.HUNDREDTHS}),
    ("1.66666", (5, 3), set()),
    ("2", (2, 1), {*WHOLE, Rounding.NONE, Rounding.SHORT, Rounding.SHORT_HALF_EVEN}),
    ("1.5", (3, 2), ALL - {*WHOLE, Rounding.HUNDREDTHS}),
    ("-1.5", (3, -2), ALL - {*WHOLE, Rounding.HUNDREDTHS}),
    ("7.7", (3, 2), set()),
    ("many", (3, 2), set()),
    ("NaN", (0, 0), ALL),
    ("0.0", (1, 0), ALL),
    ("1.5", (0, 0), set()),
)
def test_roundings(text: str, quotient: tuple[int, int], found: set[Rounding]) -> None:
    assert roundings(text, *quotient) == found


@loop_over("text", ["", "x", "1e9999", "1" * 50, "0x1", "nan", "inf", "\u0661"])
def test_texts_that_are_no_numbers(text: str) -> None:
    assert parsed(text) is None


@loop_over(("text", "is_negative"), [("-0.0", True), ("0.0", False), ("-0", True), ("-0.5", False)])
def test_zero_with_a_sign(text: str, is_negative: bool) -> None:
    assert is_negative_zero(text) is is_negative
