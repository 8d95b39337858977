"""Database writer: plans, matches, moves and verdicts.

One thread writes. Changes that arrive while it is busy are committed together, and those of a kind
are made by few statements, so that many matches cost one wait for the disk and few waits for the
interpreter lock. A future is done when its change would survive a crash.
"""

import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import astuple, replace
from functools import lru_cache
from itertools import chain, count, repeat
from operator import add
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
from msgspec import structs

from arena.model.played_matches import PlayedMatches
from arena.model.results import MatchRecord, Pairing
from arena.storage.connection import (
    connect,
    open_for_writing,
    prepare_for_writing,
    size_of,
    sqlite_files,
)
from arena.storage.schema import (
    IS_RATED,
    SCHEMA,
    DatabaseError,
    UnusableDatabase,
    locked,
    translated_errors,
)
from arena.storage.tallies import (
    count_played,
    count_records,
    count_stored_matches,
    parts,
    setup_text,
)

Write = Callable[[sqlite3.Connection, list[Any]], list[Any]]
"""Makes changes of one kind, which are independent, and returns the result of each."""

# Seconds for which a commit waits for further changes, for each match in progress: with many
# matches others end soon, and a commit of many changes costs little more than that of one.
COMMIT_DELAY, MAX_COMMIT_DELAY = 1e-4, 0.01
START_DELAY = 0.01  # seconds for which a start waits for another change, as nobody waits for it
ROWS_PER_STATEMENT = 256
PLAYED_MOVE = "column1, column2, column3, column4, 0.0, column4, 0.0"  # charged what has elapsed
CACHED_TEXTS = 1024  # openings, which many matches share


class MatchStart(NamedTuple):
    """A match that begins: its id, and a future that is done when its start is stored."""

    id: int
    stored: Future[None]


class _Request(NamedTuple):
    write: Write
    change: Any
    future: Future[Any]


