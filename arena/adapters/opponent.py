"""Opponent of an agent that learns: a bot of the project or a user's Python bot, in process."""

from collections.abc import Callable
from math import inf
from pathlib import Path

from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.specification import BotSpec
from core.game import Position

Opponent = Callable[[Position], int | None]
"""Chooses a move in a position, which it does not change; None to resign."""


def create_opponent(spec: str, seed: int, folder: Path | None = None) -> Opponent:
    """Return a new bot, which has no clock.

    Args:
        spec: The specification of a built-in bot or of a user's Python bot, as of a tournament:
            `greedy`, `spec:4`, `python:MODULE:CLASS`.
        seed: The seed of bots that make random choices.
        folder: The folder of users' modules; None is the working directory.

    Raises:
        ValueError: The specification is invalid.
    """
    strategy = create_strategy(BotSpec.parse(spec), seed, folder)
    reading = ClockReading(inf, inf, 0.0)
    if getattr(strategy, "is_pure", False):
        return lambda position: strategy(position, reading)
    return lambda position: strategy(position.copy(), reading)
