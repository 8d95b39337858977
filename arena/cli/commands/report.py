"""Command `arena report`: web page of a database."""

import io
import shlex

from arena.cli.arguments import SHOWN_GAMES, UsageError, unknown_anchor
from arena.cli.class_tournament.pseudonyms import names_of
from arena.cli.commands.standings import format_blocks, schedule_of
from arena.cli.configuration import ReportConfig
from arena.cli.grid import write_grid
from arena.cli.output import atomic_file
from arena.reports.html import Report, plan_facts, write_report
from arena.reports.plots.panels import plot_panels
from arena.reports.tables import tables_of
from arena.reports.text import names_block, sprt_text
from arena.storage.reader import DatabaseReader
from arena.storage.spectator_reader import PlotReader


def run(config: ReportConfig) -> int:
    """Write the page and return the exit status.

    Raises:
        UsageError: A flag does not apply to the database.
        DatabaseError: The database cannot be read.
        OSError: The page cannot be written.
    """
    with DatabaseReader(config.db) as records:
        plan = records.decoded_plan()
        is_grid = plan is not None and plan.format == "grid" and not config.names
        _check_flags(config, is_grid)
        if plan and is_grid:
            write_grid(records, plan, config.anchor, config.output)
            return 0
    with (
        PlotReader(config.db) as records,
        atomic_file(config.output, config.db) as file,
    ):
        records.check_tallies()
        tables = tables_of(records, plan, config.anchor)
        bots = {line.bot for table in tables.values() for line in table.standings}
        if config.anchor and bots and config.anchor[0] not in bots:
            raise unknown_anchor(config.anchor[0], sorted(bots))
        schedule = schedule_of(plan, records)
        shown = SHOWN_GAMES if config.games is None else config.games
        blocks = format_blocks(schedule) if schedule else []
        if config.names:
            blocks.append(names_block(names_of(config.db, bots)))
        report = Report(
            title=f"{plan.game}, {plan.format}" if plan else "Matches",
            facts=plan_facts(plan) if plan else [],
            games=tables,
            matches=records.matches(moves=True, limit=shown),
            left_out=max(0, records.count() - shown),
            export=shlex.join(["arena", "export", str(config.db), "--output", "games.pgn"]),
            sprt_lines=sprt_text(schedule.test).splitlines() if schedule and schedule.test else [],
            blocks=blocks,
            plots={
                game: plot_panels(records, game, table.ratings.elo, config.anchor)
                for game, table in tables.items()
                if table.tally
            },
        )
        out = io.TextIOWrapper(file, encoding="utf-8")
        write_report(out, report)
        out.detach()  # flushes; the file is closed by its context
    return 0


def _check_flags(config: ReportConfig, is_grid: bool) -> None:
    """Raise UsageError for a file of another kind, or for games on a page without any."""
    endings = (".html", ".htm", ".csv") if is_grid else (".html", ".htm")
    if config.output.suffix.lower() not in endings:
        raise UsageError(
            f"--output {config.output}: expected a name that ends in {' or '.join(endings)}"
        )
    if is_grid and config.games is not None:
        raise UsageError("--games does not apply to a grid: its page has no games")
