"""Database writer: plans, matches, moves and verdicts.

One thread writes. Writes that arrive while it is busy are committed together, so that many matches
cost one wait for the disk. A future is done when its write would survive a crash.
"""

import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import astuple
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self

from msgspec import structs

from arena.model.results import MatchRecord, Pairing
from arena.storage.schema import (
    SCHEMA,
    DatabaseError,
    acquire_lock,
    open_for_writing,
    translated_errors,
)

Write = Callable[[sqlite3.Connection], Any]

INSERT_CASUAL = "INSERT INTO casual VALUES (?)"
ROWS_PER_INSERT = 256
CACHED_TEXTS = 1024  # setups and openings, which many matches share


class DatabaseWriter:
    """Write access to a database, for one process at a time.

    It has more than ten methods: one for each change that the arena makes.

    Args:
        path: The database; it is created if it does not exist, and upgraded if it is old.

    Attributes:
        path: The database.
        has_failed: Whether a write has failed.

    Raises:
        DatabaseError: If it cannot be opened, or another arena is writing to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = acquire_lock(path)
        self._queue: queue.SimpleQueue[tuple[Write, Future[Any]] | None] = queue.SimpleQueue()
        opened: Future[None] = Future()
        self._submitted = 0
        self._completed = 0  # written or failed; only the writing thread changes it
        self.has_failed = False
        self._thread = threading.Thread(target=self._run, args=(opened,), name="database")
        self._thread.start()
        try:
            opened.result()
        except DatabaseError:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish all writes and close the database."""
        self._queue.put(None)
        self._thread.join()
        self._lock.close()

    @property
    def pending(self) -> int:
        """The number of writes that are not on the disk yet."""
        return self._submitted - self._completed

    def save_plan(self, plan: str) -> None:
        """Store the plan, a JSON text, and wait until it is on the disk.

        Raises:
            DatabaseError: If it cannot be written, or a plan is stored already.
        """
        self._submit(lambda db: db.execute("INSERT INTO plan VALUES (1, ?)", (plan,))).result()

    def begin_match(self, pairing: Pairing, control: str, now: float) -> Future[int]:
        """Store the start of a match: a new attempt at its pairing.

        Args:
            pairing: The players, the game, its setup and its opening.
            control: The time control of the match.
            now: Unix time.

        Returns:
            A future of the id of the match, or of a DatabaseError.
        """
        row = _start_columns(pairing, control, now)
        columns = "number, game, setup, opening, player1, player2, time_control, started_at"
        insert = f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

        def write(db: sqlite3.Connection) -> int | None:
            match = db.execute(insert, row).lastrowid
            if pairing.casual:
                db.execute(INSERT_CASUAL, (match,))
            return match

        return self._submit(write)

    def finish_match(self, record: MatchRecord) -> Future[None]:
        """Store the result and the moves of a match that `begin_match` has stored."""
        result = record.result
        end = (record.finished_at, result.termination, result.winner, result.reason, record.id)

        def write(db: sqlite3.Connection) -> None:
            _insert_turns(db, [record])
            db.execute(
                "UPDATE matches SET finished_at = ?, termination = ?, winner = ?, reason = ?"
                " WHERE id = ?",
                end,
            )

        return self._submit(write)

    def add_matches(self, records: Sequence[MatchRecord]) -> Future[list[MatchRecord]]:
        """Store matches that have ended: all of them, or none.

        Returns:
            A future of the records with their ids, which are new, or of a DatabaseError.
        """

        def write(db: sqlite3.Connection) -> list[MatchRecord]:
            (last_id,) = db.execute("SELECT ifnull(max(id), 0) FROM matches").fetchone()
            numbered = [
                _with_id(record, attempt) for attempt, record in enumerate(records, last_id + 1)
            ]
            _insert_rows(db, "matches", map(_match_columns, numbered))
            _insert_turns(db, numbered)
            return numbered

        return self._submit(write)

    def save_verdicts(self, match: int, verdicts: str) -> Future[None]:
        """Store the verdicts on the moves of a match, a letter for each of the players' moves."""
        insert = "INSERT INTO verdicts VALUES (?, ?)"
        return self._submit(lambda db: db.execute(insert, (match, verdicts)))

    def _submit(self, write: Write) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # a caller that stops waiting does not stop the write
        self._submitted += 1
        self._queue.put((write, future))
        return future

    def _run(self, opened: Future[None]) -> None:
        """Commit batches of writes until the writer is closed; runs in the writing thread."""
        try:
            db = open_for_writing(self.path)
        except DatabaseError as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        with closing(db):
            while batch := self._next_batch():
                self._commit(db, batch)

    def _next_batch(self) -> list[tuple[Write, Future[Any]]]:
        """Wait for a write; return it and all others in the queue, or nothing at the end."""
        batch = []
        item = self._queue.get()
        while item is not None:
            batch.append(item)
            if self._queue.empty():
                break
            item = self._queue.get()
        if item is None and batch:
            self._queue.put(None)
        return batch

    def _commit(self, db: sqlite3.Connection, batch: list[tuple[Write, Future[Any]]]) -> None:
        """Commit all writes of a batch, or none."""
        try:
            db.execute("BEGIN")
            results = [write(db) for write, _ in batch]
            db.execute("COMMIT")
        except Exception as error:  # of any kind: every future must be completed
            if db.in_transaction:
                db.execute("ROLLBACK")
            self.has_failed = True
            self._completed += len(batch)
            for _, future in batch:
                future.set_exception(DatabaseError(f"cannot write to the database: {error}"))
        else:
            self._completed += len(batch)
            for (_, future), result in zip(batch, results, strict=True):
                future.set_result(result)


