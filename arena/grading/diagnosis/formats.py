"""Faults in how numbers are printed, as a program's text shows them."""

from collections.abc import Callable, Iterable

from arena.grading.diagnosis.explanation import Finding, Part
from arena.grading.diagnosis.fit import Sample
from arena.grading.diagnosis.lines import BRANCHING, DEPTH, EVALUATED, MOVE, VALUE, VISITED
from arena.grading.diagnosis.numbers import is_negative_zero, parsed

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
