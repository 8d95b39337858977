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
MOVE, DEPTH = LABELS[0], LABELS[4]
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
SHOWN = 40  # characters of a value in a message

_names = {label.casefold(): label for label in LABELS}


class Answer(NamedTuple):
    """Move of a program, and the depth that it reached; None if that is not a number."""

    move: int
    max_depth: int | None


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
    """Return the value of a line by its label; empty if it is not one of the six lines."""
    name, colon, value = line.partition(":")
    label = _names.get(" ".join(name.split()).casefold())
    return {label: " ".join(value.split())} if colon and label else {}


def parse_answer(text: str) -> Answer:
    """Return what a program's output says for a match, in lines as `find_values` finds them.

    The other lines may be missing or wrong: they are marked, but not played.

    Raises:
        ValueError: The line of the move is missing, or its value is not a number.
    """
    found = find_values(text)
    if MOVE not in found:
        raise ValueError(f"no line {MOVE + ':'!r}")
    if not WHOLE.fullmatch(found[MOVE]):
        raise ValueError(f"{found[MOVE][:SHOWN]!r} as {MOVE}, not a number")
    depth = found.get(DEPTH, "")
    return Answer(int(found[MOVE]), int(depth) if WHOLE.fullmatch(depth) else None)
