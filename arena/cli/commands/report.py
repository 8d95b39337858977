"""Command `arena report`: web page of a database."""

import io
import shlex

from arena.cli.arguments import unknown_anchor
from arena.cli.class_tournament.pseudonyms import names_of
from arena.cli.commands.standings import format_blocks, schedule_of
from arena.cli.configuration import ReportConfig
from arena.cli.grid import write_grid
from arena.cli.output import atomic_file
from arena.reports.html import Report, write_report
from arena.reports.plots.panels import plot_panels
from arena.reports.tables import tables_of
from arena.reports.text import names_block, sprt_text
from arena.storage.spectator_reader import PlotReader
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import Plan


def run(config: ReportConfig) -> int:
    """Write the page and return the exit status.

    Raises:
        UsageError: A flag does not apply to the database.
        DatabaseError: The database cannot be read.
        OSError: The page cannot be written.
    """
    with DatabaseReader(config.db) as records:
        plan = records.decoded_plan()
        if plan and plan.format == "grid" and not config.names:
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
        blocks = format_blocks(schedule) if schedule else []
        if config.names:
            blocks.append(names_block(names_of(config.db, bots)))
        report = Report(
            title=f"{plan.game}, {plan.format}" if plan else "Matches",
            facts=_facts(plan) if plan else [],
            games=tables,
            matches=records.matches(moves=True, limit=config.games),
            left_out=0 if config.games is None else max(0, records.count() - config.games),
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


def _facts(plan: Plan) -> list[tuple[str, str]]:
    openings = f"a book of {len(plan.book)}" if plan.book else f"{plan.opening_plies} random plies"
    setups = "; ".join(
        ", ".join(f"{name} {value}" for name, value in setup.items()) for setup in plan.setups
    )
    facts = {
        "Bots": ", ".join(
            name if name == spec else f"{name} ({spec})" for name, spec in plan.bots.items()
        ),
        "Matches": f"at most {plan.matches}" if plan.may_end_early else f"{plan.matches}",
        "Time": plan.times_text,
        "Openings": openings,
        "Setups": "" if plan.book else setups,
        "Seed": f"{plan.seed}",
    }
    return [(name, text) for name, text in facts.items() if text]
