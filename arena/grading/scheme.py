"""Marking scheme: weights of the six lines, and how lines are compared. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.numbers import parse_number

LINES = ("move", "value", "visited", "evaluated", "depth", "branching")  # short names of the lines


class Matching(StrEnum):
    """Comparison of a printed line with the expected one."""

    EXACT = "exact"  # each character, and no other lines before
    TOLERANT = "tolerant"  # white space, upper and lower case and other lines make no difference


@dataclass(frozen=True)
class Scheme:
    """Marking scheme.

    Attributes:
        weights: The weight of each of the six lines; not all are 0.
        matching: How lines are compared.
        points: The points of a submission that is right in all cases.
    """

    weights: tuple[float, ...] = (1.0,) * len(LINES)
    matching: Matching = Matching.TOLERANT
    points: float = 100.0


def parse_weights(words: Sequence[str]) -> tuple[float, ...]:
    """Return the weights of the lines from words such as "move=2"; others are 1.

    Raises:
        ValueError: A word is invalid, or all weights are 0.
    """
    weights = dict.fromkeys(LINES, 1.0)
    for word in words:
        name, _, text = word.partition("=")
        if name not in weights:
            raise ValueError(f"{word!r}: unknown line {name!r} (choose from {', '.join(LINES)})")
        try:
            weights[name] = parse_number(text)
        except ValueError:
            raise ValueError(f"{word!r}: {text!r} is not a number") from None
        if weights[name] < 0:
            raise ValueError(f"{word!r}: a weight is at least 0")
    if not any(weights.values()):
        raise ValueError("all weights are 0")
    return tuple(weights.values())
