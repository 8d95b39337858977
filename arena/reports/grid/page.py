"""Page and picture of a grid, which load nothing from the network."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TextIO

from arena.reports.grid.plot import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, Panel, panels
from arena.reports.grid.text import (
    SUMMARY_HEADER,
    answer_text,
    cell_tables,
    notes,
    summary_rows,
)
from arena.reports.html import load_template, plan_facts
from arena.tournament.grid_results import GridResults, PerfectShares

COLUMNS = 3  # of panels in a picture
LEGEND_HEIGHT = 34  # in pixels

DESCRIPTION = (
    "A dot is an estimate and the line through it its 95 % interval. An interval without an end"
    " goes beyond the axis; a dot without an interval has too few different games."
)
LEGEND = "dots: estimates with 95 % intervals"
PERFECT_LEGEND = "; diamonds: perfect play from the same openings"


class Axes(NamedTuple):
    """The axes of each panel, in pixels."""

    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


@dataclass(frozen=True)
class Page:
    """Contents of a page as plain data, without HTML.

    Attributes:
        title: Title and main heading.
        answer: The worth of a ply.
        facts: Name and text of each fact about the grid.
        summary: Header and rows of the summary.
        notes: The limits of the results.
        description: How to read the plots.
        legend: The same in short.
        panels: The plots.
        cells: Title, and header and rows, of each cell's table.
    """

    title: str
    answer: str
    facts: Sequence[tuple[str, str]]
    summary: Sequence[Sequence[str]]
    notes: Sequence[str]
    description: str
    legend: str
    panels: Sequence[Panel]
    cells: Sequence[tuple[str, Sequence[Sequence[str]]]]


def grid_page(results: GridResults, perfect: PerfectShares) -> Page:
    """Return the contents of the page of a grid."""
    plan = results.plan
    return Page(
        title=f"Grid in {plan.game}",
        answer=answer_text(results),
        facts=plan_facts(plan, results.matches),
        summary=[SUMMARY_HEADER, *summary_rows(results, perfect)],
        notes=[*notes(results)],
        description=DESCRIPTION,
        legend=LEGEND + PERFECT_LEGEND if perfect else LEGEND,
        panels=panels(results, perfect),
        cells=[*cell_tables(results)],
    )


def write_page(out: TextIO, page: Page) -> None:
    """Write a page as HTML."""
    template = load_template("grid.html", axes=Axes(), width=WIDTH, height=HEIGHT)
    out.writelines(template.generate(page=page))


def write_picture(out: TextIO, page: Page) -> None:
    """Write the plots of a page as one SVG picture."""
    columns = min(COLUMNS, max(1, len(page.panels)))
    rows = -(-len(page.panels) // columns)
    placed = [
        (panel, WIDTH * (index % columns), HEIGHT * (index // columns))
        for index, panel in enumerate(page.panels)
    ]
    width, height = WIDTH * columns, HEIGHT * rows + LEGEND_HEIGHT
    template = load_template("grid.svg", axes=Axes(), width=width, height=height)
    out.writelines(template.generate(page=page, placed=placed))
