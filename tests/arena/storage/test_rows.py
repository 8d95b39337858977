"""Moves, faults and logs of many matches: each match gets its own."""

import pytest

from arena.model.results import Fault
from arena.storage import reader
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import MOVES, store_record, stored_records
from tests.support.tournaments.records import make_pairing, make_record

FAULT = Fault(2, None, 1.5, 0.0, 1.5, 0.0)
BIG_FAULT = Fault(0, 2**80, 1.5, 0.0, 1.5, 0.0)


def test_each_match_gets_its_own_moves_fault_and_log(writer: DatabaseWriter) -> None:
    """In the order of the schedule, which is not that of their ends."""
    rows = [
        (3, MOVES, FAULT, ""),
        (1, (), None, "Traceback"),
        (4, MOVES[:1], BIG_FAULT, ""),
        (2, MOVES, None, ""),
    ]
    third, first, fourth, second = (
        store_record(writer, make_record(make_pairing(number), moves=moves, fault=fault, log=log))
        for number, moves, fault, log in rows
    )
    assert stored_records(writer.path) == [first, second, third, fourth]


def test_all_batches_are_read(writer: DatabaseWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "BATCH", 2)
    records = [
        store_record(writer, make_record(make_pairing(number), moves=MOVES))
        for number in range(1, 6)
    ]
    assert stored_records(writer.path) == records


def test_one_match_can_be_completed(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(moves=MOVES))
    record = store_record(writer, make_record(make_pairing(2), moves=MOVES[:1], fault=FAULT))
    with DatabaseReader(writer.path) as records:
        _, bare = records.matches()
        assert records.with_moves(bare) == record
