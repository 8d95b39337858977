"""Output of a tournament: its plan, progress and events, and the files of what its bots write."""

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from arena.app import Arena
from arena.cli.arguments import UsageError
from arena.cli.openings import most_matches
from arena.cli.planning import stored_schedule
from arena.cli.tournament_options import TournamentConfig
from arena.model.results import MatchRecord, Pairing, Tally
from arena.model.time_control import TimeControl
from arena.network.trace import MessageTrace
from arena.ratings import Anchor
from arena.reports.event_stream import EventWriter
from arena.reports.progress import ProgressOutput, can_redraw, create_progress
from arena.reports.text import counted
from arena.runner.bot_log import BotLog, open_logs
from arena.runner.named_bots import Bots
from arena.storage.connection import size_of
from arena.storage.reader import DatabaseReader
from arena.tournament.duration import mean_plies
from arena.tournament.plan import TIME, Plan
from arena.tournament.schedule import WHOLE, Part, Schedule
from arena.tournament.standings import LiveStandings, StoredResults
from bots.specification import Kind

MESSAGES = "messages.jsonl"  # all messages from and to bots; their own files end in .log
PRINTED = 100  # pairings: a page, also of a plan of any length


class BotOutput(NamedTuple):
    """Logs of the bots that the tournament starts, by name, and the trace, if there is one."""

    logs: Mapping[str, BotLog]
    trace: MessageTrace | None


@contextmanager
def tournament_output(
    config: TournamentConfig, arena: Arena, schedule: Schedule, db: Path
) -> Iterator[ProgressOutput]:
    """Let the observers of an arena show the progress of a tournament and write its events.

    Args:
        config: The configuration of the tournament.
        arena: The arena.
        schedule: The schedule, with the results stored so far.
        db: The database of these results.

    Raises:
        UsageError: The events cannot be written.
        DatabaseError: The database cannot be read.
    """
    live_standings = create_live_standings(schedule.plan, db, config.anchor)
    with ExitStack() as stack:
        output = stack.enter_context(_progress(config, schedule, live_standings))
        arena.observers.append(output)
        if config.events:
            arena.observers.append(stack.enter_context(_open_events(config.events, live_standings)))
        yield output


def import_tables(config: TournamentConfig) -> None:
    """Import what tables need during the matches and is slow to import: numpy, and rich."""
    has_table = not (config.quiet or config.plain) and can_redraw(sys.stderr)
    if config.events or has_table:
        import_module("arena.ratings.rater")
    if has_table:
        import_module("rich.live")
        import_module("rich.progress")


def create_live_standings(plan: Plan, db: Path, anchor: Anchor | None) -> LiveStandings:
    """Return the standings of a tournament from its database."""

    def read() -> StoredResults:
        with DatabaseReader(db) as records:
            tally = records.tallies().get(plan.game, Tally())
            return StoredResults(tally, records.pair_scores(plan.game)[1])

    return LiveStandings(tuple(plan.bots), read, anchor)


def print_unplayed(output: ProgressOutput, unplayed: Sequence[MatchRecord]) -> None:
    """Print the matches that could not be played, with the cause of each last attempt."""
    for record in unplayed:
        number, cause = record.pairing.number, record.result.reason
        output.print_notice(f"match {number} could not be played: {cause}")


def print_overplay(output: ProgressOutput, matches: int) -> None:
    """Print how many matches the decided sequential test does not count, if any."""
    if matches:
        words = counted(matches, "match was", "matches were")
        output.print_notice(f"{words} finished beyond the decision of the sequential test")


def _progress(
    config: TournamentConfig, schedule: Schedule, live_standings: LiveStandings
) -> ProgressOutput:
    return create_progress(
        sys.stderr,
        schedule.finished_count,
        None if schedule.plan.may_end_early else schedule.matches,
        live_standings,
        # Events that go to the same terminal would be written into the live table.
        plain=config.plain or (config.events == "-" and sys.stdout.isatty()),
        quiet=config.quiet,
    )


