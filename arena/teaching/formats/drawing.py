"""Positions and sizes of a drawing, in pixels: the same picture for SVG and TeX.

The layout is our own (`arena.teaching.layout`), also where graphviz is installed. With the same
sizes and gaps, on trees of 18 to 193 nodes, `dot` needs the same width within 3 %, but puts parents
up to 900 pixels beside the middle of their children, and takes 20 to 60 ms instead of 1 or 2. The
format dot is there for those who want graphviz.
"""

from collections.abc import Iterator, Sequence
from math import hypot
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from arena.teaching.formats.figures import Figure, Row
from arena.teaching.layout import tidy

Point = tuple[float, float]

LARGE, SMALL = 14, 12  # font sizes: values of nodes and names, other rows
LINE = 15.0  # height of a row
ROOF = 11.0  # height of the point of an inner node
PADDING = 6.0
LEAST_WIDTH = {"max": 46.0, "min": 46.0, "leaf": 28.0, "more": 30.0}
SYMBOL = 14.0  # width of the symbol before a box
MORE = 18.0  # height of the triangle of collapsed nodes
BOX = 34.0, 22.0  # width and height of an empty box
GAPS = 34.0, 300.0  # least and most height of edges
SAG = 44.0  # twice the depth to which a line between equal nodes hangs below them
SLOPE = 7.0  # steepness of the flattest edge: width for each pixel of height


class Placed(NamedTuple):
    """A figure with its place.

    Attributes:
        figure: The figure.
        x: The centre.
        top: The top of the shape; bounds and name are above it.
        width: The width of the shape.
        height: The height of the shape.
        end: The lower end of the edge from the parent, above bounds and name.
        bend: The height at which the edges to all siblings become vertical, so that none crosses
            the texts above another.
    """

    figure: Figure
    x: float
    top: float
    width: float
    height: float
    end: float
    bend: float

    @property
    def bottom(self) -> float:
        """The upper end of the edges to children."""
        return self.top + self.height

    @property
    def outline(self) -> list[Point]:
        """The corners of the shape: a house for Max, upside down for Min, a box, a triangle."""
        left, right = self.x - self.width / 2, self.x + self.width / 2
        top, bottom, kind = self.top, self.bottom, self.figure.kind
        if kind == "more":
            half = LEAST_WIDTH["more"] / 2
            return [(self.x, top), (self.x + half, top + MORE), (self.x - half, top + MORE)]
        if kind == "leaf":
            return [(left, top), (right, top), (right, bottom), (left, bottom)]
        if kind == "max":
            eaves = top + ROOF
            return [(self.x, top), (right, eaves), (right, bottom), (left, bottom), (left, eaves)]
        eaves = bottom - ROOF
        return [(left, top), (right, top), (right, eaves), (self.x, bottom), (left, eaves)]

    def rows(self) -> Iterator[tuple[Row, float]]:
        """Yield the rows with their centres."""
        start = {"max": ROOF, "more": MORE}.get(self.figure.kind, PADDING) + self.top
        for row in self.figure.rows:
            yield row, start + row_height(row) / 2
            start += row_height(row)

    def rows_above(self) -> Iterator[tuple[str, float]]:
        """Yield the bounds and the name above the shape with their centres."""
        texts = [row.text for row in self.figure.bounds]
        texts += [self.figure.name] if self.figure.name else []
        for place, text in enumerate(texts):
            yield text, self.end + 1 + LINE * (place + 0.5)


class Drawing(NamedTuple):
    """Placed figures, from the root on, and the size of the whole."""

    placed: list[Placed]
    width: float
    height: float


def draw(figures: Sequence[Figure]) -> Drawing:
    """Place the figures of a tree."""
    children: list[list[int]] = [[] for _ in figures]
    depths = [0] * len(figures)
    for place, figure in enumerate(figures):
        if figure.parent is not None:
            children[figure.parent].append(place)
            depths[place] = depths[figure.parent] + 1
    widths = [_width(figure) for figure in figures]
    slots = [
        max(width, _width_above(figure)) for figure, width in zip(figures, widths, strict=True)
    ]
    centres = tidy(children, slots)
    tops = _tops(figures, depths, children, centres)
    ends = [
        tops[depth] - height_above(figure) for figure, depth in zip(figures, depths, strict=True)
    ]
    bends = [ends[0]] * len(figures)
    for siblings in children:
        highest = min((ends[child] for child in siblings), default=0)
        for child in siblings:
            bends[child] = highest
    placed = [
        Placed(figure, centres[i], tops[depths[i]], widths[i], height_of(figure), ends[i], bends[i])
        for i, figure in enumerate(figures)
    ]
    lowest = max(item.bottom for item in placed)
    for item, other in equal_nodes(placed):
        lowest = max(lowest, (max(item.bottom, other.bottom) + hanging(item, other)[1][1]) / 2)
    right = max(x + slot / 2 for x, slot in zip(centres, slots, strict=True))
    return Drawing(placed, right, lowest)


