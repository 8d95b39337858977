"""Merging of databases: matches are copied from one database into another.

Two matches are the same if they have the same game, setup, players, opening, moves and start time;
in a tournament, also the same number.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.model.results import Termination
from arena.storage.connection import attach, open_for_writing, prepare_for_writing
from arena.storage.record import check_tag
from arena.storage.schema import IS_RATED, locked, translated_errors
from arena.storage.tallies import count_stored_matches, moves_text
from arena.storage.writer import new_database_file

EQUAL_COLUMNS = ("started_at", "player1", "player2", "game", "setup", "opening")  # of same matches
RESULT_COLUMNS = ("termination", "winner")


class MergeConflict(Exception):
    """Two matches that contradict each other.

    Attributes:
        theirs: The id of the match that was to be copied.
        ours: The id of the stored match.
        number: Their number in the schedule, if it is the reason.
    """

    def __init__(self, theirs: int, ours: int, number: int | None = None) -> None:
        super().__init__(f"match {theirs} and match {ours} have different results")
        self.theirs = theirs
        self.ours = ours
        self.number = number


class Source(NamedTuple):
    """Database to copy matches from.

    Attributes:
        path: The database.
        keeps_numbers: Whether its matches keep their numbers in the schedule; others get the next
            numbers, with which pairs remain pairs.
        event: The tag Event of its matches that have none; None to give them none.
    """

    path: Path
    keeps_numbers: bool
    event: str | None = None


class Copied(NamedTuple):
    """Numbers of matches that were copied, and that were stored already."""

    added: int
    stored: int


def merge_databases(path: Path, plan: str | None, sources: Sequence[Source]) -> Copied:
    """Create a database with the matches of others, or after an error nothing.

    Args:
        path: The database, which must not exist.
        plan: Its plan, a JSON text, or None. The first source has the former plans.
        sources: The databases to copy from.

    Raises:
        ValueError: Two matches contradict each other, or the event of a source is no valid tag.
        DatabaseError: A database cannot be read or written.
    """
    added = stored = 0
    last_ids: list[int] = []  # of each source
    with new_database_file(path) as db:
        for source in sources:
            try:
                copied = copy_matches(db, path, source)
            except MergeConflict as conflict:
                other = sources[bisect_left(last_ids, conflict.ours)]
                number = conflict.number
                match = f"number {number}" if number else f"{conflict.theirs} of {source.path}"
                raise ValueError(
                    f"match {match} has different results in {other.path} and {source.path}"
                ) from None
            added, stored = added + copied.added, stored + copied.stored
            last_ids.append(added)
        if plan is not None:
            db.execute("INSERT INTO plan VALUES (1, ?)", (plan,))
            with _attached(db, sources[0].path), translated_errors(f"cannot write to {path}"):
                if "former_plans" in _tables(db, "source"):
                    db.execute("INSERT INTO former_plans SELECT * FROM source.former_plans")
    return Copied(added, stored)


def add_matches(path: Path, source: Source) -> Copied:
    """Add the matches of a database to another one: all of them, or none after an error.

    Args:
        path: The database to add to.
        source: The database to copy from.

    Raises:
        MergeConflict: Two matches contradict each other.
        DatabaseError: A database cannot be read or written.
    """
    with locked(path), closing(open_for_writing(path)) as db:
        with _attached(db, source.path), translated_errors(f"cannot read {source.path}"):
            _find_stored(db, source.keeps_numbers)  # before anything is changed
            db.execute("DROP TABLE same")
        prepare_for_writing(db, path)
        return copy_matches(db, path, source)


def copy_matches(db: sqlite3.Connection, path: Path, source: Source) -> Copied:
    """Copy the matches that have ended, in a transaction; see `add_matches`.

    Args:
        db: A connection to the database to add to, without a transaction.
        path: This database.
        source: The database to copy from.
    """
    if source.event is not None:
        check_tag("Event", source.event)
    with (
        _attached(db, source.path),
        translated_errors(f"cannot copy {source.path} to {path}"),
    ):
        db.execute("BEGIN")
        try:
            (last,) = db.execute("SELECT ifnull(max(id), 0) FROM main.matches").fetchone()
            copied = _copy(db, source)
            count_stored_matches(db, f"{IS_RATED} AND id > {last}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
    return copied


@contextmanager
def _attached(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Attach a database under the name `source`, for reading."""
    attach(db, path, "source")
    try:
        yield
    finally:
        db.execute("DETACH DATABASE source")


