"""`arena verify`: stored records against the rules and the clocks."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.commands import verify
from arena.cli.configuration import VerifyConfig
from arena.model.results import MatchResult, Termination
from tests.support.cases import loop_over
from tests.support.tournaments.databases import make_database, run_script
from tests.support.tournaments.matches import ENDINGS, play_match

FIRST = "(SELECT min(ply) FROM moves WHERE match = 1)"

Captured = pytest.CaptureFixture[str]


def run_verify(db: Path, capsys: Captured) -> tuple[int, list[str]]:
    """Run `arena verify`; return the exit status and the printed lines."""
    status = verify.run(VerifyConfig(db))
    return status, capsys.readouterr().out.splitlines()


def test_records_of_played_matches_agree(database: Path, capsys: Captured, tmp_path: Path) -> None:
    assert run_verify(database, capsys) == (0, [f"{len(ENDINGS)} matches agree"])
    db = make_database(tmp_path / "a.db", [play_match("flag")])
    assert run_verify(db, capsys) == (0, ["1 match agrees"])
    result = MatchResult(Termination.TIMEOUT, 1, "a\nb")
    db = make_database(tmp_path / "b.db", [replace(play_match("flag"), result=result)])
    assert len(run_verify(db, capsys)[1]) == 1


@loop_over(
    "change",
    f"UPDATE moves SET move = move + 1 WHERE match = 1 AND ply = {FIRST}",
    f"UPDATE moves SET charged = charged + 0.001 WHERE match = 1 AND ply = {FIRST}",
    "UPDATE matches SET winner = 3 - winner WHERE id = 1",
    "UPDATE matches SET opening = '[5, 15]' WHERE id = 1",
    "INSERT INTO faults VALUES (1, 0, 1, 0.1, 0, 0.1, 0)",
)
def test_changes_are_found(database: Path, tmp_path: Path, capsys: Captured, change: str) -> None:
    changed = shutil.copyfile(database, tmp_path / "changed.db")
    run_script(changed, change)
    status, [line] = run_verify(changed, capsys)
    assert (status, line.split(":")[0]) == (1, "match 1")


def test_a_game_that_is_not_installed_has_one_line(database: Path, capsys: Captured) -> None:
    run_script(database, "UPDATE matches SET game = 'chess' WHERE id > 2")
    status, [line] = run_verify(database, capsys)
    unchecked = f"{len(ENDINGS) - 2} matches not checked: unknown game 'chess' (choose from "
    assert (status, line.startswith(unchecked)) == (1, True)


@pytest.mark.parametrize("column", ["elapsed", "charged"])
def test_changed_faults_are_reported(database: Path, capsys: Captured, column: str) -> None:
    run_script(database, f"UPDATE faults SET {column} = {column} + 0.5")
    faults = {"illegal move": 2, "late move": 3, "flag": 4, "lag": 5, "disconnect on time": 7}
    lines = run_verify(database, capsys)[1]
    assert [line.split(":")[0] for line in lines] == [f"match {match}" for match in faults.values()]
