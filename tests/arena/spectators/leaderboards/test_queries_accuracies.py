"""Accuracies, on the database of a small finished tournament."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.spectators.leaderboards import queries as module
from arena.spectators.leaderboards.queries import Accuracies
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.game import Solver
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import make_casual_pairing, make_record


@pytest.fixture
def accuracies(complete: Path) -> Iterator[Accuracies]:
    with DatabaseReader(complete) as database:
        yield Accuracies(database)


def judge_all(accuracies: Accuracies, before: int | None = None) -> list[tuple[int, str]]:
    """Return the verdicts on all matches that have none."""
    judged: list[tuple[int, str]] = []
    while (found := accuracies.judge_matches(before))[0]:
        judged += found[1]
    return judged


def judged_matches(accuracies: Accuracies) -> int:
    return sum(found.games for found in accuracies.by_game["take_stones"].values()) // 2


def store(path: Path, judged: list[tuple[int, str]]) -> None:
    with DatabaseWriter(path) as writer:
        for match, verdicts in judged:
            writer.save_verdicts(match, verdicts).result()


def test_matches_are_judged_once(accuracies: Accuracies) -> None:
    assert len(judge_all(accuracies)) == judged_matches(accuracies) == 6
    assert judge_all(accuracies) == []
    assert any(found.share for found in accuracies.by_game["take_stones"].values())


def test_stored_verdicts_are_counted_first(
    accuracies: Accuracies, complete: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "VERDICT_BATCH", 2)
    store(complete, judge_all(accuracies))
    with DatabaseReader(complete) as database:
        again = Accuracies(database)
        again.count_first_verdicts()
        assert judged_matches(again) == 2
        again.count_first_verdicts()
        assert judged_matches(again) == 2
        assert judge_all(again) == []
        assert again.by_game == accuracies.by_game


def test_verdicts_on_games_without_a_solver_are_not_counted(
    accuracies: Accuracies, complete: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(complete, judge_all(accuracies))
    monkeypatch.setitem(GAMES, "take_stones", GAMES["take_stones"]._replace(solver=None))
    with DatabaseReader(complete) as database:
        again = Accuracies(database)
        assert judge_all(again) == []
        assert "take_stones" not in again.by_game


def test_a_match_whose_solver_fails_is_skipped(
    accuracies: Accuracies, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Solver:
        raise RuntimeError("out of order")

    monkeypatch.setitem(GAMES, "take_stones", GAMES["take_stones"]._replace(solver=fail))
    accuracies.count_first_verdicts()
    assert accuracies.judge_matches(None) == (True, [])
    assert accuracies.judge_matches(None) == (False, [])


def test_batch_ends_at_its_time_limit(
    accuracies: Accuracies, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "JUDGE_SECONDS", -1.0)
    accuracies.count_first_verdicts()
    assert len(accuracies.judge_matches(None)[1]) == 1


def test_matches_after_a_running_one_are_not_judged(accuracies: Accuracies) -> None:
    assert len(judge_all(accuracies, 4)) == 3
    assert len(judge_all(accuracies)) == 3


def test_casual_match_is_not_judged(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        store_record(writer, make_record(make_casual_pairing()))
        with DatabaseReader(db) as database:
            assert judge_all(Accuracies(database)) == []
