"""The pseudocode of the search, and the lines of it that a step belongs to."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from arena.teaching.events import (
    Cutoff,
    Enter,
    Evaluate,
    Event,
    Generate,
    Return,
    Reuse,
    Stop,
    Update,
)
from arena.teaching.searched_tree import SearchedNode, SearchedTree
from arena.teaching.tracer import Variant


class Line(NamedTuple):
    """A line of pseudocode: its number from 1, its indentation (0, 1 or 2) and its text."""

    number: int
    indentation: int
    text: str


class Pseudocode(NamedTuple):
    """The pseudocode of a variant: a function for Max, then one for Min, numbered throughout.

    `numbers` has the line of each kind of step, such as "cutoff", of Max and of Min.
    """

    lines: tuple[Line, ...]
    numbers: Mapping[tuple[bool, str], int]

    def lines_of(self, event: Event, tree: SearchedTree) -> tuple[int, ...]:
        """Return the numbers of an event's lines; `tree` is that of the events before it."""
        if isinstance(event, Stop):
            return ()
        node = tree.nodes[event.node]
        is_max = event.is_max if isinstance(event, Enter) else node.is_max
        found = (self.numbers.get((is_max, kind)) for kind in _kinds(event, node))
        return tuple(number for number in found if number)


def _kinds(event: Event, node: SearchedNode) -> tuple[str, ...]:
    """Return the kinds of line that an event of a node belongs to."""
    match event:
        case Enter():
            return ("function",)
        case Generate():
            return "start", "children"
        case Evaluate():
            return ("leaf",)
        case Reuse():
            return ("reuse",)
        case Update(value=value):
            meets_bound = value >= event.beta if node.is_max else value <= event.alpha
            return ("value",) if meets_bound else ("value", "bound")
        case Cutoff():
            return ("cutoff",)
        case Return() if node.words is not None:
            return ("leaf",)
        case Return() if node.same_as is not None:
            return ("reuse",)
        case Return() if node.bound is not None:
            return ("cutoff",)
    return ("end",)


@cache
def pseudocode(variant: Variant) -> Pseudocode:
    """Return the pseudocode of a variant."""
    lines: list[Line] = []
    numbers: dict[tuple[bool, str], int] = {}
    for is_max in (True, False):
        for kind, indentation, text in _function(variant, is_max):
            lines.append(Line(len(lines) + 1, indentation, text))
            numbers[is_max, kind] = len(lines)
    return Pseudocode(tuple(lines), numbers)


def _function(variant: Variant, is_max: bool) -> Iterator[tuple[str, int, str]]:
    """Yield the kind, the indentation and the text of each line of a player's function."""
    own, other = ("max", "min") if is_max else ("min", "max")
    bounds = ", alpha, beta" if variant.prunes else ""
    mine, limit, sign = ("alpha", "beta", ">=") if is_max else ("beta", "alpha", "<=")
    start = "-infinity" if is_max else "infinity"
    give = "store and return" if variant.has_transpositions else "return"
    order = "" if variant.order == "given" else f", the {variant.order} first"
    yield "function", 0, f"{own}_value(node{bounds}):"
    if variant.has_transpositions:
        yield "reuse", 1, "if a stored value of an equal node suffices: return it"
    yield "leaf", 1, f"if node is a leaf: {give} its value"
    yield "start", 1, f"v = {mine if variant.is_fail_hard else start}"
    yield "children", 1, f"for each child of node{order}:"
    yield "value", 2, f"v = {own}(v, {other}_value(child{bounds}))"
    if variant.prunes:
        result = limit if variant.is_fail_hard else "v"
        yield "cutoff", 2, f"if v {sign} {limit}: {give} {result}"
        yield "bound", 2, f"{mine} = {own}({mine}, v)"
    yield "end", 1, f"{give} v"
