"""Rewriting of stored matches, also beside a running arena: names are replaced, matches removed.

A change is one transaction on a connection of its own, for which the writer of a running arena
waits. It then notices that the database has changed (`DatabaseWriter.rewrites`).
"""

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from arena.match.reasons import FAILED
from arena.storage.connection import open_for_reading, open_for_writing, prepare_for_writing
from arena.storage.schema import (
    IS_RATED,
    DatabaseError,
    DatabaseInUse,
    UnusableDatabase,
    locked,
    missing_tables,
    translated_errors,
)
from arena.storage.tallies import TALLIES_OF_PLAYERS, count_stored_matches, uncount_player
from arena.tournament.plan import Plan, renamed_plan

MAX_BESIDE = 300_000  # matches that can be counted again before a running arena gives up
TABLES_OF_MATCHES = ("moves", "faults", "verdicts", "casual", "logs", "tags", "infos")


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
            db.execute(f"UPDATE matches SET {player} = ?2 WHERE {player} = ?1", (old, new))
        db.execute("UPDATE tags SET value = ?2 WHERE value = ?1 AND match IN selected", (old, new))
        db.create_function("renamed", 1, lambda text: _renamed(text, old, new))
        db.execute("UPDATE logs SET log = renamed(log) WHERE match IN selected")
        if is_scheduled:
            count_stored_matches(db, rated)
        else:
            _count_again(db)
        return _count(db)


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
        return _count(db)


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


def _count(db: sqlite3.Connection) -> int:
    [count] = db.execute("SELECT count(*) FROM selected").fetchone()
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
