"""Connections: files beside a database, folders that cannot be written, and limits."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.model.results import MatchRecord
from arena.storage import connection
from arena.storage.connection import SUPER_JOURNAL, open_for_reading
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import Copied, Source, merge_databases
from arena.storage.schema import DatabaseError, DatabaseInUse, UnusableDatabase, locked
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.disks import full_disk
from tests.support.tournaments.databases import (
    MOVES,
    file_names,
    make_database,
    run_script,
    store_record,
    stored_records,
)
from tests.support.tournaments.records import make_pairing, make_record

REST, KILLED, COPIED = [""], ["", "-wal", "-shm"], ["", "-wal"]
LEFT = pytest.mark.parametrize("left", [REST, KILLED, COPIED], ids=["rest", "killed", "copied"])


def leave(folder: Path, suffixes: list[str]) -> tuple[Path, list[MatchRecord]]:
    """Return a database as an arena leaves it, with files beside it, and its records."""
    path, copy = folder / "running.db", folder / "left" / "arena.db"
    copy.parent.mkdir()
    with DatabaseWriter(path) as writer:
        records = [store_record(writer, make_record(moves=MOVES))]
        if suffixes != REST:  # else the log is empty once the writer is closed
            for suffix in suffixes:
                shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    if suffixes == REST:
        shutil.copyfile(path, copy)
    return copy, records


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".db-shm"}


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path, records = leave(tmp_path, REST)
    before = contents(path.parent)
    assert stored_records(path) == records
    assert contents(path.parent) == before


@loop_over("left", [KILLED, COPIED])
def test_reading_completes_the_log_of_a_database_of_ours(tmp_path: Path, left: list[str]) -> None:
    path, records = leave(tmp_path, left)
    assert stored_records(path) == records
    assert [*contents(path.parent)] == ["arena.db"]
    assert stored_records(path) == records


@loop_over("left", [KILLED, COPIED])
def test_a_foreign_database_with_a_log_is_refused_unchanged(
    tmp_path: Path, left: list[str]
) -> None:
    path, _ = leave(tmp_path, left)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE VIEW seen AS SELECT 1")
        copy = tmp_path / "copy" / "arena.db"
        shutil.copytree(path.parent, copy.parent)
    before = contents(copy.parent)
    with pytest.raises(UnusableDatabase, match="view seen"):
        stored_records(copy)
    assert contents(copy.parent) == before


@LEFT
def test_a_folder_that_cannot_be_written(shared_folder: Path, left: list[str]) -> None:
    path, records = leave(shared_folder, left)
    path.parent.chmod(0o500)
    assert stored_records(path) == records
    assert merge_databases(shared_folder / "c.db", None, [Source(path, False)]) == Copied(1, 0)


@LEFT
def test_a_full_disk(tmp_path: Path, left: list[str]) -> None:
    path, records = leave(tmp_path, left)
    with full_disk(0):
        assert stored_records(path) == records


def test_without_a_lock_nothing_is_read_that_an_arena_may_change(shared_folder: Path) -> None:
    path, _ = leave(shared_folder, COPIED)
    with locked(path):
        path.parent.chmod(0o500)
        with pytest.raises(DatabaseError, match="unable to open database file"):
            stored_records(path)
        path.parent.chmod(0o700)


def test_sorting_needs_no_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    path = make_database(tmp_path / "a.db", [make_record()])
    db, _ = open_for_reading(path)
    with closing(db):
        assert db.execute("PRAGMA temp_store").fetchone() == (2,)  # in memory


def test_two_names_of_a_database_have_one_lock(tmp_path: Path) -> None:
    (tmp_path / "b.db").symlink_to("a.db")
    with DatabaseWriter(tmp_path / "a.db"), pytest.raises(DatabaseInUse):
        DatabaseWriter(tmp_path / "b.db")


# Files of others


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """Return a database with a journal that makes SQLite delete the file `victim`."""
    path, victim = make_database(tmp_path / "a.db", []), tmp_path / "victim"
    victim.write_text("precious\n" * 9)
    page, nonce = path.read_bytes()[:4096], 7
    head = bytes.fromhex("d9d505f920a163d7")
    for number in (1, nonce, path.stat().st_size // 4096, 512, 4096):
        head += number.to_bytes(4, "big")
    checksum = nonce + sum(page[place] for place in range(4096 - 200, 0, -200))
    name = os.fsencode(victim)
    (tmp_path / "a.db-journal").write_bytes(
        head.ljust(512, b"\0")
        + (1).to_bytes(4, "big")
        + page
        + checksum.to_bytes(4, "big")
        + (2**18 + 1).to_bytes(4, "big")
        + name
        + len(name).to_bytes(4, "big")
        + sum(name).to_bytes(4, "big")
        + SUPER_JOURNAL
    )
    return path


@pytest.mark.parametrize("open_database", [stored_records, DatabaseWriter])
def test_a_journal_deletes_no_other_file(trap: Path, open_database: object) -> None:
    assert callable(open_database)
    with pytest.raises(UnusableDatabase):
        open_database(trap)
    assert file_names(trap.parent) == {"a.db", "a.db-journal", "victim"}
    with closing(sqlite3.connect(trap)) as db:  # which is what it would do
        db.execute("SELECT * FROM plan")
    assert file_names(trap.parent) == {"a.db"}


def test_a_journal_that_cannot_be_read(shared_folder: Path) -> None:
    path = make_database(shared_folder / "a.db", [])
    (shared_folder / "a.db-journal").touch(mode=0)
    with pytest.raises(UnusableDatabase, match=r"a\.db-journal: Permission denied$"):
        DatabaseWriter(path)


@loop_over("suffix", ["-wal", "-shm", "-journal"])
@loop_over("make", [os.mkfifo, lambda path: path.symlink_to("other"), os.mkdir])
def test_only_regular_files_lie_beside_a_database(
    tmp_path: Path, suffix: str, make: object
) -> None:
    path = make_database(tmp_path / f"a{suffix}.db", [])
    assert callable(make)
    make(tmp_path / f"{path.name}{suffix}")
    for open_database in (stored_records, DatabaseWriter):
        with pytest.raises(UnusableDatabase, match=f"{path}{suffix} is not a regular file$"):
            open_database(path)


def test_a_folder_that_cannot_be_searched(shared_folder: Path) -> None:
    path, _ = leave(shared_folder, REST)
    path.parent.chmod(0)
    with pytest.raises(UnusableDatabase, match=r"Permission denied$|does not exist$"):
        stored_records(path)
    path.parent.chmod(0o700)


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to("a.db")
    with pytest.raises(UnusableDatabase, match=r"Too many levels of symbolic links$"):
        stored_records(tmp_path / "a.db")


def test_endless_queries_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_database(tmp_path / "a.db", [make_record(attempt=number) for number in [1]])
    for name, value in {"STEPS": 100, "LEAST_STEPS": 0, "STEPS_PER_BYTE": 0}.items():
        monkeypatch.setattr(connection, name, value)
    error = "it has more rows than its size allows$"
    for open_database in (stored_records, DatabaseWriter):
        with pytest.raises(DatabaseError, match=error):
            open_database(path)


def test_queries_within_a_query_have_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [make_record(make_pairing(n), attempt=n) for n in range(1, 201)]
    path = make_database(tmp_path / "a.db", records)
    limits = {"STEPS": 100, "LEAST_STEPS": 40_000, "STEPS_PER_BYTE": 0}
    for name, value in limits.items():
        monkeypatch.setattr(connection, name, value)
    with DatabaseReader(path) as reader:
        assert [reader.count() for _ in range(200)] == [200] * 200
        with pytest.raises(DatabaseError, match=r"it has more rows than its size allows$"):
            assert [reader.count() for _ in reader.matches()]


def test_a_text_larger_than_its_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_database(tmp_path / "a.db", [make_record()])
    run_script(path, "UPDATE matches SET reason = printf('%.*c', 3000000, 'x')")
    monkeypatch.setattr(connection, "VALUE_BYTES", 0)
    monkeypatch.setattr(connection, "size_of", lambda _: 1_000_000)
    with pytest.raises(DatabaseError, match="too big"):
        stored_records(path)