def _copy(db: sqlite3.Connection, source: Source) -> Copied:
    _find_stored(db, source.keeps_numbers)
    if source.keeps_numbers:
        _check_numbers(db)
    db.execute(
        "CREATE TEMP TABLE copies AS SELECT theirs.id AS theirs, row_number() OVER"
        " (ORDER BY theirs.id) + (SELECT ifnull(max(id), 0) FROM main.matches) AS ours"
        " FROM source.matches AS theirs WHERE termination IS NOT NULL"
        " AND theirs.id NOT IN (SELECT theirs FROM same)"
    )
    db.execute("CREATE UNIQUE INDEX temp.by_theirs ON copies (theirs)")
    (last,) = db.execute("SELECT ifnull(max(number), 0) FROM main.matches").fetchone()
    shift = 0 if source.keeps_numbers else last + last % 2  # a pair has an odd and an even number
    rest = _columns(db, "matches")[2:]
    db.execute(
        f"INSERT INTO main.matches SELECT ours, theirs.number + {shift}, {', '.join(rest)}"
        " FROM copies JOIN source.matches AS theirs ON id = theirs ORDER BY ours"
    )
    for table in _tables(db, "source") - {"matches"}:
        match, *rest = _columns(db, table)
        if match == "match":
            db.execute(
                f"INSERT INTO main.{table} SELECT {', '.join(['ours', *rest])}"
                f" FROM copies JOIN source.{table} ON match = theirs"
            )
    if source.event is not None:
        db.execute(
            "INSERT OR IGNORE INTO main.tags SELECT ours, 'Event', ? FROM copies", (source.event,)
        )
    counts = [_count(db, table) for table in ("copies", "same")]
    db.execute("DROP TABLE copies")
    db.execute("DROP TABLE same")
    return Copied(*counts)


def _find_stored(db: sqlite3.Connection, with_numbers: bool) -> None:
    """Create the table `same`: matches of the source that are stored, and their stored ids."""
    equal = " AND ".join(f"ours.{column} = theirs.{column}" for column in EQUAL_COLUMNS)
    if with_numbers:
        equal += " AND ours.number IS theirs.number"
    db.execute(
        "CREATE TEMP TABLE same AS SELECT theirs.id AS theirs, min(ours.id) AS ours"
        f" FROM source.matches AS theirs JOIN main.matches AS ours ON {equal}"
        " WHERE theirs.termination IS NOT NULL"
        f" AND {moves_text('source', 'theirs')} IS {moves_text('main', 'ours')} GROUP BY theirs.id"
    )
    differ = " OR ".join(f"ours.{column} IS NOT theirs.{column}" for column in RESULT_COLUMNS)
    _refuse(
        db,
        "SELECT theirs.id, ours.id FROM temp.same JOIN source.matches AS theirs"
        " ON theirs.id = same.theirs JOIN main.matches AS ours ON ours.id = same.ours"
        f" WHERE {differ} LIMIT 1",
    )


def _check_numbers(db: sqlite3.Connection) -> None:
    """Check that no number in the schedule has two different matches that count."""
    _refuse(
        db,
        "SELECT theirs.id, ours.id, number FROM source.matches AS theirs"
        " JOIN main.matches AS ours USING (number)"
        f" WHERE theirs.termination <> '{Termination.ABORTED}'"
        f" AND ours.termination <> '{Termination.ABORTED}'"
        " AND theirs.id NOT IN (SELECT theirs FROM temp.same) ORDER BY number LIMIT 1",
    )


def _refuse(db: sqlite3.Connection, query: str) -> None:
    """Raise MergeConflict with the row that a query finds, if there is one."""
    for row in db.execute(query).fetchall():
        raise MergeConflict(*row)


def _tables(db: sqlite3.Connection, schema: str) -> set[str]:
    query = f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'"
    return {name for (name,) in db.execute(query)}


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in db.execute(f"PRAGMA main.table_info({table})")]


def _count(db: sqlite3.Connection, table: str) -> int:
    [count] = db.execute(f"SELECT count(*) FROM temp.{table}").fetchone()
    return int(count)
