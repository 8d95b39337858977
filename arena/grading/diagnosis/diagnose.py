"""Search for the misreadings that give exactly a program's numbers."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from arena.grading.diagnosis.numbers import (
    Numbers,
    Rounding,
    is_negative_zero,
    numbers_of,
    parsed,
    roundings,
)
from arena.grading.diagnosis.reading import Reading, Rules
from arena.grading.diagnosis.search import Found, Position, TooLarge, search
from arena.grading.diagnosis.variants import (
    MAX_COMBINED,
    Explanation,
    Variant,
    explanations,
    readings,
)

MAX_CASE_NODES = 20_000  # of the right search; larger cases are not examined
MAX_NODES = 60_000  # of a search by a misreading
MAX_ALTERNATIVES = 3
VALUE, BRANCHING = 1, 5  # indexes of lines


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


class Finding(NamedTuple):
    """A fault of a program, with the smallest case that shows it."""

    name: str
    title: str
    advice: str
    case: int | None


class Scope(Enum):
    """The lines, by index, that an explanation has to reproduce."""

    ALL = (0, 1, 2, 3, 4, 5)
    ALL_BUT_BRANCHING = (0, 1, 2, 3, 4)
    RESULT = (0, 1)
    COUNTS = (2, 3, 4)


class Diagnosis(NamedTuple):
    """The diagnosis of one program.

    Attributes:
        alternatives: Sets of misreadings, each of which gives the program's numbers; empty if
            there is none, or none is needed.
        formats: Faults in how numbers are printed, besides.
        scope: The lines that they explain; None if no explanation was found.
        examined: The number of cases that were small enough to be compared.
    """

    alternatives: tuple[tuple[Finding, ...], ...] = ()
    formats: tuple[Finding, ...] = ()
    scope: Scope | None = None
    examined: int = 0


ROUNDINGS = {
    Rounding.HALF_EVEN: "The branching factor is rounded as C and Python do it: 5.25 becomes 5.2.",
    Rounding.TRUNCATED: "The branching factor is truncated instead of rounded.",
    Rounding.WHOLE: "The branching factor is a division of whole numbers.",
    Rounding.NONE: "The branching factor is not rounded to one decimal.",
}
ROUNDING_ADVICE = "Print one decimal, rounded half up as String.format of Java does it."
NEGATIVE_ZERO = (
    "negative-zero",
    "Zero is printed with a sign.",
    "Negating 0.0 gives -0.0: return 0.0 before you negate, or add 0.0 to the value.",
)
VALUE_FORMAT = (
    "value-format",
    "The value is not printed with one decimal.",
    "Print all values with one decimal: 1.0, -0.5.",
)


class Searches:
    """Searches by misreadings, each done once for all programs."""

    def __init__(self) -> None:
        self._found: dict[tuple[Position, Rules], Found | None] = {}

    def numbers(self, position: Position, reading: Reading) -> Numbers | None:
        """Return the numbers that a reading gives, or None if its search is too large."""
        key = position, reading.rules
        if key not in self._found:
            try:
                self._found[key] = search(position, reading.rules, MAX_NODES)
            except TooLarge:
                self._found[key] = None
        found = self._found[key]
        return found and numbers_of(found, reading.counting, position)


def diagnose(samples: Iterable[Sample], searches: Searches) -> Diagnosis:
    """Return the diagnosis of a program.

    Args:
        samples: The cases that the program answered with six lines, right and wrong ones.
        searches: The searches done before, for other programs too.
    """
    small = (sample for sample in samples if sample.nodes <= MAX_CASE_NODES)
    examined = sorted(small, key=lambda sample: sample.nodes)
    for scope in Scope:
        if found := _explain(examined, scope, searches):
            explained, rounding = found
            alternatives = (
                tuple(_finding(variant, examined, searches) for variant in explanation.variants)
                for explanation in explained
            )
            named = tuple(alternative for alternative in alternatives if alternative)
            return Diagnosis(named, _formats(examined, scope, rounding), scope, len(examined))
    return Diagnosis(examined=len(examined))


def _explain(
    samples: Sequence[Sample], scope: Scope, searches: Searches
) -> tuple[list[Explanation], Rounding] | None:
    """Return the simplest explanations of wrong lines; None if there is none."""
    if not any(sample.is_wrong(scope.value) for sample in samples):
        return None
    for count in range(MAX_COMBINED + 1):
        fitting: dict[tuple[str, ...], tuple[Explanation, Rounding]] = {}
        for explanation in explanations(count):
            if rounding := _fits(explanation.reading, samples, scope, searches):
                names = tuple(variant.name for variant in explanation.variants)
                fitting.setdefault(names, (explanation, rounding))
        if fitting:
            found = [*fitting.values()][:MAX_ALTERNATIVES]
            return [explanation for explanation, _ in found], found[0][1]
    return None


def _fits(
    reading: Reading, samples: Sequence[Sample], scope: Scope, searches: Searches
) -> Rounding | None:
    """Return the rounding with which a reading gives the lines of all samples, if it does."""
    allowed = frozenset(Rounding)
    explains = False  # whether a wrong sample was small enough for this reading
    for sample in samples:
        if not (numbers := searches.numbers(sample.position, reading)):
            continue
        if BRANCHING in scope.value:
            allowed &= roundings(sample.got[BRANCHING], numbers.numerator, numbers.denominator)
        if not allowed or not _agrees(numbers, sample.got, scope):
            return None
        explains |= sample.is_wrong(scope.value)
    return min(allowed, key=[*Rounding].index) if explains else None


def _agrees(numbers: Numbers, got: Sequence[str], scope: Scope) -> bool:
    """Return whether a program's lines, but for the branching factor, have these numbers."""
    return all(parsed(got[line]) == numbers[line] for line in scope.value if line != BRANCHING)


def _finding(variant: Variant, samples: Sequence[Sample], searches: Searches) -> Finding:
    """Return a variant with the smallest wrong case in which it alone changes a number."""

    def shows(sample: Sample) -> bool:
        right = searches.numbers(sample.position, Reading())
        return any(searches.numbers(sample.position, way) != right for way in readings(variant))

    case = _first(samples, lambda sample: sample.is_wrong(Scope.ALL.value) and shows(sample))
    return Finding(variant.name, variant.title, variant.advice, case)


def _formats(samples: Sequence[Sample], scope: Scope, rounding: Rounding) -> tuple[Finding, ...]:
    """Return the faults in how a program prints its numbers."""
    values = [
        (NEGATIVE_ZERO, _first(samples, lambda sample: is_negative_zero(sample.got[VALUE]))),
        (VALUE_FORMAT, _first(samples, lambda sample: not has_one_decimal(sample.got[VALUE]))),
    ]
    found = [Finding(*texts, case) for texts, case in values if case is not None]
    if BRANCHING in scope.value and rounding in ROUNDINGS:
        name = f"branching-{rounding.value.replace(' ', '-')}"
        case = _first(samples, lambda sample: sample.is_wrong([BRANCHING]))
        found.append(Finding(name, ROUNDINGS[rounding], ROUNDING_ADVICE, case))
    return tuple(found)


def has_one_decimal(text: str) -> bool:
    """Return whether a number is printed with one decimal."""
    return text[-2:-1] == "."


def _first(samples: Iterable[Sample], condition: Callable[[Sample], bool]) -> int | None:
    return next((sample.number for sample in samples if condition(sample)), None)
