"""Plan in the database of a tournament that is about to be played, and what is left of it."""

import time
from collections.abc import Mapping

from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from arena.tournament.schedule import WHOLE, Part, Schedule


class StoredPlan:
    """Plan in a database; it is stored, or replaced by its extension, once the bots can play.

    So a misspelt bot does not bind the database.

    Args:
        writer: The database.
        text: The stored plan as JSON; None without one.
    """

    def __init__(self, writer: DatabaseWriter, text: str | None) -> None:
        self._writer = writer
        self._text = text

    @property
    def is_missing(self) -> bool:
        """Whether no plan is stored yet."""
        return self._text is None

    def save(self, plan: Plan) -> None:
        """Store a plan unless it is stored; keep the one that it extends as a former plan.

        Raises:
            DatabaseError: It cannot be written.
        """
        text = plan.to_json()
        if self._text is None:
            self._writer.save_plan(text)
        elif Plan.from_json(self._text) != plan:
            self._writer.replace_plan(self._text, text, time.time())
        self._text = text


def stored_schedule(
    records: DatabaseReader,
    plan: Plan,
    part: Part = WHOLE,
    tags: Mapping[str, str] | None = None,
) -> Schedule:
    """Return the schedule of a plan, some matches of which are stored.

    A plan that needs no results needs no more than the numbers, which are several times as fast to
    read.

    Args:
        records: The database.
        plan: The plan.
        part: The part to play.
        tags: Tags of all matches.

    Raises:
        DatabaseError: The database cannot be read.
    """
    if plan.needs_results:
        return Schedule(plan, records.results(), part, tags)
    return Schedule(plan, (), part, tags, records.numbers())
