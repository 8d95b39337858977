"""arena export, import and verify: records leave a database, come back, and are checked."""

import csv
import io
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cli.arguments import UsageError
from arena.cli.commands import export, import_, verify
from arena.cli.configuration import ExportConfig, ImportConfig, VerifyConfig
from arena.model.results import MatchRecord, MatchResult, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter, create_database
from tests.support.arena_server import arena_server, in_event_loop, read_matches
from tests.support.matches import ENDINGS, play_match, records
from tests.support.records import make_aborted_record, make_pairing, make_record

PLAN = '{"game": "take_stones", "seed": 1}'
FORMATS = ["pgn", "jsonl"]
FIRST = "(SELECT min(ply) FROM moves WHERE match = 1)"
LAST = "(SELECT max(ply) FROM moves WHERE match = 1)"

Captured = pytest.CaptureFixture[str]


def fill(path: Path, several: Iterable[MatchRecord], plan: str | None = PLAN) -> Path:
    """Make a database of records."""
    with create_database(path) as database:
        if plan is not None:
            database.save_plan(plan)
        for record in several:
            database.add(record)
    return path


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A database with a match of each kind, 1 to 11 in the order of ENDINGS; the last is casual."""
    return fill(
        tmp_path / "full.db",
        [
            play_match(ending, number, match=number, casual=number == len(ENDINGS))
            for number, ending in enumerate(ENDINGS, 1)
        ],
    )


def export_to(db: Path, output: Path | None, chosen: str | None = None) -> int:
    return export.run(ExportConfig(db, chosen, output))


def import_from(file: Path, db: Path, chosen: str | None = None) -> int:
    return import_.run(ImportConfig(file, db, chosen))


def verified(db: Path, capsys: Captured) -> tuple[int, list[str]]:
    """The exit status and the lines of arena verify."""
    status = verify.run(VerifyConfig(db))
    return status, capsys.readouterr().out.splitlines()


def plan_in(db: Path) -> str | None:
    with DatabaseReader(db) as found:
        return found.plan()


def alter(db: Path, script: str) -> None:
    """Do something to a database behind the arena's back."""
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(script)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.endswith(".lock")}


# There and back


@pytest.mark.parametrize("ending", FORMATS)
def test_what_is_imported_is_what_was_exported(full: Path, tmp_path: Path, ending: str) -> None:
    text, copy = tmp_path / f"a.{ending}", tmp_path / "copy.db"
    assert export_to(full, text) == import_from(text, copy) == 0
    assert (read_matches(copy), plan_in(copy)) == (read_matches(full), PLAN)


