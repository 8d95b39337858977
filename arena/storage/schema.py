"""Database file: its schema, how it is opened and locked, and its errors."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path

from arena.model.results import Termination
from arena.storage.lock import locked_file
from arena.storage.tallies import TALLY_TABLES, count_stored_matches

APPLICATION_ID = 0x54535441  # "TSTA", in the file's header: marks a database of the arena
VERSION = 5
BUSY_TIMEOUT = 5.0  # seconds that another process may lock a database before that is an error
PRIMARY_CODE = 0xFF  # bits of SQLite's extended error codes
UNUSABLE_CODES = {
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PERM),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH),
}
UNUSABLE_ERRORS = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)

CASUAL_TABLE = """
CREATE TABLE casual (           -- the casual matches, which are unrated
    match INTEGER PRIMARY KEY REFERENCES matches
) STRICT;
"""

LOGS_TABLE = """
CREATE TABLE logs (             -- the last output of programs that failed
    match INTEGER PRIMARY KEY REFERENCES matches,
    log TEXT NOT NULL
) STRICT;
"""

TAGS_TABLE = """
CREATE TABLE tags (             -- tags of the records, such as Event, Site and Round
    match INTEGER NOT NULL REFERENCES matches,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (match, name)
) STRICT, WITHOUT ROWID;
"""

INFOS_TABLE = """
CREATE TABLE infos (            -- what bots reported with their moves
    match INTEGER NOT NULL REFERENCES matches,
    ply INTEGER NOT NULL,
    info TEXT NOT NULL,         -- JSON
    PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;
"""

FORMER_PLANS_TABLE = """
CREATE TABLE former_plans (     -- the plans that the extended plan replaced, the first one first
    id INTEGER PRIMARY KEY,
    plan TEXT NOT NULL,
    replaced_at REAL NOT NULL   -- Unix time
) STRICT;
"""

# Tables that each version added. The earlier versions are still read, where the tables are empty,
# and are upgraded when they are opened for writing.
ADDED_TABLES = {
    3: (CASUAL_TABLE,),
    4: (LOGS_TABLE,),
    5: (TAGS_TABLE, INFOS_TABLE, FORMER_PLANS_TABLE, *TALLY_TABLES),
}

SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), plan TEXT NOT NULL) STRICT;
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,     -- unique for each attempt
    number INTEGER,             -- in the plan's schedule; NULL outside a tournament
    game TEXT NOT NULL,
    setup TEXT NOT NULL,        -- JSON
    opening TEXT NOT NULL,      -- JSON
    player1 TEXT NOT NULL,
    player2 TEXT NOT NULL,
    time_control TEXT NOT NULL,
    started_at REAL NOT NULL,   -- Unix time
    finished_at REAL,           -- NULL: in progress, also in an arena that was killed
    termination TEXT,
    winner INTEGER,
    reason TEXT
) STRICT;
CREATE UNIQUE INDEX counted_once ON matches (number)
    WHERE termination IS NOT NULL AND termination <> '{Termination.ABORTED}';
CREATE TABLE moves (
    match INTEGER NOT NULL REFERENCES matches,
    ply INTEGER NOT NULL,
    move INTEGER NOT NULL,
    elapsed REAL NOT NULL,      -- seconds, as are the next three
    credit REAL NOT NULL,
    charged REAL NOT NULL,
    lag REAL NOT NULL,          -- maximum event-loop lag of the arena
    PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (           -- the turns that ended a match
    match INTEGER PRIMARY KEY REFERENCES matches,
    ply INTEGER NOT NULL,
    move TEXT,                  -- an integer of any length; NULL: no answer
    elapsed REAL NOT NULL,
    credit REAL NOT NULL,
    charged REAL NOT NULL,
    lag REAL NOT NULL
) STRICT;
CREATE TABLE verdicts (         -- of the matches that were analysed
    match INTEGER PRIMARY KEY REFERENCES matches,
    verdicts TEXT NOT NULL      -- a letter for each of the players' moves
) STRICT;
{"".join(chain.from_iterable(ADDED_TABLES.values()))}"""

# Moves of a match are stored at its end: when and where it was interrupted is not known.
ABORT_INTERRUPTED_MATCHES = f"""
UPDATE matches
SET finished_at = started_at, termination = '{Termination.ABORTED}', reason = 'the arena was killed'
WHERE termination IS NULL
"""

IS_CASUAL = "id IN (SELECT match FROM casual)"
IS_RATED = f"termination IS NOT NULL AND termination <> '{Termination.ABORTED}' AND NOT {IS_CASUAL}"


class DatabaseError(Exception):
    """Failure to open, read or write a database; the message gives the reason."""


class UnusableDatabase(DatabaseError):
    """Database that cannot be opened however often it is tried, such as a missing file."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a database against a second arena, from `with` to its end.

    Args:
        path: The database; the lock file has the same name with `.lock` appended.

    Raises:
        DatabaseError: If the lock file cannot be created, or another arena holds the lock.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(locked_file(Path(f"{path}.lock"), wait=False))
        except BlockingIOError:
            raise DatabaseError(f"another arena is writing to {path}") from None
        except OSError as error:
            kind = UnusableDatabase if isinstance(error, UNUSABLE_ERRORS) else DatabaseError
            raise kind(f"cannot write to {path}: {error.strerror}") from None
        yield


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open a database for writing; create or upgrade it where needed.

    The caller holds its lock: a match without an end belongs to an arena that was killed, and ends
    as aborted.

    Raises:
        DatabaseError: If it cannot be opened, or is not a supported database of the arena.
    """
    with opening_errors(f"cannot open {path}"):
        db = sqlite3.connect(path.absolute(), timeout=BUSY_TIMEOUT, isolation_level=None, uri=True)
    try:
        with opening_errors(f"cannot use {path}"):
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            if missing := missing_tables(db, path):
                tables = "".join(missing)
                db.executescript(f"BEGIN; {tables} PRAGMA user_version = {VERSION};")
                count_stored_matches(db, IS_RATED)
                db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute(ABORT_INTERRUPTED_MATCHES)
    except DatabaseError:
        db.close()
        raise
    return db


@contextmanager
def translated_errors(message: str) -> Iterator[None]:
    """Raise SQLite's errors as DatabaseError with this message in front."""
    try:
        yield
    except sqlite3.Error as error:
        raise DatabaseError(f"{message}: {error}") from None


@contextmanager
def opening_errors(message: str) -> Iterator[None]:
    """Raise SQLite's errors as DatabaseError, or as UnusableDatabase where a retry cannot help."""
    try:
        yield
    except sqlite3.Error as error:
        code = error.sqlite_errorcode & PRIMARY_CODE
        kind = UnusableDatabase if code in UNUSABLE_CODES else DatabaseError
        raise kind(f"{message}: {error}") from None


def missing_tables(db: sqlite3.Connection, path: Path) -> list[str]:
    """Return the statements that create the tables that an earlier version lacks.

    Raises:
        UnusableDatabase: If it is not a database of the arena, or of an unsupported version.
    """
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        raise UnusableDatabase(f"{path} is not a database of the arena")
    found = db.execute("PRAGMA user_version").fetchone()[0]
    supported = [min(ADDED_TABLES) - 1, *ADDED_TABLES]
    if found not in supported:
        versions = ", ".join(map(str, supported))
        raise UnusableDatabase(
            f"{path}: unsupported database version {found} (supported: {versions})"
        )
    added = (tables for version, tables in ADDED_TABLES.items() if version > found)
    return [*chain.from_iterable(added)]
