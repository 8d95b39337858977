"""Database file: its schema, its lock, and its errors."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path

from arena.model.results import Termination
from arena.storage.lock import lock_path, locked_file
from arena.storage.tallies import TALLY_TABLES

APPLICATION_ID = 0x54535441  # "TSTA", in the file's header: marks a database of the arena
VERSION = 5
BUSY_TIMEOUT = 5.0  # seconds that another process may lock a database before that is an error
MAX_REASON = 200  # characters of what a file holds, in a message
COMMENT = re.compile(r"--[^\n]*")
PRIMARY_CODE = 0xFF  # bits of SQLite's extended error codes
UNUSABLE_CODES = {
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PERM),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH),
}
FAILURES = (sqlite3.Error, UnicodeDecodeError)  # the latter if SQLite's message is no UTF-8
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

FIRST_TABLES = f"""
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
"""

SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
{FIRST_TABLES}{"".join(chain.from_iterable(ADDED_TABLES.values()))}"""

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


class DatabaseInUse(DatabaseError):
    """Database that another arena writes to."""


class UnusableDatabase(DatabaseError):
    """Database that cannot be opened however often it is tried, such as a missing file."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a database against a second arena, from `with` to its end.

    Args:
        path: The database; the lock file has the same name with `.lock` appended.

    Raises:
        DatabaseInUse: If another arena holds the lock.
        DatabaseError: If the lock file cannot be created.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(locked_file(lock_path(path), wait=False))
        except BlockingIOError:
            raise DatabaseInUse(f"another arena is writing to {path}") from None
        except OSError as error:
            kind = UnusableDatabase if isinstance(error, UNUSABLE_ERRORS) else DatabaseError
            raise kind(f"cannot write to {path}: {error.strerror}") from None
        yield


@contextmanager
def translated_errors(message: str) -> Iterator[None]:
    """Raise SQLite's errors as DatabaseError with this message in front."""
    try:
        yield
    except FAILURES as error:
        raise DatabaseError(f"{message}: {_reason(error)}") from None


@contextmanager
def opening_errors(message: str) -> Iterator[None]:
    """Raise SQLite's errors as DatabaseError, or as UnusableDatabase where a retry cannot help."""
    try:
        yield
    except FAILURES as error:
        kind = UnusableDatabase if _code(error) in UNUSABLE_CODES else DatabaseError
        raise kind(f"{message}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    if _code(error) == sqlite3.SQLITE_INTERRUPT:  # by the limit of steps
        return "it has more rows than its size allows"
    return str(error)[:MAX_REASON]


def _code(error: Exception) -> int:
    """Return the primary code of an error; 0 for one of Python, such as a text without UTF-8."""
    return int(getattr(error, "sqlite_errorcode", 0)) & PRIMARY_CODE


# Tables that the command ANALYZE adds.
STATISTICS: Counter[tuple[str, ...]] = Counter(
    ("table", name, name, f"CREATE TABLE {name}({columns})")
    for name, columns in {
        "sqlite_stat1": "tbl,idx,stat",
        "sqlite_stat4": "tbl,idx,neq,nlt,ndlt,sample",
    }.items()
)


def missing_tables(db: sqlite3.Connection, path: Path) -> list[str]:
    """Return the statements that create the tables that an earlier version lacks.

    Raises:
        UnusableDatabase: If it is not a database of the arena, of an unsupported version, or has
            not exactly the tables and indexes of its version.
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
    stored, expected = _objects(db), _expected_objects(found)
    if different := (stored - expected - STATISTICS) + (expected - stored):
        kind, name, *_ = min(different, key=lambda each: each not in stored)
        raise UnusableDatabase(
            f"{path}: {kind} {name:.{MAX_REASON}} differs from the schema of version {found}"
        )
    added = (tables for version, tables in ADDED_TABLES.items() if version > found)
    return [*chain.from_iterable(added)]


@lru_cache
def _expected_objects(version: int) -> Counter[tuple[str, ...]]:
    """Return the tables and indexes of a version."""
    added = (tables for since, tables in ADDED_TABLES.items() if since <= version)
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(f"{FIRST_TABLES}{''.join(chain.from_iterable(added))}")
        return _objects(db)


def _objects(db: sqlite3.Connection) -> Counter[tuple[str, ...]]:
    """Return kind, name, table and statement of all that a schema holds.

    The statements lack comments and line ends, which have changed within a version. No quote in
    them could hide what is not a comment: ours have none but around the name of a termination.
    """
    return Counter(
        tuple(" ".join(COMMENT.sub("", f"{value}").split()) for value in row)
        for row in db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    )
