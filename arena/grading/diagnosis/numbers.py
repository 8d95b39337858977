"""Numbers that a reading of the assignment prints, and how a program's text shows them."""

import math
import re
from enum import Enum
from typing import NamedTuple

from arena.grading.diagnosis.reading import Counting, Quotient
from arena.grading.diagnosis.search import Found, Position
from core.rounding import one_decimal

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
MAX_DIGITS = 40  # of a number that is compared


class Rounding(Enum):
    """The conversion of the branching factor to text; the first is the right one."""

    HALF_UP = "half up"
    HALF_EVEN = "half even"
    TRUNCATED = "truncated"
    WHOLE = "whole"
    NONE = "none"


class Numbers(NamedTuple):
    """The numbers of six lines; the branching factor is a quotient of whole numbers."""

    move: int
    value: float
    visited: int
    evaluated: int
    max_depth: int
    numerator: int
    denominator: int


def numbers_of(found: Found, counting: Counting, position: Position) -> Numbers:
    """Return the numbers that are printed after a search."""
    visited = found.visited - (not counting.counts_root)
    evaluated = found.ends * counting.counts_ends + found.cuts * counting.counts_cuts
    if counting.evaluates_all:
        evaluated = visited
    inner = found.visited - found.ends - found.cuts
    numerator, denominator = {
        Quotient.PRINTED: (visited - 1, visited - evaluated),
        Quotient.TRUE: (found.visited - 1, inner),
        Quotient.WITH_ROOT: (visited, visited - evaluated),
        Quotient.PER_EVALUATED: (visited, evaluated),
        Quotient.GENERATED: (found.generated, inner),
    }[counting.quotient]
    reached = position.depth if counting.prints_limit and position.depth else found.max_depth
    return Numbers(
        found.move,
        -found.value if counting.value_of_mover and not found.is_max else found.value,
        visited,
        evaluated,
        reached + counting.root_depth,
        numerator,
        denominator,
    )


def parsed(text: str) -> float | None:
    """Return the number that a text is, if it is one."""
    return float(text) if len(text) <= MAX_DIGITS and NUMBER.fullmatch(text) else None


def is_negative_zero(text: str) -> bool:
    """Return whether a text is zero with a sign."""
    return text.startswith("-") and parsed(text) == 0


def roundings(text: str, numerator: int, denominator: int) -> frozenset[Rounding]:
    """Return the conversions of a quotient that give a text."""
    if denominator <= 0:  # no quotient: programs print NaN, Infinity or zero
        return frozenset(Rounding) if not parsed(text) else frozenset()
    number = parsed(text)
    if number is None:
        return frozenset()
    exact = numerator / denominator
    texts = {
        Rounding.HALF_UP: {one_decimal(numerator, denominator)},
        Rounding.HALF_EVEN: {f"{exact:.1f}"},
        Rounding.TRUNCATED: {_tenths(10 * numerator // denominator)},
        Rounding.WHOLE: {f"{numerator // denominator}", f"{numerator // denominator}.0"},
    }
    found = {rounding for rounding, forms in texts.items() if text in forms}
    decimals = len(text.partition(".")[2])
    if math.isclose(number, exact, abs_tol=0.6 * 10**-decimals) and (
        decimals > 1 or number == exact
    ):
        found.add(Rounding.NONE)
    return frozenset(found)


def _tenths(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"