class DatabaseWriter:
    """Write access to a database, for one process at a time.

    A database that exists stays as it is until the first change, which upgrades an old one: a
    command that refuses it leaves it unchanged. One that was missing or empty is removed if an
    exception, also Ctrl-C, ends the `with` block before anything is stored, with its log.

    Args:
        path: The database; it is created if it does not exist.

    Attributes:
        path: The database.
        has_failed: Whether a write has failed.
        rewrites: The number of times that another process was seen to have changed the database.

    Raises:
        DatabaseError: If it cannot be opened, or another arena is writing to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = ExitStack()
        self._lock.enter_context(locked(path))
        is_missing = not os.path.lexists(path)
        is_empty = path.is_file() and not (path.is_symlink() or size_of(path))
        self._is_new = is_missing or is_empty
        self._is_prepared = False
        self._queue: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        opened: Future[int] = Future()
        self._submitted = 0
        self._completed = 0  # written or failed; only the writing thread changes it
        self._in_progress = 0  # matches
        self.has_failed = False
        self.rewrites = 0
        self._data_version: int | None = None
        self._thread = threading.Thread(target=self._run, args=(opened,), name="database")
        try:
            self._thread.start()
            self._last_match = opened.result()
        except BaseException as error:  # also Ctrl-C: the process waits for the thread to end
            self.__exit__(type(error), error, None)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._queue.put(None)
        self._thread.join()
        if self._is_new and not self._submitted and error:
            for file in sqlite_files(self.path):
                file.unlink(missing_ok=True)
        self._lock.close()

    def close(self) -> None:
        """Finish all writes and close the database."""
        self._queue.put(None)
        self._thread.join()
        self._lock.close()

    @property
    def pending(self) -> int:
        """The number of writes that are not on the disk yet."""
        return self._submitted - self._completed

    def prepare(self) -> None:
        """Upgrade the database now, before the first change, and wait until that is on the disk.

        Raises:
            DatabaseError: If it cannot be written.
        """
        self.look().result()

    def look(self) -> Future[None]:
        """Look whether another process has changed the database, after all earlier writes."""
        return self._submit(_change_nothing, None)

    def save_plan(self, plan: str) -> None:
        """Store the plan, a JSON text, and wait until it is on the disk.

        Raises:
            DatabaseError: If it cannot be written, or a plan is stored already.
        """
        self._submit(_insert_plans, plan).result()

    def replace_plan(self, stored: str, plan: str, now: float) -> None:
        """Store the plan that extends the stored one, keep that one, and wait for the disk.

        Args:
            stored: The stored plan.
            plan: The extended plan, a JSON text.
            now: Unix time.

        Raises:
            DatabaseError: If it cannot be written, or another plan is stored.
        """
        self._submit(_replace_plans, (stored, plan, now)).result()

    def begin_match(self, pairing: Pairing, control: str, now: float) -> MatchStart:
        """Store the start of a match: a new attempt at its pairing.

        It may begin at once: it has its id, and its end cannot be stored without its start.

        Args:
            pairing: The players, the game, its setup and its opening.
            control: The time control of the match.
            now: Unix time.

        Returns:
            The start; its future may have a DatabaseError.
        """
        self._in_progress += 1
        self._last_match += 1
        start = self._last_match, (pairing, control, now)
        return MatchStart(self._last_match, self._submit(_insert_starts, start))

    def finish_match(self, record: MatchRecord) -> Future[None]:
        """Store the result and the moves of a match that `begin_match` has begun."""
        self._in_progress -= 1
        return self._submit(_store_ends, record)

    def add_matches(self, matches: PlayedMatches) -> Future[PlayedMatches]:
        """Store matches that have ended: all of them, or none.

        Returns:
            A future of the matches with their ids, which are new, or of a DatabaseError.
        """
        stored = replace(matches, first=self._last_match + 1)
        self._last_match += len(matches)
        return self._submit(_insert_batches, stored)

    def save_verdicts(self, match: int, verdicts: str) -> Future[None]:
        """Store the verdicts on the moves of a match, a letter for each of the players' moves."""
        return self._submit(_insert_verdicts, (match, verdicts))

    def _submit(self, write: Write, change: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # a caller that stops waiting does not stop the write
        self._submitted += write is not _change_nothing
        self._queue.put(_Request(write, change, future))
        return future

    def _run(self, opened: Future[int]) -> None:
        """Commit batches of writes until the writer is closed; runs in the writing thread."""
        with ExitStack() as stack:
            try:
                db = stack.enter_context(closing(open_for_writing(self.path)))
                with translated_errors(f"cannot read {self.path}"):
                    last = _last_match(db)
            except Exception as error:  # of any kind: the constructor waits
                opened.set_exception(error)
                return
            opened.set_result(last)
            while batch := self._next_batch():
                self._commit(db, batch)

    def _next_batch(self) -> list[_Request]:
        """Wait for a request; return it and all others in the queue, or nothing at the end."""
        batch: list[_Request] = []
        item = self._queue.get()
        give_up_at = time.monotonic() + START_DELAY
        try:
            while item and item.write is _insert_starts:
                batch.append(item)
                item = self._queue.get(timeout=max(0.0, give_up_at - time.monotonic()))
        except queue.Empty:
            return batch
        if self._in_progress > 1:
            time.sleep(min(COMMIT_DELAY * self._in_progress, MAX_COMMIT_DELAY))
        while item is not None:
            batch.append(item)
            if self._queue.empty():
                break
            item = self._queue.get()
        if item is None and batch:
            self._queue.put(None)
        return batch

    def _commit(self, db: sqlite3.Connection, batch: list[_Request]) -> None:
        """Commit all changes of a batch, or none."""
        kinds: dict[Write, list[_Request]] = {}
        batch.sort(key=lambda request: request.write is not _insert_starts)  # before their ends
        for request in batch:
            kinds.setdefault(request.write, []).append(request)
        try:
            if not self._is_prepared:
                prepare_for_writing(db, self.path)
                self._is_prepared = True
            # Immediately: after a first read, a lock of another process would not be waited for.
            db.execute("BEGIN" if [*kinds] == [_change_nothing] else "BEGIN IMMEDIATE")
            self._notice_rewrites(db)
            results = [
                result
                for write, requests in kinds.items()
                for result in write(db, [request.change for request in requests])
            ]
            db.execute("COMMIT")
        except Exception as error:  # of any kind: every future must be completed
            if db.in_transaction:
                db.execute("ROLLBACK")
            self.has_failed = True
            self._complete(batch)
            for request in batch:
                request.future.set_exception(_write_error(error))
        else:
            self._complete(batch)
            for request, result in zip(chain(*kinds.values()), results, strict=True):
                request.future.set_result(result)

    def _complete(self, batch: list[_Request]) -> None:
        """Count the writes that are stored or have failed."""
        self._completed += sum(request.write is not _change_nothing for request in batch)

    def _notice_rewrites(self, db: sqlite3.Connection) -> None:
        """Count a change by another connection since the last call."""
        (version,) = db.execute("PRAGMA data_version").fetchone()
        self.rewrites += self._data_version not in {None, version}
        self._data_version = version


class ReadOnlyDatabase(DatabaseWriter):
    """Database that cannot be written, in the place of a writer: each write fails at once.

    Args:
        path: The database.
        reason: Why it cannot be written.
    """

    def __init__(self, path: Path, reason: DatabaseError) -> None:
        self.path = path
        self.has_failed = False
        self.rewrites = 0
        self._submitted = self._completed = self._in_progress = self._last_match = 0
        self._reason = reason

    def __exit__(self, *_: object) -> None:
        pass

    def prepare(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def _submit(self, _write: Write, _change: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(self._reason)
        return future


def _write_error(error: Exception) -> DatabaseError:
    if isinstance(error, DatabaseError):  # of the upgrade
        return error
    return DatabaseError(f"cannot write to the database: {error}")


def _change_nothing(_db: sqlite3.Connection, changes: list[None]) -> list[None]:
    return changes


def _insert_plans(db: sqlite3.Connection, plans: list[str]) -> list[None]:
    db.executemany("INSERT INTO plan VALUES (1, ?)", zip(plans))
    return [None] * len(plans)


def _replace_plans(
    db: sqlite3.Connection, replacements: list[tuple[str, str, float]]
) -> list[None]:
    """Replace stored plans by others at Unix times. Raises ValueError if another one is stored."""
    for stored, plan, now in replacements:
        if not db.execute("UPDATE plan SET plan = ? WHERE plan = ?", (plan, stored)).rowcount:
            raise ValueError("another plan is stored")
        db.execute("INSERT INTO former_plans VALUES (NULL, ?, ?)", (stored, now))
    return [None] * len(replacements)


def _insert_starts(
    db: sqlite3.Connection, starts: list[tuple[int, tuple[Pairing, str, float]]]
) -> list[None]:
    """Insert matches that begin, by id: pairing, time control and Unix time."""
    no_end = (None,) * 4
    rows = ((match, *_start_columns(*start), *no_end) for match, start in starts)
    _insert_rows(db, "matches", rows)
    _insert_rows(db, "casual", ((match,) for match, (pairing, *_) in starts if pairing.casual))
    return [None] * len(starts)


def _store_ends(db: sqlite3.Connection, records: list[MatchRecord]) -> list[None]:
    """Store the ends of matches, with the starts that could not be stored, and count them."""
    _insert_turns(db, records)
    for some in parts(records, ROWS_PER_STATEMENT):
        if _update_ends(db, some) != len(some):
            ids = [record.id for record in some]
            query = "SELECT id FROM matches WHERE id BETWEEN ? AND ?"
            stored = {match for (match,) in db.execute(query, (min(ids), max(ids)))}
            begun = [
                (record.id, (record.pairing, record.time_control, record.started_at))
                for record in some
                if record.id not in stored
            ]
            _insert_starts(db, begun)
            _update_ends(db, some)
    count_records(db, records)
    return [None] * len(records)


def _update_ends(db: sqlite3.Connection, records: Sequence[MatchRecord]) -> int:
    """Store the ends of at most ROWS_PER_STATEMENT matches; return how many have begun."""
    values = ", ".join(["(?, ?, ?, ?, ?)"] * len(records))
    return db.execute(
        "UPDATE matches SET finished_at = column2, termination = column3, winner = column4,"
        f" reason = column5 FROM (VALUES {values}) WHERE id = column1",
        [value for record in records for value in (record.id, *_end_columns(record))],
    ).rowcount


def _insert_batches(db: sqlite3.Connection, batches: list[PlayedMatches]) -> list[PlayedMatches]:
    """Insert batches of matches that have ended. Return them."""
    for batch in batches:
        _insert_rows(db, "matches", _played_rows(batch))
        _insert_rows(db, "moves", _played_moves(batch), PLAYED_MOVE)
        _insert_details(db, [*batch.detailed_records()])
        count_played(db, batch)
    return batches


def _played_rows(batch: PlayedMatches) -> Iterator[tuple[Any, ...]]:
    """Yield matches that were played in process, in the order of the columns."""
    for id_, (pairing, match) in enumerate(batch, batch.first):
        start = _start_columns(pairing, pairing.time or batch.time_control, match.started_at)
        yield id_, *start, match.finished_at, match.termination, match.winner, match.reason


def _played_moves(batch: PlayedMatches) -> Iterator[tuple[int, int, int, float]]:
    """Return match, ply, move and time of each move, for `PLAYED_MOVE`."""
    pairings, matches = batch.pairings, batch.matches
    lengths = [len(match.moves) for match in matches]
    begins = [len(pairing.opening) for pairing in pairings]
    return zip(
        chain.from_iterable(map(repeat, count(batch.first), lengths)),
        chain.from_iterable(map(range, begins, map(add, begins, lengths))),
        chain.from_iterable([match.moves for match in matches]),
        chain.from_iterable([match.elapsed for match in matches]),
        strict=True,
    )


def _insert_verdicts(db: sqlite3.Connection, verdicts: list[tuple[int, str]]) -> list[None]:
    """Insert verdicts by the id of their match."""
    _insert_rows(db, "verdicts", verdicts)
    return [None] * len(verdicts)


def _last_match(db: sqlite3.Connection) -> int:
    """Return the highest id of a match, or 0."""
    (last,) = db.execute("SELECT ifnull(max(id), 0) FROM matches").fetchone()
    return int(last)


def _start_columns(pairing: Pairing, control: str, now: float) -> tuple[Any, ...]:
    """Return the values known at the start of a match, in the order of the columns."""
    setup, opening = setup_text(*pairing.setup.items()), _opening_text(pairing.opening)
    return pairing.number, pairing.game, setup, opening, *pairing.players, control, now


@lru_cache(CACHED_TEXTS)
def _opening_text(opening: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, opening))}]"  # JSON, in a fifth of the time of json.dumps


