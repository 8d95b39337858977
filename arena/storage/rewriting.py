"""Changes of many stored matches: databases are merged, names replaced, matches removed.

In a merge, two matches are the same if they have the same game, setup, players, opening, moves and
start time; in a tournament, also the same number.

Names are replaced and matches removed also beside a running arena. Such a change is one transaction
on a connection of its own, and the writer of the arena waits for it. It then notices that the
database has changed (`DatabaseWriter.rewrites`).
"""

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.match.reasons import FAILED
from arena.model.results import Termination
from arena.storage.connection import (
    attach,
    open_for_reading,
    open_for_writing,
    prepare_for_writing,
)
from arena.storage.record import check_tag
from arena.storage.schema import (
    IS_RATED,
    DatabaseError,
    DatabaseInUse,
    UnusableDatabase,
    locked,
    missing_tables,
    translated_errors,
)
from arena.storage.tallies import (
    TALLIES_OF_PLAYERS,
    count_stored_matches,
    moves_text,
    uncount_player,
)
from arena.storage.writer import new_database_file
from arena.tournament.plan import Plan, renamed_plan

EQUAL_COLUMNS = ("started_at", "player1", "player2", "game", "setup", "opening")  # of same matches
RESULT_COLUMNS = ("termination", "winner")
MAX_BESIDE = 300_000  # matches that can be counted again before a running arena gives up
TABLES_OF_MATCHES = ("moves", "faults", "verdicts", "casual", "logs", "tags", "infos")


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
                places = f"in {other.path} and {source.path}"
                if conflict.number:
                    text = f"match number {conflict.number} was played twice, {places}"
                else:
                    text = (
                        f"match {conflict.theirs} of {source.path} has different results {places}"
                    )
                raise ValueError(text) from None
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


def rename_player(path: Path, old: str, new: str) -> int:
    """Replace a name by another one in all matches: players, reasons, tags and logs.

    In a tournament the plan has the new name too, so that it continues with it.

    Args:
        path: The database.
        old: The name, which plays no match now.
        new: Its pseudonym, which nobody has.

    Returns:
        The number of matches.

    Raises:
        UnusableDatabase: Nobody has the old name, somebody the new one, or the plan is damaged.
        DatabaseError: The database cannot be written, the bot is playing, or the tournament runs.
    """

    def check(db: sqlite3.Connection, _: bool) -> None:
        planned = _planned_bots(db, path)
        if new in planned or _has_player(db, new):
            raise UnusableDatabase(f"{new} is a player in {path}: choose another name")
        if not (old in planned or _has_player(db, old)):
            raise UnusableDatabase(f"{old} is no player in {path}")

    with _changing(path, check) as db:
        _rename_in_plans(db, path, old, new)
        _select(db, "? IN (player1, player2)", old)
        playing = "SELECT 1 FROM matches WHERE termination IS NULL AND id IN selected"
        if db.execute(playing).fetchone():
            raise DatabaseError(f"{old} is playing in {path}: ban it first")
        rated = f"{IS_RATED} AND id IN selected"
        is_scheduled = not _has_foreign_half(db, rated)
        if is_scheduled:
            uncount_player(db, old, rated)
        db.create_function("renamed", 1, lambda text: _renamed_reason(text, old, new))
        db.execute(
            "UPDATE matches SET reason = renamed(reason)"
            " WHERE reason IS NOT NULL AND id IN selected"
        )
        for player in ("player1", "player2"):
            db.execute(f"UPDATE matches SET {player} = ? WHERE {player} = ?", (new, old))
        db.execute("UPDATE tags SET value = ? WHERE value = ? AND match IN selected", (new, old))
        db.create_function("renamed", 1, lambda text: _renamed(text, old, new))
        db.execute("UPDATE logs SET log = renamed(log) WHERE match IN selected")
        if is_scheduled:
            count_stored_matches(db, rated)
        else:
            _count_again(db)
        return _count(db, "selected")


def remove_matches(path: Path, before: float) -> int:
    """Remove the matches that ended before a time, but not the latest one, so that no id returns.

    The results of a tournament stay, as it would play them again: of its matches, only
    aborted ones are removed.

    Args:
        path: The database.
        before: Unix time.

    Returns:
        The number of matches.

    Raises:
        DatabaseError: The database cannot be written, is too large beside a running arena, or the
            tournament runs.
    """

    def check(db: sqlite3.Connection, in_use: bool) -> None:
        [matches] = db.execute("SELECT count(*) FROM matches").fetchone()
        if matches > MAX_BESIDE and in_use:
            text = f"{path} has more than {MAX_BESIDE:,} matches: stop the arena that writes to it"
            raise DatabaseError(text)

    with _changing(path, check) as db:
        is_planned = db.execute("SELECT 1 FROM plan").fetchone()
        removable = f"NOT ({IS_RATED}) AND" if is_planned else ""
        _select(db, f"{removable} finished_at < ? AND id < (SELECT max(id) FROM matches)", before)
        for table in TABLES_OF_MATCHES:
            db.execute(f"DELETE FROM {table} WHERE match IN selected")
        db.execute("DELETE FROM matches WHERE id IN selected")
        if not is_planned:
            _count_again(db)
        return _count(db, "selected")


