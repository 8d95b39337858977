"""Matches that puzzles are chosen from."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import Pairing
from arena.storage.spectator_reader import PuzzleReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import begin_match, run_script, store_record
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)


def start_matches(writer: DatabaseWriter, *times: float) -> None:
    for time in times:
        writer.begin_match(make_pairing(None), "5+0.05", time).stored.result()


def test_the_last_match_before_a_time_is_found(path: Path, writer: DatabaseWriter) -> None:
    start_matches(writer, *range(10, 210, 10))
    run_script(path, "DELETE FROM matches WHERE id IN (3, 8, 9, 16, 20)")
    kept = sorted({*range(1, 20)} - {3, 8, 9, 16})
    with PuzzleReader(path) as reader:
        for time in range(5, 216, 5):
            last = reader.last_before(time)
            # Ids without a match may be included.
            assert [match for match in kept if match <= last] == [
                match for match in kept if 10 * match < time
            ]


def test_later_matches_do_not_change_the_last_one(path: Path, writer: DatabaseWriter) -> None:
    start_matches(writer, 50, 20, 70, 40, 130, 30, 60)  # as after a change of the clock
    with PuzzleReader(path) as reader:
        for _ in range(30):
            last = reader.last_before(100)
            start_matches(writer, 100)
            assert last == reader.last_before(100) > 0


def test_an_empty_database_has_no_match_before(path: Path, writer: DatabaseWriter) -> None:
    assert writer.path == path
    with PuzzleReader(path) as reader:
        assert reader.last_before(math.inf) == 0
        assert reader.rated_among([1, 2, 2**62], math.inf) == []


def test_rated_matches_are_returned_in_the_order_of_the_ids(
    path: Path, writer: DatabaseWriter
) -> None:
    first = store_record(writer, make_record(make_pairing(None)))
    second = store_record(writer, make_record(Pairing(None, ("x", "y"), "isolation", {}, (1,))))
    store_record(writer, make_aborted_record(make_pairing(None)))
    store_record(writer, make_record(make_casual_pairing()))
    begin_match(writer, make_pairing(None))
    late = replace(make_record(make_pairing(None)), finished_at=2000.0)
    late = store_record(writer, late)
    writer.save_verdicts(2, "kb").result()
    with PuzzleReader(path) as reader:
        found = reader.rated_among([6, 2, 9, 5, 4, 3, 1], 2000.5)
        assert found == [(late, None), (second, "kb"), (first, None)]
        assert reader.rated_among([6, 1], 2000.0) == [(first, None)]


@pytest.mark.parametrize("time", [1000.5, 1000.6])
def test_a_match_starts_before_later_times_alone(
    path: Path, writer: DatabaseWriter, time: float
) -> None:
    begin_match(writer)
    with PuzzleReader(path) as reader:
        assert reader.last_before(time) == (time > 1000.5)