@pytest.mark.parametrize("ending", FORMATS)
@settings(max_examples=20)
@given(several=st.lists(records(), max_size=4, unique_by=lambda record: record.id))
def test_a_second_export_is_the_same(ending: str, several: Sequence[MatchRecord]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / f"1.{ending}", Path(folder) / f"2.{ending}"
        numbered = [
            replace(record, pairing=replace(record.pairing, number=place))
            for place, record in enumerate(several)
        ]
        export_to(fill(Path(folder) / "1.db", numbered), first)
        import_from(first, Path(folder) / "2.db")
        export_to(Path(folder) / "2.db", second)
        assert first.read_bytes() == second.read_bytes()


async def play(db: Path) -> None:
    """Two matches in a real arena."""
    async with arena_server(db, "20+0.01") as server:
        await server.run_bot("anna")
        await server.run_bot("bert")
        await server.start_match("anna", "bert")
        await server.start_match("bert", "anna", opening=(3, 6, 2))


@in_event_loop
async def test_matches_of_a_real_arena_come_back_and_agree() -> None:
    with tempfile.TemporaryDirectory() as folder:
        db, copy, text = (Path(folder) / name for name in ("a.db", "b.db", "a.pgn"))
        await play(db)
        export_to(db, text)
        import_from(text, copy)
        assert read_matches(copy) == read_matches(db)
        assert verify.run(VerifyConfig(copy)) == 0


def test_without_a_plan_there_is_none(tmp_path: Path) -> None:
    db = fill(tmp_path / "a.db", [make_record()], plan=None)
    export_to(db, tmp_path / "a.pgn")
    import_from(tmp_path / "a.pgn", tmp_path / "b.db")
    assert plan_in(tmp_path / "b.db") is None


def test_attempts_at_a_pairing_come_back(tmp_path: Path) -> None:
    several = [
        make_aborted_record(attempt=3),
        make_aborted_record(attempt=5),
        make_record(attempt=8),
    ]
    export_to(fill(tmp_path / "a.db", several), tmp_path / "a.pgn")
    import_from(tmp_path / "a.pgn", tmp_path / "b.db")
    assert read_matches(tmp_path / "b.db") == several


def test_an_imported_tournament_can_go_on(full: Path, tmp_path: Path) -> None:
    export_to(full, tmp_path / "a.pgn")
    import_from(tmp_path / "a.pgn", tmp_path / "b.db")
    with DatabaseWriter(tmp_path / "b.db") as store:
        assert store.begin_match(make_pairing(100), "5", 0.0).result() == len(ENDINGS) + 1


# Export


@pytest.mark.parametrize(
    ("name", "chosen", "begin"),
    [
        ("a.pgn", None, b"%plan {"),
        ("a.PGN", None, b"%plan {"),
        ("a.txt", None, b"%plan {"),
        ("a", None, b"%plan {"),
        ("a.jsonl", None, b'{"type":"plan",'),
        ("a.csv", None, b"id,number,"),
        ("a.csv", "jsonl", b'{"type":"plan",'),
    ],
)
def test_the_format_of_a_file(
    full: Path, tmp_path: Path, name: str, chosen: str | None, begin: bytes
) -> None:
    assert export_to(full, tmp_path / name, chosen) == 0
    assert (tmp_path / name).read_bytes().startswith(begin)


@pytest.mark.parametrize("chosen", [None, "pgn", "jsonl", "csv"])
def test_standard_output_gets_the_same(
    full: Path, tmp_path: Path, chosen: str | None, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert export_to(full, None, chosen) == 0
    export_to(full, tmp_path / "a", chosen)
    assert capfdbinary.readouterr().out == (tmp_path / "a").read_bytes()


def test_a_spreadsheet_has_a_line_for_each_match(full: Path, tmp_path: Path) -> None:
    export_to(full, tmp_path / "a.csv")
    rows = [*csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text()))]
    assert [row["id"] for row in rows] == [str(record.id) for record in read_matches(full)]
    assert {row["player1"] for row in rows} == {'a "1"'}


def test_a_spreadsheet_says_what_is_casual(full: Path, tmp_path: Path) -> None:
    export_to(full, tmp_path / "a.csv")
    rows = csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text()))
    assert [row["casual"] for row in rows] == [""] * (len(ENDINGS) - 1) + ["yes"]


def test_a_spreadsheet_adds_the_times_up(full: Path, tmp_path: Path) -> None:
    export_to(full, tmp_path / "a.csv")
    row = [*csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text()))][2]
    late = read_matches(full)[2]
    assert late.fault
    charged = sum(move.charged for move in late.moves) + late.fault.charged
    assert float(row["charged1"]) + float(row["charged2"]) == pytest.approx(charged)


def test_an_unfinished_match_is_left_out(tmp_path: Path) -> None:
    with DatabaseWriter(tmp_path / "a.db") as store:
        store.begin_match(make_pairing(), "5", 0.0).result()
    export_to(tmp_path / "a.db", tmp_path / "a.pgn")
    assert (tmp_path / "a.pgn").read_bytes() == b""


def test_an_old_file_is_replaced(full: Path, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("old")
    export_to(full, tmp_path / "a.pgn")
    assert (tmp_path / "a.pgn").read_text().startswith("%plan")


def test_a_link_leads_to_the_file(full: Path, tmp_path: Path) -> None:
    (tmp_path / "link.pgn").symlink_to("a.pgn")
    export_to(full, tmp_path / "link.pgn")
    assert (tmp_path / "link.pgn").is_symlink()
    assert (tmp_path / "a.pgn").exists()


def test_half_a_file_never_appears(full: Path, tmp_path: Path) -> None:
    alter(full, "UPDATE matches SET setup = 'x' WHERE id = 7")
    with pytest.raises(DatabaseError, match=r"match 7 in .* is damaged: Expecting value"):
        export_to(full, tmp_path / "a.pgn")
    assert names(tmp_path) == {"full.db"}


@pytest.mark.parametrize("name", ["full.db", "", "/dev/null"])
def test_some_files_are_not_replaced(full: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(
        UsageError, match=f"^--output {tmp_path / name} is (not a file|the database)"
    ):
        export_to(full, tmp_path / name)


def test_a_folder_that_is_not_there(full: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        export_to(full, tmp_path / "no" / "a.pgn")


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="there is no database"):
        export_to(tmp_path / "no.db", None)


def test_a_full_disk(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/full", "w") as device:
        monkeypatch.setattr(sys, "stdout", device)
        with pytest.raises(OSError, match="No space left on device"):
            export_to(full, None)
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), device.fileno())


def test_a_broken_pipe(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        with pytest.raises(BrokenPipeError):
            export_to(full, None)
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), pipe.fileno())


