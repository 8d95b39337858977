"""Setups of the conformance test."""

from random import Random

from arena.conformance.random_games import (
    LARGE,
    minimum_setup,
    random_setups,
    small_to_large_setups,
    typical_setups,
)
from core import GAMES
from core.game import Game, Parameter, Position
from tests.support.games.toy_games import TEN_NIM


def test_setups_from_small_to_large() -> None:
    stones = [setup["stones"] for setup in small_to_large_setups(GAMES["take_stones"])]
    assert stones == [3, 20, 1000]
    assert small_to_large_setups(TEN_NIM) == typical_setups(TEN_NIM) == [{}]
    game: Game = GAMES["take_stones"]._replace(position=at_most_100)
    assert [setup["stones"] for setup in small_to_large_setups(game)] == [3, 20]
    parameters = {"stones": Parameter("", 2 * LARGE, (3 * LARGE,))}
    game = GAMES["take_stones"]._replace(parameters=parameters)
    stones = [setup["stones"] for setup in small_to_large_setups(game)]
    assert stones == [2 * LARGE, 3 * LARGE]


def at_most_100(*, stones: int) -> Position:
    if stones > 100:
        raise ValueError("too many")
    return GAMES["take_stones"].position(stones=stones)


def test_the_minimum_setup_has_the_least_values() -> None:
    assert minimum_setup(GAMES["take_stones"]) == {"stones": 1}
    assert minimum_setup(GAMES["isolation"]) == {"size": 3}
    assert minimum_setup(TEN_NIM) == {}


def test_random_setups() -> None:
    stones = [setup["stones"] for setup in random_setups(GAMES["take_stones"], 200, Random(1))]
    assert len(stones) == 200
    assert (min(stones), max(stones)) == (1, 50)
    parameters = {"stones": Parameter("", 1, (200,))}
    game = GAMES["take_stones"]._replace(position=at_most_100, parameters=parameters)
    stones = [setup["stones"] for setup in random_setups(game, 200, Random(1))]
    assert 0 < len(stones) < 200
    assert max(stones) <= 100
    game = GAMES["take_stones"]._replace(position=lambda **_: 1 // 0)  # type: ignore[arg-type]
    assert len(random_setups(game, 3, Random(1))) == 3
