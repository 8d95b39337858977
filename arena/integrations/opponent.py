"""Opponent of an agent that learns: a bot of the project or a user's Python bot, in process."""

from math import inf
from pathlib import Path
from typing import Any

from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.specification import BotSpec, Kind
from core.game import Position

NO_CLOCK = ClockReading(inf, inf, 0.0)


def check_player(player: int | None) -> None:
    """Raise ValueError unless a player is 1, 2, or None to be drawn."""
    if player not in (None, 1, 2):
        raise ValueError(f"expected player 1, 2 or None, got {player!r}")


class Opponent:
    """A bot without a clock. A copy, or one that was pickled, goes its own way."""

    def __init__(self, spec: str, seed: int, folder: Path | None = None) -> None:
        """Create the bot.

        Args:
            spec: The specification of a built-in bot or of a user's Python bot, as of a tournament:
                `greedy`, `spec:4`, `python:MODULE:CLASS`.
            seed: The seed of bots that make random choices.
            folder: The folder of users' modules; None is the working directory.

        Raises:
            ValueError: The specification is invalid.
            TypeError: It is no text.
        """
        if not isinstance(spec, str):
            raise TypeError(f"expected an opponent such as 'greedy' or 'spec:4', got {spec!r}")
        parsed = BotSpec.parse(spec)
        self._origin = spec, seed, folder
        self._strategy = create_strategy(parsed, seed, folder)
        self._is_pure = getattr(self._strategy, "is_pure", False)
        self._is_users = parsed.kind is Kind.PYTHON

    def __call__(self, position: Position) -> int | None:
        """Return the bot's move in a position, which does not change; None to resign."""
        return self._strategy(position if self._is_pure else position.copy(), NO_CLOCK)

    def __reduce__(self) -> tuple[Any, ...]:
        # Moves of the project's bots follow from the seed and the position, those of a user's may
        # also follow from what it remembers. Its module is imported before that is loaded.
        state = {"_strategy": self._strategy} if self._is_users else None
        return type(self), self._origin, state
