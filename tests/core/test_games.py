"""Every registered game passes the conformance suite; our games can also be pickled."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conformance.engine_checks import ENGINE_CHECKS
from arena.conformance.game_checks import GameCheck, run_checks
from arena.conformance.rule_checks import RULE_CHECKS, facts
from arena.conformance.setups import typical_setups
from core import GAMES, solver_of
from core.game import Game, Position

CHECKS = (*RULE_CHECKS, *ENGINE_CHECKS)
SEEDS = (1, 2, 3)

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


@games
@pytest.mark.parametrize("check", [pytest.param(check, id=check.title) for check in CHECKS])
def test_a_game_passes_the_conformance_suite(game: Game, check: GameCheck) -> None:
    is_missing = check.part is not None and getattr(game, check.part) is None
    alone = check._replace(requires=())
    for seed in SEEDS:
        [report] = run_checks(game, seed, [alone])
        assert report.state == ("skipped" if is_missing else "ok"), report.detail


@games
def test_the_name_is_the_key(game: Game) -> None:
    assert GAMES[game.name] is game


@games
@given(data=st.data())
def test_copies_and_pickles_are_equal(game: Game, data: st.DataObject) -> None:
    position = playout(data, game)
    pickled = pickle.loads(pickle.dumps(position))
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position), pickled):
        assert other == position
        assert facts(other) == facts(position)


@games
def test_a_solver_is_there_where_the_game_has_one(game: Game) -> None:
    start = game.position(**typical_setups(game)[0])
    assert (solver_of(start) is None) == (game.solver is None)
