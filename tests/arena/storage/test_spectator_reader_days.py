"""Days on which rated matches ended."""

from dataclasses import replace
from datetime import date

from arena.storage.spectator_reader import DayReader
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

MIDNIGHT = 1772323200.0  # of 1 March 2026, in UTC


def store(writer: DatabaseWriter, *ends: float, game: str = "take_stones") -> None:
    for end in ends:
        record = make_record(replace(make_pairing(None), game=game))
        store_record(writer, replace(record, finished_at=end))


def test_no_days(writer: DatabaseWriter) -> None:
    with DayReader(writer.path) as records:
        assert records.latest_days(3, 3) == []


def test_days_begin_at_midnight(writer: DatabaseWriter) -> None:
    store(writer, MIDNIGHT - 0.5, MIDNIGHT, MIDNIGHT + 86399.5)
    store(writer, MIDNIGHT + 7, game="isolation")
    with DayReader(writer.path) as records:
        latest, before = records.latest_days(3, 3)
    assert (latest.day, before.day) == (date(2026, 3, 1), date(2026, 2, 28))
    assert (latest.games, latest.matches) == ({"isolation": 1, "take_stones": 2}, 3)
    assert (latest.updated_at, before.updated_at) == (MIDNIGHT + 86399.5, MIDNIGHT - 0.5)
    assert [match.match for match in latest.latest] == [4, 3, 2]
    assert latest.latest[0].game == "isolation"
    assert latest.latest[0].players == ("anna", "bert")
    assert latest.latest[0].result.winner == 1


def test_lists_are_limited(writer: DatabaseWriter) -> None:
    store(writer, *(MIDNIGHT + 86400 * day for day in range(4) for _ in range(3)))
    with DayReader(writer.path) as records:
        days = records.latest_days(2, 2)
    assert [day.day for day in days] == [date(2026, 3, 4), date(2026, 3, 3)]
    assert [[match.match for match in day.latest] for day in days] == [[12, 11], [9, 8]]
    assert [day.matches for day in days] == [3, 3]


def test_only_rated_matches_count(writer: DatabaseWriter) -> None:
    store_record(writer, make_aborted_record(make_pairing(3)))
    store_record(writer, make_record(make_casual_pairing()))
    store(writer, MIDNIGHT)
    with DayReader(writer.path) as records:
        [day] = records.latest_days(3, 3)
    assert (day.matches, [match.match for match in day.latest]) == (1, [3])


def test_a_time_without_a_day_is_left_out(writer: DatabaseWriter) -> None:
    store(writer, 1e300, -1e300, -1e11, MIDNIGHT)
    with DayReader(writer.path) as records:
        assert [day.day for day in records.latest_days(3, 3)] == [date(2026, 3, 1)]
