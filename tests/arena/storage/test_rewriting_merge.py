"""Merging of databases: what is copied, and matches that contradict each other."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.model.results import Fault, Info, MatchRecord, PairScore, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import Copied, MergeConflict, Source, add_matches, merge_databases
from arena.storage.schema import APPLICATION_ID, DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import (
    DOWNGRADE_TO_VERSION_2,
    MOVES,
    begin_match,
    file_names,
    make_database,
    run_script,
    stored_plan,
    stored_records,
)
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)


def numbered(number: int, attempt: int, winner: int = 1, started: float = 1.0) -> MatchRecord:
    record = make_record(make_pairing(number), winner, attempt=attempt, moves=MOVES)
    return replace(record, started_at=started)


def rows(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"SELECT * FROM {table}").fetchall()


def merge(folder: Path, *stored: Iterable[MatchRecord]) -> Copied:
    """Merge databases of such records as parts of a tournament, to merged.db."""
    sources = [
        Source(make_database(folder / f"{place}.db", records), keeps_numbers=True)
        for place, records in enumerate(stored)
    ]
    return merge_databases(folder / "merged.db", "{}", sources)


def without_ids(records: Iterable[MatchRecord]) -> list[MatchRecord]:
    return [replace(record, id=0) for record in records]


def test_parts_are_joined(tmp_path: Path) -> None:
    one = [numbered(1, 8), make_aborted_record(make_pairing(5), 9), numbered(5, 10, started=2.0)]
    two = [numbered(3, 8), numbered(4, 11)]
    assert merge(tmp_path, one, two) == Copied(5, 0)
    merged = stored_records(tmp_path / "merged.db")
    assert without_ids(merged) == without_ids([one[0], *two, *one[1:]])
    assert [record.id for record in merged] == [1, 4, 5, 2, 3]
    assert stored_plan(tmp_path / "merged.db") == "{}"


def test_an_aborted_match_contradicts_none(tmp_path: Path) -> None:
    aborted, counted = make_aborted_record(make_pairing(1)), numbered(1, 1)
    for place, records in enumerate([[aborted, counted], [counted, aborted]]):
        folder = tmp_path / f"{place}"
        folder.mkdir()
        assert merge(folder, *([record] for record in records)) == Copied(2, 0)


def test_everything_that_belongs_to_a_match_is_copied(tmp_path: Path) -> None:
    fault = Fault(2, 2**70, 1.5, 0.0, 1.5, 0.0)
    pairing = replace(make_casual_pairing(), tags={"Event": "cup", "White": "me"})
    record = make_record(pairing, 2, Termination.ILLEGAL_MOVE, 7, MOVES, fault, "a log")
    source = make_database(tmp_path / "a.db", [record], None)
    run_script(
        source,
        "INSERT INTO verdicts VALUES (7, '+?'); INSERT INTO infos VALUES (7, 1, '{}');",
    )
    path = tmp_path / "b.db"
    make_database(path, [make_record(make_pairing(None), attempt=4)], None)
    assert add_matches(path, Source(source, keeps_numbers=False)) == Copied(1, 0)
    assert stored_records(path)[1] == replace(record, id=5, infos={1: Info()})
    assert (rows(path, "verdicts"), rows(path, "infos")) == ([(5, "+?")], [(5, 1, "{}")])


def test_a_match_in_progress_is_left_out(tmp_path: Path) -> None:
    with DatabaseWriter(tmp_path / "a.db") as writer:
        begin_match(writer)
        source = Source(tmp_path / "a.db", keeps_numbers=True)
        assert merge_databases(tmp_path / "b.db", None, [source]) == Copied(0, 0)
    assert stored_plan(tmp_path / "b.db") is None


def test_events_are_given_to_matches_without_one(tmp_path: Path) -> None:
    tagged = replace(make_pairing(2), tags={"Event": "cup"})
    matches = [make_record(attempt=1), make_record(tagged, attempt=2)]
    source = make_database(tmp_path / "spring.db", matches)
    merge_databases(tmp_path / "b.db", None, [Source(source, False, "spring")])
    records = stored_records(tmp_path / "b.db")
    assert [record.tags["Event"] for record in records] == ["spring", "cup"]
    assert [record.pairing.number for record in records] == [1, 2]


def test_pairs_of_different_tournaments_remain_pairs(tmp_path: Path) -> None:
    back = make_pairing(2, players=("bert", "anna"))
    one = make_database(tmp_path / "a.db", [make_record(make_pairing(1))])
    two = make_database(
        tmp_path / "b.db",
        [
            replace(record, started_at=7.0)
            for record in (make_record(), make_record(back, 2, attempt=2))
        ],
    )
    merged = tmp_path / "c.db"
    merge_databases(merged, None, [Source(one, False), Source(two, False)])
    assert [record.pairing.number for record in stored_records(merged)] == [1, 3, 4]
    with DatabaseReader(merged) as records:
        assert records.pair_scores("take_stones")[1] == [PairScore("anna", "bert", 2, 2, 1, 1, 1)]
        assert records.tallies()["take_stones"].total() == 3


def test_an_invalid_event(tmp_path: Path) -> None:
    source = Source(make_database(tmp_path / "a.db", []), False, "a\nb")
    with pytest.raises(ValueError, match="tag Event contains the control character"):
        merge_databases(tmp_path / "b.db", None, [source])
    assert file_names(tmp_path) == {"a.db"}


def test_the_same_match_is_copied_once(tmp_path: Path) -> None:
    both = [numbered(1, 1), make_aborted_record(make_pairing(2), 2)]
    assert merge(tmp_path, both, [*both, numbered(3, 3)]) == Copied(3, 2)


@loop_over(
    "change",
    [
        {"started_at": 1.5},
        {"moves": MOVES[:1]},
        {"moves": (MOVES[0], structs.replace(MOVES[1], move=1))},
        {"pairing": make_pairing(1, stones=8)},
        {"pairing": make_pairing(1, ("bert", "anna"))},
        {"pairing": replace(make_pairing(1), opening=(3,))},
    ],
)
def test_different_matches_with_the_same_number_are_refused(
    tmp_path: Path, change: dict[str, object]
) -> None:
    record = numbered(1, 1)
    with pytest.raises(ValueError, match=r"match number 1 was played twice, in .*0\.db and .*2"):
        merge(tmp_path, [record], [numbered(7, 1)], [replace(record, **change)])  # type: ignore[arg-type]
    assert file_names(tmp_path) == {"0.db", "1.db", "2.db"}


def test_the_same_match_with_different_results_is_refused(tmp_path: Path) -> None:
    error = r"match 6 of .*2\.db has different results in .*1\.db and .*2\.db"
    with pytest.raises(ValueError, match=error):
        merge(tmp_path, [numbered(7, 1)], [numbered(1, 1)], [numbered(1, 6, winner=2)])


def test_former_plans_are_those_of_the_first_database(tmp_path: Path) -> None:
    paths = [make_database(tmp_path / f"{name}.db", []) for name in "ab"]
    for path in paths:
        run_script(path, f"INSERT INTO former_plans VALUES (3, '{path.name}', 5.5)")
    merge_databases(tmp_path / "c.db", "{}", [Source(path, True) for path in paths])
    assert rows(tmp_path / "c.db", "former_plans") == [(3, "a.db", 5.5)]


def test_databases_of_earlier_versions_are_merged(tmp_path: Path) -> None:
    for name in "ab":
        path = make_database(tmp_path / f"{name}.db", [numbered(ord(name), 1)])
        run_script(path, DOWNGRADE_TO_VERSION_2)
    sources = [Source(tmp_path / f"{name}.db", True) for name in "ab"]
    assert merge_databases(tmp_path / "c.db", "{}", sources) == Copied(2, 0)


def test_a_failure_adds_nothing(tmp_path: Path) -> None:
    path = make_database(tmp_path / "a.db", [numbered(1, 1)], None)
    source = make_database(tmp_path / "b.db", [numbered(2, 1), numbered(1, 2, winner=2)], None)
    before = path.read_bytes()
    with pytest.raises(MergeConflict, match="match 2 and match 1 have different results"):
        add_matches(path, Source(source, keeps_numbers=False))
    assert stored_records(path) == [numbered(1, 1)]
    assert len(before) == path.stat().st_size


@loop_over(
    "script, error",
    ("CREATE TABLE chess (a)", "is not a database of the arena"),
    (
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 5;",
        "table plan differs from the schema",
    ),
)
def test_foreign_and_damaged_sources(tmp_path: Path, script: str, error: str) -> None:
    run_script(tmp_path / "a.db", script)
    with pytest.raises(DatabaseError, match=rf"a\.db:? {error}"):
        merge_databases(tmp_path / "b.db", None, [Source(tmp_path / "a.db", True)])
    assert file_names(tmp_path) == {"a.db"}
