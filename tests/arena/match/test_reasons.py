"""Results of games, and what no game may report. Reasons in matches: test_referee.py."""

import pytest

from arena.match.reasons import loss, result_of
from arena.model.results import MatchResult, Termination
from core.game import Outcome
from tests.support.cases import loop_over

PLAYERS = ("anna", "bert")


def test_losses_name_the_player_and_outcomes_are_hashed() -> None:
    expected = MatchResult(Termination.TIMEOUT, 1, "player 2 (bert) slept")
    assert loss(PLAYERS, 2, Termination.TIMEOUT, "slept") == expected
    outcome = Outcome([1], "player 2 cannot move")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"must be 1, 2 or None, not \[1\]"):
        result_of(outcome, PLAYERS)


@loop_over("players", [PLAYERS, ("bert", "anna")])
def test_a_result_names_the_players(players: tuple[str, str]) -> None:
    expected = f"player 1 ({players[0]}) cannot move"
    assert result_of(Outcome.no_legal_move(1), players).reason == expected
