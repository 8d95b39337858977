"""The only user of the database: plan and matches in, facts out.

One thread writes. Whatever has come in meanwhile is committed together, so that many matches cost
one wait for the disk; a future is done when its write would survive a crash.
"""

import fcntl
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from arena.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination

APPLICATION = 0x54535441  # "TSTA", in the file's header: this is one of our databases
VERSION = 1

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
    elapsed REAL NOT NULL,      -- seconds, as are the next two
    credit REAL NOT NULL,
    charged REAL NOT NULL,
    PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;
"""

# Made when the first match is analysed, so that a database without it is as good as any.
VERDICTS = """
CREATE TABLE IF NOT EXISTS verdicts (
    match INTEGER PRIMARY KEY REFERENCES matches,
    verdicts TEXT NOT NULL      -- a letter for each of the players' moves
) STRICT
"""

COUNTED = f"termination IS NOT NULL AND termination <> '{Termination.ABORTED}'"

Work = Callable[[sqlite3.Connection], Any]


class StoreError(Exception):
    """The database cannot be used; the text says why."""


class Store:
    """A database that this process alone writes to. Raises StoreError when it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = _lock(path)
        self._work: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._write, args=(opened,), name="store")
        self._thread.start()
        try:
            opened.result()
        except StoreError:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish all writes and let go of the database."""
        self._work.put(None)
        self._thread.join()
        self._lock.close()

    def save_plan(self, plan: str) -> None:
        """Keep the text of the plan. Raises StoreError."""
        self._submit(lambda db: db.execute("INSERT INTO plan VALUES (1, ?)", (plan,))).result()

    def begin(self, pairing: Pairing, control: str, now: float) -> Future[int]:
        """A new attempt at a pairing: a future for its id, never used before."""
        row = (
            pairing.number,
            pairing.game,
            json.dumps(dict(pairing.setup)),
            json.dumps(pairing.opening),
            *pairing.players,
            control,
            now,
        )
        columns = "number, game, setup, opening, player1, player2, time_control, started_at"
        insert = f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        return self._submit(lambda db: db.execute(insert, row).lastrowid)

    def finish(self, record: MatchRecord) -> Future[None]:
        """Keep the result and the moves of an attempt."""
        result = record.result
        end = (record.finished_at, result.termination, result.winner, result.reason, record.id)
        moves = [
            (record.id, move.ply, move.move, move.elapsed, move.credit, move.charged)
            for move in record.moves
        ]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?)", moves)
            db.execute(
                "UPDATE matches SET finished_at = ?, termination = ?, winner = ?, reason = ?"
                " WHERE id = ?",
                end,
            )

        return self._submit(work)

    def save_verdicts(self, match: int, verdicts: str) -> Future[None]:
        """Keep the verdicts on the moves of a match."""

        def work(db: sqlite3.Connection) -> None:
            db.execute(VERDICTS)
            db.execute("INSERT INTO verdicts VALUES (?, ?)", (match, verdicts))

        return self._submit(work)

    def _submit(self, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # who stops waiting does not stop the write
        self._work.put((work, future))
        return future

    def _write(self, opened: Future[None]) -> None:
        """The writing thread: commit whatever is waiting, together, until told to end."""
        try:
            db = _open(self.path)
        except StoreError as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        with closing(db):
            while batch := self._next_batch():
                _commit(db, batch)

    def _next_batch(self) -> list[tuple[Work, Future[Any]]]:
        """At least one piece of work and all that waits behind it; empty at the end."""
        batch = []
        item = self._work.get()
        while item is not None:
            batch.append(item)
            if self._work.empty():
                break
            item = self._work.get()
        if item is None and batch:
            self._work.put(None)
        return batch


def _lock(path: Path) -> Any:
    """A file that is locked as long as it is open: two arenas must not fill one database."""
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


def _open(path: Path) -> sqlite3.Connection:
    """A connection for writing, to a new database or to one of ours."""
    with _explained(f"cannot open {path}"):
        db = sqlite3.connect(path, isolation_level=None)
    try:
        with _explained(f"cannot use {path}"):
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            _check(db, path)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    except StoreError:
        db.close()
        raise
    return db


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Make a StoreError of the database's own errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{what}: {error}") from None


def _check(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        raise StoreError(f"{path} is not a database of the arena")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise StoreError(f"{path} has version {version}, this arena reads version {VERSION}")


def _commit(db: sqlite3.Connection, batch: list[tuple[Work, Future[Any]]]) -> None:
    """Do all of a batch or nothing."""
    try:
        db.execute("BEGIN")
        results = [work(db) for work, _ in batch]
        db.execute("COMMIT")
    except Exception as error:  # whatever it is: nobody may wait for ever
        if db.in_transaction:
            db.execute("ROLLBACK")
        for _, future in batch:
            future.set_exception(StoreError(f"cannot write to the database: {error}"))
    else:
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)


class Records:
    """What a database holds, to read, also while an arena writes to it. Raises StoreError."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreError(f"there is no database {path}")
        self._path = path
        with _explained(f"cannot read {path}"):
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            with _explained(f"cannot read {path}"):
                _check(self._db, path)
        except StoreError:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def plan(self) -> str | None:
        """The text of the plan, or None if the database holds no tournament."""
        return next((row[0] for row in self._rows("SELECT plan FROM plan")), None)

    def finished(self) -> set[int]:
        """The numbers of the pairings that have a result that counts."""
        return {row[0] for row in self._rows(f"SELECT number FROM matches WHERE {COUNTED}")}

    def matches(self, *, moves: bool = False) -> Iterator[MatchRecord]:
        """Every attempt that has ended, the aborted ones too, in order; moves only if asked for."""
        for row in self._rows(
            "SELECT id, number, game, setup, opening, player1, player2, time_control, started_at,"
            " finished_at, termination, winner, reason"
            " FROM matches WHERE termination IS NOT NULL ORDER BY number, id"
        ):
            pairing = Pairing(
                row[1], (row[5], row[6]), row[2], json.loads(row[3]), tuple(json.loads(row[4]))
            )
            result = MatchResult(Termination(row[10]), row[11], row[12])
            played = self.moves(row[0]) if moves else ()
            yield MatchRecord(row[0], pairing, row[7], row[8], row[9], result, played)

    def verdicts(self) -> dict[int, str]:
        """The verdicts on the moves of the matches that have been analysed, by the match's id."""
        made = "SELECT 1 FROM sqlite_master WHERE name = 'verdicts'"
        if not [*self._rows(made)]:
            return {}
        return dict(self._rows("SELECT match, verdicts FROM verdicts"))

    def moves(self, match: int) -> tuple[PlayedMove, ...]:
        """The players' moves in a match, by its id."""
        rows = self._rows(
            "SELECT ply, move, elapsed, credit, charged FROM moves WHERE match = ? ORDER BY ply",
            match,
        )
        return tuple(PlayedMove(*row) for row in rows)

    def _rows(self, query: str, *values: int) -> Iterator[Any]:
        with _explained(f"cannot read {self._path}"):
            yield from self._db.execute(query, values)
