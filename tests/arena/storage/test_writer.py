"""Database writer: records, plans, results, and batches of writes."""

import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.model.results import (
    Fault,
    MatchRecord,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter, create_database
from tests.support.tournaments.databases import (
    MOVES,
    begin_match,
    file_names,
    make_database,
    result_numbers,
    store_record,
    stored_plan,
    stored_records,
)
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
    played_matches,
)

FINISHED = [termination for termination in Termination if termination is not Termination.ABORTED]


@contextmanager
def one_batch() -> Iterator[None]:
    """Queue all writes of the block before the writing thread runs."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


# Records


UNUSUAL = Pairing(None, ('a"b', "石"), "some game", {"columns": 7, "rows": 6}, (3, 6, 2))
RECORDS = [
    make_aborted_record(),
    make_record(UNUSUAL),
    *(make_record(termination=termination) for termination in Termination),
    *(
        make_record(
            moves=tuple(
                PlayedMove(ply, 2 * ply, 0.1 * ply, 0.0, 0.1 * ply, 0.0) for ply in range(count)
            )
        )
        for count in (1, 64, 65, 200)
    ),
    *(
        make_record(moves=MOVES, fault=Fault(2, move, 1.5, 0.0625, 1.4375, 0.25))
        for move in (None, 0, 5, -1, 2**63, 10**4299, -(10**4299))
    ),
    *(make_record(make_casual_pairing(make_pairing(number)), moves=MOVES) for number in (None, 3)),
]


@pytest.mark.parametrize("record", RECORDS, ids=range(len(RECORDS)))
def test_a_record_is_stored_unchanged(writer: DatabaseWriter, record: MatchRecord) -> None:
    stored = store_record(writer, record)
    assert stored_records(writer.path) == [stored]


def test_matches_that_have_ended_are_stored_together(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    fault = Fault(0, 10**30, 0.5, 0.0, 0.5, 0.0)
    records = [
        make_record(
            make_pairing(2),
            moves=tuple(PlayedMove(ply, 2 * ply, 0.5, 0.0, 0.5, 0.0) for ply in range(100)),
        ),
        make_aborted_record(make_pairing(3)),
        make_record(make_pairing(4), termination=Termination.ILLEGAL_MOVE, fault=fault),
        *(make_record(make_pairing(number)) for number in range(5, 100)),
    ]
    stored = writer.add_matches(played_matches(*records)).result()
    assert stored.records() == [replace(r, id=id_) for id_, r in enumerate(records, 2)]
    assert stored_records(writer.path)[1:] == stored.records()


def test_of_several_matches_all_are_stored_or_none(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    future = writer.add_matches(played_matches(make_record(make_pairing(2)), make_record()))
    with pytest.raises(DatabaseError, match="UNIQUE constraint failed"):
        future.result()
    assert result_numbers(writer.path) == [1]


def test_matches_and_their_ids_survive_reopening(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        records = [store_record(writer, make_record(make_pairing(n), moves=MOVES)) for n in (1, 2)]
        assert [record.id for record in records] == [1, 2]
    assert stored_records(path) == records
    with DatabaseWriter(path) as writer:
        assert stored_records(path) == records
        assert begin_match(writer) == 3


def test_a_rated_pairing_has_no_time_control_of_its_own(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(replace(make_pairing(), time="5+0.05")))
    assert [record.pairing for record in stored_records(writer.path)] == [make_pairing()]


# Plan


def test_a_second_plan_is_rejected(writer: DatabaseWriter) -> None:
    writer.save_plan("this")
    with pytest.raises(DatabaseError, match="cannot write to the database: UNIQUE"):
        writer.save_plan("that")
    assert stored_plan(writer.path) == "this"
    assert store_record(writer, make_record()) in stored_records(writer.path)  # it continues


# One result for each pairing


@pytest.mark.parametrize("termination", FINISHED)
def test_the_first_result_of_a_pairing_is_kept(
    writer: DatabaseWriter, termination: Termination
) -> None:
    first = store_record(writer, make_record(make_pairing(7), winner=1))
    second = make_record(make_pairing(7), winner=2, termination=termination, moves=MOVES)
    with pytest.raises(DatabaseError, match=r"failed: matches\.number$"):
        store_record(writer, second)
    assert (result_numbers(writer.path), stored_records(writer.path)) == ([7], [first])
    with closing(sqlite3.connect(writer.path)) as db:
        assert db.execute("SELECT count(*) FROM moves").fetchone() == (0,)


def test_aborted_attempts_are_no_results(writer: DatabaseWriter) -> None:
    for make, results in (
        (make_aborted_record, []),
        (make_aborted_record, []),
        (make_record, [7]),
        (make_aborted_record, [7]),
    ):
        store_record(writer, make(make_pairing(7)))
        assert result_numbers(writer.path) == results


# Batches


def test_a_batch_has_changes_of_all_kinds(writer: DatabaseWriter) -> None:
    running = [begin_match(writer, make_pairing(number)) for number in (1, 2)]
    ends = [make_record(make_pairing(number), attempt=number) for number in running]
    with one_batch():
        futures: list[Future[Any]] = [
            writer.finish_match(ends[0]),
            (casual := writer.begin_match(make_casual_pairing(), "5+0", 0.0)).stored,
            writer.finish_match(ends[1]),
            writer.add_matches(played_matches(make_record(make_pairing(3)))),
            writer.save_verdicts(1, ""),
            (rated := writer.begin_match(make_pairing(4), "5+0", 0.0)).stored,
        ]
    added = futures[3].result()
    assert [future.result() for future in futures] == [None, None, None, added, None, None]
    assert [casual.id, added.first, rated.id] == [3, 4, 5]
    assert stored_records(writer.path) == [*ends, *added.records()]


def test_a_batch_is_atomic(writer: DatabaseWriter) -> None:
    first = store_record(writer, make_record(make_pairing(7)))
    again, other = begin_match(writer, make_pairing(7)), begin_match(writer, make_pairing(8))
    with one_batch():
        good = writer.finish_match(make_record(make_pairing(8), attempt=other))
        bad = writer.finish_match(make_record(make_pairing(7), attempt=again))
    assert [type(good.exception()), type(bad.exception())] == [DatabaseError, DatabaseError]
    assert stored_records(writer.path) == [first]


def test_a_match_may_begin_and_end_in_a_batch_that_begins_with_another_end(
    writer: DatabaseWriter,
) -> None:
    first = begin_match(writer, make_pairing(1))
    with one_batch():
        writer.finish_match(make_record(make_pairing(1), attempt=first))
        second = store_record(writer, make_record(make_pairing(2), moves=MOVES))
    assert [record.id for record in stored_records(writer.path)] == [first, second.id]


def test_an_end_stores_the_start_that_failed_and_spoils_no_other(writer: DatabaseWriter) -> None:
    lost = make_record(make_casual_pairing(), moves=MOVES)
    other = begin_match(writer, make_pairing(1))
    with one_batch():
        failed = writer.begin_match(lost.pairing, lost.time_control, lost.started_at)
        writer.begin_match(replace(make_pairing(), players=("\ud800", "bert")), "5+0", 0.0)
    assert isinstance(failed.stored.exception(), DatabaseError)
    with one_batch():
        writer.finish_match(make_record(make_pairing(1), attempt=other, moves=MOVES))
        writer.finish_match(replace(lost, id=failed.id)).result()
    records = {record.id: record for record in stored_records(writer.path)}
    assert [records[id_].moves for id_ in (other, failed.id)] == [MOVES, MOVES]
    assert records[failed.id].pairing == lost.pairing


def test_matches_that_cannot_be_read_are_an_error(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        begin_match(writer)
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'matches'"
        [(page,)], [(size,)] = db.execute(query), db.execute("PRAGMA page_size")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 8)
    with pytest.raises(DatabaseError, match=f"^cannot read {path}: database disk image"):
        DatabaseWriter(path)


def test_the_writer_continues_after_an_invalid_value(writer: DatabaseWriter) -> None:
    with pytest.raises(DatabaseError, match="cannot write to the database: Python int too large"):
        begin_match(writer, make_pairing(2**63))
    with pytest.raises(DatabaseError):
        begin_match(writer, replace(make_pairing(), players=("\ud800", "bert")))
    assert begin_match(writer) == 3  # no id is used again


def test_closing_waits_for_pending_writes(path: Path) -> None:
    writer = DatabaseWriter(path)
    with one_batch():
        starts = [writer.begin_match(make_pairing(number), "5+0", 0.0) for number in range(10)]
        writer.close()
    assert [start.stored.done() for start in starts] == [True] * 10


def test_a_writer_may_be_closed_twice(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        writer.close()
    assert stored_records(path) == []


def interrupt(_: object) -> None:
    raise KeyboardInterrupt


def leave_log(writer: DatabaseWriter) -> Future[None]:
    """Change nothing, but leave an empty log, as SQLite does on a full disk."""
    Path(f"{writer.path}-wal").touch()
    return writer.look()


def test_a_new_database_is_removed_if_it_is_interrupted_before_a_change(path: Path) -> None:
    for is_empty in (False, True):  # or missing
        if is_empty:
            path.touch()
        with pytest.raises(KeyboardInterrupt), DatabaseWriter(path) as writer:
            interrupt(leave_log(writer))
        assert file_names(path.parent) == set()
    with pytest.raises(KeyboardInterrupt), DatabaseWriter(path) as writer:
        interrupt(writer.save_verdicts(1, "="))
    assert path.exists()


def test_a_link_that_leads_nowhere_is_not_removed(path: Path) -> None:
    path.symlink_to("nowhere")
    with pytest.raises(DatabaseError, match=f"cannot open {path}: No such file or directory"):
        DatabaseWriter(path)
    assert path.is_symlink()


def test_the_future_of_a_write_cannot_be_cancelled(writer: DatabaseWriter) -> None:
    stored = writer.begin_match(make_pairing(7), "5+0.05", 0.0).stored
    assert not stored.cancel()
    assert stored.result() is None


# Extended plans


def former_plans(path: Path) -> list[tuple[str, float]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT plan, replaced_at FROM former_plans ORDER BY id").fetchall()


def test_replaced_plans_are_kept(writer: DatabaseWriter) -> None:
    writer.save_plan("small")
    writer.replace_plan("small", "larger", 1000.5)
    writer.replace_plan("larger", "largest", 2000.5)
    assert stored_plan(writer.path) == "largest"
    assert former_plans(writer.path) == [("small", 1000.5), ("larger", 2000.5)]


def test_only_the_stored_plan_is_replaced(writer: DatabaseWriter) -> None:
    writer.save_plan("small")
    with pytest.raises(DatabaseError, match="another plan is stored"):
        writer.replace_plan("tiny", "larger", 1000.5)
    assert (stored_plan(writer.path), former_plans(writer.path)) == ("small", [])


# New databases from records


def test_a_database_that_is_being_created_is_locked(tmp_path: Path) -> None:
    with create_database(tmp_path / "a.db"), pytest.raises(DatabaseError, match="another arena"):
        DatabaseWriter(tmp_path / "a.db")


def test_an_existing_database_is_not_replaced(writer: DatabaseWriter) -> None:
    path = writer.path
    writer.close()
    with pytest.raises(DatabaseError, match=r"arena\.db exists"), create_database(path):
        pass


def test_the_remains_of_a_crash_are_removed(tmp_path: Path) -> None:
    (tmp_path / "a.db.part").write_text("half")
    make_database(tmp_path / "a.db", [])
    assert file_names(tmp_path) == {"a.db"}


def test_creating_a_database_in_a_missing_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(DatabaseError, match=r"cannot write to .*: No such file"),
        create_database(tmp_path / "no" / "a.db"),
    ):
        pass


def test_a_failed_creation_leaves_no_file(tmp_path: Path) -> None:
    record = replace(make_record(), id=2**63 - 1, moves=2 * MOVES)
    with (
        pytest.raises(DatabaseError, match=r"cannot write to .*: UNIQUE constraint failed: moves"),
        create_database(tmp_path / "a.db") as database,
    ):
        database.add(record)
    assert file_names(tmp_path) == set()
