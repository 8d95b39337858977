from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from arena.teaching.layout import SIBLING_GAP, SUBTREE_GAP, tidy


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[list[int]], list[float]]:
    """Return the children of the nodes of a tree, and their widths."""
    count = draw(st.integers(1, 30))
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[draw(st.integers(0, node - 1))].append(node)
    widths = st.floats(1, 80)
    return children, draw(st.lists(widths, min_size=count, max_size=count))


def rows(children: list[list[int]]) -> list[list[int]]:
    """Return the nodes of each depth, from left to right."""
    found = [[0]]
    while below := [child for node in found[-1] for child in children[node]]:
        found.append(below)
    return found


@given(trees())
def test_siblings_are_apart_and_parents_centred(tree: tuple[list[list[int]], list[float]]) -> None:
    children, widths = tree
    centres = tidy(children, widths)
    parents = {child: node for node, below in enumerate(children) for child in below}
    for row in rows(children):
        for left, right in pairwise(row):
            gap = SIBLING_GAP if parents[left] == parents[right] else SUBTREE_GAP
            distance = (widths[left] + widths[right]) / 2 + gap
            assert centres[right] - centres[left] > distance - 1e-6
    for node, below in enumerate(children):
        if below:
            assert abs(2 * centres[node] - centres[below[0]] - centres[below[-1]]) < 1e-6
    edges = (centre - width / 2 for centre, width in zip(centres, widths, strict=True))
    assert abs(min(edges)) < 1e-9


@given(st.integers(1, 4), st.integers(1, 4))
def test_equal_subtrees_look_equal(branching: int, depth: int) -> None:
    children: list[list[int]] = [[]]
    level = [0]
    for _ in range(depth):
        below = []
        for node in level:
            children[node] = [*range(len(children), len(children) + branching)]
            children += [[] for _ in range(branching)]
            below += children[node]
        level = below
    centres = tidy(children, [10.0] * len(children))
    shapes = {
        tuple(round(centres[child] - centres[node], 6) for child in children[node])
        for node in rows(children)[depth - 1]
    }
    assert len(shapes) == 1


def test_small_subtrees_are_spread_between_large_ones() -> None:
    # Two deep families, with two leaves between them.
    children = [[1, 2, 3, 4], [5, 6, 7, 8], [], [], [9, 10, 11, 12], *([] for _ in range(8))]
    centres = tidy(children, [10.0] * 13)
    distances = [centres[right] - centres[left] for left, right in pairwise((1, 2, 3, 4))]
    assert max(distances) - min(distances) < 1e-6
    assert distances[0] > 10 + SIBLING_GAP


def test_depth_is_not_limited() -> None:
    count = 20_000
    children = [[node + 1] for node in range(count - 1)] + [[]]
    assert set(tidy(children, [10.0] * count)) == {5.0}
