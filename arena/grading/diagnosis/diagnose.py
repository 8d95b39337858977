"""Search for the misreadings, and the faults of format, that give exactly a program's numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import combinations
from typing import NamedTuple

from arena.grading.diagnosis.explanation import Explanation, Finding, Part, explanations
from arena.grading.diagnosis.fit import Comparison, Sample, Shown, shown
from arena.grading.diagnosis.lines import BRANCHING, DEPTH, EVALUATED, FORMS, MOVE, VALUE, VISITED
from arena.grading.diagnosis.numbers import is_negative_zero, parsed
from arena.grading.diagnosis.search import Searches
from arena.grading.diagnosis.variants import RIGHT, Reading, combined, pairs, readings

FORMATS: tuple[tuple[Part, Callable[[Sample], bool]], ...] = (
    (
        Part(
            "negative-zero",
            "Zero is printed with a sign.",
            "Negating 0.0 gives -0.0: return 0.0 before you negate, or add 0.0 to the value.",
        ),
        lambda sample: is_negative_zero(sample.got[VALUE]),
    ),
    (
        Part(
            "decimal-comma",
            "Numbers are printed with a decimal comma.",
            "Print a decimal point whatever the country's settings are, in Java with"
            ' String.format(Locale.ROOT, "%.1f", number).',
        ),
        lambda sample: "," in sample.got[VALUE] or "," in sample.got[BRANCHING],
    ),
    (
        Part(
            "value-format",
            "The value is not printed with one decimal.",
            "Print all values with one decimal: 1.0, -0.5.",
        ),
        lambda sample: not has_one_decimal(sample.got[VALUE]),
    ),
    (
        Part(
            "number-format",
            "A number is printed with characters that it does not need.",
            "Print whole numbers without decimals, and no number with a plus sign or a leading 0.",
        ),
        lambda sample: any(
            is_padded(sample.got[line]) for line in (MOVE, VISITED, EVALUATED, DEPTH)
        ),
    ),
)
LINES = range(BRANCHING + 1)
LINE_OF = {form.name: line for line, forms in FORMS.items() for form in forms}
MAX_COMBINED = 3
MAX_ALTERNATIVES = 3
FEWEST_LINES = (0, 2, 5, 6)  # of readings with 0 to 3 misreadings: a partial one may be a guess
LIKELY = 16  # misreadings that are combined by three
FIRST_WRONG = 3  # wrong cases that are compared first
MIN_CASES, MIN_WRONG = 5, 3  # compared cases, and wrong lines, for each misreading that is certain


def formats(samples: Iterable[Sample]) -> tuple[Finding, ...]:
    """Return the faults in how a program prints its numbers, with the first cases."""
    samples = [*samples]
    found = []
    for part, is_faulty in FORMATS:
        faulty = [sample.number for sample in samples if is_faulty(sample)]
        if faulty:
            found.append(Finding(*part, faulty[0]))
    return tuple(found)


def has_one_decimal(text: str) -> bool:
    """Return whether a number is printed with one decimal."""
    return text[-2:-1] in (".", ",")


def is_padded(text: str) -> bool:
    """Return whether a whole number is printed with more than its digits."""
    number = parsed(text)
    return number is not None and number == int(number) and text != str(int(number))


class Diagnosis(NamedTuple):
    """The diagnosis of one program.

    Attributes:
        alternatives: Sets of misreadings that give the same number of lines; empty if no set does,
            or none is needed.
        formats: Further faults, in how numbers are printed.
        agreeing: The number of cases where each line is as the first alternative gives it.
        examined: The number of cases that were small enough to be compared.
        is_certain: Whether one set of misreadings gives all lines of all these cases.
    """

    alternatives: tuple[tuple[Finding, ...], ...] = ()
    formats: tuple[Finding, ...] = ()
    agreeing: tuple[int, ...] = ()
    examined: int = 0
    is_certain: bool = False


def diagnose(samples: Iterable[Sample], searches: Searches) -> Diagnosis:
    """Return the diagnosis of a program.

    Args:
        samples: The cases that the program answered with six lines, right and wrong ones.
        searches: The searches done before, for other programs too.
    """
    small = sorted(
        (sample for sample in samples if searches.find(sample.position, RIGHT)),
        key=lambda sample: sample.nodes,
    )
    if not any(sample.is_wrong(LINES) for sample in small):
        return Diagnosis(examined=len(small))
    explaining = _Explaining(small, searches)
    return explaining.diagnosis(explaining.simplest())


class _Explaining:
    """The search for the simplest explanations of most lines."""

    def __init__(self, samples: Sequence[Sample], searches: Searches) -> None:
        wrong = [sample for sample in samples if sample.is_wrong(LINES)][:FIRST_WRONG]
        ordered = [*wrong, *(sample for sample in samples if sample not in wrong)]
        self._samples = samples
        self._searches = searches
        self._comparison = Comparison([shown(sample) for sample in ordered], searches)
        self._best = 0, -2 * len(LINES)  # the lines, and the misreadings that they need
        self._found: list[Explanation] = []

    def simplest(self) -> list[Explanation]:
        """Return the simplest explanations of most lines."""
        self._try(RIGHT)
        if self._found[0].fit.lines[:BRANCHING] == [*LINES[:BRANCHING]]:
            return self._found  # no misreading of the rules changes the branching factor alone
        self._try_all(1, readings)
        self._try_all(2, pairs)
        self._try_all(3, self._triples)
        return self._found

    def _try_all(self, size: int, candidates: Callable[[], Iterable[Reading]]) -> None:
        """Try the readings with a number of misreadings, unless fewer give all lines."""
        if self._best <= (len(LINES), -size):
            for reading in candidates():
                self._try(reading)

    def _try(self, reading: Reading) -> None:
        """Keep the explanations by a reading, unless there are better ones."""
        size = len(reading.variants)
        fewest = FEWEST_LINES[size]

        def is_promising(lines: int) -> bool:
            return not size or (lines >= fewest and (lines, -size) >= self._best)

        found = self._comparison.fit(reading, is_promising)
        for explanation in explanations(found):
            quality = len(found.lines), -len(explanation.parts)
            is_small = not size or len(explanation.parts) <= MAX_COMBINED
            if is_small and quality >= self._best:
                if quality > self._best:
                    self._best, self._found = quality, []
                self._found.append(explanation)

    def _triples(self) -> Iterator[Reading]:
        """Yield the combinations of three of the misreadings that alone give most lines."""

        def agreeing(reading: Reading) -> int:
            return sum(self._comparison.agreements(reading, line) for line in LINES)

        likely = nlargest(LIKELY, readings(), key=agreeing)
        return (reading for parts in combinations(likely, 3) if (reading := combined(parts)))

    def diagnosis(self, found: Sequence[Explanation]) -> Diagnosis:
        """Return a diagnosis in words."""
        first, comparison = found[0].fit, self._comparison
        agreeing = [
            first.compared if line in first.lines else comparison.agreements(first.reading, line)
            for line in LINES
        ]
        wrong = sum(
            not comparison.agrees(case, RIGHT, line)
            for case in comparison.cases
            if self._searches.find(case.sample.position, first.reading)
            for line in LINES
        )
        alternatives = [*dict.fromkeys(one.parts for one in found if one.parts)]
        return Diagnosis(
            tuple(
                tuple(self._finding(part) for part in sorted(parts))
                for parts in alternatives[:MAX_ALTERNATIVES]
            ),
            formats(self._samples),
            tuple(agreeing),
            first.compared,
            len(first.lines) == len(LINES)
            and len(alternatives) <= 1
            and first.compared >= MIN_CASES * len(found[0].parts)
            and (first.reading is RIGHT or wrong >= MIN_WRONG * len(found[0].parts)),
        )

    def _finding(self, part: Part) -> Finding:
        """Return a misreading with the smallest wrong case in which it alone changes a line."""
        cases = sorted(self._comparison.cases, key=lambda case: case.sample.nodes)
        numbers = (case.sample.number for case in cases if self._shows(case, part))
        return Finding(*part, next(numbers, None))

    def _shows(self, case: Shown, part: Part) -> bool:
        """Return whether a line of a case is wrong, and whether a misreading changes one of it."""
        wrong = [line for line in LINES if not self._comparison.agrees(case, RIGHT, line)]
        same = [reading for reading in readings() if reading.variants[0].name == part.name]
        if not same:
            return LINE_OF.get(part.name, BRANCHING) in wrong
        position = case.sample.position
        right = self._searches.find(position, RIGHT)
        return bool(wrong) and any(self._searches.find(position, one) != right for one in same)
