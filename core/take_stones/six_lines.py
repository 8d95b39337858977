"""Arguments and output of the assignment's programs: six lines, written and parsed. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.rounding import one_decimal

LABELS = (
    "Move",
    "Value",
    "Number of Nodes Visited",
    "Number of Nodes Evaluated",
    "Max Depth Reached",
    "Avg Effective Branching Factor",
)
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,18}(?:[.,][0-9]{0,18})?|[.,][0-9]{1,18}|NaN|Infinity)")
SHOWN = 40  # characters of a value in a message

_names = {label.casefold(): label for label in LABELS}


class SixLines(NamedTuple):
    """Values of the six lines; the value and the branching factor as they were printed."""

    move: int
    value: str
    visited: int
    evaluated: int
    max_depth: int
    branching: str


def arguments(setup: Mapping[str, int], moves: Sequence[int], depth: int) -> list[str]:
    """Return the arguments of a program: the stones, those taken, and the depth."""
    return [*map(str, (setup["stones"], len(moves), *moves, depth))]


def format_six_lines(move: int, value: float, visited: int, evaluated: int, max_depth: int) -> str:
    """Return the result of a search as the assignment prints it.

    Args:
        move: The best move.
        value: Its value.
        visited: The number of nodes visited.
        evaluated: The number of nodes evaluated.
        max_depth: The largest depth reached, in plies.
    """
    branching = one_decimal(visited - 1, visited - evaluated)
    values = (move, f"{value:.1f}", visited, evaluated, max_depth, branching)
    return "".join(f"{label}: {shown}\n" for label, shown in zip(LABELS, values, strict=True))


def find_values(text: str) -> dict[str, str]:
    """Return the values of the six lines in a program's output, by label; other lines are ignored.

    Upper and lower case and white space make no difference. If a label is repeated, the last one
    counts, as programs also print intermediate results.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        found.update(find_value(line))
    return found


def find_value(line: str) -> dict[str, str]:
    """Return the value of a line by its label; nothing for a line that is none of the six."""
    name, colon, value = line.partition(":")
    label = _names.get(" ".join(name.split()).casefold())
    return {label: " ".join(value.split())} if colon and label else {}


def parse_six_lines(text: str) -> SixLines:
    """Return the values of the six lines in a program's output, as `find_values` finds them.

    Raises:
        ValueError: A line is missing, or its value is not a number.
    """
    found = find_values(text)
    for label in LABELS:
        if label not in found:
            raise ValueError(f"no line {label + ':'!r}")
        pattern = NUMBER if label in (LABELS[1], LABELS[5]) else WHOLE
        if not pattern.fullmatch(found[label]):
            raise ValueError(f"{found[label][:SHOWN]!r} as {label}, not a number")
    move, value, visited, evaluated, depth, branching = (found[label] for label in LABELS)
    return SixLines(int(move), value, int(visited), int(evaluated), int(depth), branching)