def _match_columns(record: MatchRecord) -> tuple[Any, ...]:
    """Return a match that has ended, in the order of the columns."""
    start = _start_columns(record.pairing, record.time_control, record.started_at)
    return record.id, *start, *_end_columns(record)


def _end_columns(record: MatchRecord) -> tuple[Any, ...]:
    """Return the values known at the end of a match, in the order of the columns."""
    result = record.result
    return record.finished_at, result.termination, result.winner, result.reason


def _insert_turns(db: sqlite3.Connection, records: Sequence[MatchRecord]) -> None:
    # The fields of a move are in the order of the columns.
    moves = ((record.id, *structs.astuple(move)) for record in records for move in record.moves)
    _insert_rows(db, "moves", moves)
    _insert_details(db, records)


def _insert_details(db: sqlite3.Connection, records: Sequence[MatchRecord]) -> None:
    """Insert what few matches have besides moves."""
    _insert_rows(db, "faults", (_fault_columns(record) for record in records if record.fault))
    _insert_rows(
        db, "tags", ((record.id, *tag) for record in records for tag in record.tags.items())
    )
    _insert_rows(db, "infos", _info_rows(records))
    _insert_rows(db, "logs", ((record.id, record.log) for record in records if record.log))


def _info_rows(records: Sequence[MatchRecord]) -> Iterator[tuple[Any, ...]]:
    for record in records:
        for ply, info in record.infos.items():
            yield record.id, ply, msgspec.json.encode(info).decode()


