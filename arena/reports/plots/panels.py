"""Panels of the plots of a game, computed from its matches, and their picture as SVG.

The picture loads nothing from the network.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TextIO

from arena.protocol.plots import Panel
from arena.ratings.rater import NumberedResult, rating_history
from arena.reports.html import load_template
from arena.reports.plots import KINDS
from arena.reports.plots.games import Opening, Shares, length_panel, opening_panel, side_panel
from arena.reports.plots.lines import MoveTimes, rating_panel, time_panel
from arena.reports.plots.panel import HEIGHT, MAX_LINES, SIZE, WIDTH

COLUMNS = 2  # of several panels in a picture


class PlotRecords(Protocol):
    """The rated matches that plots show, as a `PlotReader` of the storage sums them up."""

    def games_by_size(self) -> Sequence[tuple[str, int]]:
        """Return each game and its number of matches."""

    def numbered_results(self, game: str) -> Iterable[NumberedResult]:
        """Return number and result of each match, in the order in which they were started."""

    def openings(self, game: str) -> Iterable[Opening]:
        """Return setup, opening, players and winner of each match."""

    def lengths(self, game: str) -> Sequence[tuple[int, int]]:
        """Return each number of plies with its number of games."""

    def move_times(self, game: str) -> MoveTimes:
        """Return the times of all bots by ply."""


def plot_panels(
    records: PlotRecords,
    game: str,
    elo: Mapping[str, float],
    anchor: tuple[str, float] | None = None,
    kinds: Sequence[str] = KINDS,
) -> list[Panel]:
    """Return the panels of a game that has rated matches.

    Args:
        records: The matches.
        game: The name of the game.
        elo: The rating of each bot.
        anchor: The bot with the fixed rating.
        kinds: The kinds of plots.

    Raises:
        DatabaseError: The database cannot be read.
    """
    bots = sorted(elo, key=lambda bot: (-elo[bot], bot))
    panels: list[Panel] = []
    for kind in kinds:
        match kind:
            case "rating":
                panels.append(_rating_panel(records, game, bots, anchor))
            case "openings":
                shares = Shares(records.openings(game))
                panels += [opening_panel(shares), side_panel(shares, bots)]
            case "lengths":
                panels.append(length_panel(records.lengths(game)))
            case _:
                found = time_panel(records.move_times(game), bots)
                panels += [found] if found else []
    return panels


def _rating_panel(
    records: PlotRecords, game: str, bots: Sequence[str], anchor: tuple[str, float] | None
) -> Panel:
    shown = bots[:MAX_LINES]
    results = records.numbered_results(game)
    total = dict(records.games_by_size())[game]
    history = rating_history(results, total, shown, anchor)
    return rating_panel(history, shown, len(bots))


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
