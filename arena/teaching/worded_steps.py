"""The steps of a search with their words and their lines of pseudocode."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.teaching.code_lines import pseudocode
from arena.teaching.events import Event
from arena.teaching.names import Names
from arena.teaching.searched_tree import SearchedTree
from arena.teaching.variant import Variant
from arena.teaching.wording import Wording


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
