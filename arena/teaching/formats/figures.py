"""Figures of a drawing: the shape of each node and the texts in it, for every format."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from arena.teaching.compared_run import Run
from arena.teaching.formats.selection import Entry, best_line, is_cut_off, select
from arena.teaching.names import format_value
from arena.teaching.searched_tree import SearchedNode

LONGEST_NAME = 16  # characters on an edge

ALPHA, BETA = "\N{GREEK SMALL LETTER ALPHA}", "\N{GREEK SMALL LETTER BETA}"
INFINITY, MINUS = "\N{INFINITY}", "\N{MINUS SIGN}"

Kind = Literal["max", "min", "leaf", "more"]


class Row(NamedTuple):
    """A line of a node: a symbol such as v and a value; None is a box to fill in.

    `is_main` marks the value of the node, which is larger.
    """

    symbol: str
    value: str | None
    is_main: bool = False

    @property
    def text(self) -> str:
        """The row in one string."""
        return f"{self.symbol} {self.value or ''}".strip()


class Figure(NamedTuple):
    """A node as it is drawn, or collapsed nodes.

    Attributes:
        kind: The shape: a node of Max or of Min, a leaf, or "more" for collapsed nodes.
        parent: The place of the parent among the figures, None at the root.
        name: The text on the edge from the parent.
        rows: The lines in the shape.
        bounds: Alpha and beta at the top of a pruned branch, else nothing.
        is_visited: Whether the search visited the node.
        is_cut_off: Whether the edge is crossed, as a cutoff pruned the branch.
        is_best: Whether it is on the line of best play.
        words: The node in words.
        same_as: The place of the earlier node that gave it its value, None if none is drawn.
    """

    kind: Kind
    parent: int | None
    name: str
    rows: tuple[Row, ...]
    bounds: tuple[Row, ...] = ()
    is_visited: bool = True
    is_cut_off: bool = False
    is_best: bool = False
    words: str = ""
    same_as: int | None = None


def figures(run: Run) -> list[Figure]:
    """Return the figures of a search, each parent before its children."""
    best, entries = {*best_line(run.tree)}, select(run.tree)
    places = {entry.node.number: place for place, entry in enumerate(entries) if not entry.hidden}
    return [_figure(run, entry, best, places) for entry in entries]


def exercise(run: Run, *, has_leaf_values: bool = True) -> list[Figure]:
    """Return the figures of the tree with empty boxes for what the search finds.

    Args:
        run: A search of a tree that is drawn whole.
        has_leaf_values: Whether the values of leaves are there; else they have boxes, too.
    """
    return [_blank(run, entry, has_leaf_values) for entry in select(run.tree)]


def printable(text: str, longest: int | None = None) -> str:
    """Return a text in one line of printable characters, shortened."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return f"{shown[: longest - 1]}…" if longest and len(shown) > longest else shown


def symbol(value: float) -> str:
    """Return a value with a minus sign and the sign of infinity."""
    return format_value(value).replace("infinity", INFINITY).replace("-", MINUS, 1)


def _figure(run: Run, entry: Entry, best: set[int], places: Mapping[int, int]) -> Figure:
    """Return the figure of an entry; `places` are the places of the drawn nodes."""
    node = entry.node
    is_cut = is_cut_off(run.tree, node)
    bounds = _bounds(run.tree.nodes[node.parent]) if is_cut and node.parent is not None else ()
    if entry.hidden:
        noun = "node" if entry.hidden == 1 else "nodes"
        words = f"{entry.hidden:,} {noun}, not drawn"
        more = Row("", f"… {entry.hidden:,}"), Row("", noun)
        return Figure("more", entry.parent, "", more, bounds, node.is_visited, is_cut, words=words)
    name = printable(run.names.short(node), LONGEST_NAME)
    kind = _kind(run, node)
    rows = _rows(run, node, is_leaf=kind == "leaf")
    is_best = node.number in best and len(best) > 1
    words = _words(run, node, kind, is_cut=is_cut)
    same_as = None if node.same_as is None else places.get(node.same_as)
    facts = bounds, node.is_visited, is_cut, is_best, words, same_as
    return Figure(kind, entry.parent, name, rows, *facts)


def _blank(run: Run, entry: Entry, has_leaf_values: bool) -> Figure:
    """Return the figure of an entry in an exercise."""
    assert not entry.hidden, "exercises are small"
    node = entry.node
    name = printable(run.names.short(node), LONGEST_NAME)
    if _kind(run, node) == "leaf":
        value = symbol(node.minimax) if has_leaf_values and node.minimax is not None else None
        return Figure("leaf", entry.parent, name, (Row("", value, is_main=True),))
    rows = tuple(Row(letter, None) for letter in ("v", ALPHA, BETA))
    return Figure("max" if node.is_max else "min", entry.parent, name, rows)


def _kind(run: Run, node: SearchedNode) -> Kind:
    """Return the shape of a node; without known children it may be an inner node."""
    is_leaf = node.words is not None or (run.is_complete and not node.children)
    return "leaf" if is_leaf else "max" if node.is_max else "min"


def _bounds(node: SearchedNode) -> tuple[Row, ...]:
    """Return alpha and beta of a node."""
    return Row(ALPHA, symbol(node.alpha)), Row(BETA, symbol(node.beta))


def _rows(run: Run, node: SearchedNode, *, is_leaf: bool) -> tuple[Row, ...]:
    """Return the lines in the shape of a node."""
    same = []
    if node.same_as is not None:
        other = run.names.full(run.tree, run.tree.nodes[node.same_as])
        same = [Row("=", printable(other, LONGEST_NAME))]
    if is_leaf:
        value = node.minimax if node.value is None else node.value
        return () if value is None else (Row("", symbol(value), is_main=True), *same)
    minimax = () if node.minimax is None else (Row("", "minimax"), Row("", symbol(node.minimax)))
    if not node.is_visited:
        return minimax
    rows = [Row("v", "?" if node.value is None else symbol(node.value), is_main=True)]
    rows += same or (_bounds(node) if run.variant.prunes else ())
    return tuple(rows) if node.value == node.minimax else (*rows, *minimax)


def _words(run: Run, node: SearchedNode, kind: Kind, *, is_cut: bool) -> str:
    """Return a node in words."""
    name = printable(run.names.full(run.tree, node))
    words = [f"{name}: {'leaf' if kind == 'leaf' else kind.title()}"]
    if is_cut:
        words.append("cut off")
    elif not node.is_visited:
        words.append("not visited")
    elif node.value is not None:
        words.append(f"{'value' if kind == 'leaf' else 'v'} {format_value(node.value)}")
    if node.same_as is not None:
        other = printable(run.names.full(run.tree, run.tree.nodes[node.same_as]))
        words.append(f"the same position as {other}")
    elif node.is_visited and kind != "leaf" and run.variant.prunes:
        words.append(f"alpha {format_value(node.alpha)}, beta {format_value(node.beta)}")
    if node.minimax is not None and node.minimax != node.value:
        words.append(f"minimax {format_value(node.minimax)}")
    return ", ".join(words) + (f". {printable(node.words)}" if node.words else "")
