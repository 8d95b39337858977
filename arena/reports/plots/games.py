"""Plots of the games: the shares of both players by opening and by bot, and the lengths."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, starmap

from arena.model.results import match_points
from arena.protocol.plots import Panel, Shape
from arena.ratings.bradley_terry import Z_95
from arena.reports.chart import round_ticks
from arena.reports.plots.panel import (
    BOTTOM,
    LEFT,
    MAX_ROWS,
    RIGHT,
    TOP,
    Axis,
    left_out,
    line_path,
    named_rows,
    number_text,
)
from arena.reports.text import counted

PERCENT = range(0, 101, 25)
MAX_BINS = 40
DOT, DIAMOND = "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", "m-5 0l5 -5l5 5l-5 5z"

Opening = tuple[str, str, str, str, int | None]  # setup and opening as JSON, players, winner
Share = tuple[float, int]  # points, and the number of games


class Shares:
    """Points of player 1 by opening, and of each bot by side.

    Openings are told apart as finely as the rows of a plot allow: by setup and moves, by moves, by
    the first move, or by the setup.

    Attributes:
        openings: Points and number of games of player 1 by opening; the most frequent are first.
        bots: Points and number of games of each bot, as player 1 and as player 2.
        total: The number of different openings in `openings`, before it was cut.
    """

    def __init__(self, matches: Iterable[Opening]) -> None:
        levels: list[dict[str, Share] | None] = [{} for _ in range(4)]
        self.bots: dict[str, list[Share]] = {}
        for setup, opening, one, two, winner in matches:
            points = match_points(winner)
            for side, bot in enumerate((one, two)):
                shares = self.bots.setdefault(bot, [(0.0, 0), (0.0, 0)])
                shares[side] = shares[side][0] + points[side], shares[side][1] + 1
            for level, name in enumerate(_names(setup, opening)):
                groups = levels[level]
                if groups is None:
                    continue
                old = groups.get(name, (0.0, 0))
                groups[name] = old[0] + points[0], old[1] + 1
                if len(groups) > MAX_ROWS and level < len(levels) - 1:
                    levels[level] = None
        finest = next(groups for groups in levels if groups is not None)
        self.total = len(finest)
        frequent = sorted(finest.items(), key=lambda item: -item[1][1])
        self.openings = dict(sorted(frequent[:MAX_ROWS], key=lambda item: _order(item[0])))


def _names(setup: str, opening: str) -> tuple[str, str, str, str]:
    parameters = ", ".join(starmap(_parameter_text, json.loads(setup).items()))
    moves = [*map(str, json.loads(opening))]
    text = " ".join(moves) or "no opening"
    if not moves:
        return (parameters or text,) * 4
    first = f"{moves[0]} …"
    both = f"{parameters}: {text}" if parameters else text
    return both, text, parameters or first, first


def _parameter_text(name: str, value: int) -> str:
    """Return "3 heaps", and "heap 20" of a parameter that is no plural, as the page does."""
    return f"{value} {name}" if name.endswith("s") else f"{name} {value}"


def _order(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts names with numbers by the numbers."""
    words = name.replace(":", "").split()
    return [(int(word), "") if word.isdigit() else (-1, word) for word in words]


def opening_panel(shares: Shares) -> Panel:
    """Plot the share of player 1 by opening, with 95 % intervals."""
    names = [*shares.openings]
    rows = named_rows(names)
    x = Axis(0, 100, rows.left, RIGHT)
    shapes = []
    for name, place in zip(names, rows.places, strict=True):
        points, games = shares.openings[name]
        low, high = share_interval(points, games)
        text = f"{name}: {100 * points / games:.1f} % of {counted(games, 'game')}"
        shapes.append(Shape("span", f"M{x.place(100 * low)} {place}H{x.place(100 * high)}"))
        shapes.append(Shape("dot", f"M{x.place(100 * points / games)} {place}{DOT}", text))
    points = sum(points for points, _ in shares.openings.values())
    games = sum(games for _, games in shares.openings.values())
    return Panel(
        title="Points of player 1 by opening",
        description=f"Player 1 has {100 * points / games:.1f} % of the points in these games.",
        x_label="% of the points",
        x_ticks=[(x.place(tick), f"{tick}") for tick in PERCENT],
        y_ticks=rows.ticks,
        shapes=shapes,
        note=f"Lines are 95 % intervals. {left_out(len(names), shares.total, 'openings')}".strip(),
        left=rows.left,
        right=RIGHT,
        has_rows=True,
    )


