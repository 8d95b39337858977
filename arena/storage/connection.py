"""Connections to database files, which may come from anyone.

A file is used only with exactly the schema of its version, as SQLite runs the views, triggers,
checks and defaults of a file. A reader misses no record that is in the log alone; the last one
completes the log of a database of the arena, and changes no other file.
"""

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from arena.storage.lock import is_locked, lock_path
from arena.storage.schema import (
    ABORT_INTERRUPTED_MATCHES,
    BUSY_TIMEOUT,
    IS_RATED,
    PRIMARY_CODE,
    SCHEMA,
    VERSION,
    DatabaseError,
    UnusableDatabase,
    missing_tables,
    opening_errors,
)
from arena.storage.tallies import count_stored_matches

SUFFIXES = WAL, SHARED_MEMORY, JOURNAL = "-wal", "-shm", "-journal"  # beside a database
SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")  # the end of a journal that names another file

READ_WRITE, READ_ONLY = "mode=rw", "mode=ro"
PRIVATE = "mode=ro&vfs=unix-none"  # without locks and shared memory: the index of the log is ours
IMMUTABLE = "mode=ro&immutable=1"  # without any other file, also without the log
REASONS_TO_RETRY = {
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL)
}  # of a folder that cannot be written, or of a full disk

PRAGMAS = ("trusted_schema = OFF", "cell_size_check = ON")
SWITCHES = {"DEFENSIVE": True, "ENABLE_TRIGGER": False, "ENABLE_VIEW": False}
VALUE_BYTES = 10_000_000  # of a value, at least: a small file can claim to hold a large one

STEPS = 1_000_000  # of SQLite's virtual machine, which take some 20 ms
LEAST_STEPS, STEPS_PER_BYTE = 100 * STEPS, 200  # measured: fewer than 20 for a byte

REWRITE_TIMEOUT = 60.0  # seconds that a writer waits while names are replaced or matches removed

T = TypeVar("T")


class Limits:
    """Limits of what queries may take from a file: steps, by its size, and bytes of a value.

    In a few pages that refer to one another there can be more rows than could ever be read.
    """

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        """Limit the queries of a connection to a file."""
        self._db = db
        self._path = path
        self._longest = db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(VALUE_BYTES, size_of(path)))
        self.reset()
        db.set_progress_handler(self._is_exceeded, STEPS)

    def reset(self) -> None:
        """Count the steps from 0 again."""
        size = size_of(self._path) + size_of(_beside(self._path, WAL))
        self._left = LEAST_STEPS + STEPS_PER_BYTE * size

    def lift(self) -> None:
        """Remove the limits."""
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self._longest)
        self._db.set_progress_handler(None, 0)

    def _is_exceeded(self) -> bool:
        self._left -= STEPS
        return self._left < 0


def open_for_reading(path: Path) -> tuple[sqlite3.Connection, Limits]:
    """Open a database for reading, also if its folder cannot be written, or the disk is full.

    Raises:
        UnusableDatabase: If there is no such database, or it is not a supported one of the arena.
        DatabaseError: If it cannot be read.
    """
    if not os.path.lexists(path):
        raise UnusableDatabase(f"database {path} does not exist")
    _check_files(path)
    with opening_errors(f"cannot read {path}"):
        return _first_usable(path, lambda uri: _open_checked(uri, path))


