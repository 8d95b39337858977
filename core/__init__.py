"""The games: rules, evaluation, search. No input, no output, no randomness."""

from core import isolation, take_stones
from core.game import Game

GAMES: dict[str, Game] = {
    "take_stones": take_stones.GAME,
    "isolation": isolation.GAME,
}