@contextmanager
def _changing(
    path: Path, check: Callable[[sqlite3.Connection, bool], None]
) -> Iterator[sqlite3.Connection]:
    """Yield a connection in a transaction, which is undone after an exception.

    Args:
        path: The database.
        check: Checks the database, and is told whether an arena writes to it. It comes when no
            other process can write, and before anything is changed, such as the version of an old
            database.
    """
    checked, _ = open_for_reading(path)  # which creates none
    with ExitStack() as stack, closing(checked):
        in_use = None
        try:
            stack.enter_context(locked(path))
        except DatabaseInUse as error:
            # A tournament knows its bots and its results.
            if checked.execute("SELECT 1 FROM plan").fetchone():
                raise DatabaseInUse(f"{error}: stop the tournament, and continue it then") from None
            in_use = error
        if not in_use:
            check(checked, False)
        checked.close()
        db = stack.enter_context(closing(open_for_writing(path)))
        if not in_use:
            prepare_for_writing(db, path)
        elif missing_tables(db, path):
            raise in_use  # by an arena that has not upgraded it
        with translated_errors(f"cannot write to {path}"):
            db.execute("PRAGMA secure_delete = ON")  # what is removed shall not stay in the file
            db.execute("CREATE TEMP TABLE selected (id INTEGER PRIMARY KEY)")
            db.execute("BEGIN IMMEDIATE")
            try:
                if in_use:
                    check(db, True)
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")


def _select(db: sqlite3.Connection, condition: str, value: str | float) -> None:
    """Fill the table of the selected matches."""
    db.execute(f"INSERT INTO selected SELECT id FROM matches WHERE {condition}", (value,))


def _count(db: sqlite3.Connection, table: str) -> int:
    """Return the number of rows of a temporary table."""
    [count] = db.execute(f"SELECT count(*) FROM temp.{table}").fetchone()
    return int(count)


def _has_foreign_half(db: sqlite3.Connection, rated: str) -> bool:
    """Return whether a match of the player has the number of a pair with one of other players.

    No schedule has such numbers, but imported records may.
    """
    pair = "(number + 1) / 2"
    query = (
        f"SELECT 1 FROM matches WHERE {IS_RATED} AND id NOT IN selected"
        f" AND {pair} IN (SELECT {pair} FROM matches WHERE {rated}) LIMIT 1"
    )
    return db.execute(query).fetchone() is not None


def _count_again(db: sqlite3.Connection) -> None:
    for table in (*TALLIES_OF_PLAYERS, "identities"):
        db.execute(f"DELETE FROM {table}")
    count_stored_matches(db, IS_RATED)


def _planned_bots(db: sqlite3.Connection, path: Path) -> Collection[str]:
    """Return the names of the bots of a tournament."""
    plan = db.execute("SELECT plan FROM plan").fetchone()
    with _damaged_plans(path):
        return Plan.from_json(plan[0]).bots if plan else ()


def _rename_in_plans(db: sqlite3.Connection, path: Path, old: str, new: str) -> None:
    for table in ("plan", "former_plans"):
        for number, plan in db.execute(f"SELECT id, plan FROM {table}").fetchall():
            with _damaged_plans(path):
                changed = renamed_plan(plan, old, new)
            db.execute(f"UPDATE {table} SET plan = ? WHERE id = ?", (changed, number))


@contextmanager
def _damaged_plans(path: Path) -> Iterator[None]:
    """Raise an error in a plan as UnusableDatabase."""
    try:
        yield
    except ValueError as error:
        raise UnusableDatabase(f"the plan in {path} is damaged: {error}") from None


def _has_player(db: sqlite3.Connection, name: str) -> bool:
    query = "SELECT 1 FROM matches WHERE ? IN (player1, player2) LIMIT 1"
    return db.execute(query, (name,)).fetchone() is not None


def _renamed_reason(reason: str, old: str, new: str) -> str:
    """Return a reason with the new name; what a program has written may have it anywhere."""
    fixed, failed, written = reason.partition(FAILED)
    return fixed.replace(f"({old})", f"({new})") + failed + _renamed(written, old, new)


def _renamed(text: str, old: str, new: str) -> str:
    """Return a text with another name where the old one is a word of its own."""
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text)
