"""Every registered game passes the conformance suite; our games can also be pickled."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conformance.game_checks import run_checks
from arena.conformance.optional_checks import (
    ENCODING_CHECK,
    ENGINE_CHECKS,
    MATCHING_CHECK,
    STRONG_CHECKS,
)
from arena.conformance.random_games import typical_setups
from arena.conformance.rule_checks import RULE_CHECKS, facts
from core import GAMES, solver_of
from core.game import Game, Position

CHECKS = (*RULE_CHECKS, *ENGINE_CHECKS, MATCHING_CHECK, *STRONG_CHECKS, ENCODING_CHECK)
# With seed 1, the tests of `arena check-game` run it.
SEEDS = (2, pytest.param(3, marks=pytest.mark.slow))

games = pytest.mark.parametrize(
    "game", [pytest.param(game, id=name) for name, game in GAMES.items()]
)


def playout(data: st.DataObject, game: Game) -> Position:
    """A position some random legal moves from the start, often at the end of the game."""
    position = game.position(**data.draw(st.sampled_from(typical_setups(game)), "setup"))
    for _ in range(data.draw(st.integers(0, 40), "plies")):
        if position.is_over:
            break
        position.play(data.draw(st.sampled_from(position.legal_moves()), "move"))
    return position


@pytest.mark.untraced
@games
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_passes_the_conformance_suite(game: Game, seed: int) -> None:
    missing = {check.number for check in CHECKS if check.part and not getattr(game, check.part)}
    reports = {report.number: report for report in run_checks(game, seed, CHECKS)}
    assert len(reports) == len(CHECKS)
    for number, report in reports.items():
        assert report.state == ("skipped" if number in missing else "ok"), report


@games
def test_the_name_is_the_key_and_a_solver_is_there_if_any(game: Game) -> None:
    assert GAMES[game.name] is game
    start = game.position(**typical_setups(game)[0])
    assert (solver_of(start) is None) == (game.solver is None)


@games
@given(data=st.data())
def test_copies_and_pickles_are_equal(game: Game, data: st.DataObject) -> None:
    position = playout(data, game)
    pickled = pickle.loads(pickle.dumps(position))
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position), pickled):
        assert other == position
        assert facts(other) == facts(position)
