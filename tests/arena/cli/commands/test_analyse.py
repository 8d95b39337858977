"""Command `arena analyse`, run as in a shell."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import Pairing, PlayedMove
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.tournaments.databases import run_script, store_record
from tests.support.tournaments.records import make_pairing, make_record

# Analysis


def test_accuracies_are_stored(complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "accuracy" not in arena("standings", complete).out
    first = arena("analyse", complete)
    assert (first.status, first.err) == (0, "")
    assert first.out.startswith("take_stones\n\n#  bot     games  kept  blunders  accuracy")
    assert "lost  pairs  accuracy" in arena("standings", complete).out
    monkeypatch.delattr("arena.cli.commands.analyse.judge_moves")
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
    monkeypatch.setattr("arena.cli.commands.analyse.BATCH", 4)
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
