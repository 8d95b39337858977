"""Durability: stored records survive a full disk and a killed process."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.model.results import (
    Fault,
    MatchRecord,
)
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.disks import full_disk
from tests.support.tournaments.databases import (
    MOVES,
    begin_match,
    result_numbers,
    store_record,
    stored_records,
)
from tests.support.tournaments.records import (
    make_pairing,
    make_record,
)

REPOSITORY = Path(__file__).parents[3]


# Full disk


FAULT = Fault(2, 5, 1.5, 0.0, 1.5, 0.25)


def store_many(writer: DatabaseWriter) -> Iterator[MatchRecord]:
    """Store more matches than there is space for."""
    for number in range(1, 10_000):
        yield store_record(writer, make_record(make_pairing(number), moves=MOVES, fault=FAULT))


def fill_disk(writer: DatabaseWriter) -> list[MatchRecord]:
    """Store matches until the disk is full; return their records."""
    records = []
    with suppress(DatabaseError):
        for record in store_many(writer):
            records.append(record)
    return records


def test_a_full_disk_on_opening(path: Path) -> None:
    with full_disk(4096), pytest.raises(DatabaseError, match=r"^cannot use .*disk"):
        DatabaseWriter(path)


def test_a_full_disk_on_writing(writer: DatabaseWriter) -> None:
    with full_disk(300_000), pytest.raises(DatabaseError, match=r"^cannot write to .*disk"):
        [*store_many(writer)]


def test_a_full_disk_loses_no_stored_record(writer: DatabaseWriter) -> None:
    with full_disk(300_000):
        records = fill_disk(writer)
    assert stored_records(writer.path) == records != []


def test_a_full_disk_leaves_no_partial_match(writer: DatabaseWriter) -> None:
    with full_disk(300_000):
        records = fill_disk(writer)
    with closing(sqlite3.connect(writer.path)) as db:
        assert db.execute("SELECT count(*) FROM moves").fetchone() == (2 * len(records),)


def test_records_from_before_a_full_disk_survive_closing(path: Path) -> None:
    with DatabaseWriter(path) as writer, full_disk(300_000):
        records = fill_disk(writer)
    assert stored_records(path) == records != []


def test_the_writer_continues_when_there_is_space_again(writer: DatabaseWriter) -> None:
    with full_disk(300_000):
        records = fill_disk(writer)
    last = store_record(writer, make_record(make_pairing(10_000)))
    assert stored_records(writer.path) == [*records, last]


# Kills


# Stores matches, ten at a time, until it is killed; prints the number of each confirmed one.
STORE_FOREVER = """
import itertools, os, sys
from dataclasses import replace
from pathlib import Path
from arena.model.results import PlayedMove
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.records import make_pairing, make_record

MOVES = tuple(PlayedMove(ply, ply + 1, 0.5, 0.0, 0.5, 0.0) for ply in range(10))
path = Path(sys.argv[1])
with DatabaseWriter(path) as writer:
    with DatabaseReader(path) as records:
        first = max((number for number, _, _ in records.results()), default=0) + 1
    for start in itertools.count(first, 10):
        records = [
            make_record(make_pairing(number), moves=MOVES) for number in range(start, start + 10)
        ]
        begun = [writer.begin_match(record.pairing, "5+0.05", 0.0) for record in records]
        for record, future in zip(records, begun):
            done = writer.finish_match(replace(record, id=future.result()))
            line = f"{record.pairing.number}\\n".encode()
            done.add_done_callback(lambda done, line=line: done.result() or os.write(1, line))
"""


def kill_after(matches: int, path: Path) -> set[int]:
    """Kill a process after it has confirmed this many matches; return all numbers it confirmed."""
    command = [sys.executable, "-c", STORE_FOREVER, str(path)]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(matches)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return {int(line) for line in lines}


@pytest.mark.parametrize("matches", [1, 2, 10, 55, 300])
def test_confirmed_records_survive_a_kill(path: Path, matches: int) -> None:
    assert kill_after(matches, path) <= {*result_numbers(path)}


def test_a_kill_leaves_no_partial_match(path: Path) -> None:
    kill_after(100, path)
    assert {len(record.moves) for record in stored_records(path)} == {10}


def test_confirmed_records_survive_several_kills(path: Path) -> None:
    said = [kill_after(30, path) for _ in range(3)]
    assert set.union(*said) <= {*result_numbers(path)}


def test_kills_duplicate_no_match(path: Path) -> None:
    for _ in range(3):
        kill_after(30, path)
    numbers = [record.pairing.number for record in stored_records(path) if record.winner]
    assert len(numbers) == len({*numbers})


def test_interrupted_matches_have_no_moves(path: Path) -> None:
    for _ in range(2):
        kill_after(30, path)
    records = [record for record in stored_records(path) if not record.winner]
    reasons = {(record.result.reason, record.moves) for record in records}
    assert reasons <= {("the arena was killed", ())}


def test_a_killed_writer_leaves_no_lock(path: Path) -> None:
    kill_after(1, path)
    with DatabaseWriter(path) as writer:
        assert begin_match(writer) > 1
