"""`arena import`: a new database from records as text."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run
from tests.support.tournaments.databases import (
    MOVES,
    PLAN,
    file_names,
    make_database,
    stored_plan,
    stored_records,
)
from tests.support.tournaments.matches import ENDINGS
from tests.support.tournaments.record_commands import run_export, run_import
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record

FORMATS = ["pgn", "jsonl"]

Captured = pytest.CaptureFixture[str]


# Round trip


@pytest.mark.parametrize("ending", FORMATS)
def test_import_restores_an_exported_database(database: Path, tmp_path: Path, ending: str) -> None:
    text, copy = tmp_path / f"a.{ending}", tmp_path / "copy.db"
    assert run_export(database, text) == run_import(text, copy) == 0
    assert (stored_records(copy), stored_plan(copy)) == (stored_records(database), PLAN)


def test_a_database_without_a_plan(tmp_path: Path) -> None:
    db = make_database(tmp_path / "a.db", [make_record()], plan=None)
    run_export(db, tmp_path / "a.pgn")
    run_import(tmp_path / "a.pgn", tmp_path / "b.db")
    assert stored_plan(tmp_path / "b.db") is None


def test_all_attempts_at_a_pairing_are_restored(tmp_path: Path) -> None:
    stored = [
        make_aborted_record(attempt=3),
        make_aborted_record(attempt=5),
        make_record(attempt=8),
    ]
    run_export(make_database(tmp_path / "a.db", stored), tmp_path / "a.pgn")
    run_import(tmp_path / "a.pgn", tmp_path / "b.db")
    assert stored_records(tmp_path / "b.db") == stored


# Errors and options


@pytest.fixture
def text(database: Path, tmp_path: Path) -> Path:
    """Export the database to a text that a test may change."""
    run_export(database, tmp_path / "a.pgn")
    return tmp_path / "a.pgn"


@pytest.mark.parametrize("form", [None, "jsonl"])
def test_the_number_of_matches_is_printed(
    database: Path, tmp_path: Path, capsys: Captured, form: str | None
) -> None:
    one = make_database(tmp_path / "one.db", [make_record()])
    for db, words in ((database, f"{len(ENDINGS)} matches"), (one, "1 match")):
        run_export(db, tmp_path / "a.pgn", form)
        capsys.readouterr()
        copy = tmp_path / f"copy of {db.name}"
        assert run_import(tmp_path / "a.pgn", copy, form) == 0
        assert capsys.readouterr().out == f"{words} in {copy}\n"


def test_a_name_with_control_characters_is_shown(
    database: Path, tmp_path: Path, arena: Run
) -> None:
    run_export(database, tmp_path / "a.pgn")
    ended = arena("import", tmp_path / "a.pgn", tmp_path / os.fsdecode(b"\x1b\xff.db"))
    assert ended.out.endswith("\\x1b\\udcff.db\n")


@loop_over(
    "name, error",
    ("a", r" does not end in \.pgn or \.jsonl: pass --format$"),
    ("a.csv", ": csv cannot be imported, only pgn and jsonl$"),
    ("a.PARQUET", ": parquet cannot be imported, only pgn and jsonl$"),
)
def test_other_formats_are_rejected(tmp_path: Path, name: str, error: str) -> None:
    with pytest.raises(UsageError, match=f"{name}{error}"):
        run_import(tmp_path / name, tmp_path / "b.db")


def test_nothing_is_added_to_a_tournament(text: Path, database: Path) -> None:
    before = database.read_bytes()
    error = f"^{database} holds a tournament: import the records into another database$"
    with pytest.raises(UsageError, match=error):
        run_import(text, database)
    assert database.read_bytes() == before


def test_matches_join_a_database_with_no_plan(text: Path, tmp_path: Path, capsys: Captured) -> None:
    first = make_record(make_pairing(None), moves=MOVES)
    db = make_database(tmp_path / "b.db", [first], plan=None)
    assert run_import(text, db) == 0
    assert capsys.readouterr().out == f"{len(ENDINGS)} matches added to {db}\n"
    expected = [
        replace(record, id=record.id + 1) for record in stored_records(tmp_path / "database.db")
    ]
    assert stored_records(db) == [first, *expected]
    assert stored_plan(db) is None
    assert file_names(tmp_path) - {"b.db-wal", "b.db-shm"} == {"database.db", "a.pgn", "b.db"}


def test_matches_that_are_stored_are_skipped(text: Path, tmp_path: Path, capsys: Captured) -> None:
    db = make_database(tmp_path / "b.db", [make_record(make_pairing(None))], plan=None)
    run_import(text, db)
    once = stored_records(db)
    capsys.readouterr()
    assert run_import(text, db) == 0
    known = f"{len(ENDINGS)} others were stored before"
    assert capsys.readouterr().out == f"0 matches added to {db}, {known}\n"
    assert stored_records(db) == once


def test_a_stored_match_with_another_result_changes_nothing(text: Path, tmp_path: Path) -> None:
    run_import(text, tmp_path / "old.db")
    matches = [*stored_records(tmp_path / "old.db")][:1]
    result = replace(matches[0].result, winner=3 - (matches[0].result.winner or 0))
    db = make_database(tmp_path / "b.db", [replace(matches[0], result=result)], plan=None)
    with pytest.raises(UsageError, match=f"a.pgn: match 1 is match 1 of {db} with another result"):
        run_import(text, db)
    assert len(stored_records(db)) == 1


def test_an_invalid_text_adds_nothing(text: Path, tmp_path: Path) -> None:
    db = make_database(tmp_path / "b.db", [make_record()], plan=None)
    text.write_text(text.read_text() + "x")
    with pytest.raises(UsageError, match=r"a\.pgn: line \d+: expected \[, got 'x'"):
        run_import(text, db)
    assert len(stored_records(db)) == 1


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('[Id "2"]', '[Id "1"]', "line [0-9]+: duplicate match id 1$"),
        ('[Number "2"]', '[Number "1"]', "line [0-9]+: duplicate match number 1$"),
        ("[Reason", "[Because", "line 13: missing tag Reason"),
        ("%plan {", "%plan [", "line 1: the plan is invalid: Expected `object`, got `array`"),
        (f"%plan {PLAN}", "%plan 3", "line 1: the plan is invalid: Expected `object`, got `int`"),
        (PLAN, "[" * 100_000, "line 1: the plan is invalid: Expected `object`, got `array`"),
        (PLAN, '{"x": ' + "[" * 100_000, "line 1: the plan is invalid: "),
    ],
)
def test_a_bad_text_is_undone(text: Path, tmp_path: Path, old: str, new: str, error: str) -> None:
    content = text.read_text()
    assert old in content
    text.write_text(content.replace(old, new, 1))
    with pytest.raises(UsageError, match=f"^{text}: {error}"):
        run_import(text, tmp_path / "b.db")
    assert file_names(tmp_path) == {"database.db", "a.pgn"}


def test_invalid_bytes_and_a_missing_text(text: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*none\.pgn: No such file or directory"):
        run_import(tmp_path / "none.pgn", tmp_path / "b.db")
    text.write_bytes(text.read_bytes().replace(b'"take_stones"]', b'"\xff"]', 1))
    with pytest.raises(UsageError, match=r"a\.pgn: line \d+: invalid UTF-8$"):
        run_import(text, tmp_path / "b.db")
    (tmp_path / "a.jsonl").write_text("x")
    with pytest.raises(UsageError, match=r"a\.jsonl: line 1: JSON is malformed"):
        run_import(tmp_path / "a.jsonl", tmp_path / "b.db")
    assert "b.db" not in file_names(tmp_path)


@loop_over("content", [b"", b"\r\n\n", b"% a comment\n"])
def test_a_text_without_a_match_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.pgn").write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.pgn: no matches found$"):
        run_import(tmp_path / "a.pgn", tmp_path / "b.db")
    assert file_names(tmp_path) == {"a.pgn"}


@pytest.mark.parametrize("ending", FORMATS)
def test_a_byte_order_mark_and_line_ends_of_windows_are_read(
    database: Path, tmp_path: Path, ending: str
) -> None:
    text = tmp_path / f"a.{ending}"
    run_export(database, text)
    text.write_bytes(b"\xef\xbb\xbf" + text.read_bytes().replace(b"\n", b"\r\n"))
    run_import(text, tmp_path / "b.db")
    assert stored_records(tmp_path / "b.db") == stored_records(database)
    assert stored_plan(tmp_path / "b.db") == PLAN


def test_a_long_text_is_cut_in_a_message(tmp_path: Path, arena: Run) -> None:
    (tmp_path / "a.pgn").write_text(f"[Game {'x' * 5000}]")
    end = arena("import", tmp_path / "a.pgn", tmp_path / "b.db")
    assert (end.status, end.out, end.err[-6:]) == (2, "", "x ...\n")
