"""Command `arena prune`, run as in a shell."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.tournaments.databases import make_database, stored_records
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record


def test_matches_before_a_time_are_removed(db: Path, arena: Run) -> None:
    noon = datetime(2026, 3, 1, 12).timestamp()
    times = {1: noon - 43201, 2: noon - 43200, 3: noon, 4: noon + 1}
    records = [
        replace(make_record(make_pairing(None), attempt=match), finished_at=finished)
        for match, finished in times.items()
    ]
    make_database(db, records, None)
    for time, count, left in (
        ("2026-03-01", "1 match", [2, 3, 4]),
        ("2026-03-01T12:00", "1 match", [3, 4]),
        ("2027-01-01", "1 match", [4]),  # the latest match stays
    ):
        end = arena("prune", db, "--before", time)
        assert end == CompletedCommand(0, f"{count} removed from {db}\n", "")
        assert [record.id for record in stored_records(db)] == left
    end = arena("prune", db, "--before", "soon")
    assert (end.status, end.out) == (2, "")
    assert "--before must be a time such as 20:00 or 2030-12-31T20:00, not 'soon'" in end.err


def test_the_results_of_a_tournament_stay(db: Path, arena: Run) -> None:
    make_database(db, [make_aborted_record(), make_record(attempt=2)])
    line = f"arena: the results in {db} stay: the tournament would play them again\n"
    end = arena("prune", db, "--before", "2030-01-01")
    assert end == CompletedCommand(0, f"1 match removed from {db}\n", line)
