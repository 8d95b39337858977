"""Setups of the conformance test."""

from random import Random

from arena.conformance.setups import (
    LARGE,
    minimum_setup,
    random_setups,
    small_to_large_setups,
    typical_setups,
)
from core import GAMES
from core.game import Game, Parameter, Position
from tests.support.games.toy_games import TEN_NIM


def test_the_setups_of_take_stones() -> None:
    stones = [setup["stones"] for setup in small_to_large_setups(GAMES["take_stones"])]
    assert stones == [3, 20, 1000]


def test_a_game_without_parameters_has_one_setup() -> None:
    game = TEN_NIM
    assert small_to_large_setups(game) == typical_setups(game) == [{}]


def at_most_100(*, stones: int) -> Position:
    if stones > 100:
        raise ValueError("too many")
    return GAMES["take_stones"].position(stones=stones)


def test_a_large_setup_that_the_game_rejects_is_left_out() -> None:
    game: Game = GAMES["take_stones"]._replace(position=at_most_100)
    assert [setup["stones"] for setup in small_to_large_setups(game)] == [3, 20]


def test_a_parameter_may_have_a_large_minimum() -> None:
    parameters = {"stones": Parameter("", 2 * LARGE, (3 * LARGE,))}
    game = GAMES["take_stones"]._replace(parameters=parameters)
    stones = [setup["stones"] for setup in small_to_large_setups(game)]
    assert stones == [2 * LARGE, 3 * LARGE]


def test_the_minimum_setup_has_the_least_values() -> None:
    assert minimum_setup(GAMES["take_stones"]) == {"stones": 1}
    assert minimum_setup(GAMES["isolation"]) == {"size": 3}
    assert minimum_setup(TEN_NIM) == {}


def test_random_setups_are_up_to_the_largest_usual_one() -> None:
    stones = [setup["stones"] for setup in random_setups(GAMES["take_stones"], 200, Random(1))]
    assert len(stones) == 200
    assert (min(stones), max(stones)) == (1, 50)


def test_random_setups_that_the_game_rejects_are_left_out() -> None:
    parameters = {"stones": Parameter("", 1, (200,))}
    game = GAMES["take_stones"]._replace(position=at_most_100, parameters=parameters)
    stones = [setup["stones"] for setup in random_setups(game, 200, Random(1))]
    assert 0 < len(stones) < 200
    assert max(stones) <= 100


def test_random_setups_with_which_the_game_fails_are_kept() -> None:
    game = GAMES["take_stones"]._replace(position=lambda **_: 1 // 0)  # type: ignore[arg-type]
    assert len(random_setups(game, 3, Random(1))) == 3
