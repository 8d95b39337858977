"""Database files: creation, versions, permissions, and locks."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, MatchResult, Pairing, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.schema import VERSION, DatabaseError, UnusableDatabase
from arena.storage.verify import find_differences
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import (
    DOWNGRADE_TO_VERSION_2,
    DOWNGRADE_TO_VERSION_3,
    MOVES,
    begin_match,
    make_database,
    prepare,
    result_numbers,
    run_script,
    store_record,
    stored_records,
)
from tests.support.tournaments.records import (
    make_casual_pairing,
    make_pairing,
    make_record,
)

# Files


def test_a_database_has_the_application_id_of_the_arena(writer: DatabaseWriter) -> None:
    with closing(sqlite3.connect(writer.path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (int.from_bytes(b"TSTA"),)


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    with DatabaseWriter(path) as writer:
        assert begin_match(writer) == 1


@loop_over("name", ["a b.db", "50%.db", "what?.db", "a#b.db", "file:x.db", "石.db"])
def test_any_file_name_is_allowed(tmp_path: Path, name: str) -> None:
    with DatabaseWriter(tmp_path / name) as writer:
        store_record(writer, make_record())
    assert result_numbers(tmp_path / name) == [1]


def test_a_second_writer_is_rejected(writer: DatabaseWriter) -> None:
    with pytest.raises(DatabaseError, match=f"^another arena is writing to {writer.path}$"):
        DatabaseWriter(writer.path)
    assert begin_match(writer) == 1


FOREIGN_SCHEMA = "CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('monday');"
ARENAS = "PRAGMA application_id = 0x54535441; PRAGMA user_version = {}; CREATE TABLE plan (a);"
SUPPORTED = r"\(supported: 2, 3, 4, 5\)$"


@pytest.mark.parametrize("open_database", [DatabaseWriter, DatabaseReader])
@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("", r"^cannot (use|read) .*arena\.db: file is not a database$"),
        (FOREIGN_SCHEMA, r"arena\.db is not a database of the arena$"),
        (ARENAS.format(0), rf"^.*arena\.db: unsupported database version 0 {SUPPORTED}"),
        (ARENAS.format(1), rf"^.*arena\.db: unsupported database version 1 {SUPPORTED}"),
        (ARENAS.format(6), rf"^.*arena\.db: unsupported database version 6 {SUPPORTED}"),
    ],
)
def test_other_files_are_rejected_and_stay_unchanged(
    path: Path, open_database: type[DatabaseWriter | DatabaseReader], script: str, error: str
) -> None:
    run_script(path, script) if script else path.write_text("my diary" * 100)
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match=error):
        open_database(path)
    assert path.read_bytes() == before
    path.unlink()
    with DatabaseWriter(path) as writer:  # there is no lock
        assert begin_match(writer) == 1


OPENERS = pytest.mark.parametrize("open_database", [DatabaseWriter, DatabaseReader])


def read_version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


@pytest.fixture
def version_2_record(path: Path) -> MatchRecord:
    """Create a database of version 2; return the record of its match."""
    with DatabaseWriter(path) as writer:
        record = store_record(writer, make_record(moves=MOVES))
    run_script(path, DOWNGRADE_TO_VERSION_2)
    return record


def test_a_database_of_version_2_is_read_and_left_unchanged(
    path: Path, version_2_record: MatchRecord
) -> None:
    before = path.read_bytes()
    assert stored_records(path) == [version_2_record]
    with DatabaseReader(path) as records:
        assert [tally.total() for tally in records.tallies().values()] == [1]
        assert records.latest_matches(9) == [(replace(version_2_record, moves=()), 2)]
    assert path.read_bytes() == before


def test_opening_for_writing_upgrades_version_2(path: Path, version_2_record: MatchRecord) -> None:
    with DatabaseWriter(path) as writer:
        casual = store_record(writer, make_record(make_casual_pairing()))
        assert stored_records(path) == [casual, version_2_record]
    assert read_version(path) == VERSION


def test_a_reader_of_version_2_continues_after_the_upgrade(
    path: Path, version_2_record: MatchRecord
) -> None:
    with DatabaseReader(path) as records:
        prepare(path)
        assert [*records.matches(moves=True)] == [version_2_record]


def test_opening_for_writing_upgrades_version_3(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        casual = store_record(writer, make_record(make_casual_pairing()))
    run_script(path, DOWNGRADE_TO_VERSION_3)
    assert stored_records(path) == [casual]
    with DatabaseWriter(path) as writer:
        failed = store_record(writer, make_record(log="thinking"))
        assert stored_records(path) == [casual, failed]
    assert read_version(path) == VERSION


def test_an_upgrade_is_atomic(path: Path, version_2_record: MatchRecord) -> None:
    run_script(path, "UPDATE matches SET setup = CAST(x'ff' AS TEXT)")  # cannot be counted
    with pytest.raises(DatabaseError, match=r"^cannot use .*: Could not decode to UTF-8"):
        prepare(path)
    assert read_version(path) == 2
    run_script(path, """UPDATE matches SET setup = '{"stones": 7}'""")
    assert stored_records(path) == [version_2_record]


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(
        DatabaseError, match=r"^cannot write to .*x\.db: No such file or directory$"
    ):
        DatabaseWriter(tmp_path / "nowhere" / "x.db")


def test_a_pipe_instead_of_a_database(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(DatabaseError, match=f"^{path} is not a regular file$"):
        DatabaseWriter(path)
    assert path.exists()


def test_reading_a_missing_database(path: Path) -> None:
    with pytest.raises(DatabaseError, match=f"^database {path} does not exist$"):
        DatabaseReader(path)
    assert not path.exists()
    path.mkdir()
    with pytest.raises(DatabaseError, match=f"^{path} is not a regular file$"):
        DatabaseReader(path)


@OPENERS
@loop_over(
    ("script", "different"),
    [
        *((f"DROP TABLE {table}", f"table {table}") for table in ("plan", "moves", "casual")),
        ("DROP INDEX counted_once", "index counted_once"),
        ("CREATE INDEX again ON matches (number)", "index again"),
        ("CREATE VIEW seen AS SELECT 1", "view seen"),
        ("DROP TABLE verdicts; CREATE VIEW verdicts AS SELECT 1, ''", "view verdicts"),
        ("CREATE TRIGGER t AFTER INSERT ON verdicts BEGIN DELETE FROM moves; END", "trigger t"),
        ("ALTER TABLE logs ADD COLUMN x TEXT DEFAULT 'y'", "table logs"),
        ("ALTER TABLE plan RENAME COLUMN plan TO text", "table plan"),
        ("CREATE TABLE more (x DEFAULT '--' CHECK (x))", "table more"),
    ],
)
def test_the_schema_is_exactly_that_of_its_version(
    tmp_path: Path,
    open_database: type[DatabaseWriter | DatabaseReader],
    script: str,
    different: str,
) -> None:
    path = make_database(tmp_path / "arena.db", [make_record()])
    run_script(path, script)
    before = path.read_bytes()
    error = f"^{path}: {different} differs from the schema of version 5$"
    with pytest.raises(UnusableDatabase, match=error):
        open_database(path)
    assert path.read_bytes() == before


def test_comments_of_the_schema_may_differ(path: Path) -> None:
    make_database(path, [make_record()])
    run_script(
        path,
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql ="
        " replace(sql, '-- unique for each attempt', '-- each attempt has its own')",
    )
    assert result_numbers(path) == [1]


def test_statistics_of_analyze_are_no_foreign_tables(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        store_record(writer, make_record())
    run_script(path, "ANALYZE")
    assert result_numbers(path) == [1]
    run_script(path, "DROP TABLE sqlite_stat1; CREATE TABLE other(tbl,idx,stat)")
    with pytest.raises(UnusableDatabase, match="table other differs"):
        result_numbers(path)


def test_a_folder_without_write_permission(shared_folder: Path) -> None:
    closed = shared_folder / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(DatabaseError, match=r"^cannot write to .*x\.db: Permission denied$"):
        DatabaseWriter(closed / "x.db")


@OPENERS
def test_a_database_without_read_permission(
    shared_folder: Path, open_database: type[DatabaseWriter | DatabaseReader]
) -> None:
    DatabaseWriter(shared_folder / "x.db").close()
    (shared_folder / "x.db").chmod(0)
    with pytest.raises(
        DatabaseError, match=r"^cannot (open|read) .*: unable to open database file$"
    ):
        open_database(shared_folder / "x.db")


def test_a_database_without_write_permission(shared_folder: Path) -> None:
    DatabaseWriter(shared_folder / "x.db").close()
    (shared_folder / "x.db").chmod(0o400)
    with (
        pytest.raises(DatabaseError, match="readonly database"),
        DatabaseWriter(shared_folder / "x.db") as writer,
    ):
        begin_match(writer)


# Locks of other processes


LOCK_SCRIPT = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def short_busy_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the locks of other processes for 10 ms only."""
    monkeypatch.setattr("arena.storage.connection.BUSY_TIMEOUT", 0.01)
    monkeypatch.setattr("arena.storage.connection.REWRITE_TIMEOUT", 0.01)


