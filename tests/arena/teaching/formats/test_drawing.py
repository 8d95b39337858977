from hypothesis import given
from hypothesis import strategies as st

from arena.teaching import VARIANTS, run
from arena.teaching.formats.drawing import (
    BOX,
    LARGE,
    LEAST_WIDTH,
    PADDING,
    SMALL,
    Drawing,
    Placed,
    crossing,
    draw,
    equal_nodes,
    hanging,
    height_above,
    text_width,
)
from arena.teaching.formats.figures import exercise, figures
from arena.teaching.space import GameTree, Node
from tests.arena.teaching.formats.runs import merged, stones, written

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@st.composite
def game_trees(draw: st.DrawFn) -> GameTree:
    """Return a tree with any names."""

    def node(depth: int) -> Node:
        names = draw(st.lists(NAMES, unique=True, max_size=3 if depth else 0))
        value = float(draw(st.integers(-1000, 1000)))
        children = (node(depth - 1)._replace(name=name) for name in names)
        return Node("root", value, tuple(children))

    return GameTree(node(3), draw(st.booleans()))


def boxes(drawing: Drawing) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of each figure with its name and bounds."""
    found = []
    for item in drawing.placed:
        bounds = (text_width(row.text, SMALL) for row in item.figure.bounds)
        width = max([item.width, text_width(item.figure.name, LARGE), *bounds])
        found.append((item.x - width / 2, item.end, item.x + width / 2, item.bottom))
    return found


@given(game_trees())
def test_figures_do_not_overlap_and_are_not_clipped(tree: GameTree) -> None:
    drawing = draw(figures(run(tree)))
    rectangles = boxes(drawing)
    for i, (left, top, right, bottom) in enumerate(rectangles):
        assert left >= -1e-6
        assert top >= -1e-6
        assert right <= drawing.width + 1e-6
        assert bottom <= drawing.height + 1e-6
        for left2, top2, right2, bottom2 in rectangles[:i]:
            apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
            assert apart


def test_collapsed_figures_do_not_overlap() -> None:
    rectangles = sorted(boxes(draw(figures(stones(20, 1, depth=4)))))
    for i, (_, top, right, bottom) in enumerate(rectangles):
        beside = [other for other in rectangles[i + 1 :] if other[0] < right]
        assert all(bottom <= other[1] or other[3] <= top for other in beside)


def test_the_shape_shows_the_player() -> None:
    placed = draw(figures(stones(20, 1, depth=4))).placed
    for item in placed:
        points = sorted(item.outline, key=lambda point: point[1])
        at_top = [x for x, y in points if y == item.top]
        at_bottom = [x for x, y in points if y == item.bottom]
        match item.figure.kind:
            case "max":  # a roof
                assert (len(points), at_top, len(at_bottom)) == (5, [item.x], 2)
            case "min":  # upside down
                assert (len(points), len(at_top), at_bottom) == (5, 2, [item.x])
            case "leaf":
                assert (len(points), len(at_top), len(at_bottom)) == (4, 2, 2)
            case "more":
                assert (len(points), at_top) == (3, [item.x])
    assert {item.figure.kind for item in placed} == {"max", "min", "leaf", "more"}


def inside(item: Placed) -> bool:
    """Whether the rows are in the shape, or below the triangle of collapsed nodes."""
    return all(item.top < y < item.bottom for _, y in item.rows())


def test_rows_bounds_and_names_are_at_their_shapes() -> None:
    for found in (figures(written()), exercise(written()), figures(stones(20, 1, depth=4))):
        assert all(inside(item) for item in draw(found).placed)
    item = next(item for item in draw(figures(written())).placed if item.figure.is_cut_off)
    texts = [*item.rows_above()]
    assert [text for text, _ in texts] == ["α 3", "β ∞", item.figure.name]  # noqa: RUF001
    assert item.end < texts[0][1] < texts[1][1] < texts[2][1] < item.top
    assert item.top - item.end == height_above(item.figure)
    placed = draw(figures(written())).placed
    below = [item for item in placed if item.figure.parent == 2]
    assert len({item.bend for item in below}) == 1
    assert {item.end - item.bend for item in below} == {0.0, 30.0}
    (a, b), (c, d) = crossing((0, 0), (0, 10))
    assert (a, b) == ((-6.0, 2.5), (6.0, 2.5))
    assert (c, d) == ((-6.0, 7.5), (6.0, 7.5))


def test_outlines_are_as_large_as_the_shapes() -> None:
    for item in draw(figures(stones(20, 1, depth=4))).placed:
        xs, ys = zip(*item.outline, strict=True)
        assert min(ys) == item.top
        assert abs((max(xs) + min(xs)) / 2 - item.x) < 1e-9
        if item.figure.kind != "more":
            assert max(ys) == item.bottom
            assert abs(max(xs) - min(xs) - item.width) < 1e-9


def test_shapes_are_as_wide_as_their_rows() -> None:
    placed = draw(figures(stones(20, 1, depth=4))).placed
    for item in placed:
        widths = [text_width(row.text, LARGE if row.is_main else SMALL) for row, _ in item.rows()]
        padding = 0 if item.figure.kind == "more" else 2 * PADDING
        assert item.width == max([LEAST_WIDTH[item.figure.kind], *(w + padding for w in widths)])


def test_wide_characters_and_boxes_need_room() -> None:
    solved, empty = draw(figures(written())), draw(exercise(written()))
    assert empty.placed[0].height > solved.placed[0].height
    assert empty.placed[0].width > BOX[0]
    assert text_width("ii", 10) < text_width("aa", 10) < text_width("WW", 10)
    assert text_width("\u4e2d", 10) > text_width("\u00e9", 10) > text_width("a\u0301", 10) - 0.1 + 1
    assert text_width("\u0301", 10) == 0


def test_lines_between_equal_nodes_are_inside() -> None:
    drawing = draw(figures(merged()))
    [(item, other)] = equal_nodes(drawing.placed)
    start, middle, end = hanging(item, other)
    assert (start, end) == ((item.x, item.bottom), (other.x, other.bottom))
    assert other.x < middle[0] < item.x
    assert max(item.bottom, other.bottom) < middle[1]


def test_a_line_below_the_last_level_is_not_clipped() -> None:
    drawing = draw(figures(stones(9, 3, 1, variant=VARIANTS["transpositions"])))
    lowest = [
        (max(a.bottom, b.bottom) + hanging(a, b)[1][1]) / 2 for a, b in equal_nodes(drawing.placed)
    ]
    assert lowest
    assert drawing.height >= max(lowest)
