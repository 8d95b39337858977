"""Command `arena standings`: standings and ratings of a database."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, check_bot
from arena.cli.output import terminal_width
from arena.cli.pseudonyms import names_of
from arena.cli.shared_options import Anchor, Command
from arena.model.results import points_number
from arena.model.visible import visible
from arena.options import option, switch
from arena.reports.crosstable import crosstable_text, head_to_head_text, superiority_text
from arena.reports.json import sprt_fields, standings_json
from arena.reports.tables import tables_of
from arena.reports.text import (
    GameStandings,
    bracket_text,
    disconnected_groups_text,
    first_move_text,
    forfeits_text,
    matches_text,
    names_text,
    sprt_text,
    standings_text,
    swiss_text,
)
from arena.storage.reader import DatabaseReader
from arena.tournament.encounters import Encounter
from arena.tournament.knockout import bracket
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from arena.tournament.swiss import swiss_standings


@dataclass(frozen=True)
class StandingsConfig(Command):
    """Options of `arena standings`."""

    command: ClassVar[str] = "standings"
    db: Path = shared.database()
    json: bool = switch("print the standings as JSON")
    anchor: Anchor | None = shared.anchor()
    los: bool = switch("print the likelihood of superiority of each pair of bots")
    bot: str | None = option(
        "bot whose results against each other bot are listed, instead of the crosstable",
        metavar="NAME",
    )
    names: bool = switch("list the names of the submissions of an anonymous tournament")

    def run(self) -> int:
        """Print the standings and return the exit status."""
        print_standings(self)
        return 0


def print_standings(config: StandingsConfig) -> None:
    """Print the standings as text or JSON.

    Raises:
        UsageError: The anchor is not one of the bots, or a flag does not apply.
        DatabaseError: The database cannot be read.
    """
    anchor = config.anchor
    if config.bot is not None and config.json:
        raise UsageError("--bot cannot be combined with --json, which has the results of all bots")
    with DatabaseReader(config.db) as records:
        plan = records.decoded_plan()
        if plan and plan.format == "grid" and not (config.los or config.names or config.bot):
            from arena.cli.grid import print_grid  # imports numpy, which is slow

            print_grid(records, plan, anchor, as_json=config.json)
            return
        tables = tables_of(records, plan, anchor)
        schedule = schedule_of(plan, records)
        lines = [line for table in tables.values() for line in table.standings]
        lost = forfeits_text(records.forfeits(), sum(line.forfeits.total() for line in lines))
    bots = sorted({line.bot for line in lines})
    for flag, name in ("anchor", anchor and anchor[0]), ("bot", config.bot):
        check_bot(flag, name, bots)
    names = names_of(config.db, bots) if config.names else {}
    if config.json:
        facts = _facts(plan, schedule, tables) | ({"names": names} if names else {})
        print(standings_json(tables, facts), flush=True)
        return
    parts, width = [], terminal_width()
    for game, table in tables.items():
        parts.append(_title(game, plan, table) + _standings_text(table, width))
        parts += _comparisons(config, table, width)
    if schedule:
        parts += [text for _, text in format_blocks(schedule)]
        if schedule.test:
            parts.append(sprt_text(schedule.test))
    parts += [lost, names_text(names)]
    print("\n".join(filter(None, parts)) or "no matches\n", end="", flush=True)


def schedule_of(plan: Plan | None, records: DatabaseReader) -> Schedule | None:
    """Return the schedule of a tournament whose format or test has a state to show, else None."""
    return Schedule(plan, records.results()) if plan and plan.needs_results else None


def format_blocks(schedule: Schedule) -> list[tuple[str, str]]:
    """Return the text blocks of a tournament's format, each with its heading."""
    plan, bots = schedule.plan, [*schedule.plan.bots]
    match plan.format:
        case "swiss":
            table = swiss_standings(bots, plan.rounds, plan.pairs, schedule.scores)
            return [("Points", swiss_text(table))]
        case "knockout":
            return [("Bracket", bracket_text(bots, plan.pairs, schedule.scores))]
    return []


def _title(game: str, plan: Plan | None, table: GameStandings) -> str:
    if not plan:
        return f"{visible(game)}: {matches_text(table)}"
    matches = matches_text(table, None if plan.may_end_early else plan.matches)
    return visible(f"{game}, {plan.format}, time {plan.times_text}, seed {plan.seed}: {matches}")


def _standings_text(table: GameStandings, width: int | None) -> str:
    return (
        f"\n\n{standings_text(table.standings, table.ratings, table.accuracies, width)}"
        f"{first_move_text(table.ratings)}{disconnected_groups_text(table.ratings.groups)}"
    )


def _comparisons(config: StandingsConfig, table: GameStandings, width: int | None) -> list[str]:
    """Return the tables of results between bots: of all bots, or of the one that is asked for."""
    rows, ratings = table.standings, table.ratings
    if config.bot is not None:
        is_here = config.bot in {line.bot for line in rows}  # else it plays other games
        los = ratings if config.los else None
        return [head_to_head_text(config.bot, rows, table.tally, los, width)] if is_here else []
    parts = [crosstable_text(rows, table.tally, width)]
    return [*parts, superiority_text(rows, ratings, width)] if config.los else parts


def _facts(
    plan: Plan | None, schedule: Schedule | None, tables: Mapping[str, GameStandings]
) -> dict[str, object]:
    finished = sum(table.tally.total() for table in tables.values())
    facts: dict[str, object] = dict.fromkeys(("seed", "time", "format", "matches"))
    if plan:
        facts = {name: getattr(plan, name) for name in facts}
        if plan.may_end_early:
            facts["matches"] = None  # the plan has no more than an upper limit
    facts["finished"] = finished
    if schedule and schedule.test:
        facts["sprt"] = sprt_fields(schedule.test)
    if plan and schedule and plan.format == "swiss":
        lines = swiss_standings([*plan.bots], plan.rounds, plan.pairs, schedule.scores)
        facts["swiss"] = [
            {
                **line._asdict(),
                "points": points_number(line.points),
                "buchholz": points_number(line.buchholz),
                "sonneborn_berger": points_number(line.sonneborn_berger),
            }
            for line in lines
        ]
    if plan and schedule and plan.format == "knockout":
        rounds = bracket([*plan.bots], plan.pairs, schedule.scores)
        facts["knockout"] = [[_encounter_fields(one) for one in round_] for round_ in rounds]
    return facts


def _encounter_fields(encounter: Encounter) -> dict[str, object]:
    points = [*map(points_number, encounter.points)]
    # `wins` is the name that `points` had before there were draws.
    return {**encounter._asdict(), "points": points, "wins": points}
