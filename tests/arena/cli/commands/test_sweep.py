"""The command `arena sweep`, from a plan to its table."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.__main__ import main
from tests.support.cases import loop_over
from tests.support.servers.arena_command import with_flags
from tests.support.tournaments.databases import run_script

GRID = ["--depths", "1-2", "--stones", "20", "7", "--pairs", "2", "--workers", "1", "--seed", "1"]


def sweep(*words: object) -> int:
    return main(["sweep", *map(str, words)])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a finished sweep, next to its files."""
    folder = tmp_path_factory.mktemp("sweep")
    files = [folder / f"sweep.{suffix}" for suffix in ("html", "svg", "csv")]
    status = sweep(*GRID, "--db", folder / "sweep.db", "--quiet", "--output", *files)
    assert status == 0
    return folder / "sweep.db"


def test_a_sweep_writes_its_files_and_its_page_again(finished: Path, tmp_path: Path) -> None:
    texts = {path.suffix: path.read_text() for path in finished.parent.glob("sweep.*[gvl]")}
    assert texts[".html"].startswith("<!DOCTYPE html>")
    assert texts[".svg"].startswith("<svg")
    assert texts[".csv"].startswith("stones,opening_plies,bot,")
    page = tmp_path / "page.html"
    assert main(["report", str(finished), "--output", str(page)]) == 0
    assert page.read_text() == (finished.parent / "sweep.html").read_text()


def test_finished_sweeps_print_a_table(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(*GRID, "--db", finished) == 0
    out, err = capsys.readouterr()
    assert "8 of 8 matches finished" in err
    assert "8 of 8 matches" in out
    assert main(["standings", str(finished)]) == 0
    assert capsys.readouterr().out == out


def test_results_are_printed_as_json(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(*GRID, "--db", finished, "--json", "--quiet", "--anchor", "spec:1=100") == 0
    out, err = capsys.readouterr()
    cell = json.loads(out)["cells"][0]
    assert err == ""
    assert cell["bots"][0]["rating"]["elo"] == 100
    assert cell["perfect_player_1"] is not None


def test_an_unfinished_sweep_continues(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = tmp_path / "sweep.db"
    shutil.copy(finished, db)
    run_script(db, "DELETE FROM moves WHERE match > 1; DELETE FROM matches WHERE id > 1")
    assert main(["standings", str(db)]) == 0
    assert "1 of 8 matches" in capsys.readouterr().out
    assert sweep(*GRID, "--db", db) == 0
    out, err = capsys.readouterr()
    assert "arena: 1 of 8 matches finished, continuing\n" in err
    assert main(["standings", str(finished)]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.usefixtures("measured")
def test_a_stopped_sweep_says_how_to_continue(tmp_path: Path) -> None:
    db = tmp_path / "long.db"
    words = ["sweep", "--pairs", "100000", "--workers", "1", "--plain", "--db", str(db)]
    command = [sys.executable, "-m", "arena", *words]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        assert process.stdout
        line = process.stderr.readline()
        while "workers" not in line and "worker," not in line:
            line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        assert process.stdout.read() == ""
    assert process.returncode == 130
    assert f"stopped; the same command with --db {db} continues" in errors


@loop_over(
    "words, message",
    (["--depths", "1-3", "--bots", "random", "greedy"], "--depths requires the bot spec"),
    (["--pairs", str(10**15)], "--pairs must be at most 1000000000000"),
    (["--bots", "spec:1"], "a sweep needs at least 2 bots, not 1"),
    (["--bots", "foo", "spec"], "unknown bot 'foo'"),
    (["--bots", "spec", "cmd:true"], "cannot play in process"),
    (["--bots", "spec", "spec:2"], "--bots: repeated 'spec:2'"),
    (["--depths", "0"], "--depths must be at least 1, not 0"),
    (["--depths", "1-3", "2"], "--depths: repeated 2"),
    (["--depths", "1-1000"], "--depths: too many numbers: 1000 (at most 100)"),
    (["--stones", "7", "7"], "repeated setup: stones 7"),
    (["--pairs", "0"], "--pairs must be at least 1, not 0"),
    (["--anchor", "nix"], "--anchor: unknown bot 'nix'"),
    (["--output", "x.pdf"], "--output: x.pdf must end in .html or .svg or .csv"),
    (["--output", "/nowhere/x.svg"], "there is no folder /nowhere"),
)
def test_an_impossible_sweep_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(*words, "--db", tmp_path / "new.db") == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)
    assert [*tmp_path.iterdir()] == []


def test_another_sweep_is_not_continued(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(*with_flags(GRID, ["--pairs", "3"]), "--db", finished) == 2
    assert "belongs to a different sweep; pairs: stored 2, given 3" in capsys.readouterr().err
    assert main(["tournament", "--db", str(finished)]) == 2
    assert "holds a sweep, not a tournament" in capsys.readouterr().err
    for words in (["standings", "--los"], ["standings", "--names"], ["report", "--names"]):
        output = ["--output", str(finished.with_name("x.html"))] if words[0] == "report" else []
        assert main([*words, str(finished), *output]) == 2
        assert f"{words[1]} cannot be combined with the sweep" in capsys.readouterr().err
    assert main(["standings", "--anchor", "nix", str(finished)]) == 2
    assert "unknown bot 'nix'" in capsys.readouterr().err


def test_a_dry_run_prints_the_grid(capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep(*GRID, "--dry-run") == 0
    assert capsys.readouterr().out.splitlines() == [
        "take_stones, sweep, time unlimited, seed 1",
        "bots: spec:1, spec:2",
        "setups: stones 20, stones 7; opening plies: 2",
        "matches: 8, in 2 cells",
    ]


def test_unreached_workers_end_a_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = tmp_path / "sweep.db"
    assert sweep(*GRID[:-4], "--cluster", "tcp://127.0.0.1:1", "--db", db) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(f"; the same command with --db {db} continues\n")


def test_another_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cup = tmp_path / "cup.db"
    words = ["--workers", "1", "--stones", "7", "--quiet"]
    assert main(["tournament", "--bots", "random", "greedy", *words, "--db", str(cup)]) == 0
    capsys.readouterr()
    assert sweep(*GRID, "--db", cup) == 2
    assert f"{cup} holds a tournament, not a sweep" in capsys.readouterr().err
    run_script(cup, "DELETE FROM plan")
    assert sweep(*GRID, "--db", cup) == 2
    assert f"{cup} holds matches that belong to no sweep" in capsys.readouterr().err


def test_a_sweep_without_a_solver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grid = ["--game", "isolation", "--depths", "1-2", "--pairs", "1", "--workers", "1"]
    assert sweep(*grid, "--quiet", "--json", "--db", tmp_path / "sweep.db") == 0
    assert json.loads(capsys.readouterr().out)["cells"][0]["perfect_player_1"] is None
