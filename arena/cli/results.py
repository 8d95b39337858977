"""Results of a database: its standings as text or JSON, and the state of its format."""

from collections.abc import Mapping
from pathlib import Path

from arena.cli.arguments import check_bot
from arena.cli.output import terminal_width
from arena.cli.pseudonyms import names_of
from arena.model.results import points_number
from arena.model.visible import visible
from arena.ratings import Anchor
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


def print_standings(
    db: Path,
    anchor: Anchor | None,
    *,
    as_json: bool,
    bot: str | None = None,
    has_los: bool = False,
    has_names: bool = False,
) -> None:
    """Print the standings of a database as text or JSON.

    Args:
        db: The database.
        anchor: A bot with a fixed rating; None lets the mean rating be 0.
        as_json: Whether to print JSON.
        bot: The bot to compare with each other bot; None compares all.
        has_los: Whether to print the likelihood of superiority of each pair of bots.
        has_names: Whether to list the submissions of an anonymous tournament.

    Raises:
        UsageError: The anchor or the bot is unknown, or no tournament here is anonymous.
        DatabaseError: The database cannot be read.
        OSError: Standard output cannot be written.
    """
    with DatabaseReader(db) as records:
        plan = records.decoded_plan()
        if plan and plan.format == "grid" and not (has_los or has_names or bot):
            from arena.cli.grid import print_grid  # imports numpy, which is slow

            print_grid(records, plan, anchor, as_json=as_json)
            return
        tables = tables_of(records, plan, anchor)
        schedule = schedule_of(plan, records)
        lines = [line for table in tables.values() for line in table.standings]
        lost = forfeits_text(records.forfeits(), sum(line.forfeits.total() for line in lines))
    bots = sorted({line.bot for line in lines})
    for flag, name in ("anchor", anchor and anchor[0]), ("bot", bot):
        check_bot(flag, name, bots)
    names = names_of(db, bots) if has_names else {}
    if as_json:
        facts = _facts(plan, schedule, tables) | ({"names": names} if names else {})
        print(standings_json(tables, facts), flush=True)
        return
    parts, width = [], terminal_width()
    for game, table in tables.items():
        parts.append(_title(game, plan, table) + _standings_text(table, width))
        parts += _comparisons(table, bot, width, has_los=has_los)
    if schedule:
        parts += [text for _, text in format_blocks(schedule)]
        if schedule.test:
            parts.append(sprt_text(schedule.test))
    parts += [lost, names_text(names)]
    print("\n".join(filter(None, parts)) or "no matches\n", end="", flush=True)


def schedule_of(plan: Plan | None, records: DatabaseReader) -> Schedule | None:
    """Return the schedule if a tournament's format or test has a state to show, else None."""
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


def _comparisons(
    table: GameStandings, bot: str | None, width: int | None, *, has_los: bool
) -> list[str]:
    """Return the tables of results between bots: of all bots, or of the one that is asked for."""
    rows, ratings = table.standings, table.ratings
    if bot is not None:
        is_here = bot in {line.bot for line in rows}  # else it plays other games
        los = ratings if has_los else None
        return [head_to_head_text(bot, rows, table.tally, los, width)] if is_here else []
    parts = [crosstable_text(rows, table.tally, width)]
    return [*parts, superiority_text(rows, ratings, width)] if has_los else parts


def _facts(
    plan: Plan | None, schedule: Schedule | None, tables: Mapping[str, GameStandings]
) -> dict[str, object]:
    finished = sum(table.tally.total() for table in tables.values())
    facts: dict[str, object] = dict.fromkeys(("seed", "time", "format", "matches"))
    if plan:
        facts = {name: getattr(plan, name) for name in facts}
        if plan.may_end_early:
            facts["matches"] = None  # the plan has only an upper limit
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
