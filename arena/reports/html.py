"""Report on a tournament as a self-contained HTML file that loads nothing from the network."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TextIO

from arena.analysis.accuracy import Accuracy
from arena.model.results import FORFEITS, Fault, MatchRecord, PlayedMove
from arena.ratings.bradley_terry import Ratings, connected_groups
from arena.reports.text import (
    GameStandings,
    accuracy_percent,
    disconnected_groups_text,
    first_move_text,
    rating_text,
)
from arena.tournament.standings import head_to_head

if TYPE_CHECKING:
    from jinja2 import Template

GAMES_PER_BATCH = 100  # laid out together by the browser, once they are scrolled into view

# Sizes in the chart of ratings, in pixels.
ROW_HEIGHT = 24
PLOT_WIDTH = 480
LETTER_WIDTH = 9  # average in a label
GAP = 12
VALUE_WIDTH = 120  # of a rating with its margin

MAX_LABEL_LETTERS = 24
MAX_TICK_INTERVALS = 10
TWO_AXES_ROWS = 20  # minimum for a second axis, above the rows


@dataclass(frozen=True)
class Report:
    """Contents of a report as plain data, without HTML.

    Attributes:
        title: Title and main heading.
        facts: Name and text of each fact about the tournament.
        games: Standings by the name of the game.
        matches: Matches with their moves, read once.
        sprt_lines: State of the sequential test, if there is one.
        blocks: Heading and preformatted text of further sections.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    games: Mapping[str, GameStandings]
    matches: Iterable[MatchRecord]
    sprt_lines: Sequence[str] = ()
    blocks: Sequence[tuple[str, str]] = ()


def write_report(out: TextIO, report: Report) -> None:
    """Write a report as HTML piece by piece, with one batch of games in memory at a time."""
    out.writelines(_template().generate(report=report))


def _template() -> Template:
    import jinja2  # slow to import, and needed only here

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("arena.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals = {
        "FORFEITS": sorted(FORFEITS),
        "GAMES_PER_BATCH": GAMES_PER_BATCH,
        "NO_ACCURACY": Accuracy(),
        "accuracy_percent": accuracy_percent,
        "chart": chart,
        "disconnected_groups_text": disconnected_groups_text,
        "first_move_text": first_move_text,
        "head_to_head": head_to_head,
        "heat": heat,
        "connected_groups": connected_groups,
        "move_list": move_list,
        "rating_text": rating_text,
        "time_used": time_used,
    }
    return environment.get_template("report.html")


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


def chart(ratings: Ratings, bots: Sequence[str]) -> Chart:
    """Lay out a chart of ratings with 95 % confidence intervals.

    Args:
        ratings: Ratings of the bots.
        bots: Names of at least one bot, from the top.
    """
    spans = {bot: (ratings.elo[bot], ratings.margin(bot)) for bot in bots}
    ticks = _ticks(
        min(elo - margin for elo, margin in spans.values()),
        max(elo + margin for elo, margin in spans.values()),
    )
    labels = {bot: _truncated(bot) for bot in bots}
    left = GAP + LETTER_WIDTH * max(map(_width_in_letters, labels.values()))

    def x(elo: float) -> float:
        return round(left + PLOT_WIDTH * (elo - ticks[0]) / (ticks[-1] - ticks[0]), 1)

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
        bars=[
            Bar(
                labels[bot],
                " ± ".join(rating_text(ratings, bot)),
                top + ROW_HEIGHT * (row + 0.5),
                x(elo - margin),
                x(elo),
                x(elo + margin),
            )
            for row, (bot, (elo, margin)) in enumerate(spans.items())
        ],
    )


def _ticks(low: float, high: float) -> range:
    """Return evenly spaced round numbers that enclose the range."""
    steps = (digit * 10**power for power in itertools.count() for digit in (1, 2, 5))
    step = next(step for step in steps if high - low <= step * (MAX_TICK_INTERVALS - 1))
    first, last = math.floor(low / step), math.ceil(high / step)
    return range(first * step, (max(last, first + 1) + 1) * step, step)


def _truncated(name: str) -> str:
    return name if len(name) <= MAX_LABEL_LETTERS else f"{name[: MAX_LABEL_LETTERS - 1]}…"


def _width_in_letters(text: str) -> int:
    """Return the width of a text in letters: East Asian wide characters count twice."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def heat(chance: float) -> int:
    """Return the strength of a probability's background color in percent.

    It is 0 for a probability of one half, and 50 for certainty, so that the text stays readable.
    """
    return round(100 * abs(chance - 0.5))


def time_used(record: MatchRecord) -> tuple[float, float]:
    """Return the time charged to each player, in seconds."""
    turns: list[PlayedMove | Fault] = [*record.moves]
    if record.fault:
        turns.append(record.fault)
    one, two = (sum(turn.charged for turn in turns if turn.ply % 2 == side) for side in (0, 1))
    return one, two


def move_list(record: MatchRecord) -> str:
    """Format the moves as lines, with times in milliseconds; moves of the opening have none.

    Each line, including the header, has the seven columns that the script of the page parses.
    """
    rows = [_line("ply", "player", "move", "elapsed", "credit", "charged", "lag")]
    rows += [
        _line(ply, 1 + ply % 2, move, ".", ".", ".", ".")
        for ply, move in enumerate(record.pairing.opening)
    ]
    for played in record.moves:
        times = (played.elapsed, played.credit, played.charged, played.lag)
        milliseconds = (f"{1000 * seconds:.1f}" for seconds in times)
        rows.append(_line(played.ply, 1 + played.ply % 2, played.move, *milliseconds))
    return "\n".join(rows)


def _line(*words: object) -> str:
    return "{:>4} {:>6} {:>6} {:>9} {:>7} {:>9} {:>7}".format(*words)
