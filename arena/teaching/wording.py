"""The steps of a search in words: each event as a sentence, with its lines of pseudocode."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from arena.teaching.names import Names, format_value
from arena.teaching.searched_tree import SearchedNode, SearchedTree
from arena.teaching.tracer import Variant

LISTED = 10  # children that are listed, where there may be many


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
        """Return the numbers of an event's lines; `tree` is the tree before the event."""
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


class Wording:
    """The sentences for the events of one search.

    Args:
        variant: The variant of the search.
        names: The names of its nodes.
    """

    def __init__(self, variant: Variant, names: Names) -> None:
        self._variant = variant
        self._names = names

    def sentence(self, event: Event, tree: SearchedTree) -> str:
        """Return an event in words; `tree` is the tree before the event."""
        if isinstance(event, Stop):
            return f"The trace stops here: it is limited to {event.limit:,} steps."
        node = tree.nodes[event.node]
        name = self._names.full(tree, node)
        match event:
            case Enter():
                return self._enter(event, name)
            case Generate():
                return self._generate(event, name)
            case Evaluate(value=value, words=words):
                return f"{name} has the value {format_value(value)}. {_sentence(words)}"
            case Reuse(same_as=same_as):
                other = self._names.full(tree, tree.nodes[same_as])
                bound = "" if event.bound == "exact" else f"{event.bound} "
                known = f"{bound}{format_value(event.value)}"
                return f"{name} is the same position as {other}, whose value {known} suffices."
            case Update():
                return self._update(event, tree, name)
            case Cutoff():
                return self._cut_off(event, tree, name)
            case _:
                bound = (
                    "the bound " if self._variant.is_fail_hard and node.bound is not None else ""
                )
                return f"{name} returns {bound}{format_value(event.value)}."

    def _enter(self, event: Enter, name: str) -> str:
        player = "Max" if event.is_max else "Min"
        if not self._variant.prunes:
            return f"Enter {name} ({player})."
        bounds = f"alpha {format_value(event.alpha)} and beta {format_value(event.beta)}"
        return f"Enter {name} ({player}) with {bounds}."

    def _generate(self, event: Generate, name: str) -> str:
        count = len(event.moves)
        children = "one child" if count == 1 else f"{count} children"
        listed = _listed([self._names.move(move) for move in event.moves])
        return f"{name} has {children}: {listed}. Its v starts at {format_value(event.value)}."

    def _update(self, event: Update, tree: SearchedTree, name: str) -> str:
        node, child = tree.nodes[event.node], tree.nodes[event.child]
        assert child.value is not None
        came = f"{self._names.full(tree, child)} gives {name} the value {format_value(child.value)}"
        if not event.is_better:
            compared = "larger" if node.is_max else "smaller"
            return f"{came}: it is not {compared}, so v stays {format_value(event.value)}."
        changes = [f"v becomes {format_value(event.value)}"]
        if event.alpha != node.alpha:
            changes.append(f"alpha becomes {format_value(event.alpha)}")
        if event.beta != node.beta:
            changes.append(f"beta becomes {format_value(event.beta)}")
        return f"{came}: {' and '.join(changes)}."

    def _cut_off(self, event: Cutoff, tree: SearchedTree, name: str) -> str:
        is_max = tree.nodes[event.node].is_max
        bound = f"at least beta {format_value(event.bound)}"
        if not is_max:
            bound = f"at most alpha {format_value(event.bound)}"
        met = f"At {name}, v {format_value(event.value)} is {bound}"
        others = [self._names.short(tree.nodes[child]) for child in event.unvisited]
        if not others:
            return f"{met}, but no other child is left to be cut off."
        if len(others) == 1:
            return f"{met}, so its other child {others[0]} is cut off."
        return f"{met}, so its other children {_listed(others)} are cut off."


def _listed(names: Sequence[str]) -> str:
    """Return a list in words, the end left out of many."""
    if len(names) > LISTED:
        return f"{', '.join(names[:LISTED])} and {len(names) - LISTED} more"
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _sentence(words: str) -> str:
    """Return words with a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:].removesuffix('.')}."


class Step(NamedTuple):
    """An event of a search, its sentence, and the numbers of its lines of pseudocode."""

    event: Event
    words: str
    lines: tuple[int, ...]


def steps(events: Iterable[Event], variant: Variant, names: Names) -> Iterator[Step]:
    """Yield the steps of a search as it goes on.

    Args:
        events: The events, from the first on.
        variant: The variant that was searched with.
        names: The names of the nodes.
    """
    tree = SearchedTree()
    wording, code = Wording(variant, names), pseudocode(variant)
    for event in events:
        yield Step(event, wording.sentence(event, tree), code.lines_of(event, tree))
        tree.apply(event)
