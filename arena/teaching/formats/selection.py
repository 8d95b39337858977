"""Nodes of a large tree that a drawing has; the others are collapsed.

A tree of at most MAX_WHOLE nodes is drawn whole. Of a larger one, nodes are opened, which shows
their children, as long as at most MAX_NODES are drawn:

1. first the nodes of the best line, then nodes at or above a cutoff, then other visited nodes, then
   nodes that the search did not visit;
2. among these the ones with the shallowest cutoff, then the shallowest, from left to right.

An open node shows the first child that was cut off, and at most MAX_SIBLINGS of the others: first
the child on the best line, then by the same order. The nodes below a node that is not open, and
neighbouring children that are not shown, are collapsed into one entry with their number.
"""

from heapq import heappop, heappush, nsmallest
from itertools import groupby
from math import inf
from typing import NamedTuple

from arena.teaching.searched_tree import SearchedNode, SearchedTree

MAX_WHOLE = 300
MAX_NODES = 100
MAX_SIBLINGS = 8


class Entry(NamedTuple):
    """A node that is drawn, or nodes that are collapsed.

    Attributes:
        node: The node; of collapsed siblings the first, of a collapsed subtree its parent's first.
        parent: The place of the parent's entry, None at the root.
        hidden: The number of collapsed nodes, 0 for a node that is drawn.
    """

    node: SearchedNode
    parent: int | None
    hidden: int = 0


def best_line(tree: SearchedTree) -> list[int]:
    """Return the numbers of the nodes of best play, as far as the search has found it."""
    line = [0]
    while True:
        node = tree.nodes[line[-1]]
        children = (tree.nodes[child] for child in node.children)
        visited = (child for child in children if child.is_finished)
        found = next((child for child in visited if child.value == node.value), None)
        if not found:
            return line
        line.append(found.number)


def is_cut_off(tree: SearchedTree, node: SearchedNode) -> bool:
    """Return whether a branch of the tree was pruned above the node."""
    is_below_cutoff = node.parent is not None and tree.nodes[node.parent].bound is not None
    return is_below_cutoff and not node.is_visited


def select(tree: SearchedTree) -> list[Entry]:
    """Return what is drawn of a tree: each parent before its children, these from left to right."""
    selection = _Selection(tree)
    selection.open_nodes()
    return selection.entries()


class _Selection:
    """The nodes of a tree that are opened."""

    def __init__(self, tree: SearchedTree) -> None:
        self._nodes = tree.nodes
        self._best = {*best_line(tree)}
        self._is_whole = len(tree.nodes) <= MAX_WHOLE
        self._sizes = [1] * len(tree.nodes)
        self._cutoffs = [inf] * len(tree.nodes)  # depth of the shallowest in the subtree
        self._kept: dict[int, set[int]] = {}  # children by opened node
        for node in reversed(tree.nodes):
            number, parent = node.number, node.parent
            if node.children and is_cut_off(tree, tree.nodes[node.children[-1]]):
                self._cutoffs[number] = node.depth
            if parent is not None:
                self._sizes[parent] += self._sizes[number]
                self._cutoffs[parent] = min(self._cutoffs[parent], self._cutoffs[number])

    def open_nodes(self) -> None:
        """Open nodes in their order while there is room."""
        drawn, waiting = 1, [(self._rank(0), 0)]
        while waiting:
            _, number = heappop(waiting)
            kept = self._kept_children(number)
            if not self._is_whole and drawn + len(kept) > MAX_NODES:
                continue
            drawn += len(kept)
            self._kept[number] = {*kept}
            for child in kept:
                if self._nodes[child].children:
                    heappush(waiting, (self._rank(child), child))

    def entries(self) -> list[Entry]:
        """Return the entries of the opened nodes."""
        entries = [Entry(self._nodes[0], None)]
        for place, entry in enumerate(entries):  # which grows
            number = entry.node.number
            if entry.hidden or not entry.node.children:
                continue
            if number in self._kept:
                entries += self._children_of(number, place)
            else:
                first = self._nodes[entry.node.children[0]]
                entries.append(Entry(first, place, self._sizes[number] - 1))
        return entries

    def _children_of(self, number: int, place: int) -> list[Entry]:
        """Return the entries of an opened node's children."""

        def kind(child: int) -> tuple[bool, bool, int]:
            is_kept = child in self._kept[number]
            return is_kept, self._nodes[child].is_visited, child if is_kept else 0

        entries = []
        for (is_kept, _, _), group in groupby(self._nodes[number].children, kind):
            children = [*group]
            hidden = 0 if is_kept else sum(self._sizes[child] for child in children)
            entries.append(Entry(self._nodes[children[0]], place, hidden))
        return entries

    def _kept_children(self, number: int) -> list[int]:
        """Return the children that are shown if a node is opened."""
        children = self._nodes[number].children
        if self._is_whole:
            return [*children]
        visited = [child for child in children if self._nodes[child].is_visited]
        first_unvisited = [*children][len(visited) : len(visited) + 1]
        return nsmallest(MAX_SIBLINGS, visited, key=self._rank) + first_unvisited

    def _rank(self, number: int) -> tuple[int, float, int, int]:
        """Return the place of a node in the order in which nodes are opened."""
        node, cutoff = self._nodes[number], self._cutoffs[number]
        if number in self._best:
            group = 0
        elif cutoff < inf:
            group = 1
        else:
            group = 2 if node.is_visited else 3
        return group, cutoff, node.depth, number
