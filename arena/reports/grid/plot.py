"""Layout of the plots of a grid: estimates with 95 % intervals, in pixels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from arena.reports.chart import round_ticks
from arena.reports.grid.text import cell_text
from arena.reports.plots.panel import Axis, line_path
from arena.reports.text import counted
from arena.tournament.grid_results import CellResults, GridResults, PerfectShares
from arena.tournament.plan import Plan

# Sizes in pixels.
WIDTH, HEIGHT = 350, 270  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 48, 340, 30, 216  # of its axes
CAP = 4  # half the width of the ends of an interval
MIN_TICK_GAP = 26  # between the texts of a horizontal axis

MAX_TICK_INTERVALS = 6
CLIPPING = 0.5  # by how much intervals may widen the range of the estimates, relative to it
MIN_RANGE = 20.0  # of a vertical axis


@dataclass(frozen=True)
class Estimate:
    """An estimate to draw.

    Attributes:
        x: Its number on the horizontal axis.
        value: The estimate.
        margin: Half the width of its interval; infinite if it is unknown.
        truth: The exact value; None if it is unknown.
        name: A name below the axis; None for the number itself. Only estimates without a name are
            joined by a line.
    """

    x: float
    value: float
    margin: float
    truth: float | None = None
    name: str | None = None


class Mark(NamedTuple):
    """An estimate in a panel: its place, the path of its interval, and the height of the truth."""

    x: float
    y: float
    interval: str
    truth: float | None


class Panel(NamedTuple):
    """One plot.

    Attributes:
        title: The heading.
        x_label: The meaning of the horizontal axis.
        x_ticks: Place and text of each tick of the horizontal axis.
        names: Place and text of the names below the horizontal axis.
        y_ticks: Place and text of each tick of the vertical axis.
        level: Height of the line to compare with.
        marks: The estimates.
        line: Path through the estimates that are joined.
    """

    title: str
    x_label: str
    x_ticks: list[tuple[float, str]]
    names: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    level: float
    marks: list[Mark]
    line: str


def panels(results: GridResults, perfect: PerfectShares) -> list[Panel]:
    """Return the plots: strength by depth in each cell, then the values that depend on the cell.

    Strength has the same axes in all cells, so that slopes can be compared.
    """
    strengths = {f"Elo, {cell_text(cell)}": _strengths(cell) for cell in results.cells}
    worths: dict[str, list[Estimate]] = {}
    shares: dict[str, list[Estimate]] = {}
    varying = _varying(results.plan)
    for index, cell in enumerate(results.cells):
        x = _cell_number(cell, index, varying)
        series = _series(cell, varying)
        if cell.ply_worth and math.isfinite(cell.ply_worth.value):
            worth = Estimate(x, cell.ply_worth.value, cell.ply_worth.margin)
            worths.setdefault(f"Elo for a ply{series}", []).append(worth)
        if cell.player_1:
            truth = 100 * perfect[index] if index in perfect else None
            share = Estimate(x, 100 * cell.player_1.value, 100 * cell.player_1.margin, truth)
            shares.setdefault(f"Points of player 1, %{series}", []).append(share)
    by_cell = _cell_label(varying)
    return [
        *_panels(strengths, "depth in plies", 0),
        *_panels(worths, by_cell, 0),
        *_panels(shares, by_cell, 50, (0, 100)),
    ]


def _strengths(cell: CellResults) -> list[Estimate]:
    depths, ratings = cell.depths, cell.ratings
    rated = [bot for bot in cell.plan.bots if bot in ratings.elo]
    others = [bot for bot in rated if bot not in depths]
    lowest = min((depths[bot] for bot in rated if bot in depths), default=0)
    places = {bot: lowest - len(others) + index for index, bot in enumerate(others)}
    return [
        Estimate(
            depths.get(bot, places.get(bot, 0)),
            ratings.elo[bot],
            ratings.margin(bot),
            name=None if bot in depths else bot,
        )
        for bot in sorted(rated, key=lambda bot: depths.get(bot, 0))
    ]


def _varying(plan: Plan) -> list[str]:
    """Return the parameters of the setup that have several values."""
    return [name for name in plan.setups[0] if len({setup[name] for setup in plan.setups}) > 1]


def _cell_label(varying: Sequence[str]) -> str:
    """Return the meaning of a horizontal axis of cells."""
    if len(varying) > 1:
        return "cell, in the order of the table"
    return varying[0] if varying else "opening plies"


def _cell_number(cell: CellResults, index: int, varying: Sequence[str]) -> int:
    """Return the place of a cell on a horizontal axis of cells."""
    if len(varying) > 1:
        return index + 1
    return cell.cell.setup[varying[0]] if varying else cell.cell.opening_plies


def _series(cell: CellResults, varying: Sequence[str]) -> str:
    """Return the title of a cell's panel: its difference from others with the same axes."""
    if len(varying) == 1 and len(cell.plan.plies) > 1:
        return f", {counted(cell.cell.opening_plies, 'opening ply', 'opening plies')}"
    return ""


