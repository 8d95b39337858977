"""Cursor in the rated results: each result is read once, in whatever order matches end."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.model.results import Pairing, Termination
from arena.storage import reader as reader_module
from arena.storage.new_results import NewResults
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import begin_match, store_record
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

ISOLATION = Pairing(None, ("anna", "bert"), "isolation", {})


@pytest.fixture
def writer(db: Path) -> Iterator[DatabaseWriter]:
    with DatabaseWriter(db) as writer:
        yield writer


@pytest.fixture
def results(writer: DatabaseWriter) -> Iterator[NewResults]:
    with DatabaseReader(writer.path) as database:
        yield NewResults(database)


def read(results: NewResults) -> dict[str, int]:
    """Return the number of new results by game."""
    found: Counter[str] = Counter()
    for game, batch in results.read():
        found[game] += len(batch)
    return dict(found)


def test_result_has_players_winner_and_termination(
    writer: DatabaseWriter, results: NewResults
) -> None:
    store_record(writer, make_record(winner=2, termination=Termination.TIMEOUT))
    assert [*results.read()] == [("take_stones", [("anna", "bert", 2, "timeout")])]


def test_results_are_read_once(writer: DatabaseWriter, results: NewResults) -> None:
    assert read(results) == {}
    store_record(writer, make_record(make_pairing(1)))
    assert read(results) == {"take_stones": 1}
    assert read(results) == {}
    store_record(writer, make_record(make_pairing(2)))
    store_record(writer, make_record(ISOLATION))
    assert read(results) == {"isolation": 1, "take_stones": 1}


def test_a_match_may_end_after_later_ones(writer: DatabaseWriter, results: NewResults) -> None:
    early = begin_match(writer, make_pairing(1))
    store_record(writer, make_record(make_pairing(2)))
    assert read(results) == {"take_stones": 1}
    store_record(writer, make_record(make_pairing(3)))
    assert read(results) == {"take_stones": 1}
    writer.finish_match(make_record(make_pairing(1), attempt=early)).result()
    assert read(results) == {"take_stones": 1}
    assert read(results) == {}


def test_unrated_matches_are_no_results(writer: DatabaseWriter, results: NewResults) -> None:
    store_record(writer, make_aborted_record())
    store_record(writer, make_record(make_casual_pairing()))
    assert read(results) == {}


def test_many_results_come_in_batches(
    writer: DatabaseWriter, results: NewResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "BATCH", 2)
    for number in range(1, 6):
        store_record(writer, make_record(make_pairing(number)))
    assert [len(batch) for _, batch in results.read()] == [2, 2, 1]