def test_a_closed_standard_output(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="standard output is closed"):
        export_to(full, None)


# Import


@pytest.fixture
def text(full: Path, tmp_path: Path) -> Path:
    """The full database as text, which a test may change."""
    export_to(full, tmp_path / "a.pgn")
    return tmp_path / "a.pgn"


def test_the_number_of_matches_is_told(text: Path, tmp_path: Path, capsys: Captured) -> None:
    assert import_from(text, tmp_path / "b.db") == 0
    assert capsys.readouterr().out == f"{len(ENDINGS)} matches in {tmp_path / 'b.db'}\n"


def test_one_match_is_told(tmp_path: Path, capsys: Captured) -> None:
    export_to(fill(tmp_path / "a.db", [make_record()]), tmp_path / "a.pgn")
    import_from(tmp_path / "a.pgn", tmp_path / "b.db")
    assert capsys.readouterr().out == f"1 match in {tmp_path / 'b.db'}\n"


def test_a_format_may_be_given(full: Path, tmp_path: Path) -> None:
    export_to(full, tmp_path / "a.pgn", "jsonl")
    assert import_from(tmp_path / "a.pgn", tmp_path / "b.db", "jsonl") == 0


@pytest.mark.parametrize("name", ["a", "a.csv"])
def test_another_format_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=rf"{name} does not end in \.pgn or \.jsonl: pass --for"):
        import_from(tmp_path / name, tmp_path / "b.db")


def test_a_database_is_never_overwritten(text: Path, full: Path) -> None:
    before = full.read_bytes()
    with pytest.raises(UsageError, match=f"^refused: {full} exists$"):
        import_from(text, full)
    assert full.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('[Id "2"]', '[Id "1"]', "line [0-9]+: duplicate match id 1$"),
        ('[Number "2"]', '[Number "1"]', "line [0-9]+: duplicate match number 1$"),
        ("[Reason", "[Because", "line 10: there is no tag 'Because'"),
        ("%plan {", "%plan [", "line 1: the plan is not a JSON object"),
        (f"%plan {PLAN}", "%plan 3", "line 1: the plan is not a JSON object"),
        (PLAN, "[" * 100_000, "line 1: the plan is not a JSON object"),
    ],
)
def test_nothing_is_left_of_a_bad_text(
    text: Path, tmp_path: Path, old: str, new: str, error: str
) -> None:
    content = text.read_text()
    assert old in content
    text.write_text(content.replace(old, new, 1))
    with pytest.raises(UsageError, match=f"^{text}: {error}"):
        import_from(text, tmp_path / "b.db")
    assert names(tmp_path) == {"full.db", "a.pgn"}


def test_a_bad_first_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("x")
    with pytest.raises(UsageError, match=r"a\.jsonl: line 1: JSON is malformed"):
        import_from(tmp_path / "a.jsonl", tmp_path / "b.db")


def test_a_text_that_is_not_in_utf_8(text: Path, tmp_path: Path) -> None:
    text.write_bytes(text.read_bytes().replace(b'"take_stones"]', b'"\xff"]', 1))
    with pytest.raises(UsageError, match=r"a\.pgn: line \d+: it is not in UTF-8$"):
        import_from(text, tmp_path / "b.db")


def test_a_text_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*a\.pgn: No such file or directory"):
        import_from(tmp_path / "a.pgn", tmp_path / "b.db")
    assert names(tmp_path) == set()


# The new database


def test_an_arena_that_is_writing_is_not_disturbed(tmp_path: Path) -> None:
    with create_database(tmp_path / "a.db"), pytest.raises(DatabaseError, match="another arena"):
        DatabaseWriter(tmp_path / "a.db")


