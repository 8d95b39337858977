"""Misreadings that a position reveals, as they change a line of the output."""

from collections.abc import Collection

from arena.grading.diagnosis.explanation import ROUNDINGS
from arena.grading.diagnosis.fit import DIVISIONS, WAYS
from arena.grading.diagnosis.lines import Counts
from arena.grading.diagnosis.numbers import roundings
from arena.grading.diagnosis.search import Found, Position, Searches
from arena.grading.diagnosis.variants import RIGHT, Reading
from core.rounding import one_decimal


def revealed(position: Position, wanted: Collection[Reading], searches: Searches) -> set[object]:
    """Return which of some readings, and of the misreadings of one line, change a line."""
    right = searches.find(position, RIGHT)
    assert right
    lines = _lines(right, position)
    of_rules = {
        reading
        for reading in wanted
        if not ((found := searches.find(position, reading)) and _lines(found, position) == lines)
    }
    return of_rules | _of_lines(position, right)


def _lines(found: Found, position: Position) -> tuple[float, ...]:
    return tuple(ways[0].number(found, position) for ways in WAYS)


def _of_lines(position: Position, right: Found) -> set[object]:
    """Return the ways to print a line, and the conversions, that change a line."""
    evaluated = right.ends + right.cuts
    inner = right.visited - evaluated
    counts = Counts(right.visited, evaluated, inner, right.generated, right.max_depth)
    text = one_decimal(right.visited - 1, inner)
    shown = roundings(text, right.visited - 1, inner)
    return {
        *(
            way
            for ways in WAYS
            for way in ways[1:]
            if way.number(right, position) != ways[0].number(right, position)
        ),
        *(one for one in DIVISIONS if not roundings(text, *one.quotient(counts))),
        *(rounding for rounding in ROUNDINGS if rounding not in shown),
    }
