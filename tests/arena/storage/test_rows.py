"""Moves, faults and logs of many matches: each match gets its own."""

from dataclasses import replace

import pytest

from arena.model.results import Fault
from arena.storage import reader
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import MOVES, store_record, stored_records
from tests.support.tournaments.records import make_pairing, make_record

FAULT = Fault(2, None, 1.5, 0.0, 1.5, 0.0)
BIG_FAULT = Fault(0, 2**80, 1.5, 0.0, 1.5, 0.0)


def test_each_match_gets_its_own_moves(writer: DatabaseWriter) -> None:
    records = [
        store_record(writer, make_record(make_pairing(number), moves=moves))
        for number, moves in enumerate([MOVES, (), MOVES[:1], MOVES], 1)
    ]
    assert stored_records(writer.path) == records


def test_each_match_gets_its_own_fault(writer: DatabaseWriter) -> None:
    records = [
        store_record(writer, make_record(make_pairing(1), moves=MOVES, fault=FAULT)),
        store_record(writer, make_record(make_pairing(2))),
        store_record(writer, make_record(make_pairing(3), fault=BIG_FAULT)),
    ]
    assert stored_records(writer.path) == records


def test_each_match_gets_its_own_log(writer: DatabaseWriter) -> None:
    records = [
        store_record(writer, replace(make_record(make_pairing(number)), log=log))
        for number, log in enumerate(["", "Traceback", ""], 1)
    ]
    assert stored_records(writer.path) == records


def test_the_order_is_that_of_the_schedule(writer: DatabaseWriter) -> None:
    for number in (3, 1, 2):
        store_record(writer, make_record(make_pairing(number), moves=MOVES[: number - 1]))
    numbers = [(record.pairing.number, len(record.moves)) for record in stored_records(writer.path)]
    assert numbers == [(1, 0), (2, 1), (3, 2)]


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
