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


def test_a_full_disk_on_opening(path: Path) -> None:
    with full_disk(4096), pytest.raises(DatabaseError, match=r"^cannot use .*disk"):
        DatabaseWriter(path)


def test_a_full_disk_loses_no_stored_record_and_leaves_no_partial_match(path: Path) -> None:
    records: list[MatchRecord] = []
    with DatabaseWriter(path) as writer, full_disk(300_000):
        with pytest.raises(DatabaseError, match=r"^cannot write to .*disk"):
            records.extend(store_many(writer))
        assert stored_records(path) == records != []
    assert stored_records(path) == records
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM moves").fetchone() == (2 * len(records),)


def test_the_writer_continues_when_there_is_space_again(writer: DatabaseWriter) -> None:
    records: list[MatchRecord] = []
    with full_disk(300_000), suppress(DatabaseError):
        records.extend(store_many(writer))
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
        for record, start in zip(records, begun):
            done = writer.finish_match(replace(record, id=start.id))
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


def test_kills_lose_duplicate_and_split_no_record(path: Path) -> None:
    """Each process continues with what the killed one before it has left."""
    confirmed: set[int] = set()
    for matches in (1, 10, 100):
        confirmed |= kill_after(matches, path)
        records = stored_records(path)
        finished = [record for record in records if record.winner]
        numbers = {record.pairing.number for record in finished}
        assert confirmed <= numbers
        assert len(numbers) == len(finished)
        assert {len(record.moves) for record in finished} == {10}
        interrupted = {(record.result.reason, record.moves) for record in records} - {
            (record.result.reason, record.moves) for record in finished
        }
        assert interrupted <= {("the arena was killed", ())}
    with DatabaseWriter(path) as writer:  # there is no lock
        assert begin_match(writer) > len(confirmed)


OPEN_INTERRUPTED = """
import sys
from concurrent.futures import Future
from pathlib import Path
from arena.storage.writer import DatabaseWriter

def interrupted(_):
    raise KeyboardInterrupt

Future.result = interrupted
try:
    DatabaseWriter(Path(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_process_ends_after_an_interrupted_opening(path: Path) -> None:
    command = [sys.executable, "-c", OPEN_INTERRUPTED, str(path)]
    assert subprocess.check_output(command, cwd=REPOSITORY, timeout=60) == b"interrupted\n"
    assert not path.exists()
