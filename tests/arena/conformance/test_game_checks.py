"""Run of a list of checks on random games."""

import pytest

from arena.conformance.game_checks import CheckReport, GameCheck, require, run_checks
from arena.conformance.random_games import Sample
from arena.conformance.steps import MAX_QUOTED, CheckFailed
from core.game import Game
from tests.support.games.defective_games import broken_heap, sound_game


def accept(_: Sample) -> None:
    """Accept any sample."""


def refuse_long_games(sample: Sample) -> None:
    """Refuse samples of more than two moves."""
    require(len(sample.moves) <= 2, "at most 2 moves", str(len(sample.moves)))


def states(*checks: GameCheck, game: Game | None = None) -> list[CheckReport]:
    return [*run_checks(game or sound_game(), 1, checks)]


def test_samples_are_counted() -> None:
    check = GameCheck(1, "accepts", accept, "setups", ())
    assert states(check) == [CheckReport(1, "accepts", "ok", "4 setups")]
    check = GameCheck(1, "accepts", accept, "setups", ())
    game = sound_game(parameters={}, position=broken_heap().position)
    assert states(check, game=game)[0].detail == "1 setup"
    [report] = states(GameCheck(1, "accepts", accept, None, ()))
    assert (report.state, report.detail) == ("ok", "Nim")


def test_the_failure_with_the_fewest_moves_is_reported() -> None:
    [report] = states(GameCheck(1, "is short", refuse_long_games, requires=()))
    assert report.state == "FAILED"
    expected, _, sample = report.detail.partition("; ")
    assert expected == "expected at most 2 moves, got 3"
    assert len(sample.split("moves ")[1].split()) == 3


def test_checks_may_be_skipped_or_impossible() -> None:
    failing = GameCheck(1, "is short", refuse_long_games, requires=())
    checks = (failing, GameCheck(2, "accepts", accept, requires=(1,)))
    assert states(*checks)[1] == CheckReport(2, "accepts", "skipped", "requires check 1")
    game = broken_heap(play=lambda *_: 1 // 0)
    [report] = states(GameCheck(1, "accepts", accept, requires=()), game=game)
    assert report.state == "FAILED"
    assert report.detail.startswith("ZeroDivisionError: ")
    with pytest.raises(CheckFailed) as caught:
        require(False, "less", "x" * (MAX_QUOTED + 1))
    assert caught.value.received == "x" * MAX_QUOTED + "..."
