"""Plots of a game's matches as they are sent to spectators and drawn in reports, in pixels."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct


class PanelSize(Struct, frozen=True):
    """The size of every panel, and the heights of the ends of its vertical axis."""

    width: int
    height: int
    top: int
    bottom: int


class Shape(NamedTuple):
    """A path with the class of its style and, for a mark of one value, its tooltip."""

    style: str
    path: str
    tooltip: str = ""


class Label(NamedTuple):
    """A text with the class of its style."""

    style: str
    x: float
    y: float
    text: str


class Panel(Struct, frozen=True):
    """One plot.

    Attributes:
        title: The heading.
        description: The plot in words, for screen readers.
        x_label: The meaning of the horizontal axis.
        x_ticks: Place and text of each tick of the horizontal axis.
        y_ticks: Place and text of each tick of the vertical axis.
        shapes: The data, from back to front.
        left: Left end of the axes.
        right: Right end of the axes.
        labels: The texts beside the data.
        note: What the plot leaves out, or how to read it.
        has_rows: Whether rules are vertical, as the vertical axis has names.
    """

    title: str
    description: str
    x_label: str
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    shapes: Sequence[Shape]
    left: float
    right: float
    labels: Sequence[Label] = ()
    note: str = ""
    has_rows: bool = False
