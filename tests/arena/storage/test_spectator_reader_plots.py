"""Sums for plots: only rated matches of one game count."""

from dataclasses import replace

import pytest

from arena.model.results import PlayedMove
from arena.storage.schema import DatabaseError
from arena.storage.spectator_reader import PlotReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import run_script, store_record
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

MOVES = tuple(PlayedMove(ply, ply, 0.5, 0.0, 0.25, 0.0) for ply in range(2, 5))


def store_matches(writer: DatabaseWriter) -> PlotReader:
    """Store two rated matches of Take-Stones, and others that do not count."""
    opening = replace(make_pairing(), opening=(3, 6))
    store_record(writer, make_record(opening, moves=MOVES))
    store_record(writer, make_record(make_pairing(2, ("bert", "anna")), None, moves=MOVES[:1]))
    store_record(writer, make_aborted_record(make_pairing(3)))
    store_record(writer, make_record(make_casual_pairing(), moves=MOVES))
    store_record(writer, make_record(replace(make_pairing(4), game="isolation", setup={})))
    return PlotReader(writer.path)


def test_games_are_counted(writer: DatabaseWriter) -> None:
    with store_matches(writer) as records:
        assert records.games_by_size() == [("take_stones", 2), ("isolation", 1)]


def test_openings_have_players_and_winner(writer: DatabaseWriter) -> None:
    with store_matches(writer) as records:
        assert [*records.openings("take_stones")] == [
            ('{"stones": 7}', "[3, 6]", "anna", "bert", 1),
            ('{"stones": 7}', "[]", "bert", "anna", None),
        ]


def test_lengths_include_the_opening(writer: DatabaseWriter) -> None:
    with store_matches(writer) as records:
        assert records.lengths("take_stones") == [(1, 1), (5, 1)]


def test_times_are_summed_by_bot_and_ply(writer: DatabaseWriter) -> None:
    with store_matches(writer) as records:
        assert records.move_times("take_stones") == [
            ("anna", 2, 1, 0.25),
            ("anna", 4, 1, 0.25),
            ("bert", 2, 1, 0.25),
            ("bert", 3, 1, 0.25),
        ]


@pytest.mark.parametrize("change", ["matches = 9", "player1 = 'carl'"])
def test_tallies_are_those_of_the_matches(writer: DatabaseWriter, change: str) -> None:
    with store_matches(writer) as records:
        records.check_tallies()
        run_script(writer.path, f"UPDATE tallies SET {change}")
        with pytest.raises(DatabaseError, match=r"the tallies are not those of the matches$"):
            records.check_tallies()
