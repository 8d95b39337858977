"""Layout of the rating chart in the HTML report."""

import itertools
import math
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from arena.ratings.bradley_terry import Ratings
from arena.reports.text import rating_text

# Sizes in pixels.
ROW_HEIGHT = 24
PLOT_WIDTH = 480
LETTER_WIDTH = 9  # average in a label
GAP = 12
VALUE_WIDTH = 120  # of a rating with its margin

MAX_LABEL_LETTERS = 24
MAX_TICK_INTERVALS = 10
TWO_AXES_ROWS = 20  # minimum for a second axis, above the rows


class Bar(NamedTuple):
    """One bot's row in the chart: its texts, and the positions of its interval in pixels."""

    label: str
    value: str
    y: float
    low: float
    elo: float
    high: float


class Chart(NamedTuple):
    """Chart of ratings, with sizes in pixels.

    `ticks` are (x, text), and `axes` are the vertical positions of the texts of each axis.
    """

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    ticks: list[tuple[float, str]]
    axes: list[float]
    bars: list[Bar]


def rating_chart(ratings: Ratings, bots: Sequence[str]) -> Chart:
    """Lay out a chart of ratings with 95 % confidence intervals.

    Args:
        ratings: Ratings of the bots.
        bots: Names of at least one bot, from the top.
    """
    spans = {bot: (ratings.elo[bot], ratings.margin(bot)) for bot in bots}
    ticks = round_ticks(
        min(elo - margin for elo, margin in spans.values()),
        max(elo + margin for elo, margin in spans.values()),
    )
    labels = {bot: truncated(bot) for bot in bots}
    left = GAP + LETTER_WIDTH * max(map(width_in_letters, labels.values()))

    def x(elo: float) -> float:
        return round(left + PLOT_WIDTH * (elo - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    def bar(row: int, bot: str) -> Bar:
        elo, margin = spans[bot]
        value = " ± ".join(rating_text(ratings, bot))
        y = top + ROW_HEIGHT * (row + 0.5)
        return Bar(labels[bot], value, y, x(elo - margin), x(elo), x(elo + margin))

    top = ROW_HEIGHT if len(bots) >= TWO_AXES_ROWS else 0
    bottom = top + ROW_HEIGHT * len(bots)
    return Chart(
        width=left + PLOT_WIDTH + GAP + VALUE_WIDTH,
        height=bottom + ROW_HEIGHT,
        left=left,
        right=left + PLOT_WIDTH,
        top=top,
        bottom=bottom,
        ticks=[(x(tick), f"{tick:+d}" if tick else "0") for tick in ticks],
        axes=[y + ROW_HEIGHT / 2 for y in ([0, bottom] if top else [bottom])],
        bars=[bar(row, bot) for row, bot in enumerate(bots)],
    )


def round_ticks(low: float, high: float, intervals: int = MAX_TICK_INTERVALS) -> range:
    """Return evenly spaced round numbers that enclose a range, at most `intervals` + 1 of them."""
    steps = (digit * 10**power for power in itertools.count() for digit in (1, 2, 5))
    step = next(step for step in steps if high - low <= step * (intervals - 1))
    first, last = math.floor(low / step), math.ceil(high / step)
    return range(first * step, (max(last, first + 1) + 1) * step, step)


def truncated(name: str, letters: int = MAX_LABEL_LETTERS) -> str:
    """Return a name that is cut to a number of letters."""
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def width_in_letters(text: str) -> int:
    """Return the width of a text in letters: East Asian wide characters count twice."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)