def _start_columns(pairing: Pairing, control: str, now: float) -> tuple[Any, ...]:
    """Return the values known at the start of a match, in the order of the columns."""
    setup, opening = _setup_text(*pairing.setup.items()), _opening_text(pairing.opening)
    return pairing.number, pairing.game, setup, opening, *pairing.players, control, now


@lru_cache(CACHED_TEXTS)
def _setup_text(*setup: tuple[str, int]) -> str:
    return json.dumps(dict(setup))


@lru_cache(CACHED_TEXTS)
def _opening_text(opening: tuple[int, ...]) -> str:
    return json.dumps(opening)


def _with_id(record: MatchRecord, attempt: int) -> MatchRecord:
    """Return a record with another id, in half the time that `replace` takes."""
    return MatchRecord(
        attempt,
        record.pairing,
        record.time_control,
        record.started_at,
        record.finished_at,
        record.result,
        record.moves,
        record.fault,
        record.log,
    )


def _match_columns(record: MatchRecord) -> tuple[Any, ...]:
    """Return a match that has ended, in the order of the columns."""
    start = _start_columns(record.pairing, record.time_control, record.started_at)
    result = record.result
    end = record.finished_at, result.termination, result.winner, result.reason
    return record.id, *start, *end


def _insert_turns(db: sqlite3.Connection, records: Sequence[MatchRecord]) -> None:
    # The fields of a move are in the order of the columns.
    moves = ((record.id, *structs.astuple(move)) for record in records for move in record.moves)
    _insert_rows(db, "moves", moves)
    _insert_rows(db, "faults", (_fault_columns(record) for record in records if record.fault))
    _insert_rows(db, "logs", ((record.id, record.log) for record in records if record.log))


def _fault_columns(record: MatchRecord) -> tuple[Any, ...]:
    assert record.fault, "the match has a fault"
    ply, move, *times = astuple(record.fault)
    return record.id, ply, None if move is None else str(move), *times


def _insert_rows(db: sqlite3.Connection, table: str, rows: Iterator[tuple[Any, ...]]) -> None:
    # Many rows at a time: after each statement the thread waits for the interpreter lock.
    while some := [*islice(rows, ROWS_PER_INSERT)]:
        insert = _insert_statement(table, len(some[0]), len(some))
        db.execute(insert, [*chain.from_iterable(some)])


@lru_cache  # at most as many as there are numbers of rows, for each table
def _insert_statement(table: str, columns: int, rows: int) -> str:
    values = ", ".join([f"({', '.join('?' * columns)})"] * rows)
    return f"INSERT INTO {table} VALUES {values}"


class NewDatabase:
    """Database that is being filled with complete records."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def save_plan(self, plan: str) -> None:
        """Store the plan, a JSON text."""
        self._db.execute("INSERT INTO plan VALUES (1, ?)", (plan,))

    def add(self, record: MatchRecord) -> None:
        """Store a match that has ended, under its own id.

        Raises:
            ValueError: If a match with this id or number is stored already.
        """
        pairing = record.pairing
        try:
            _insert_rows(self._db, "matches", iter([_match_columns(record)]))
        except sqlite3.IntegrityError as error:
            is_number = "number" in str(error)
            key = f"number {pairing.number}" if is_number else f"id {record.id}"
            raise ValueError(f"duplicate match {key}") from None
        if pairing.casual:
            self._db.execute(INSERT_CASUAL, (record.id,))
        _insert_turns(self._db, [record])


@contextmanager
def create_database(path: Path) -> Iterator[NewDatabase]:
    """Create a database from complete records.

    The file appears at its path when the `with` block ends without an exception, or not at all.

    Args:
        path: The database, which must not exist.

    Yields:
        The database to fill.

    Raises:
        DatabaseError: If the path exists or cannot be written.
    """
    part = Path(f"{path}.part")  # one that a crash left behind is removed by the next import
    with acquire_lock(path):
        if path.exists():
            raise DatabaseError(f"{path} exists already")
        part.unlink(missing_ok=True)
        try:
            with (
                translated_errors(f"cannot write to {path}"),
                closing(sqlite3.connect(part, isolation_level=None)) as db,
            ):
                # No other process opens it, and an incomplete one is removed: it needs no journal.
                db.executescript(f"PRAGMA journal_mode = OFF; BEGIN; {SCHEMA}")
                yield NewDatabase(db)
                db.execute("COMMIT")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
