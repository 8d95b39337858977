"""Comparison of a program's lines with the lines by a reading of the rules."""

from collections.abc import Callable, Iterable, Sequence
from operator import and_
from typing import NamedTuple

from arena.grading.diagnosis.lines import (
    BRANCHING,
    DEPTH,
    EVALUATED,
    FORMS,
    FORMULAS,
    MOVE,
    VALUE,
    VISITED,
    Counts,
    Form,
    Formula,
)
from arena.grading.diagnosis.numbers import TOLERANCE, Rounding, parsed, roundings
from arena.grading.diagnosis.search import Found, Position, Searches
from arena.grading.diagnosis.variants import RIGHT, Reading

RESULT, COUNTS = (MOVE, VALUE), (VISITED, EVALUATED, DEPTH)
NO_MOVE = ("-1", "null", "None", "undefined")  # texts of a move that was never chosen


class Sample(NamedTuple):
    """A case and a program's answer: the texts of six lines."""

    number: int
    position: Position
    nodes: int
    expected: tuple[str, ...]
    got: tuple[str, ...]

    def is_wrong(self, lines: Iterable[int]) -> bool:
        """Return whether one of these lines is wrong."""
        return any(self.got[line] != self.expected[line] for line in lines)


class Shown(NamedTuple):
    """A sample with the numbers of its six lines, None for one that is not a number."""

    sample: Sample
    numbers: tuple[float | None, ...]


class Way(NamedTuple):
    """A form of a line with one formula of its number."""

    form: Form
    number: Callable[[Found, Position], float]


class Division(NamedTuple):
    """A formula of the branching factor, of the printed counts or of the nodes."""

    formula: Formula
    quotient: Callable[[Counts], tuple[int, int]]
    is_printed: bool


WAYS = [[Way(form, number) for form in FORMS[line] for number in form.numbers] for line in FORMS]
DIVISIONS = [
    Division(formula, quotient, is_printed)
    for formula in FORMULAS
    for quotient in formula.quotients
    for is_printed in (True, False)
]


class Fit(NamedTuple):
    """The ways that a reading gives a program's lines in all cases.

    Attributes:
        reading: The reading.
        ways: The ways to print each of the first five lines; empty where no way fits.
        divisions: The ways to print the branching factor.
        compared: The number of cases that the reading can search in time.
    """

    reading: Reading
    ways: list[list[Way]]
    divisions: list[tuple[Division, Rounding]]
    compared: int

    @property
    def lines(self) -> list[int]:
        """The lines that are explained."""
        found = [line for line, ways in enumerate(self.ways) if ways]
        return [*found, BRANCHING] if self.divisions else found


def shown(sample: Sample) -> Shown:
    """Return a sample with its numbers."""
    move = 0.0 if sample.got[MOVE] in NO_MOVE else parsed(sample.got[MOVE])
    return Shown(sample, (move, *map(parsed, sample.got[VALUE:])))


