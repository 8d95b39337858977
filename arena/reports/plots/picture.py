"""Picture of one or several plots as SVG, which loads nothing from the network."""

from collections.abc import Sequence
from typing import TextIO

from arena.protocol.plots import Panel
from arena.reports.html import load_template
from arena.reports.plots.panel import HEIGHT, SIZE, WIDTH

COLUMNS = 2  # of several panels


def write_plots(out: TextIO, title: str, panels: Sequence[Panel]) -> None:
    """Write panels as one SVG picture."""
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    placed = [
        (panel, WIDTH * (index % columns), HEIGHT * (index // columns))
        for index, panel in enumerate(panels)
    ]
    template = load_template("plots.svg", size=SIZE, width=WIDTH * columns, height=HEIGHT * rows)
    out.writelines(template.generate(title=title, placed=placed))