def _fault_columns(record: MatchRecord) -> tuple[Any, ...]:
    assert record.fault, "the match has a fault"
    ply, move, *times = astuple(record.fault)
    return record.id, ply, None if move is None else str(move), *times


def _insert_rows(
    db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]], columns: str = "*"
) -> None:
    """Insert rows of a table.

    Args:
        db: The database.
        table: The table.
        rows: The rows.
        columns: The value of each column of the table, where column1 is the first of a row.
    """
    # Many rows at a time: after each statement the thread waits for the interpreter lock.
    for some in parts(rows, ROWS_PER_STATEMENT):
        insert = _insert_statement(table, len(some[0]), len(some), columns)
        db.execute(insert, [*chain.from_iterable(some)])


@lru_cache  # at most as many as there are numbers of rows, for each table
def _insert_statement(table: str, length: int, rows: int, columns: str) -> str:
    row = f"({', '.join(length * '?')})"
    return f"INSERT INTO {table} SELECT {columns} FROM (VALUES {', '.join(rows * [row])})"


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
            _insert_rows(self._db, "matches", [_match_columns(record)])
        except sqlite3.IntegrityError as error:
            is_number = "number" in str(error)
            key = f"number {pairing.number}" if is_number else f"id {record.id}"
            raise ValueError(f"duplicate match {key}") from None
        if pairing.casual:
            self._db.execute("INSERT INTO casual VALUES (?)", (record.id,))
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
        UnusableDatabase: If the path exists.
        DatabaseError: If it cannot be written.
    """
    with new_database_file(path) as db:
        db.execute("BEGIN")
        yield NewDatabase(db)
        count_stored_matches(db, IS_RATED)
        db.execute("COMMIT")


@contextmanager
def new_database_file(path: Path) -> Iterator[sqlite3.Connection]:
    """Create an empty database, which appears at its path as `create_database` describes it.

    Args:
        path: The database, which must not exist.

    Yields:
        A connection to the database, without a transaction.

    Raises:
        DatabaseError: If the path exists or cannot be written.
    """
    part = Path(f"{path}.part")  # one that a crash left behind is removed by the next import
    with locked(path):
        if path.exists():
            raise UnusableDatabase(f"{path} exists already")
        part.unlink(missing_ok=True)
        try:
            with (
                translated_errors(f"cannot write to {path}"),
                closing(connect(part.absolute())) as db,
            ):
                # No other process opens it, and an incomplete one is removed: it needs no journal.
                db.executescript(f"PRAGMA journal_mode = OFF; BEGIN; {SCHEMA} COMMIT;")
                yield db
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