class Comparison:
    """A program's lines in all cases, to be compared with readings."""

    def __init__(self, cases: Sequence[Shown], searches: Searches) -> None:
        """Create a comparison; cases that tell readings apart should be first."""
        self.cases = cases
        self._searches = searches
        self._agreeing: dict[tuple[int, Found], list[int]] = {}
        self._divisions: dict[tuple[Found, ...], list[tuple[Division, Rounding]]] = {}
        self._has_branching = False  # whether the printed counts explain the branching factor
        self._has_branching = bool(self.fit(RIGHT, lambda _: True).divisions)

    def fit(self, reading: Reading, is_promising: Callable[[int], bool]) -> Fit:
        """Return the lines of all cases that a reading gives.

        Args:
            reading: The reading.
            is_promising: Whether a number of lines is enough. A reading that cannot reach it gives
                none.
        """
        left = [-1] * len(WAYS)  # bit masks of the ways to print each line
        compared: list[tuple[Shown, Found]] = []
        for index, case in enumerate(self.cases):
            if not (found := self._searches.find(case.sample.position, reading)):
                continue
            compared.append((case, found))
            left = list(map(and_, left, self._agreed(index, found)))
            if not is_promising(self._most_lines(left)):
                return Fit(reading, [], [], 0)
        if not any(case.sample.is_wrong(range(BRANCHING + 1)) for case, _ in compared):
            return Fit(reading, [], [], 0)
        ways = [
            [way for bit, way in enumerate(ways) if mask >> bit & 1]
            for ways, mask in zip(WAYS, left, strict=True)
        ]
        return Fit(reading, ways, self._divided(compared), len(compared))

    def _agreed(self, index: int, found: Found) -> list[int]:
        """Return the ways to print each line that give those of a case, as bit masks."""
        if (index, found) not in self._agreeing:
            sample, numbers = self.cases[index]
            self._agreeing[index, found] = [
                agreeing(ways, number, found, sample.position)
                for ways, number in zip(WAYS, numbers, strict=False)
            ]
        return self._agreeing[index, found]

    def _most_lines(self, ways: Sequence[int]) -> int:
        """Return the number of lines that may be explained, 0 if only single lines are left.

        Args:
            ways: The ways that are left to print each line, as bit masks.
        """
        if not any(all(ways[line] for line in group) for group in (RESULT, COUNTS)):
            return 0
        has_counts = bool(ways[VISITED] and ways[EVALUATED])
        return sum(map(bool, ways)) + (has_counts or self._has_branching)

    def _divided(self, compared: Sequence[tuple[Shown, Found]]) -> list[tuple[Division, Rounding]]:
        """Return the ways to print the branching factor that fit all cases."""
        key = tuple(found for _, found in compared)
        if key not in self._divisions:
            self._divisions[key] = _divisions(compared)
        return self._divisions[key]

    def agreements(self, reading: Reading, line: int) -> int:
        """Return the number of cases where a line is as a reading gives it."""
        return sum(self.agrees(case, reading, line) for case in self.cases)

    def agrees(self, case: Shown, reading: Reading, line: int) -> bool:
        """Return whether a line of a case is as a reading gives it."""
        position = case.sample.position
        if not (found := self._searches.find(position, reading)):
            return False
        if line == BRANCHING:
            return any(
                Rounding.HALF_UP in _roundings(division, case, found) for division in DIVISIONS[:2]
            )
        return bool(agreeing(WAYS[line][:1], case.numbers[line], found, position))


def agreeing(ways: Iterable[Way], number: float | None, found: Found, position: Position) -> int:
    """Return the ways to print a line that give a number, as a bit mask."""
    if number is None:
        return 0
    return sum(
        1 << bit
        for bit, way in enumerate(ways)
        if abs(way.number(found, position) - number) < TOLERANCE
    )


def _divisions(compared: Iterable[tuple[Shown, Found]]) -> list[tuple[Division, Rounding]]:
    allowed = dict.fromkeys(DIVISIONS, frozenset(Rounding))
    for case, found in compared:
        allowed = {
            division: left
            for division, before in allowed.items()
            if (left := before & _roundings(division, case, found))
        }
    return [
        (division, rounding)
        for division, left in allowed.items()
        for rounding in Rounding
        if rounding in left
    ]


def _roundings(division: Division, case: Shown, found: Found) -> frozenset[Rounding]:
    """Return the conversions in which a division gives the branching factor of a case."""
    counts: tuple[float | None, ...] = found.visited, found.ends + found.cuts, found.max_depth
    if division.is_printed:
        counts = tuple(case.numbers[line] for line in COUNTS)
    visited, evaluated, depth = (-1 if number is None else int(number) for number in counts)
    inner = found.visited - found.ends - found.cuts
    quotient = division.quotient(Counts(visited, evaluated, inner, found.generated, depth))
    return roundings(case.sample.got[BRANCHING], *quotient)
