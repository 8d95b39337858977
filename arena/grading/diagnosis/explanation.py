"""Explanations: the misreadings that a reading and the forms of its lines consist of."""

from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

from arena.grading.diagnosis.fit import Division, Fit
from arena.grading.diagnosis.numbers import Rounding


class Part(NamedTuple):
    """A misreading in words: its name in data, a sentence and advice."""

    name: str
    title: str
    advice: str


class Finding(NamedTuple):
    """A misreading in words, with the smallest case that shows it."""

    name: str
    title: str
    advice: str
    case: int | None


class Explanation(NamedTuple):
    """Misreadings, and the lines that they give in all cases."""

    parts: frozenset[Part]
    fit: Fit


MAX_EXPLANATIONS = 20  # of one reading, where there are few cases
DECIMAL = "Print one decimal, rounded half up as String.format of Java does it."
ROUNDINGS = {
    rounding: Part(f"branching-{name}", f"The branching factor is {title}", DECIMAL)
    for rounding, name, title in (
        (Rounding.HALF_EVEN, "half-even", "rounded half to even: 5.25 becomes 5.2."),
        (Rounding.TRUNCATED, "truncated", "truncated instead of rounded."),
        (Rounding.UP, "rounded-up", "always rounded up."),
        (Rounding.WHOLE, "whole", "a division of whole numbers."),
        (Rounding.NEAREST_WHOLE, "nearest-whole", "rounded to a whole number."),
        (Rounding.HUNDREDTHS, "hundredths", "printed with two decimals."),
        (Rounding.NONE, "none", "not rounded to one decimal."),
        (Rounding.SHORT, "short", "printed without a decimal if that is 0: 2 instead of 2.0."),
        (
            Rounding.SHORT_HALF_EVEN,
            "decimal-format",
            "rounded half to even and printed without a decimal if that is 0, as DecimalFormat of"
            " Java does it.",
        ),
    )
}

# Two misreadings that are one slip.
MERGED = {
    frozenset({"one-ply-short", "depth-printed-from-one"}): Part(
        "depth-from-one",
        "The root is at depth 1 instead of 0, in the limit and in the depth reached.",
        "Start the search at depth 0: the root is at depth 0.",
    ),
    frozenset({"loser-wins", "wrong-player"}): Part(
        "leaves-of-wrong-player",
        "Ends of the game and all other evaluated positions have the wrong sign.",
        "Check whose turn it is in an evaluated position: not that of the player who has just"
        " moved.",
    ),
    frozenset({"root-not-counted", "branching-with-root"}): Part(
        "root-not-counted",
        "The root is not counted as a visited node.",
        "Count a node when the search enters it; the root is the first one.",
    ),
}


def explanations(found: Fit) -> Iterator[Explanation]:
    """Yield simplest explanations of the lines that a reading gives."""
    if not found.ways:
        return
    reading = frozenset(Part(*variant[:3]) for variant in found.reading.variants)
    options = [_simplest({_form_parts(way.form) for way in ways}) for ways in found.ways if ways]
    if found.divisions:
        options.append(_simplest({_division_parts(*division) for division in found.divisions}))
    for chosen in islice(product(*options), MAX_EXPLANATIONS):
        yield Explanation(_merged(reading.union(*chosen)), found)


def _form_parts(form: tuple[str, str, str, object]) -> frozenset[Part]:
    name, title, advice, _ = form
    return frozenset({Part(name, title, advice)} if name else ())


def _division_parts(division: Division, rounding: Rounding) -> frozenset[Part]:
    rounded = {ROUNDINGS[rounding]} if rounding in ROUNDINGS else set()
    return _form_parts(division.formula) | rounded


def _simplest(options: set[frozenset[Part]]) -> list[frozenset[Part]]:
    """Return the smallest of some sets of misreadings, in the order of their names."""
    fewest = min(map(len, options))
    return sorted((option for option in options if len(option) == fewest), key=sorted)


def _merged(parts: frozenset[Part]) -> frozenset[Part]:
    for names, merged in MERGED.items():
        if names <= {part.name for part in parts}:
            parts = frozenset(part for part in parts if part.name not in names) | {merged}
    return parts
