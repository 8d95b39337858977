"""Share of openings that player 1 wins under perfect play."""

import pytest

from arena.analysis.perfect_share import perfect_share
from core import GAMES
from core.game import Position, Solver


def test_openings_count_as_often_as_they_are_played_if_known() -> None:
    # With 7 stones, player 1 wins with one of the two first moves.
    shares = {
        move: perfect_share("take_stones", {"stones": 7}, {(move,): 1}, lambda: 1.0)
        for move in (1, 3)
    }
    both = perfect_share("take_stones", {"stones": 7}, {(1,): 3, (3,): 1}, lambda: 1.0)
    assert both == ((shares[1] or 0) * 3 + (shares[3] or 0)) / 4
    assert perfect_share("take_stones", {"stones": 1}, {(): 5}, lambda: 1.0) == 0
    assert perfect_share("isolation", {}, {(): 1}, lambda: 1.0) is None
    assert perfect_share("take_stones", {"stones": 5000}, {(): 1}, lambda: -1.0) is None


def test_openings_that_cannot_be_played_are_unknown() -> None:
    assert perfect_share("take_stones", {"stones": 7}, {(99,): 1}, lambda: 1.0) is None
    assert perfect_share("unknown", {"stones": 7}, {(1,): 1}, lambda: 1.0) is None


def test_a_solver_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(position: Position, seconds: float | None) -> Solver:
        raise ZeroDivisionError(position, seconds)

    broken = GAMES["take_stones"]._replace(solver=fail)
    monkeypatch.setitem(GAMES, "take_stones", broken)
    assert perfect_share("take_stones", {"stones": 20}, {(): 1}, lambda: 1.0) is None
