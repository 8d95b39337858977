"""Cursor in the rated results: each result is read once, in whatever order matches end."""

from collections import Counter
from collections.abc import Iterator

import pytest

from arena.model.results import MISSING, Pairing, PairScore, Termination
from arena.storage import reader as reader_module
from arena.storage.reader import DatabaseReader
from arena.storage.spectator_reader import NewResults
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
def results(writer: DatabaseWriter) -> Iterator[NewResults]:
    with DatabaseReader(writer.path) as database:
        yield NewResults(database)


def read(results: NewResults) -> dict[str, int]:
    """Return the number of new results by game."""
    found: Counter[str] = Counter()
    for new in results.read():
        found[new.game] += sum(new.times or [1] * len(new.results))
    return {game: number for game, number in found.items() if number}


def test_result_has_players_winner_and_termination(
    writer: DatabaseWriter, results: NewResults
) -> None:
    pairing = make_pairing(None)
    store_record(writer, make_record(pairing, winner=2, termination=Termination.TIMEOUT))
    first, scores = results.read()
    assert first == ("take_stones", [("anna", "bert", 2, "timeout")], [1], ())
    assert scores == ("take_stones", (), None, [PairScore("anna", "bert", 0, MISSING, 1, 1, 1)])


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
    store_record(writer, make_record(make_pairing(1)))
    assert read(results) == {"take_stones": 1}
    for number in range(2, 7):
        store_record(writer, make_record(make_pairing(number)))
    assert [len(new.results) for new in results.read() if new.results] == [2, 2, 1]


def test_scores_are_read_when_they_change(writer: DatabaseWriter, results: NewResults) -> None:
    def read_scores() -> list[tuple[int, int]]:
        return [(score.pairs, score.clusters) for new in results.read() for score in new.scores]

    store_record(writer, make_record(make_pairing(1)))
    assert read_scores() == []  # half a pair
    store_record(writer, make_record(make_pairing(2, players=("bert", "anna"))))
    assert read_scores() == [(1, 1)]
    assert read_scores() == []
