"""The steps of a search in words: each event as a sentence, with its lines of pseudocode."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.teaching.code_lines import pseudocode
from arena.teaching.events import (
    Cutoff,
    Enter,
    Evaluate,
    Event,
    Generate,
    Reuse,
    Stop,
    Update,
)
from arena.teaching.names import Names, format_value
from arena.teaching.searched_tree import SearchedTree
from arena.teaching.tracer import Variant

LISTED = 10  # children that are listed, where there may be many


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
        """Return an event in words; `tree` is that of the events before it."""
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
