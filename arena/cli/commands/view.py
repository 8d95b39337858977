"""Command `arena view`: web page of a database."""

import asyncio
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NoReturn

from arena.app import Arena
from arena.cli import shared_options as shared
from arena.cli.arguments import check_anchor
from arena.cli.output import notify
from arena.cli.results import schedule_of
from arena.cli.serving import page_url, run_until_terminated
from arena.cli.shared_options import Command
from arena.configuration import ArenaConfig
from arena.model.time_control import TimeControl
from arena.ratings import Anchor
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError, DatabaseInUse
from arena.storage.writer import DatabaseWriter, ReadOnlyDatabase
from arena.tournament.format_state import FormatState, format_state
from arena.tournament.plan import Plan
from core import GAMES

UNUSED_TIME = TimeControl(1)  # without a plan, no match is played


@dataclass(frozen=True)
class ViewConfig(Command):
    """Options of `arena view`."""

    command: ClassVar[str] = "view"
    db: Path = shared.database()
    anchor: Anchor | None = shared.anchor()
    host: str = shared.host()
    port: int = shared.port(8765)

    def run(self) -> NoReturn:
        """Serve the page, without /play, until Ctrl-C or SIGTERM raises an exception."""
        with DatabaseReader(self.db) as records:
            plan = records.decoded_plan()
            schedule = schedule_of(plan, records)
            if self.anchor:
                check_anchor(self.anchor, _bots(plan, records))
            games = [plan.game] if plan else [game for game in records.games() if game in GAMES]
        state = format_state(schedule.plan, schedule.scores) if schedule else FormatState()
        time = TimeControl.parse(plan.time) if plan else UNUSED_TIME
        arena_config = ArenaConfig(
            tuple(games),
            time,
            host=self.host,
            port=self.port,
            accepts_bots=False,
            has_page=True,
            plan=plan,
            anchor=self.anchor,
        )

        async def serve(writer: DatabaseWriter) -> NoReturn:
            async with Arena(arena_config, writer, format_state=lambda: state) as arena:
                notify(f"{self.db} is at {page_url(arena.url)}, press Ctrl-C to stop")
                await asyncio.Event().wait()
            raise AssertionError("the event is never set")

        with verdicts_writer(self.db) as writer:
            run_until_terminated(serve(writer))
        raise AssertionError("serving ends by an exception")


def _bots(plan: Plan | None, records: DatabaseReader) -> list[str]:
    """Return the bots that are planned or have played."""
    results = itertools.chain.from_iterable(records.tallies().values())
    played = {bot for result in results for bot in (result.one, result.two)}
    return sorted(played.union(plan.bots if plan else ()))


def verdicts_writer(path: Path) -> DatabaseWriter:
    """Return the writer of verdicts on moves, which are not stored if the database is read-only.

    Raises:
        DatabaseInUse: Another arena writes to it, and the page would not show its matches.
    """
    try:
        return DatabaseWriter(path)
    except DatabaseInUse:
        raise
    except DatabaseError as error:
        notify(f"{error}: new accuracies are not stored")
        return ReadOnlyDatabase(path, error)
