"""`arena export`: records of a database as text."""

import csv
import io
import sys
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import file_names, run_script, stored_records
from tests.support.tournaments.matches import ENDINGS
from tests.support.tournaments.record_commands import run_export
from tests.support.tournaments.records import make_pairing


@loop_over(
    "name, chosen, begin",
    ("a.pgn", None, b"%plan {"),
    ("a.PGN", None, b"%plan {"),
    ("a.txt", None, b"%plan {"),
    ("a", None, b"%plan {"),
    ("a.jsonl", None, b'{"type":"plan",'),
    ("a.csv", None, b"id,number,"),
    ("a.csv", "jsonl", b'{"type":"plan",'),
)
def test_the_format_depends_on_the_file_name(
    database: Path, tmp_path: Path, name: str, chosen: str | None, begin: bytes
) -> None:
    assert run_export(database, tmp_path / name, chosen) == 0
    assert (tmp_path / name).read_bytes().startswith(begin)


@loop_over("chosen", [None, "pgn", "jsonl", "csv"])
def test_standard_output_gets_the_same_bytes(
    database: Path, tmp_path: Path, chosen: str | None, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run_export(database, None, chosen) == 0
    run_export(database, tmp_path / "a", chosen)
    assert capfdbinary.readouterr().out == (tmp_path / "a").read_bytes()


def test_csv_has_a_line_for_each_match(database: Path, tmp_path: Path) -> None:
    run_export(database, tmp_path / "a.csv")
    rows = [*csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text()))]
    records = stored_records(database)
    assert [row["id"] for row in rows] == [str(record.id) for record in records]
    assert {row["player1"] for row in rows} == {'a "1"'}
    assert [row["casual"] for row in rows] == [""] * (len(ENDINGS) - 1) + ["yes"]
    assert records[2].fault
    charged = sum(move.charged for move in records[2].moves) + records[2].fault.charged
    sums = float(rows[2]["charged1"]) + float(rows[2]["charged2"])
    assert sums == pytest.approx(charged)


def test_a_match_in_progress_is_left_out(tmp_path: Path) -> None:
    with DatabaseWriter(tmp_path / "a.db") as writer:
        writer.begin_match(make_pairing(), "5", 0.0)
    run_export(tmp_path / "a.db", tmp_path / "a.pgn")
    assert (tmp_path / "a.pgn").read_bytes() == b""


def test_a_failed_export_leaves_no_file(database: Path, tmp_path: Path) -> None:
    run_script(database, "UPDATE matches SET setup = 'x' WHERE id = 7")
    with pytest.raises(DatabaseError, match=r"match 7 in .* is damaged: setup: JSON is malformed"):
        run_export(database, tmp_path / "a.pgn")
    assert file_names(tmp_path) == {"database.db"}


@pytest.mark.parametrize("name", ["database.db", "", "/dev/null"])
def test_some_files_are_never_replaced(database: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(
        UsageError, match=f"^--output {tmp_path / name} is (not a file|the database)"
    ):
        run_export(database, tmp_path / name)


def test_the_target_of_a_symbolic_link_is_replaced(database: Path, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("old")
    (tmp_path / "link.pgn").symlink_to("a.pgn")
    run_export(database, tmp_path / "link.pgn")
    assert (tmp_path / "link.pgn").is_symlink()
    assert (tmp_path / "a.pgn").read_text().startswith("%plan")


@pytest.mark.parametrize(("name", "chosen"), [("a.parquet", None), ("a", "parquet")])
def test_a_parquet_file(database: Path, tmp_path: Path, name: str, chosen: str | None) -> None:
    pytest.importorskip("pyarrow")
    assert run_export(database, tmp_path / name, chosen) == 0
    assert (tmp_path / name).read_bytes()[:4] == b"PAR1"


def test_parquet_requires_a_file(database: Path) -> None:
    with pytest.raises(UsageError, match=r"^--format parquet requires --output FILE$"):
        run_export(database, None, "parquet")


def test_parquet_library(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "path_hooks", [])
    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    with pytest.raises(UsageError, match=r"requires pyarrow: pip install pyarrow$"):
        run_export(database, tmp_path / "a.parquet")
    assert file_names(tmp_path) == {"database.db"}
