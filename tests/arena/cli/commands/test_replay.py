"""`arena verify` and `arena analyse`."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.commands.replay import VerifyConfig
from arena.model.results import MatchResult, Pairing, PlayedMove, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.tournaments.databases import make_database, run_script, store_record
from tests.support.tournaments.matches import ENDINGS, play_match
from tests.support.tournaments.records import make_pairing, make_record

# Analysis


def test_accuracies_are_stored(complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "accuracy" not in arena("standings", complete).out
    first = arena("analyse", complete)
    assert (first.status, first.err) == (0, "")
    assert first.out.startswith("take_stones\n\n#  bot     games  kept  blunders  accuracy")
    assert "lost  pairs  accuracy" in arena("standings", complete).out
    monkeypatch.delattr("arena.cli.commands.replay.judge_moves")
    assert arena("analyse", complete) == first


def test_accuracies_as_json_equal_those_in_the_standings(complete: Path, arena: Run) -> None:
    facts = json.loads(arena("analyse", complete, "--json").out)["take_stones"]
    table = json.loads(arena("standings", complete, "--json").out)["standings"]["take_stones"]
    assert {line["bot"]: line["accuracy"] for line in table} == facts
    assert sum(accuracy["games"] for accuracy in facts.values()) == 12


def test_only_new_matches_are_analysed(db: Path, arena: Run) -> None:
    with DatabaseWriter(db) as writer:
        for number in (1, 2):
            pairing = Pairing(None, ("a", "b"), "take_stones", {"stones": 3})
            record = make_record(
                pairing, 1, moves=(PlayedMove(0, 1, 0.0, 0.0, 0.0, 0.0),), attempt=number
            )
            writer.begin_match(pairing, "5", 0.0)
            writer.finish_match(record).result()
        writer.save_verdicts(1, "k").result()
    assert json.loads(arena("analyse", db, "--json").out)["take_stones"]["a"]["games"] == 2
    with DatabaseReader(db) as records:
        assert [verdicts for _, verdicts in records.analysed("take_stones")] == ["k", "f"]


def test_batches_are_stored(complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    one = arena("analyse", complete).out
    run_script(complete, "DELETE FROM verdicts")
    monkeypatch.setattr("arena.cli.commands.replay.BATCH", 4)
    assert arena("analyse", complete) == CompletedCommand(0, one, "")


@pytest.mark.parametrize("game", ["isolation", "gone"])
def test_a_game_without_a_solver_is_not_analysed(db: Path, arena: Run, game: str) -> None:
    """It may not even be installed."""
    with DatabaseWriter(db) as writer:
        store_record(writer, make_record(replace(make_pairing(None), game=game)))
    line = f"arena: {game} has no solver: its matches are not analysed\n"
    assert arena("analyse", db) == CompletedCommand(0, "", line)


def test_a_match_that_cannot_be_judged_changes_nothing(complete: Path, arena: Run) -> None:
    run_script(complete, "DELETE FROM verdicts; UPDATE moves SET move = 99 WHERE match = 3")
    before = complete.read_bytes()
    end = arena("analyse", complete)
    assert (end.status, end.out, end.err.count("\n")) == (1, "", 1)
    assert end.err.startswith(f"arena: match 3 in {complete} cannot be judged: IllegalMove: ")
    assert complete.read_bytes() == before


# Verification


FIRST = "(SELECT min(ply) FROM moves WHERE match = 1)"

Captured = pytest.CaptureFixture[str]


def run_verify(db: Path, capsys: Captured) -> tuple[int, list[str]]:
    """Run `arena verify`; return the exit status and the printed lines."""
    status = VerifyConfig(db).run()
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
