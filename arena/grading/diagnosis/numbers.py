"""Numbers in a program's output, and the ways to print a quotient."""

import re
from enum import Enum
from functools import lru_cache

from core.rounding import one_decimal

NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
MAX_DIGITS, MAX_NUMBER = 40, 1e15  # of a number that is compared
TOLERANCE = 1e-6  # of values that are printed with many digits, such as 0.6000000238418579


class Rounding(Enum):
    """The conversion of the branching factor to text; the first is the right one."""

    HALF_UP = "half up"
    HALF_EVEN = "half even"
    TRUNCATED = "truncated"
    UP = "up"
    WHOLE = "whole"
    NEAREST_WHOLE = "nearest whole"
    HUNDREDTHS = "hundredths"
    NONE = "none"
    SHORT = "short"
    SHORT_HALF_EVEN = "short half even"


def parsed(text: str) -> float | None:
    """Return the number that a text is, with a decimal point or comma, if it is one."""
    if len(text) > MAX_DIGITS or not NUMBER.fullmatch(text):
        return None
    number = float(text.replace(",", "."))
    return number if abs(number) < MAX_NUMBER else None


def is_negative_zero(text: str) -> bool:
    """Return whether a text is zero with a sign."""
    return text.startswith("-") and parsed(text) == 0


@lru_cache(maxsize=50_000)
def roundings(text: str, numerator: int, denominator: int) -> frozenset[Rounding]:
    """Return the conversions of a quotient that give a text, with a decimal point or comma."""
    number = parsed(text)
    if denominator == 0:  # no quotient: programs print NaN, Infinity or zero
        return frozenset(Rounding) if not number else frozenset()
    exact = numerator / denominator
    if number is None or abs(number - exact) > 1:
        return frozenset()
    text = text.replace(",", ".")
    if exact < 0 or denominator < 0:
        text = text.removeprefix("-")
    found = {
        rounding for rounding, forms in _texts(abs(numerator), abs(denominator)) if text in forms
    }
    decimals = len(text.partition(".")[2])
    if number == exact or (decimals > 2 and abs(number - exact) < 0.6 * 10**-decimals + 1e-12):
        found.add(Rounding.NONE)
    return frozenset(found)


def _texts(numerator: int, denominator: int) -> list[tuple[Rounding, set[str]]]:
    """Return the texts of a quotient that is not negative in each conversion."""
    exact = numerator / denominator
    half_up, half_even = one_decimal(numerator, denominator), f"{exact:.1f}"
    whole, nearest = numerator // denominator, (2 * numerator + denominator) // (2 * denominator)
    return [
        (Rounding.HALF_UP, {half_up}),
        (Rounding.HALF_EVEN, {half_even}),
        (Rounding.TRUNCATED, {_tenths(10 * numerator // denominator)}),
        (Rounding.UP, {_tenths(-(-10 * numerator // denominator))}),
        (Rounding.WHOLE, {f"{whole}", f"{whole}.0"}),
        (Rounding.NEAREST_WHOLE, {f"{nearest}", f"{nearest}.0"}),
        (Rounding.HUNDREDTHS, {f"{exact:.2f}", f"{exact + 1e-9:.2f}"}),  # half to even, half up
        (Rounding.SHORT, {half_up.removesuffix(".0")}),
        (Rounding.SHORT_HALF_EVEN, {half_even.removesuffix(".0")}),
    ]


def _tenths(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"