def attach(db: sqlite3.Connection, path: Path, name: str) -> None:
    """Attach a database to a connection, for reading under a name, within `Limits`.

    Raises:
        UnusableDatabase: If there is no such database, or it is not a supported one of the arena.
        DatabaseError: If it cannot be read.
    """
    checked, _ = open_for_reading(path)
    checked.close()

    def attach_as(uri: str) -> None:
        if PRIVATE in uri:  # then no other process uses the database of the connection either
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute(f"ATTACH DATABASE ? AS {name}", (uri,))
        db.execute(f"SELECT count(*) FROM {name}.sqlite_master")

    with opening_errors(f"cannot read {path}"):
        _first_usable(path, attach_as)
    Limits(db, path)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open a database for writing; create it where needed.

    The caller holds its lock. One that exists is checked and not changed: `prepare_for_writing`
    upgrades it before the first change, once the command has passed all its checks.

    Raises:
        DatabaseError: If it cannot be opened, or is not a supported database of the arena.
    """
    _check_files(path)
    _check_journal(path)
    with opening_errors(f"cannot open {path}"):
        db = connect(path.absolute())
    try:
        with opening_errors(f"cannot use {path}"):
            limits = Limits(db, path)
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            missing_tables(db, path)
            db.execute("BEGIN IMMEDIATE")  # whether it can be written at all
            db.execute("ROLLBACK")
            limits.lift()
    except DatabaseError:
        db.rollback()  # else a query that is not finished would keep the lock
        db.close()
        raise
    return db


def prepare_for_writing(db: sqlite3.Connection, path: Path) -> None:
    """Upgrade a database that `open_for_writing` has opened, where needed.

    A match without an end belongs to an arena that was killed, and ends as aborted.

    Raises:
        DatabaseError: If it cannot be written.
    """
    with opening_errors(f"cannot use {path}"):
        limits = Limits(db, path)
        try:
            if missing := missing_tables(db, path):
                tables = "".join(missing)
                db.executescript(f"BEGIN; {tables} PRAGMA user_version = {VERSION};")
                count_stored_matches(db, IS_RATED)
                db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute(f"PRAGMA busy_timeout = {REWRITE_TIMEOUT * 1000:.0f}")
            limits.reset()
            db.execute(ABORT_INTERRUPTED_MATCHES)
        except BaseException:
            db.rollback()  # else a query that is not finished would keep the lock
            raise
        finally:
            limits.lift()


def connect(database: Path | str) -> sqlite3.Connection:
    """Connect to a file or a URI, without transactions of its own, and trust nothing in it."""
    db = sqlite3.connect(database, timeout=BUSY_TIMEOUT, isolation_level=None, uri=True)
    switch = getattr(db, "setconfig", lambda *_: None)  # new in Python 3.12
    for name, value in SWITCHES.items():
        switch(getattr(sqlite3, f"SQLITE_DBCONFIG_{name}", None), value)
    for pragma in PRAGMAS:
        db.execute(f"PRAGMA {pragma}")
    return db


def _open_checked(uri: str, path: Path) -> tuple[sqlite3.Connection, Limits]:
    """Return a connection that only reads, to a database with all tables of this version."""
    if READ_WRITE in uri and _beside(path, WAL).exists():
        # Closing this connection completes the log: only a database of the arena has one.
        checked, _ = _open_checked(uri.replace(READ_WRITE, READ_ONLY), path)
        checked.close()
    db = connect(uri)
    try:
        if PRIVATE in uri:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")  # else there must be shared memory
        if not _has_temporary_space(size_of(path)):
            db.execute("PRAGMA temp_store = MEMORY")
        limits = Limits(db, path)
        db.execute("BEGIN")
        if missing := missing_tables(db, path):
            # With the same tables, all versions share all queries.
            for table in missing:
                db.execute(table.replace("TABLE", "TEMP TABLE"))
            count_stored_matches(db, IS_RATED)
        db.execute("COMMIT")
        db.execute("PRAGMA query_only = ON")
    except BaseException:
        db.close()
        raise
    return db, limits


def _first_usable(path: Path, use: Callable[[str], T]) -> T:
    """Return what a function returns for the first URI by which the database can be read."""
    address = Path(os.path.realpath(path)).as_uri()
    failure: sqlite3.Error | None = None
    for mode in _modes(path):
        try:
            return use(f"{address}?{mode}")
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE not in REASONS_TO_RETRY:
                raise
            failure = failure or error
    assert failure, "there is a first mode"
    raise failure


def _modes(path: Path) -> Iterator[str]:
    has_journal = _beside(path, JOURNAL).exists()
    # The log and its index are removed again only by a connection that may write. With a journal,
    # such a connection would undo changes.
    yield READ_ONLY if has_journal else READ_WRITE
    # Without locks, nothing that is read may change: no arena may write.
    if not has_journal and not is_locked(lock_path(path)):
        yield PRIVATE if size_of(_beside(path, WAL)) else IMMUTABLE


def _check_files(path: Path) -> None:
    """Check that a database and the files beside it are regular ones. Raises UnusableDatabase."""
    try:
        if os.path.lexists(path):
            _check_regular(path, path.stat())
        for suffix in SUFFIXES:
            file = _beside(path, suffix)
            with suppress(FileNotFoundError):  # they come and go while others use the database
                _check_regular(file, file.lstat())  # a symbolic link could lead to any file
    except OSError as error:
        raise UnusableDatabase(f"cannot open {path}: {error.strerror}") from None


def _check_regular(file: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnusableDatabase(f"{file} is not a regular file")


def _check_journal(path: Path) -> None:
    """Check that SQLite would not delete another file, which a journal names.

    Raises:
        UnusableDatabase: If it would, or the journal cannot be read.
    """
    journal = _beside(path, JOURNAL)
    try:
        if journal.exists() and journal.read_bytes().endswith(SUPER_JOURNAL):
            raise UnusableDatabase(f"{journal} does not belong to a database of the arena")
    except OSError as error:
        raise UnusableDatabase(f"cannot read {journal}: {error.strerror}") from None


def _has_temporary_space(size: int) -> bool:
    """Return whether a query can sort so many bytes in a temporary file."""
    try:
        return shutil.disk_usage(tempfile.gettempdir()).free > size
    except OSError:  # there is no folder for temporary files
        return False


def files_beside(path: Path) -> list[Path]:
    """Return the files that SQLite and the arena may keep beside a database."""
    return [*sqlite_files(path)[1:], lock_path(path)]


def sqlite_files(path: Path) -> list[Path]:
    """Return a database and the files that SQLite may keep beside it."""
    return [path, *(_beside(path, suffix) for suffix in SUFFIXES)]


def _beside(path: Path, suffix: str) -> Path:
    return Path(f"{os.path.realpath(path)}{suffix}")


def size_of(path: Path) -> int:
    """Return the size of a file in bytes, or 0."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
