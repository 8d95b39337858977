"""arena report: a tournament as a web page."""

import argparse
import io

from arena.cli.arguments import anchor
from arena.cli.commands.standings import format_blocks, tables_of
from arena.cli.output import complete_file
from arena.reports.html import Page, write_page
from arena.reports.text import sprt_text
from arena.storage.reader import Records
from arena.tournament.schedule import Plan, Schedule


def run(arguments: argparse.Namespace) -> int:
    """Write the page. Returns the exit status."""
    with Records(arguments.db) as records, complete_file(arguments.output, arguments.db) as file:
        text = records.plan()
        plan = Plan.from_json(text) if text else None
        tables = tables_of(records, plan, anchor(arguments))
        schedule = Schedule(plan, records.finished()) if plan else None
        page = Page(
            title=f"{plan.game}, {plan.format}" if plan else "Matches",
            facts=_facts(plan) if plan else [],
            tables=tables,
            games=records.matches(moves=True),
            tests=[sprt_text(schedule.test)] if schedule and schedule.test else [],
            blocks=format_blocks(schedule) if schedule else [],
        )
        out = io.TextIOWrapper(file, encoding="utf-8")
        write_page(out, page)
        out.detach()  # which flushes it, and leaves the file to whom it belongs
    return 0


def _facts(plan: Plan) -> list[tuple[str, str]]:
    openings = f"a book of {len(plan.book)}" if plan.book else f"{plan.opening_plies} random plies"
    setups = "; ".join(
        ", ".join(f"{name} {value}" for name, value in setup.items()) for setup in plan.setups
    )
    facts = {
        "Bots": ", ".join(
            name if name == what else f"{name} ({what})" for name, what in plan.bots.items()
        ),
        "Matches": f"at most {plan.matches}" if plan.may_end_early else f"{plan.matches}",
        "Time": plan.time,
        "Openings": openings,
        "Setups": "" if plan.book else setups,
        "Seed": f"{plan.seed}",
    }
    return [(name, text) for name, text in facts.items() if text]
