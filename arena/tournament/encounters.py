"""Encounters of two bots in the rounds of a tournament."""

from enum import StrEnum
from typing import NamedTuple

from arena.model.results import Points


class Decision(StrEnum):
    """How an encounter was decided."""

    PLAYED = "played"
    SUDDEN_DEATH = "sudden death"
    SEED = "seed"
    BYE = "bye"


class Encounter(NamedTuple):
    """All pairs of matches between two bots in a round.

    Attributes:
        players: Names of the bots; None for a bot that is not known yet, and for a bye.
        points: Points of each so far.
        winner: The bot that advances or has more points; None before the end, and for equal points.
        decided: How the encounter was decided, or None while it is undecided.
    """

    players: tuple[str | None, str | None]
    points: Points = (0.0, 0.0)
    winner: str | None = None
    decided: Decision | None = None
