"""Layout of a panel of a plot, in pixels.

A panel is as wide as a phone, so that its texts stay legible there.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.protocol.plots import Label, PanelSize, Shape
from arena.reports.chart import LETTER_WIDTH, truncated, width_in_letters

# Sizes in pixels.
WIDTH, HEIGHT = 400, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 384, 34, 236  # of the axes
SIZE = PanelSize(WIDTH, HEIGHT, TOP, BOTTOM)
LABELS_RIGHT = 296  # of the axes beside which the lines have labels
LABEL_GAP = 17  # between the labels of lines
ROW_HEIGHT = 14.5
MAX_ROWS = 14
MAX_LINES = 8  # each has its color and its dashes
MAX_LABEL_LETTERS = 11  # of a line
MAX_ROW_LETTERS = 18


class Axis(NamedTuple):
    """Numbers of an axis in pixels."""

    first: float
    last: float
    begin: float
    end: float

    def place(self, number: float) -> float:
        """Return the place of a number, at an end of the axis if it is outside."""
        share = (number - self.first) / (self.last - self.first)
        return round(self.begin + min(max(share, 0), 1) * (self.end - self.begin), 1)


def line_path(points: Iterable[tuple[float, float]]) -> str:
    """Return the path through points."""
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def line_labels(ends: Sequence[tuple[float, str]]) -> tuple[list[Shape], list[Label]]:
    """Return the labels of lines, which do not overlap, each with a sample of its line.

    Args:
        ends: The height at which each line ends, and its name.
    """
    order = sorted(range(len(ends)), key=lambda index: ends[index])
    lowest = BOTTOM - LABEL_GAP * (len(ends) - 1)
    shapes, labels, free = [], [], float(TOP)
    for rank, index in enumerate(order):
        y = round(min(max(ends[index][0], free), lowest + LABEL_GAP * rank), 1)
        free = y + LABEL_GAP
        shapes.append(Shape(f"line series-{index + 1}", f"M{LABELS_RIGHT + 4} {y}h14"))
        name = truncated(ends[index][1], MAX_LABEL_LETTERS)
        labels.append(Label("", LABELS_RIGHT + 22, y, name))
    return shapes, labels


class Rows(NamedTuple):
    """Rows with names on the left: the end of the names, and the height of each row."""

    left: float
    places: list[float]
    ticks: list[tuple[float, str]]


def named_rows(names: Sequence[str]) -> Rows:
    """Lay out at most `MAX_ROWS` rows; the longest name sets the space for names."""
    texts = [truncated(name, MAX_ROW_LETTERS) for name in names]
    left = 24 + 0.85 * LETTER_WIDTH * max(map(width_in_letters, texts))
    height = (BOTTOM - TOP) / len(names) if len(names) < MAX_ROWS else ROW_HEIGHT
    places = [round(TOP + min(height, 28) * (row + 0.5), 1) for row in range(len(names))]
    return Rows(left, places, [*zip(places, texts, strict=True)])


def number_text(number: int) -> str:
    """Format a round number with k for thousands and M for millions."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if number >= 10 * size or (number and number % size == 0):
            return f"{number / size:g}{unit}"
    return f"{number:,}"


def left_out(shown: int, total: int, what: str) -> str:
    """Return the note on what is left out, if anything is."""
    return f"{shown} of {total} {what} are shown." if shown < total else ""
