"""Plots with a line for each bot: ratings by the number of matches, and times by ply."""

import math
from collections.abc import Mapping, Sequence

from arena.protocol.plots import Panel, Shape
from arena.ratings.rater import Sample
from arena.reports.chart import round_ticks
from arena.reports.plots.panel import (
    BOTTOM,
    LABELS_RIGHT,
    LEFT,
    MAX_LINES,
    TOP,
    Axis,
    left_out,
    line_labels,
    line_path,
    number_text,
)

SETTLED = 0.1  # part of the matches after which the intervals fit into the axis
X_INTERVALS, Y_INTERVALS = 6, 6
MIN_MOVES = 0.05  # of a bot at a ply, for a mean, relative to its most frequent ply
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))

MoveTimes = Sequence[tuple[str, int, int, float]]  # bot, ply, moves, seconds in total


def rating_panel(history: Sequence[Sample], bots: Sequence[str], total_bots: int) -> Panel:
    """Plot ratings with 95 % intervals over the number of matches.

    Args:
        history: At least one sample.
        bots: The bots to show, the best first.
        total_bots: The number of all bots.
    """
    last = history[-1].matches
    x_ticks = round_ticks(0, last, X_INTERVALS)
    x = Axis(0, last, LEFT, LABELS_RIGHT)
    settled = [sample for sample in history if sample.matches >= SETTLED * last]
    values = [value for sample in settled for value in sample.ratings.values()]
    y_ticks = round_ticks(
        min(elo - margin for elo, margin in values),
        max(elo + margin for elo, margin in values),
        Y_INTERVALS,
    )
    y = Axis(y_ticks[0], y_ticks[-1], BOTTOM, TOP)
    bands, lines, ends = [], [], []
    for index, bot in enumerate(bots, 1):
        rated = [
            (x.place(sample.matches), *sample.ratings[bot])
            for sample in history
            if bot in sample.ratings
        ]
        above = [(place, y.place(elo + margin)) for place, elo, margin in rated]
        below = [(place, y.place(elo - margin)) for place, elo, margin in reversed(rated)]
        bands.append(Shape(f"band series-{index}", f"{line_path([*above, *below])}z"))
        line = [(place, y.place(elo)) for place, elo, _ in rated]
        lines.append(Shape(f"line series-{index}", line_path(line), bot))
        ends.append((line[-1][1], bot))
    keys, labels = line_labels(ends)
    finals = (f"{bot} {signed(history[-1].ratings[bot][0])}" for bot in bots)
    return Panel(
        title="Ratings in Elo by number of matches",
        description=f"Ratings after {last:,} matches, the best first: {', '.join(finals)}.",
        x_label="matches",
        x_ticks=[(x.place(tick), number_text(tick)) for tick in x_ticks if tick <= last],
        y_ticks=[(y.place(tick), signed(tick)) for tick in y_ticks],
        shapes=[*bands, *lines, *keys],
        labels=labels,
        note=f"Bands are 95 % intervals. {left_out(len(bots), total_bots, 'bots')}".strip(),
        left=LEFT,
        right=LABELS_RIGHT,
    )


def signed(number: float) -> str:
    """Format a number as a whole one with its sign."""
    return f"{number:+.0f}".replace("-", "\N{MINUS SIGN}") if round(number) else "0"


def time_panel(times: MoveTimes, bots: Sequence[str]) -> Panel | None:
    """Plot the mean time of a move by ply on a logarithmic axis; None without measured times.

    Args:
        times: The times of all bots.
        bots: The bots, the best first.
    """
    means: dict[str, list[tuple[int, float]]] = {}
    most: dict[str, int] = {}
    for bot, _, moves, _ in times:
        most[bot] = max(moves, most.get(bot, 0))
    for bot, ply, moves, seconds in times:
        if seconds > 0 and moves >= MIN_MOVES * most[bot]:
            means.setdefault(bot, []).append((ply, seconds / moves))
    timed = [bot for bot in bots if bot in means]
    shown = timed[:MAX_LINES]
    if not shown:
        return None
    values = [seconds for bot in shown for _, seconds in means[bot]]
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    y = Axis(first, max(last, first + 1), BOTTOM, TOP)
    plies = [ply for bot in shown for ply, _ in means[bot]]
    x_ticks = round_ticks(min(plies), max(plies), X_INTERVALS)
    x = Axis(min(plies), max(*plies, min(plies) + 1), LEFT, LABELS_RIGHT)
    lines, ends = [], []
    for index, bot in enumerate(shown, 1):
        line = [(x.place(ply), y.place(math.log10(mean))) for ply, mean in means[bot]]
        lines.append(Shape(f"line series-{index}", line_path(line), bot))
        ends.append((line[-1][1], bot))
    keys, labels = line_labels(ends)
    return Panel(
        title="Mean time of a move by ply",
        description=_describe_times(means, shown),
        x_label="ply",
        x_ticks=[
            (x.place(tick), f"{tick}") for tick in x_ticks if min(plies) <= tick <= max(plies)
        ],
        y_ticks=[
            (y.place(power), duration_text(10.0**power)) for power in range(first, int(y.last) + 1)
        ],
        shapes=[*lines, *keys],
        labels=labels,
        note=f"Without the rarest plies (below {100 * MIN_MOVES:.0f} %)."
        + (f" {left_out(len(shown), len(timed), 'bots')}").rstrip(),
        left=LEFT,
        right=LABELS_RIGHT,
    )


def _describe_times(means: Mapping[str, Sequence[tuple[int, float]]], bots: Sequence[str]) -> str:
    longest = (
        f"{bot} at most {duration_text(max(seconds for _, seconds in means[bot]))}" for bot in bots
    )
    return f"Mean time charged for a move, by ply: {', '.join(longest)}."


def duration_text(seconds: float) -> str:
    """Format a duration with two digits, in s, ms or µs."""
    size, unit = next((each for each in UNITS if seconds >= 0.9995 * each[0]), UNITS[-1])
    return f"{float(f'{seconds / size:.2g}'):g} {unit}"
