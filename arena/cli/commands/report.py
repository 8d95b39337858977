"""Commands `arena report` and `arena plot`: page and pictures of a database."""

import io
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, TextIO

from arena.cli import shared_options as shared
from arena.cli.arguments import (
    SHOWN_GAMES,
    UsageError,
    check_anchor,
    check_suffix,
    shown_games,
    writable,
)
from arena.cli.grid import grid_results, write_grid
from arena.cli.output import atomic_text, print_document
from arena.cli.pseudonyms import names_of
from arena.cli.results import format_blocks, schedule_of
from arena.cli.shared_options import Command
from arena.options import option, switch
from arena.ratings import Anchor, rate
from arena.reports.grid.page import grid_page, write_picture
from arena.reports.html import Report, plan_facts, write_report
from arena.reports.plots import KINDS
from arena.reports.plots.panels import plot_panels, write_plots
from arena.reports.tables import tables_of
from arena.reports.text import names_block, sprt_text
from arena.storage.reader import DatabaseReader
from arena.storage.spectator_reader import PlotReader

PAGE_SUFFIXES, TABLE_SUFFIX = (".html", ".htm"), ".csv"


@dataclass(frozen=True)
class ReportConfig(Command):
    """Options of `arena report`; `games` is None unless it was given."""

    command: ClassVar[str] = "report"
    db: Path = shared.database()
    output: Path = option(
        "HTML file to write, or of a grid the table FILE.csv",
        required=True,
        metavar="FILE",
        convert=writable,
    )
    anchor: Anchor | None = shared.anchor()
    names: bool = switch("list the names of the submissions of an anonymous tournament")
    games: int | None = option(
        f"games on the page, the first ones: none, all or a number (default: {SHOWN_GAMES})",
        metavar="N",
        type=shown_games,
    )

    def check(self) -> None:
        """Check the suffix of the output. Raises UsageError."""
        check_suffix(self.output, (*PAGE_SUFFIXES, TABLE_SUFFIX))

    def run(self) -> int:
        """Write the page and return the exit status.

        Raises:
            UsageError: A flag does not apply to the database.
            DatabaseError: The database cannot be read.
            OSError: The page cannot be written.
        """
        with DatabaseReader(self.db) as records:
            plan = records.decoded_plan()
            is_grid = plan is not None and plan.format == "grid" and not self.names
            _check_flags(self, is_grid)
            if plan and is_grid:
                write_grid(records, plan, self.anchor, self.output)
                return 0
        with (
            PlotReader(self.db) as records,
            atomic_text(self.output, self.db) as file,
        ):
            records.check_tallies()
            tables = tables_of(records, plan, self.anchor)
            bots = {line.bot for table in tables.values() for line in table.standings}
            check_anchor(self.anchor, sorted(bots))
            schedule = schedule_of(plan, records)
            shown = SHOWN_GAMES if self.games is None else self.games
            blocks = format_blocks(schedule) if schedule else []
            if self.names:
                blocks.append(names_block(names_of(self.db, bots)))
            report = Report(
                title=f"{plan.game}, {plan.format}" if plan else "Matches",
                facts=plan_facts(plan) if plan else [],
                games=tables,
                matches=records.matches(moves=True, limit=shown),
                left_out=max(0, records.count() - shown),
                export=shlex.join(["arena", "export", str(self.db), "--output", "games.pgn"]),
                sprt_lines=sprt_text(schedule.test).splitlines()
                if schedule and schedule.test
                else [],
                blocks=blocks,
                plots={
                    game: plot_panels(records, game, table.ratings.elo, self.anchor)
                    for game, table in tables.items()
                    if table.tally
                },
            )
            write_report(file, report)
        return 0


@dataclass(frozen=True)
class PlotConfig(Command):
    """Options of `arena plot`."""

    command: ClassVar[str] = "plot"
    db: Path = shared.database()
    kind: str | None = option(
        "what to plot: ratings by number of matches, points by opening and side, lengths"
        " of games, or times of moves (default: all in one picture; of a grid, strength by depth"
        " and its cells)",
        choices=KINDS,
    )
    game: str | None = option(
        "game to plot (default: the one with the most matches)", metavar="GAME"
    )
    output: Path | None = option(
        "SVG file to write (default: standard output)", metavar="FILE", convert=writable
    )
    anchor: Anchor | None = shared.anchor()

    def check(self) -> None:
        """Check the suffix of the output. Raises UsageError."""
        if self.output:
            check_suffix(self.output, (".svg",))

    def run(self) -> int:
        """Write the plots as SVG and return the exit status.

        Raises:
            UsageError: There is nothing to plot, or a flag does not apply.
            DatabaseError: The database cannot be read.
            OSError: The picture cannot be written.
        """
        write = _plots(self)
        if self.output:
            with atomic_text(self.output, self.db) as file:
                write(file)
        else:
            text = io.StringIO()
            write(text)
            print_document(text.getvalue())
        return 0


def _check_flags(config: ReportConfig, is_grid: bool) -> None:
    """Raise UsageError for a table of no grid, or for games on a page without any."""
    if not is_grid:
        check_suffix(config.output, PAGE_SUFFIXES)
    if is_grid and config.games is not None:
        raise UsageError("--games does not apply to a grid: its page has no games")


def _plots(config: PlotConfig) -> Callable[[TextIO], None]:
    """Return the function that writes the plots."""
    with PlotReader(config.db) as records:
        plan = records.decoded_plan()
        records.check_tallies()
        games = [game for game, _ in records.games_by_size()]
        if not games:
            raise UsageError(f"{config.db} has no rated matches to plot")
        if config.game and config.game not in games:
            raise UsageError(
                f"--game: no rated matches of {config.game} (choose from {', '.join(games)})"
            )
        game = config.game or games[0]
        if plan and plan.format == "grid" and not config.kind:
            return partial(
                write_picture, page=grid_page(*grid_results(records, plan, config.anchor))
            )
        _, scores = records.pair_scores(game)
        elo = rate(records.tallies()[game], scores, config.anchor).elo
        check_anchor(config.anchor, sorted(elo))
        kinds = [config.kind] if config.kind else KINDS
        panels = plot_panels(records, game, elo, config.anchor, kinds)
    if not panels:
        raise UsageError(f"{config.db} has no plot of kind {config.kind}: no time was measured")
    title = f"{game}: {config.kind or 'ratings, openings, lengths and times'}"
    return partial(write_plots, title=title, panels=panels)