def side_panel(shares: Shares, bots: Sequence[str]) -> Panel:
    """Plot the shares of bots, the best first, as player 1 and as player 2."""
    shown = bots[:MAX_ROWS]
    rows = named_rows(shown)
    x = Axis(0, 100, rows.left, RIGHT)
    joints, marks = [], []
    for bot, place in zip(shown, rows.places, strict=True):
        played = [
            (side, 100 * points / games)
            for side, (points, games) in enumerate(shares.bots[bot])
            if games
        ]
        joints.append(Shape("line", line_path((x.place(share), place) for _, share in played)))
        for side, share in played:
            style, path = ("truth", DIAMOND) if side else ("dot", DOT)
            text = f"{bot} as player {side + 1}: {share:.1f} %"
            marks.append(Shape(style, f"M{x.place(share)} {place}{path}", text))
    return Panel(
        title="Points of each bot by side",
        description="; ".join(mark.tooltip for mark in marks) + ".",
        x_label="% of the points",
        x_ticks=[(x.place(tick), f"{tick}") for tick in PERCENT],
        y_ticks=rows.ticks,
        shapes=[*joints, *marks],
        note="Dots: as player 1; diamonds: as player 2. " + left_out(len(shown), len(bots), "bots"),
        left=rows.left,
        right=RIGHT,
        has_rows=True,
    )


def length_panel(lengths: Sequence[tuple[int, int]]) -> Panel:
    """Plot a histogram of the lengths of at least one game."""
    first, last = lengths[0][0], lengths[-1][0]
    width = max(1, -(-(last - first + 1) // MAX_BINS))
    bins: Counter[int] = Counter()
    for plies, games in lengths:
        bins[(plies - first) // width] += games
    x = Axis(first, first + width * (max(bins) + 1), LEFT, RIGHT)
    y_ticks = round_ticks(0, max(bins.values()), 5)
    y = Axis(0, y_ticks[-1], BOTTOM, TOP)
    bars = []
    for index in sorted(bins):
        low = first + width * index
        begin, end = x.place(low), x.place(low + width)
        text = f"{low}" if width == 1 else f"{low} to {low + width - 1}"
        bar = (
            f"M{begin + 0.5} {BOTTOM}V{y.place(bins[index])}H{max(begin + 1, end - 0.5)}V{BOTTOM}z"
        )
        bars.append(Shape("bar", bar, f"{text} plies: {counted(bins[index], 'game')}"))
    total = sum(games for _, games in lengths)
    mean = sum(plies * games for plies, games in lengths) / total
    middle = _median(lengths)
    x_ticks = round_ticks(first, last, 6)
    return Panel(
        title="Number of games by length",
        description=f"{counted(total, 'game')} of {first} to {last} plies, median {middle}.",
        x_label="plies, the opening included",
        x_ticks=[
            (x.place(tick + width / 2), f"{tick}") for tick in x_ticks if first <= tick <= last
        ],
        y_ticks=[(y.place(tick), number_text(tick)) for tick in y_ticks],
        shapes=bars,
        left=LEFT,
        right=RIGHT,
        note=f"Median {middle}, mean {mean:.1f} plies.",
    )


def _median(lengths: Sequence[tuple[int, int]]) -> int:
    sums = [*accumulate(games for _, games in lengths)]
    half = (sums[-1] + 1) // 2
    return next(plies for (plies, _), below in zip(lengths, sums, strict=True) if below >= half)


def share_interval(points: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of points by Wilson, for at least one game."""
    share, square = points / games, Z_95**2
    center = (share + square / (2 * games)) / (1 + square / games)
    root = math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    half = Z_95 * root / (1 + square / games)
    return max(0.0, center - half), min(1.0, center + half)
