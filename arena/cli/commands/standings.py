"""arena standings: print the table of a database."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from arena.analysis.accuracy import accuracies
from arena.cli.arguments import Refused, anchor
from arena.model.results import Tally
from arena.ratings.bradley_terry import rate
from arena.reports.text import (
    Table,
    apart,
    as_json,
    crosstable,
    first_move,
    forfeits,
    sprt_facts,
    sprt_text,
    superiorities,
    swiss_text,
    table_text,
)
from arena.storage.reader import Records
from arena.tournament.knockout import bracket, bracket_text
from arena.tournament.schedule import Plan, Schedule, standings
from arena.tournament.swiss import swiss_table


def run(arguments: argparse.Namespace) -> int:
    """Print the table of a database. Returns the exit status."""
    print_standings(arguments.db, arguments)
    return 0


def print_standings(path: Path, arguments: argparse.Namespace) -> None:
    """Print the table as the arguments want it. Raises Refused for an anchor that is no bot."""
    anchored = anchor(arguments)
    with Records(path) as records:
        text = records.plan()
        plan = Plan.from_json(text) if text else None
        tables = tables_of(records, plan, anchored)
        schedule = Schedule(plan, records.finished()) if plan else None
        lines = [line for table in tables.values() for line in table.standings]
        lost = forfeits(records.forfeits(), sum(line.forfeits.total() for line in lines))
    bots = sorted({line.bot for line in lines})
    if anchored and bots and anchored[0] not in bots:
        raise Refused(f"--anchor {anchored[0]!r} is none of the bots {', '.join(bots)}")
    if arguments.json:
        print(as_json(tables, _facts(plan, schedule, tables)), flush=True)
        return
    parts = []
    for game, table in tables.items():
        parts.append(_about(game, plan, table) + _text(table))
        if arguments.los:
            parts.append(superiorities(table.standings, table.ratings))
    if schedule:
        parts += [text for _, text in format_blocks(schedule)]
        if schedule.test:
            parts.append(sprt_text(schedule.test))
    parts.append(lost)
    print("\n".join(filter(None, parts)) or "no matches\n", end="", flush=True)


def tables_of(
    records: Records, plan: Plan | None, anchored: tuple[str, float] | None
) -> dict[str, Table]:
    """The table of each game that has been played, or is planned."""
    tallies = records.tallies()
    if plan:
        tallies.setdefault(plan.game, Tally())
    tables = {}
    for game, tally in tallies.items():
        ratings = rate(tally, anchored)
        lines = standings(tally, ratings, plan.bots if plan else ())
        tables[game] = Table(lines, tally, ratings, accuracies(records.judged(game)))
    return tables


def format_blocks(schedule: Schedule) -> list[tuple[str, str]]:
    """What a tournament's format has to show besides the table: a heading and a text each."""
    plan, bots = schedule.plan, [*schedule.plan.bots]
    match plan.format:
        case "swiss":
            table = swiss_table(bots, plan.rounds, plan.pairs, schedule.scores)
            return [("Points", swiss_text(table))]
        case "knockout":
            return [("Bracket", bracket_text(bots, plan.pairs, schedule.scores))]
    return []


def _about(game: str, plan: Plan | None, table: Table) -> str:
    finished = sum(line.wins for line in table.standings)
    if not plan:
        return f"{game}: {finished} matches"
    of = "" if plan.may_end_early else f" of {plan.matches}"
    return f"{game}, {plan.format}, time {plan.time}, seed {plan.seed}: {finished}{of} matches"


def _text(table: Table) -> str:
    return (
        f"\n\n{table_text(table.standings, table.ratings, table.accuracies)}"
        f"{first_move(table.ratings)}{apart(table.ratings.islands)}"
        f"\n{crosstable(table.standings, table.tally)}"
    )


def _facts(
    plan: Plan | None, schedule: Schedule | None, tables: Mapping[str, Table]
) -> dict[str, object]:
    finished = sum(line.wins for table in tables.values() for line in table.standings)
    facts: dict[str, object] = dict.fromkeys(("seed", "time", "format", "matches"))
    if plan:
        facts = {name: getattr(plan, name) for name in facts}
    facts["finished"] = finished
    if schedule and schedule.test:
        facts["sprt"] = sprt_facts(schedule.test)
    if plan and schedule and plan.format == "swiss":
        lines = swiss_table([*plan.bots], plan.rounds, plan.pairs, schedule.scores)
        facts["swiss"] = [line._asdict() for line in lines]
    if plan and schedule and plan.format == "knockout":
        rounds = bracket([*plan.bots], plan.pairs, schedule.scores)
        facts["knockout"] = [[meeting._asdict() for meeting in meetings] for meetings in rounds]
    return facts
