"""What goes into a database.

One thread writes. Whatever has come in meanwhile is committed together, so that many matches cost
one wait for the disk; a future is done when its write would survive a crash.
"""

import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import astuple
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from arena.model.results import MatchRecord, Pairing
from arena.storage.schema import SCHEMA, StoreError, explained, lock, open_to_write

Work = Callable[[sqlite3.Connection], Any]

INSERT_CASUAL = "INSERT INTO casual VALUES (?)"
ROWS = 64  # moves that are inserted by one statement

_columns = attrgetter("ply", "move", "elapsed", "credit", "charged", "lag")


class Store:
    """A database that this process alone writes to. Raises StoreError when it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = lock(path)
        self._work: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        opened: Future[None] = Future()
        self._submitted = 0
        self._done = 0  # of these, whether written or failed; the writing thread's own
        self.has_failed = False  # whether something could not be written
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

    @property
    def waiting(self) -> int:
        """How many writes are not on the disk yet."""
        return self._submitted - self._done

    def save_plan(self, plan: str) -> None:
        """Keep the text of the plan. Raises StoreError."""
        self._submit(lambda db: db.execute("INSERT INTO plan VALUES (1, ?)", (plan,))).result()

    def begin(self, pairing: Pairing, control: str, now: float) -> Future[int]:
        """A new attempt at a pairing: a future for its id, never used before."""
        row = _beginning(pairing, control, now)
        columns = "number, game, setup, opening, player1, player2, time_control, started_at"
        insert = f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"

        def work(db: sqlite3.Connection) -> int | None:
            match = db.execute(insert, row).lastrowid
            if pairing.casual:
                db.execute(INSERT_CASUAL, (match,))
            return match

        return self._submit(work)

    def finish(self, record: MatchRecord) -> Future[None]:
        """Keep the result and the moves of an attempt."""
        result = record.result
        end = (record.finished_at, result.termination, result.winner, result.reason, record.id)

        def work(db: sqlite3.Connection) -> None:
            _keep_turns(db, record)
            db.execute(
                "UPDATE matches SET finished_at = ?, termination = ?, winner = ?, reason = ?"
                " WHERE id = ?",
                end,
            )

        return self._submit(work)

    def save_verdicts(self, match: int, verdicts: str) -> Future[None]:
        """Keep the verdicts on the moves of a match."""
        insert = "INSERT INTO verdicts VALUES (?, ?)"
        return self._submit(lambda db: db.execute(insert, (match, verdicts)))

    def _submit(self, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # who stops waiting does not stop the write
        self._submitted += 1
        self._work.put((work, future))
        return future

    def _write(self, opened: Future[None]) -> None:
        """The writing thread: commit whatever is waiting, together, until told to end."""
        try:
            db = open_to_write(self.path)
        except StoreError as error:
            opened.set_exception(error)
            return
        opened.set_result(None)
        with closing(db):
            while batch := self._next_batch():
                self._commit(db, batch)

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

    def _commit(self, db: sqlite3.Connection, batch: list[tuple[Work, Future[Any]]]) -> None:
        """Do all of a batch or nothing."""
        try:
            db.execute("BEGIN")
            results = [work(db) for work, _ in batch]
            db.execute("COMMIT")
        except Exception as error:  # whatever it is: nobody may wait for ever
            if db.in_transaction:
                db.execute("ROLLBACK")
            self.has_failed = True
            self._done += len(batch)
            for _, future in batch:
                future.set_exception(StoreError(f"cannot write to the database: {error}"))
        else:
            self._done += len(batch)
            for (_, future), result in zip(batch, results, strict=True):
                future.set_result(result)


def _beginning(pairing: Pairing, control: str, now: float) -> tuple[Any, ...]:
    """What is known of a match from its beginning, in the order of the columns."""
    setup, opening = json.dumps(dict(pairing.setup)), json.dumps(pairing.opening)
    return pairing.number, pairing.game, setup, opening, *pairing.players, control, now


def _keep_turns(db: sqlite3.Connection, record: MatchRecord) -> None:
    # Many rows at a time: after each statement the thread has to wait for its turn in Python.
    for begin in range(0, len(record.moves), ROWS):
        moves = record.moves[begin : begin + ROWS]
        rows = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(moves))
        values = [value for move in moves for value in (record.id, *_columns(move))]
        db.execute(f"INSERT INTO moves VALUES {rows}", values)
    if fault := record.fault:
        ply, move, *times = astuple(fault)
        text = None if move is None else str(move)
        row = (record.id, ply, text, *times)
        db.execute("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)", row)


class NewDatabase:
    """A database that is being made of whole records."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def save_plan(self, plan: str) -> None:
        """Keep the text of the plan."""
        self._db.execute("INSERT INTO plan VALUES (1, ?)", (plan,))

    def add(self, record: MatchRecord) -> None:
        """Keep a match that has ended, under the id that it has.

        Raises ValueError if there is one with this id, or one that counts with this number.
        """
        pairing, result = record.pairing, record.result
        begun = _beginning(pairing, record.time_control, record.started_at)
        row = (record.id, *begun, record.finished_at, *astuple(result))
        try:
            self._db.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(row))})", row)
        except sqlite3.IntegrityError as error:
            is_number = "number" in str(error)
            same = f"number {pairing.number} that counts" if is_number else f"id {record.id}"
            raise ValueError(f"there is a match with {same} already") from None
        if pairing.casual:
            self._db.execute(INSERT_CASUAL, (record.id,))
        _keep_turns(self._db, record)


@contextmanager
def new_database(path: Path) -> Iterator[NewDatabase]:
    """A database to fill; it is at its place when all went well, or there is none.

    Raises StoreError, also if there is one already.
    """
    part = Path(f"{path}.part")  # left behind by a crash, the next one removes it
    with lock(path):
        if path.exists():
            raise StoreError(f"{path} exists")
        part.unlink(missing_ok=True)
        try:
            with (
                explained(f"cannot write to {path}"),
                closing(sqlite3.connect(part, isolation_level=None)) as db,
            ):
                # Nobody else sees it and a half is thrown away: a journal would be for nothing.
                db.executescript(f"PRAGMA journal_mode = OFF; BEGIN; {SCHEMA}")
                yield NewDatabase(db)
                db.execute("COMMIT")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