SHORT_BUSY_TIMEOUT = pytest.mark.usefixtures("short_busy_timeout")  # before `writer`


@contextmanager
def locked_by_another_process(path: Path, statement: str) -> Iterator[None]:
    """Execute a statement in another process, which holds its lock until the end."""
    command = [sys.executable, "-c", LOCK_SCRIPT, str(path), statement]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield


WRITE_LOCK = "BEGIN IMMEDIATE"
EXCLUSIVE_LOCK = "BEGIN EXCLUSIVE"


@SHORT_BUSY_TIMEOUT
def test_a_write_lock_of_another_process_loses_no_record(writer: DatabaseWriter) -> None:
    record = store_record(writer, make_record(moves=MOVES))
    text = "^cannot write to the database: database is locked$"
    with locked_by_another_process(writer.path, WRITE_LOCK):
        with pytest.raises(DatabaseError, match=text):
            begin_match(writer)
        assert stored_records(writer.path) == [record]
    assert stored_records(writer.path) == [record]
    assert begin_match(writer) > record.id


@SHORT_BUSY_TIMEOUT
@OPENERS
def test_an_exclusive_lock_of_another_process(
    path: Path, open_database: type[DatabaseWriter | DatabaseReader]
) -> None:
    DatabaseWriter(path).close()
    run_script(path, "PRAGMA journal_mode = DELETE")
    text = r"^cannot (use|read) .*: database is locked$"
    with locked_by_another_process(path, EXCLUSIVE_LOCK), pytest.raises(DatabaseError, match=text):
        open_database(path)


# Matches of an arena that was killed


INTERRUPTED = MatchResult(Termination.ABORTED, None, "the arena was killed")


@pytest.mark.parametrize("pairing", [make_pairing(7), make_casual_pairing(make_pairing(None))])
def test_an_interrupted_match_is_aborted_at_the_next_opening(path: Path, pairing: Pairing) -> None:
    with DatabaseWriter(path) as writer:
        match = begin_match(writer, pairing)
        assert stored_records(path) == []
    prepare(path)
    [record] = stored_records(path)
    assert (record.id, record.pairing, record.result) == (match, pairing, INTERRUPTED)
    assert record.finished_at == record.started_at
    assert find_differences(record) == []


def test_reading_does_not_abort_matches_in_progress(writer: DatabaseWriter) -> None:
    record = replace(make_record(), id=begin_match(writer, make_record().pairing))
    assert stored_records(writer.path) == []
    writer.finish_match(record).result()
    assert stored_records(writer.path) == [record]
