"""Setups of the conformance tests: typical values of a game's parameters, and extreme ones."""

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random

from core.game import Game

LARGE = 1000  # a large value of any parameter


def typical_setups(game: Game) -> list[dict[str, int]]:
    """Return setups that together contain each typical value of each parameter."""
    parameters = game.parameters.items()
    count = max((len(parameter.usual) for _, parameter in parameters), default=1)
    return [
        {name: parameter.usual[index % len(parameter.usual)] for name, parameter in parameters}
        for index in range(count)
    ]


def minimum_setup(game: Game) -> dict[str, int]:
    """Return the setup with the least value of each parameter."""
    return {name: parameter.minimum for name, parameter in game.parameters.items()}


def random_setups(game: Game, count: int, random: Random) -> list[dict[str, int]]:
    """Return up to `count` setups with values between the least and the largest usual ones.

    Setups that the game rejects are left out.
    """
    drawn = [
        {
            name: random.randint(parameter.minimum, max(parameter.usual))
            for name, parameter in game.parameters.items()
        }
        for _ in range(count)
    ]
    return [setup for setup in drawn if _is_accepted(game, setup)]


def small_to_large_setups(game: Game) -> list[dict[str, int]]:
    """Return the smallest setup in which player 1 can move, a typical one and a large one.

    Equal setups are returned once; a large setup that the game rejects is left out.
    """
    parameters = game.parameters.items()
    ascending = (
        {name: parameter.minimum + more for name, parameter in parameters} for more in range(LARGE)
    )
    large = {name: max(LARGE, parameter.minimum) for name, parameter in parameters}
    smallest = islice(filter(_is_playable(game), ascending), 1)
    found = [*smallest, typical_setups(game)[0], *filter(_is_playable(game), [large])]
    return [setup for index, setup in enumerate(found) if setup not in found[:index]]


def _is_accepted(game: Game, setup: Mapping[str, int]) -> bool:
    try:
        game.position(**setup)
    except ValueError:  # a game may reject values above the minimum
        return False
    except Exception:  # a check reports it
        return True
    return True


def _is_playable(game: Game) -> Callable[[Mapping[str, int]], bool]:
    def is_playable(setup: Mapping[str, int]) -> bool:
        try:
            return not game.position(**setup).is_over
        except ValueError:  # a game may reject values above the minimum
            return False

    return is_playable
