"""A tournament as a web page: one file that needs no other and asks nothing of the network."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TextIO

from arena.analysis.accuracy import Accuracy
from arena.model.results import FORFEITS, Fault, MatchRecord, PlayedMove
from arena.ratings.bradley_terry import Ratings, islands
from arena.reports.text import Table, apart, first_move, meetings, percent, rating_words

if TYPE_CHECKING:
    from jinja2 import Template

BATCH = 100  # games that a browser lays out together, once they come into view

# Of the drawing, in pixels.
ROW = 24
PLOT = 480
LETTER = 9  # of the labels, on average
GAP = 12
VALUE = 120  # room for a rating with its margin
LONGEST = 24  # letters of a label
TICKS = 10  # intervals between them, at most
TALL = 20  # rows from which on the axis is drawn above them too


@dataclass(frozen=True)
class Page:
    """What a page tells: plain data, none of it HTML.

    `facts` are (name, text), `tables` are by the name of the game, `blocks` are (heading, text) of
    tables that are text already. `games` come with their moves and are read once.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    tables: Mapping[str, Table]
    games: Iterable[MatchRecord]
    tests: Sequence[str] = ()
    blocks: Sequence[tuple[str, str]] = ()


def write_page(out: TextIO, page: Page) -> None:
    """Write the page as HTML, piece by piece: of the games a batch at a time is in memory."""
    out.writelines(_template().generate(page=page))


def _template() -> Template:
    import jinja2  # slow to start, and only for this

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
        "BATCH": BATCH,
        "NEVER": Accuracy(),
        "apart": apart,
        "chart": chart,
        "first_move": first_move,
        "heat": heat,
        "islands": islands,
        "meetings": meetings,
        "percent": percent,
        "rating_words": rating_words,
        "sheet": sheet,
        "spent": spent,
    }
    return environment.get_template("report.html")


class Bar(NamedTuple):
    """A bot's row in the drawing: the texts, and where its interval is."""

    label: str
    value: str
    y: float
    low: float
    elo: float
    high: float


class Chart(NamedTuple):
    """The ratings as a drawing, in pixels. `ticks` are (x, text), `axes` the heights of texts."""

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
    """The ratings of one bot or more, from the top in this order, with 95 % intervals."""
    spans = {bot: (ratings.elo[bot], ratings.margin(bot)) for bot in bots}
    ticks = _ticks(
        min(elo - margin for elo, margin in spans.values()),
        max(elo + margin for elo, margin in spans.values()),
    )
    labels = {bot: _short(bot) for bot in bots}
    left = GAP + LETTER * max(map(_letters, labels.values()))

    def x(elo: float) -> float:
        return round(left + PLOT * (elo - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    top = ROW if len(bots) >= TALL else 0
    bottom = top + ROW * len(bots)
    return Chart(
        width=left + PLOT + GAP + VALUE,
        height=bottom + ROW,
        left=left,
        right=left + PLOT,
        top=top,
        bottom=bottom,
        ticks=[(x(tick), f"{tick:+d}" if tick else "0") for tick in ticks],
        axes=[height + ROW / 2 for height in ([0, bottom] if top else [bottom])],
        bars=[
            Bar(
                labels[bot],
                " ± ".join(rating_words(ratings, bot)),
                top + ROW * (place + 0.5),
                x(elo - margin),
                x(elo),
                x(elo + margin),
            )
            for place, (bot, (elo, margin)) in enumerate(spans.items())
        ],
    )


def _ticks(low: float, high: float) -> range:
    """Round numbers, evenly spaced, of which the first and the last enclose the others."""
    steps = (digit * 10**power for power in itertools.count() for digit in (1, 2, 5))
    step = next(step for step in steps if high - low <= step * (TICKS - 1))
    first, last = math.floor(low / step), math.ceil(high / step)
    return range(first * step, (max(last, first + 1) + 1) * step, step)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _letters(text: str) -> int:
    """How wide a text is, in letters: those of East Asia count twice."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def heat(chance: float) -> int:
    """How strongly a chance is coloured, in percent: none at one half, 50 where it is certain.

    Not more, so that the text stays readable.
    """
    return round(100 * abs(chance - 0.5))


def spent(record: MatchRecord) -> tuple[float, float]:
    """The time that each player was charged, in seconds."""
    turns: list[PlayedMove | Fault] = [*record.moves]
    if record.fault:
        turns.append(record.fault)
    one, two = (sum(turn.charged for turn in turns if turn.ply % 2 == side) for side in (0, 1))
    return one, two


def sheet(record: MatchRecord) -> str:
    """The moves as text, a line each, with times in milliseconds; the opening has none.

    Seven columns in every line, the first of which names them: the page's script reads them.
    """
    rows = [_line("ply", "player", "move", "elapsed", "credit", "charged", "lag")]
    rows += [
        _line(ply, 1 + ply % 2, move, ".", ".", ".", ".")
        for ply, move in enumerate(record.pairing.opening)
    ]
    for played in record.moves:
        times = (played.elapsed, played.credit, played.charged, played.lag)
        shown = (f"{1000 * seconds:.1f}" for seconds in times)
        rows.append(_line(played.ply, 1 + played.ply % 2, played.move, *shown))
    return "\n".join(rows)


def _line(*words: object) -> str:
    return "{:>4} {:>6} {:>6} {:>9} {:>7} {:>9} {:>7}".format(*words)
