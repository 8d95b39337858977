"""SVG: a drawing for slides and pages, without anything to load, for light and dark backgrounds."""

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from arena.teaching.compared_run import Run
from arena.teaching.formats.caption import caption, description
from arena.teaching.formats.drawing import (
    BOX,
    SMALL,
    SYMBOL,
    Drawing,
    Placed,
    Point,
    crossing,
    draw,
    equal_nodes,
    hanging,
    text_width,
)
from arena.teaching.formats.figures import Figure, Row, figures, printable

MARGIN = 18.0
LINE = 19.0  # height of a line of the caption
LEAST_TEXT_WIDTH = 420.0

STYLE = """\
.tree text { font-family: "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-size: 12px; \
fill: #1d242b; text-anchor: middle; dominant-baseline: central }
.tree .page { fill: #ffffff }
.tree .start { text-anchor: start }
.tree .title { font-size: 18px; font-weight: 600; text-anchor: start }
.tree .main { font-size: 14px; font-weight: 600 }
.tree .name { font-size: 14px; font-style: italic }
.tree polygon, .tree path { stroke-width: 1.5; stroke-linejoin: round }
.tree .edge { fill: none; stroke: #59636e }
.tree .max { fill: #e2f0f6; stroke: #0b6a8f }
.tree .min { fill: #fcebdc; stroke: #a54f0b }
.tree .leaf { fill: #ffffff; stroke: #59636e }
.tree .more { fill: #e6e4de; stroke: #59636e }
.tree .box { fill: #ffffff; stroke: #59636e; stroke-width: 1 }
.tree .unvisited { fill: none; stroke: #7f8993; stroke-dasharray: 4 3 }
.tree .faint text { fill: #59636e; font-weight: 400 }
.tree .best { stroke: #1a7a3c; stroke-width: 4 }
.tree .cross { fill: none; stroke: #b3261e; stroke-width: 2 }
.tree .bound, .tree .faint .bound { fill: #b3261e }
.tree .same { fill: none; stroke: #6c4bb6; stroke-dasharray: 3 4 }
"""

DARK = """\
@media (prefers-color-scheme: dark) {
.tree text { fill: #e6e9ec }
.tree .page, .tree .leaf, .tree .box { fill: #1a2128 }
.tree .edge, .tree .leaf, .tree .more, .tree .box { stroke: #9ba7b3 }
.tree .max { fill: #17323e; stroke: #57b8d9 }
.tree .min { fill: #3b2815; stroke: #f0a04b }
.tree .more { fill: #2e3841 }
.tree .unvisited { fill: none; stroke: #77838f }
.tree .faint text { fill: #9ba7b3 }
.tree .best { stroke: #6fd08c }
.tree .cross { stroke: #ff9086 }
.tree .bound, .tree .faint .bound { fill: #ff9086 }
.tree .same { stroke: #b79cf5 }
}
"""


def render(run: Run, title: str) -> str:
    """Return a search as an SVG document.

    Its title, a caption and a legend are around the tree. Each node has its description as a
    tooltip, and the whole one for screen readers.

    Args:
        run: The search.
        title: The title, in plain text.
    """
    drawing = draw(figures(run))
    width = max(drawing.width, LEAST_TEXT_WIDTH)
    lines = wrap(" ".join(caption(run)), int(width / (0.6 * SMALL)))
    top = MARGIN + LINE * (len(lines) + 1) + 14
    legend = [*_legend([item.figure for item in drawing.placed], width)]
    height = top + drawing.height + 24 + LINE * len(legend)
    size = f"{width + 2 * MARGIN:.0f}", f"{height + MARGIN:.0f}"
    shown = printable(title)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" width="{size[0]}"'
        f' height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}">',
        f"<title>{escape(shown)}</title>",
        f"<desc>{escape(description(run))}</desc>",
        f"<style>\n{STYLE}{DARK}</style>",
        '<rect class="page" width="100%" height="100%"/>',
        _text(MARGIN, MARGIN + 8, _fitted(shown, width), "title"),
        *(
            _text(MARGIN, MARGIN + 8 + LINE * (place + 1.3), line, "start")
            for place, line in enumerate(lines)
        ),
        _moved(MARGIN + (width - drawing.width) / 2, top, _tree(drawing)),
        *(
            _moved(MARGIN, top + drawing.height + 24 + LINE * place, line)
            for place, line in enumerate(legend)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def render_tree(figures: Sequence[Figure], label: str) -> str:
    """Return figures as an SVG element without style, for a page that has STYLE itself.

    Args:
        figures: The figures of the tree.
        label: A description for screen readers.
    """
    drawing = draw(figures)
    width, height = f"{drawing.width + 8:.0f}", f"{drawing.height + 8:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}" aria-label="{escape(label)}">\n'
        f"{_moved(4, 4, _tree(drawing))}\n</svg>"
    )