def _panels(
    by_title: Mapping[str, Sequence[Estimate]],
    x_label: str,
    level: float,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> list[Panel]:
    """Return panels with the same axes; no estimate can exceed `bounds`."""
    everything = [estimate for estimates in by_title.values() for estimate in estimates]
    if not everything:
        return []
    x_numbers = _x_ticks(everything)
    numbers = [*x_numbers, *(estimate.x for estimate in everything)]
    padding = max(max(numbers) - min(numbers), 1) / 20
    x = Axis(min(numbers) - padding, max(numbers) + padding, LEFT, RIGHT)
    y_numbers = _y_ticks(everything, level, bounds)
    y = Axis(y_numbers[0], y_numbers[-1], BOTTOM, TOP)
    return [
        Panel(
            title,
            x_label,
            [(x.place(number), f"{number}") for number in x_numbers],
            [(x.place(one.x), one.name) for one in estimates if one.name is not None],
            [(y.place(number), f"{number}") for number in y_numbers],
            y.place(level),
            [_mark(estimate, x, y) for estimate in estimates],
            _line(estimates, x, y),
        )
        for title, estimates in by_title.items()
    ]


def _x_ticks(estimates: Sequence[Estimate]) -> Sequence[int]:
    """Return the numbers of the estimates if their texts do not overlap, else round ones."""
    numbers = sorted({int(estimate.x) for estimate in estimates if estimate.name is None})
    if len(numbers) < 2:
        return numbers
    gap = min(after - before for before, after in pairwise(numbers))
    if gap * (RIGHT - LEFT) >= MIN_TICK_GAP * (numbers[-1] - numbers[0]):
        return numbers
    return round_ticks(numbers[0], numbers[-1], MAX_TICK_INTERVALS)


def _y_ticks(estimates: Sequence[Estimate], level: float, bounds: tuple[float, float]) -> range:
    """Return the ticks of an axis with all estimates, and their intervals up to CLIPPING."""
    values = [level, *(one.value for one in estimates)]
    values += [one.truth for one in estimates if one.truth is not None]
    low, high = min(values), max(values)
    room = CLIPPING * max(high - low, MIN_RANGE)
    known = [one for one in estimates if math.isfinite(one.margin)]
    lowest = min([low, *(one.value - one.margin for one in known)])
    highest = max([high, *(one.value + one.margin for one in known)])
    least, most = bounds
    return round_ticks(
        max(lowest, low - room, least), min(highest, high + room, most), MAX_TICK_INTERVALS
    )


def _mark(estimate: Estimate, x: Axis, y: Axis) -> Mark:
    truth = None if estimate.truth is None else y.place(estimate.truth)
    place = x.place(estimate.x)
    return Mark(place, y.place(estimate.value), _interval(estimate, place, y), truth)


def _interval(estimate: Estimate, x: float, y: Axis) -> str:
    """Return the path of an interval; an end outside the axis has no cap."""
    if math.isinf(estimate.margin):
        return ""
    low, high = estimate.value - estimate.margin, estimate.value + estimate.margin
    bottom, top = y.place(max(low, y.first)), y.place(min(high, y.last))
    caps = [place for end, place in ((low, bottom), (high, top)) if y.first <= end <= y.last]
    return f"M{x} {bottom}V{top}" + "".join(f"M{x - CAP} {place}h{2 * CAP}" for place in caps)


def _line(estimates: Sequence[Estimate], x: Axis, y: Axis) -> str:
    joined = sorted((one.x, one.value) for one in estimates if one.name is None)
    return (
        line_path((x.place(number), y.place(value)) for number, value in joined) if joined else ""
    )
