"""Grids, from the command line to their tables, page and plots."""

import json
import shutil
from pathlib import Path

import pytest

from arena.__main__ import main
from tests.support.cases import loop_over
from tests.support.computing.grids import SWEEP
from tests.support.servers.arena_command import with_flags
from tests.support.tournaments.databases import make_database, run_script

GRID = ["--bots", "spec:1-2", "--stones", "20", "7", "--rounds", "2", "--workers", "1"]


def grid(*words: object) -> int:
    return main(with_flags(["tournament", "--format", "grid"], words))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a finished grid."""
    db = tmp_path_factory.mktemp("grid") / "grid.db"
    assert grid(*GRID, "--seed", 1, "--db", db, "--quiet") == 0
    return db


def standings(db: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["standings", str(db), *words]) == 0
    return capsys.readouterr().out


def test_a_grid_has_a_page_a_picture_and_a_table(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix in "html", "csv":
        file = str(tmp_path / f"grid.{suffix}")
        assert main(["report", str(finished), "--output", file]) == 0
    assert main(["plot", str(finished)]) == 0
    assert (tmp_path / "grid.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "grid.csv").read_text().startswith("stones,opening_plies,bot,")
    picture = capsys.readouterr().out
    assert picture.startswith("<svg")
    assert "Elo, stones 7" in picture
    assert main(["plot", str(finished), "--kind", "lengths"]) == 0
    assert "take_stones: lengths" in capsys.readouterr().out


@loop_over(
    "words, rule",
    ("grid.txt", "unknown suffix '.txt' (choose from .html, .htm, .csv)"),
    ("grid.csv --names", "unknown suffix '.csv' (choose from .html, .htm)"),
    ("grid.html --games 5", "--games does not apply to a grid: its page has no games"),
)
def test_a_report_with_what_a_grid_lacks(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, rule: str
) -> None:
    name, *flags = words.split()
    assert main(["report", str(finished), "--output", str(tmp_path / name), *flags]) == 2
    out, err = capsys.readouterr()
    assert (out, err.endswith(f"{rule}\n"), err.count("\n")) == ("", True, 1)
    assert not [*tmp_path.iterdir()]


def test_a_finished_grid_prints_its_tables(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert grid(*GRID, "--db", finished) == 0
    out, err = capsys.readouterr()
    assert "8 of 8 matches finished, nothing left to play" in err
    assert out.startswith("take_stones, grid, time unlimited, seed 1: 8 of 8 matches\nThe worth")
    assert standings(finished, capsys) == out


def test_results_are_printed_as_json(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = json.loads(standings(finished, capsys, "--json", "--anchor", "spec:1=100"))["cells"][0]
    assert cell["bots"][0]["rating"]["elo"] == 100
    assert cell["perfect_player_1"] is not None


@loop_over("words", [("--los",), ("--bot", "spec:1")])
def test_all_cells_together_have_the_usual_tables(
    words: tuple[str, ...], finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "won  lost  pairs" in standings(finished, capsys, *words)


def test_an_unknown_anchor(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["standings", str(finished), "--anchor", "nix"]) == 2
    message = "arena: --anchor: unknown bot 'nix' (choose from spec:1, spec:2)\n"
    assert capsys.readouterr().err == message


def test_an_unfinished_grid_continues(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = tmp_path / "grid.db"
    shutil.copy(finished, db)
    run_script(db, "DELETE FROM moves WHERE match > 1; DELETE FROM matches WHERE id > 1")
    assert "1 of 8 matches" in standings(db, capsys)
    assert grid(*GRID, "--db", db) == 0
    out, err = capsys.readouterr()
    assert "arena: 1 of 8 matches finished, continuing\n" in err
    assert standings(finished, capsys) == out


def test_a_sweep_of_an_earlier_version_continues_and_grows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = make_database(tmp_path / "sweep.db", [], SWEEP)
    assert "0 of 72 matches" in standings(db, capsys)
    bots = ["--bots", "spec:1-2", "deep=spec:4", "random"]
    words = [*bots, "--stones", 20, 7, "--workers", 1, "--quiet", "--db", db]
    assert grid(*words, "--rounds", 3) == 0
    out = capsys.readouterr().out
    assert "72 of 72 matches" in out
    assert standings(db, capsys) == out
    assert grid(*words, "--rounds", 4, "--extend") == 0
    assert "96 of 96 matches" in capsys.readouterr().out


@loop_over(
    "words, message",
    (["--stones", "7", "7"], "repeated setup: stones 7"),
    (["--opening-plies", "1-3", "2"], "--opening-plies: repeated 2"),
    (["--opening-plies", "0-1000"], "--opening-plies: too many numbers: 1001 (at most 100)"),
    (["--stones", "11-2010", "--opening-plies", "1-60"], "too many cells of the grid: 120000 (at"),
    (["--opening-plies", "x"], "--opening-plies must be a whole number or a range such as 20-30"),
    (["--opening-plies", str(10**13)], f"--opening-plies must be at most {10**12}, not {10**13}"),
    (["--format", "swiss", "--opening-plies", "1-2"], "several numbers requires --format grid"),
    (["--book", "missing.txt"], "--book cannot be combined with --format grid"),
)
def test_an_impossible_grid_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert grid(*words, "--db", tmp_path / "new.db") == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)
    assert [*tmp_path.iterdir()] == []


def test_another_grid_is_not_continued(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grid(*GRID, "--opening-plies", 1, 2, "--db", finished) == 2
    message = "belongs to a different tournament; grid_plies: stored 2, given 1, 2\n"
    assert message in capsys.readouterr().err


def test_a_dry_run_prints_the_pairings(capsys: pytest.CaptureFixture[str]) -> None:
    assert grid(*GRID, "--opening-plies", "0-2/2", "--seed", 1, "--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "take_stones, grid, time unlimited, seed 1"
    assert lines[2] == "matches: 16, 0 finished, 1 at once"
    assert lines[4:9:2] == [
        "match 1, spec:1 - spec:2, stones 20",
        "match 3, spec:1 - spec:2, stones 20, opening 9 1",
        "match 5, spec:1 - spec:2, stones 7",
    ]


def test_a_grid_without_a_solver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", "isolation", "--bots", "spec:1-2", "--workers", "1"]
    assert grid(*words, "--quiet", "--json", "--db", tmp_path / "grid.db") == 0
    assert json.loads(capsys.readouterr().out)["cells"][0]["perfect_player_1"] is None
