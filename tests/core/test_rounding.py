"""Rounding of the numbers that programs print."""

from core.rounding import one_decimal
from tests.support.cases import loop_over


@loop_over(
    "numerator, denominator, text",
    (1, 20, "0.1"),
    (3, 20, "0.2"),
    (1, 4, "0.3"),
    (2, 3, "0.7"),
    (0, 5, "0.0"),
    (199, 20, "10.0"),
)
def test_halves_are_rounded_up(numerator: int, denominator: int, text: str) -> None:
    assert one_decimal(numerator, denominator) == text
