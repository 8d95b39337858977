"""The file of a database: what is in it, opening it, and what can go wrong with it."""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from arena.model.results import Termination

APPLICATION = 0x54535441  # "TSTA", in the file's header: this is one of our databases
VERSION = 3
LAST = 2  # the version before, which is read as well, and upgraded by who opens it to write
BUSY_SECONDS = 5.0  # how long another process may hold a database before that is an error

CASUAL = """
CREATE TABLE casual (           -- the matches that count for nobody
    match INTEGER PRIMARY KEY REFERENCES matches
) STRICT;
"""

SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), plan TEXT NOT NULL) STRICT;
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,     -- each attempt has its own
    number INTEGER,             -- in the plan's schedule; NULL outside a tournament
    game TEXT NOT NULL,
    setup TEXT NOT NULL,        -- JSON
    opening TEXT NOT NULL,      -- JSON
    player1 TEXT NOT NULL,
    player2 TEXT NOT NULL,
    time_control TEXT NOT NULL,
    started_at REAL NOT NULL,   -- Unix time
    finished_at REAL,           -- NULL: at work, or lost in a crash
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
    lag REAL NOT NULL,          -- of the arena itself, at worst
    PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (           -- the turns that ended a match
    match INTEGER PRIMARY KEY REFERENCES matches,
    ply INTEGER NOT NULL,
    move TEXT,                  -- any whole number, however long; NULL: no answer came
    elapsed REAL NOT NULL,
    credit REAL NOT NULL,
    charged REAL NOT NULL,
    lag REAL NOT NULL
) STRICT;
CREATE TABLE verdicts (         -- of those matches that have been analysed
    match INTEGER PRIMARY KEY REFERENCES matches,
    verdicts TEXT NOT NULL      -- a letter for each of the players' moves
) STRICT;
{CASUAL}"""

IS_CASUAL = "id IN (SELECT match FROM casual)"
COUNTED = f"termination IS NOT NULL AND termination <> '{Termination.ABORTED}' AND NOT {IS_CASUAL}"


class StoreError(Exception):
    """The database cannot be used; the text says why."""


def lock(path: Path) -> IO[str]:
    """A file that is locked as long as it is open: two arenas must not fill one database.

    Raises StoreError.
    """
    try:
        lock = Path(f"{path}.lock").open("w")  # noqa: SIM115 (open for as long as the store is)
    except OSError as error:
        raise StoreError(f"cannot write to {path}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"another arena is writing to {path}") from None
    return lock


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection for writing, to a new database or to one of ours, which is upgraded.

    Raises StoreError.
    """
    with explained(f"cannot open {path}"):
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        with explained(f"cannot use {path}"):
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            if version(db, path) == LAST:
                db.executescript(f"BEGIN; {CASUAL} PRAGMA user_version = {VERSION}; COMMIT;")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    except StoreError:
        db.close()
        raise
    return db


@contextmanager
def explained(what: str) -> Iterator[None]:
    """Make a StoreError of the database's own errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{what}: {error}") from None


def version(db: sqlite3.Connection, path: Path) -> int:
    """The version of a database: this one or the last. Raises StoreError if it is none of ours."""
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        raise StoreError(f"{path} is not a database of the arena")
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found not in (LAST, VERSION):
        raise StoreError(f"{path} has version {found}, this arena reads {LAST} and {VERSION}")
    return int(found)