def _tree(drawing: Drawing) -> list[str]:
    """Return the elements of the tree: edges first, so that shapes cover their ends."""
    placed = drawing.placed
    edges: list[str] = []
    for item in sorted(placed, key=lambda item: item.figure.is_best):  # the best line on top
        if item.figure.parent is not None:
            edges += _edge(placed[item.figure.parent], item)
    for item, other in equal_nodes(placed):
        start, control, end = map(_point, hanging(item, other))
        edges.append(f'<path class="same" d="M{start}Q{control} {end}"/>')
    return edges + [line for item in placed for line in _node(item)]


def _edge(parent: Placed, item: Placed) -> Iterator[str]:
    """Yield the edge to a figure."""
    figure = item.figure
    start, bend = (parent.x, parent.bottom), (item.x, item.bend)
    kind = " best" if figure.is_best else "" if figure.is_visited else " unvisited"
    yield f'<path class="edge{kind}" d="M{_point(start)}L{_point(bend)}V{item.end:.1f}"/>'
    if figure.is_cut_off:
        strokes = "".join(f"M{_point(a)}L{_point(b)}" for a, b in crossing(start, bend))
        yield f'<path class="cross" d="{strokes}"/>'


def _node(item: Placed) -> Iterator[str]:
    """Yield the elements of a node."""
    figure = item.figure
    yield "<g>" if figure.is_visited else '<g class="faint">'
    if figure.words:
        yield f"<title>{escape(figure.words)}</title>"
    classes: list[str] = [figure.kind]
    classes += ["best"] if figure.is_best else [] if figure.is_visited else ["unvisited"]
    yield f'<polygon class="{" ".join(classes)}" points="{_points(item.outline)}"/>'
    for place, (text, y) in enumerate(item.rows_above()):
        yield _text(item.x, y, text, "bound" if place < len(figure.bounds) else "name")
    for row, y in item.rows():
        if row.value is None and figure.kind != "leaf":  # which is a box itself
            yield from _box(item.x, y, row)
        elif row.value is not None:
            yield _text(item.x, y, row.text, "main" if row.is_main else "")
    yield "</g>"


def _box(x: float, y: float, row: Row) -> Iterator[str]:
    """Yield an empty box, with its symbol on the left."""
    width, height = BOX
    yield _text(x - width / 2, y, row.symbol, "")
    x += SYMBOL / 2
    yield (
        f'<rect class="box" x="{x - width / 2:.1f}" y="{y - height / 2:.1f}"'
        f' width="{width:g}" height="{height:g}"/>'
    )


def _legend(drawn: Sequence[Figure], width: float) -> Iterator[list[str]]:
    """Yield the lines of the legend, with what the drawing has."""
    kinds = {figure.kind for figure in drawn}
    samples = [
        ("max", "M0 -3L9 -9L18 -3V8H0Z", "Max", "max" in kinds),
        ("min", "M0 3L9 9L18 3V-8H0Z", "Min", "min" in kinds),
        ("leaf", "M0 -8H18V8H0Z", "leaf with its value", "leaf" in kinds),
        ("edge best", "M0 0H18", "best line", any(figure.is_best for figure in drawn)),
        ("cross", "M5 -7V7M10 -7V7", "pruned, with alpha and beta", _has_cut(drawn)),
        ("same", "M0 0H18", "the same position", _has_equal(drawn)),
        ("leaf unvisited", "M0 -8H18V8H0Z", "not visited", _has_unvisited(drawn)),
        ("more", "M9 -8L18 7H0Z", "nodes that are not drawn", "more" in kinds),
    ]
    line: list[str] = []
    x = 0.0
    for classes, path, text, is_there in samples:
        if not is_there:
            continue
        needed = 24 + text_width(text, SMALL) + 16
        if line and x + needed > width:
            yield line
            line, x = [], 0.0
        line.append(f'<path class="{classes}" d="{path}" transform="translate({x:.0f})"/>')
        line.append(_text(x + 24, 0, text, "start"))
        x += needed
    yield line


def _has_cut(drawn: Sequence[Figure]) -> bool:
    return any(figure.is_cut_off for figure in drawn)


def _has_equal(drawn: Sequence[Figure]) -> bool:
    return any(figure.same_as is not None for figure in drawn)


def _has_unvisited(drawn: Sequence[Figure]) -> bool:
    return any(not figure.is_visited for figure in drawn)


def _fitted(text: str, width: float) -> str:
    """Return a title that is no longer than a width."""
    most = int(width / text_width("n", 18))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _moved(x: float, y: float, lines: Sequence[str]) -> str:
    """Return elements as a group at a place."""
    return "\n".join([f'<g transform="translate({x:.1f} {y:.1f})">', *lines, "</g>"])


def _text(x: float, y: float, text: str, classes: str) -> str:
    """Return a text; its centre is at y."""
    attribute = f' class="{classes}"' if classes else ""
    return f'<text{attribute} x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _point(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
