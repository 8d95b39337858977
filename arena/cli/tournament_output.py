"""Output of a tournament while it is played: progress, notices and events."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path

from arena.app import Arena
from arena.cli.arguments import UsageError
from arena.cli.shared_options import Anchor
from arena.cli.tournament_configuration import TournamentConfig
from arena.model.results import MatchRecord, Tally
from arena.reports.event_stream import EventWriter
from arena.reports.progress import ProgressOutput, can_redraw, create_progress
from arena.storage.reader import DatabaseReader
from arena.tournament.live_standings import LiveStandings, StoredResults
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule


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


def _progress(
    config: TournamentConfig, schedule: Schedule, live_standings: LiveStandings
) -> ProgressOutput:
    return create_progress(
        sys.stderr,
        schedule.finished_count,
        None if schedule.plan.may_end_early else schedule.matches,
        live_standings,
        # Events that go to the same terminal would be written into the live table.
        plain=config.plain or (config.events == "-" and bool(sys.stdout) and sys.stdout.isatty()),
        quiet=config.quiet,
    )


def _open_events(path: str, live_standings: LiveStandings) -> EventWriter:
    """Open the event stream. Raises UsageError."""
    try:
        return EventWriter(path, live_standings)
    except OSError as error:
        raise UsageError(f"cannot write --events {path}: {error.strerror}") from None