def _open_events(path: str, live_standings: LiveStandings) -> EventWriter:
    """Open the event stream. Raises UsageError."""
    try:
        return EventWriter(path, live_standings)
    except OSError as error:
        raise UsageError(f"cannot write --events {path}: {error.strerror}") from None


@contextmanager
def bot_output(
    config: TournamentConfig, bots: Bots, report: Callable[[str], object]
) -> Iterator[BotOutput]:
    """Open the files of --logs; without the flag, keep the latest words alone.

    Args:
        config: The configuration of the tournament.
        bots: The specification of each bot, by name.
        report: Receives an error while the trace is written.

    Raises:
        UsageError: A file cannot be opened.
    """
    started = [name for name, spec in bots.items() if spec.kind is not Kind.EXTERNAL]
    with ExitStack() as stack:
        try:
            logs = open_logs(started, config.logs)
            for log in logs.values():
                stack.callback(log.close)
            trace = MessageTrace(config.logs / MESSAGES, report) if config.logs else None
        except OSError as error:
            raise UsageError(f"cannot write --logs {error.filename}: {error.strerror}") from None
        yield BotOutput(logs, stack.enter_context(trace) if trace else None)


def print_plan(plan: Plan, concurrency: int | None, db: Path | None, part: Part = WHOLE) -> None:
    """Print the plan, the estimated duration, and the first pairings that depend on no result.

    Args:
        plan: The plan.
        concurrency: The highest number of simultaneous matches; None if that is not known.
        db: The database of the tournament, which may be missing or empty.
        part: The part of the plan that is played.

    Raises:
        DatabaseError: The database cannot be read.
    """
    schedule, seconds = Schedule(plan, [], part), None
    if db and size_of(db):
        with DatabaseReader(db) as records:
            schedule = stored_schedule(records, plan, part)
            seconds = records.mean_duration()
    total = min(schedule.matches, most_matches(plan))
    left = 0 if schedule.is_over else total - schedule.finished_count
    most = "at most " if plan.may_end_early else ""
    print(f"{plan.game}, {plan.format}, time {plan.times_text}, seed {plan.seed}")
    print(f"bots: {', '.join(plan.bots)}")
    at_once = f", {concurrency} at once" if concurrency else ""
    print(f"matches: {most}{total:,}, {schedule.finished_count:,} finished{at_once}")
    print(f"duration: {_duration(plan, math.ceil(left / (concurrency or 1)), seconds)}")
    printed = 0
    for pairing in islice(iter(schedule.next_pairing, None), PRINTED):
        print(_line(pairing))
        printed += 1
    if printed == PRINTED < left:
        print(f"and {most}{left - printed:,} more")
    elif printed < left and not plan.distinct_only:
        print("further pairings depend on results")


def _line(pairing: Pairing) -> str:
    setup = "".join(f", {name} {value}" for name, value in pairing.setup.items())
    opening = f", opening {' '.join(map(str, pairing.opening))}" if pairing.opening else ""
    return f"match {pairing.number}, {' - '.join(pairing.players)}{setup}{opening}"


def _duration(plan: Plan, matches: int, seconds: float | None) -> str:
    """Describe the duration of `matches` matches in a row.

    `seconds` is the mean duration of the matches played so far, if there are any.
    """
    if seconds is not None:
        most = "at most " if plan.may_end_early else ""
        return f"{most}about {_time(matches * seconds)}, at {seconds:.3g} s per match so far"
    own = [settings[TIME] for settings in plan.settings.values() if TIME in settings]
    controls = [TimeControl.parse(text) for text in (plan.time, *own)]
    if not all(control.has_clock for control in controls):
        return "unknown before a first match, without a clock"
    plies = mean_plies(plan)
    longest = _time(matches * max(_longest_match(control, plies) for control in controls))
    return f"at most about {longest}, if the bots use all their time in games of {plies:.0f} plies"


def _longest_match(control: TimeControl, plies: float) -> float:
    """Return the seconds of a match in which two bots use all their time."""
    if control.per_move:
        return plies * control.base
    return 2 * control.base + plies * control.increment


def _time(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{seconds:.1f} s"