def test_a_database_that_is_there_is_kept(full: Path) -> None:
    with pytest.raises(DatabaseError, match=r"full\.db exists"), create_database(full):
        pass


def test_what_a_crash_has_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a.db.part").write_text("half")
    fill(tmp_path / "a.db", [])
    assert names(tmp_path) == {"a.db"}


def test_a_database_needs_its_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(DatabaseError, match=r"cannot write to .*: No such file"),
        create_database(tmp_path / "no" / "a.db"),
    ):
        pass


def test_a_database_that_cannot_be_written(tmp_path: Path) -> None:
    record = replace(make_record(), id=2**63 - 1, moves=play_match("no legal move").moves * 2)
    with (
        pytest.raises(DatabaseError, match=r"cannot write to .*: UNIQUE constraint failed: moves"),
        create_database(tmp_path / "a.db") as database,
    ):
        database.add(record)
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("winner = 3", "expected winner 1 or 2, got 3"),
        ("termination = 'boredom'", "'boredom' is not a valid Termination"),
        ("opening = '7'", "'int' object is not iterable"),
    ],
)
def test_a_damaged_row_is_told(full: Path, change: str, error: str) -> None:
    alter(full, f"UPDATE matches SET {change} WHERE id = 1")
    with pytest.raises(DatabaseError, match=f"match 1 in {full} is damaged: {error}"):
        read_matches(full)


# Verify


def test_what_was_played_agrees(full: Path, capsys: Captured) -> None:
    assert verified(full, capsys) == (0, [f"{len(ENDINGS)} matches agree"])


def test_one_match_agrees(tmp_path: Path, capsys: Captured) -> None:
    db = fill(tmp_path / "a.db", [play_match("flag")])
    assert verified(db, capsys) == (0, ["1 match agrees"])


@pytest.mark.parametrize(
    "tampering",
    [
        f"UPDATE moves SET move = move + 1 WHERE match = 1 AND ply = {FIRST}",
        "UPDATE moves SET ply = ply + 10 WHERE match = 1",
        f"UPDATE moves SET charged = charged + 0.001 WHERE match = 1 AND ply = {FIRST}",
        f"UPDATE moves SET elapsed = 1e9 WHERE match = 1 AND ply = {FIRST}",
        f"DELETE FROM moves WHERE match = 1 AND ply = {FIRST}",
        f"DELETE FROM moves WHERE match = 1 AND ply = {LAST}",
        "UPDATE matches SET winner = 3 - winner WHERE id = 1",
        "UPDATE matches SET winner = NULL WHERE id = 1",
        "UPDATE matches SET termination = 'resignation' WHERE id = 1",
        "UPDATE matches SET reason = 'none' WHERE id = 1",
        "UPDATE matches SET opening = '[5, 15]' WHERE id = 1",
        "UPDATE matches SET opening = '[999]' WHERE id = 1",
        "UPDATE matches SET game = 'chess' WHERE id = 1",
        "UPDATE matches SET setup = '[]', opening = '[1]' WHERE id = 1",
        "UPDATE matches SET time_control = 'long' WHERE id = 1",
        "INSERT INTO faults VALUES (1, 0, 1, 0.1, 0, 0.1, 0)",
    ],
)
def test_tampering_is_told(full: Path, capsys: Captured, tampering: str) -> None:
    alter(full, tampering)
    status, [line] = verified(full, capsys)
    assert (status, line.split(":")[0]) == (1, "match 1")


@pytest.mark.parametrize("column", ["elapsed", "charged"])
def test_a_changed_fault_is_told(full: Path, capsys: Captured, column: str) -> None:
    alter(full, f"UPDATE faults SET {column} = {column} + 0.5")
    faults = {"illegal move": 2, "late move": 3, "flag": 4, "lag": 5, "disconnect on time": 7}
    lines = verified(full, capsys)[1]
    assert [line.split(":")[0] for line in lines] == [f"match {match}" for match in faults.values()]


def test_a_reason_stays_on_its_line(tmp_path: Path, capsys: Captured) -> None:
    result = MatchResult(Termination.TIMEOUT, 1, "a\nb")
    db = fill(tmp_path / "a.db", [replace(play_match("flag"), result=result)])
    assert len(verified(db, capsys)[1]) == 1
