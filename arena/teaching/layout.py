"""Tidy layout of a tree, in linear time: the algorithm of Buchheim, Jünger and Leipert (2002).

Nodes of one depth are on one line; a parent is centred above its children; equal subtrees look
equal; subtrees are as close as their outlines allow, and small ones between large ones are spread
evenly. Nothing recurses, so that the depth is not limited.
"""

from collections.abc import Sequence

SIBLING_GAP = 12.0
SUBTREE_GAP = 20.0  # between nodes with different parents


def tidy(children: Sequence[Sequence[int]], widths: Sequence[float]) -> list[float]:
    """Return the centre of each node; the leftmost edge of all is 0.

    Args:
        children: The children of each node, from left to right. Node 0 is the root, and each child
            has a higher number than its parent.
        widths: The width of each node.
    """
    tree = _Tree(children, widths)
    for parent in range(len(children) - 1, -1, -1):
        tree.place_children(parent)
    centres = tree.centres()
    left = min(centre - width / 2 for centre, width in zip(centres, widths, strict=True))
    return [centre - left for centre in centres]


class _Tree:
    """A tree that is being laid out, with the names of the paper."""

    def __init__(self, children: Sequence[Sequence[int]], widths: Sequence[float]) -> None:
        count = len(children)
        self.children = children
        self.widths = widths
        self.parent = [0] * count
        self.place = [0] * count  # among the siblings
        for parent, siblings in enumerate(children):
            for place, child in enumerate(siblings):
                self.parent[child], self.place[child] = parent, place
        self.prelim = [0.0] * count  # relative to the parent
        self.mod = [0.0] * count  # to be added to all descendants
        self.change = [0.0] * count
        self.shift = [0.0] * count
        self.middle = [0.0] * count  # of the children
        self.thread: list[int | None] = [None] * count
        self.ancestor = list(range(count))

    def place_children(self, parent: int) -> None:
        """Place the subtrees of a node's children, which are laid out, side by side."""
        siblings = self.children[parent]
        if not siblings:
            return
        default = siblings[0]
        for place, child in enumerate(siblings):
            if place:
                left = siblings[place - 1]
                self.prelim[child] = self.prelim[left] + self._distance(left, child)
                self.mod[child] = self.prelim[child] - self.middle[child]
                default = self._apportion(child, left, siblings[0], default)
            else:
                self.prelim[child] = self.middle[child]
        self._spread(siblings)
        self.middle[parent] = (self.prelim[siblings[0]] + self.prelim[siblings[-1]]) / 2

    def centres(self) -> list[float]:
        """Return the centres, from the root down."""
        centres = [0.0] * len(self.children)
        offset = [0.0] * len(self.children)
        for parent, siblings in enumerate(self.children):
            for child in siblings:
                centres[child] = self.prelim[child] + offset[parent]
                offset[child] = offset[parent] + self.mod[child]
            if not parent:
                centres[0] = self.middle[0]
        return centres

    def _distance(self, left: int, right: int) -> float:
        """Return the distance of the centres of two neighbours."""
        gap = SIBLING_GAP if self.parent[left] == self.parent[right] else SUBTREE_GAP
        return (self.widths[left] + self.widths[right]) / 2 + gap

    def _next_left(self, node: int) -> int | None:
        """Return the next node of a left outline."""
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _next_right(self, node: int) -> int | None:
        """Return the next node of a right outline."""
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _apportion(self, node: int, left: int, first: int, default: int) -> int:
        """Move a subtree to the right until it is clear of its left siblings' subtrees.

        The inner outlines are the right one of the left siblings and the left one of the node.
        """
        inner_left, inner_right = left, node
        outer_left, outer_right = first, node
        sum_left, sum_right = self.mod[left], self.mod[node]
        sum_outer_left, sum_outer_right = self.mod[first], self.mod[node]
        while True:
            below_left, below_right = self._next_right(inner_left), self._next_left(inner_right)
            if below_left is None or below_right is None:
                break
            inner_left, inner_right = below_left, below_right
            outer_left = _known(self._next_left(outer_left))
            outer_right = _known(self._next_right(outer_right))
            self.ancestor[outer_right] = node
            distance = self._distance(inner_left, inner_right)
            left_edge = self.prelim[inner_left] + sum_left + distance
            overlap = left_edge - self.prelim[inner_right] - sum_right
            if overlap > 0:
                ancestor = self.ancestor[inner_left]
                is_sibling = self.parent[ancestor] == self.parent[node]
                self._move(ancestor if is_sibling else default, node, overlap)
                sum_right += overlap
                sum_outer_right += overlap
            sum_left += self.mod[inner_left]
            sum_right += self.mod[inner_right]
            sum_outer_left += self.mod[outer_left]
            sum_outer_right += self.mod[outer_right]
        if below_left is not None and self._next_right(outer_right) is None:
            self.thread[outer_right] = below_left
            self.mod[outer_right] += sum_left - sum_outer_right
        if below_right is not None and self._next_left(outer_left) is None:
            self.thread[outer_left] = below_right
            self.mod[outer_left] += sum_right - sum_outer_left
            default = node
        return default

    def _move(self, ancestor: int, node: int, distance: float) -> None:
        """Move a subtree to the right; the siblings from `ancestor` to it will share the space."""
        share = distance / (self.place[node] - self.place[ancestor])
        self.change[node] -= share
        self.shift[node] += distance
        self.change[ancestor] += share
        self.prelim[node] += distance
        self.mod[node] += distance

    def _spread(self, siblings: Sequence[int]) -> None:
        """Share the space between siblings, from right to left."""
        shift = change = 0.0
        for child in reversed(siblings):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change


def _known(node: int | None) -> int:
    """Return a node of an outer outline, which is as deep as the inner ones."""
    assert node is not None
    return node
