"""Numbers as people write them."""

import pytest

from core.numbers import parse_integer, parse_number
from tests.support.cases import loop_over

NEITHER = ["", "-", "+1", "1_0", " 1", "1 ", "1\n", "٣", "４", "--1", "- 1", "0x7", "x"]  # noqa: RUF001


@loop_over(("text", "number"), [("0", 0), ("-12", -12), ("007", 7)])
def test_integers(text: str, number: int) -> None:
    assert parse_integer(text) == number


@loop_over("text", [*NEITHER, "1.0", "1e3"])
def test_other_texts_are_no_integers(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected an integer, got "):
        parse_integer(text)


def test_more_digits_than_python_converts() -> None:
    with pytest.raises(ValueError, match=r"^Exceeds the limit \(4300 digits\)"):
        parse_integer(5000 * "9")


@loop_over(
    ("text", "number"),
    [
        ("0", 0),
        ("-12", -12),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5),
        ("1e3", 1000),
        ("-2.5E-1", -0.25),
    ],
)
def test_numbers(text: str, number: float) -> None:
    assert parse_number(text) == number


@loop_over(
    "text", [*NEITHER, ".", "1_0.5", "1.0_5", "e3", "1e", "nan", "inf", "-Infinity", "1e999"]
)
def test_other_texts_are_no_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a number, got "):
        parse_number(text)