def equal_nodes(placed: Sequence[Placed]) -> Iterator[tuple[Placed, Placed]]:
    """Yield each node that uses the value of an equal earlier one, and that one."""
    for item in placed:
        if item.figure.same_as is not None:
            yield item, placed[item.figure.same_as]


def hanging(item: Placed, other: Placed) -> tuple[Point, Point, Point]:
    """Return the start, the control point and the end of the curve between two equal nodes."""
    level = max(item.bottom, other.bottom) + SAG
    return (item.x, item.bottom), ((item.x + other.x) / 2, level), (other.x, other.bottom)


def crossing(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """Return two strokes across the middle of an edge."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    length = hypot(dx, dy)
    ux, uy = dx / length, dy / length
    strokes = []
    for along in (length / 2 - 2.5, length / 2 + 2.5):
        cx, cy = x + ux * along, y + uy * along
        strokes.append(((cx - uy * 6, cy + ux * 6), (cx + uy * 6, cy - ux * 6)))
    return strokes


def text_width(text: str, size: float) -> float:
    """Return an upper estimate of the width of a text, as fonts differ."""
    return sum(_ems(character) for character in text) * size


def row_height(row: Row) -> float:
    """Return the height of a row."""
    return BOX[1] + 3 if row.value is None else LINE


def height_of(figure: Figure) -> float:
    """Return the height of a figure's shape."""
    rows = sum(map(row_height, figure.rows))
    if figure.kind == "more":
        return MORE + rows
    return rows + PADDING + (ROOF if figure.kind in ("max", "min") else PADDING)


def height_above(figure: Figure) -> float:
    """Return the height of the name and the bounds above a figure."""
    return LINE * (len(figure.bounds) + bool(figure.name)) + 2


def _tops(
    figures: Sequence[Figure],
    depths: Sequence[int],
    children: Sequence[Sequence[int]],
    centres: Sequence[float],
) -> list[float]:
    """Return the top of the shapes at each depth: wide families get high edges."""
    levels = max(depths) + 1
    above, below, wide = [0.0] * levels, [0.0] * levels, [0.0] * levels
    for place, (figure, depth) in enumerate(zip(figures, depths, strict=True)):
        above[depth] = max(above[depth], height_above(figure))
        below[depth] = max(below[depth], height_of(figure))
        for child in children[place]:
            wide[depth] = max(wide[depth], abs(centres[child] - centres[place]))
    tops = [above[0]]
    for depth in range(1, levels):
        gap = min(max(GAPS[0], wide[depth - 1] / SLOPE), GAPS[1])
        tops.append(tops[-1] + below[depth - 1] + gap + above[depth])
    return tops


def _width(figure: Figure) -> float:
    """Return the width of a figure's shape."""
    padding = 0 if figure.kind == "more" else 2 * PADDING
    rows = (_row_width(row) + padding for row in figure.rows)
    return max([LEAST_WIDTH[figure.kind], *rows])


def _row_width(row: Row) -> float:
    """Return the width of a row with its box or its value."""
    if row.value is None:
        return BOX[0] + SYMBOL if row.symbol else BOX[0] - PADDING
    return text_width(row.text, LARGE if row.is_main else SMALL)


def _width_above(figure: Figure) -> float:
    """Return the width of the name and the bounds above a figure."""
    bounds = [text_width(row.text, SMALL) for row in figure.bounds]
    return max([text_width(figure.name, LARGE), *bounds])


def _ems(character: str) -> float:
    """Return an upper estimate of the width of a character, in units of the font size."""
    if combining(character):
        return 0.0
    if east_asian_width(character) in "WF":
        return 1.05
    if character in " .,:;'|!iIjlfrt()[]-":
        return 0.43
    return 0.95 if character in "MWmw@%∞…" else 0.64 if character.isascii() else 0.75
