"""Time control: how much time each player has for a match or for a move. Times are in seconds.

Matches in process can be played without a clock, with or without a limit of nodes for each move.
"""

import math
import re
from decimal import Decimal
from typing import NamedTuple, Self

NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
PATTERN = re.compile(rf"{NUMBER}(?:\+{NUMBER}|(/move))?(?: margin {NUMBER})?", re.ASCII)
UNLIMITED = "unlimited"
NODES = re.compile(r"([1-9]\d{0,14}) nodes", re.ASCII)
LONGEST = 1e9  # seconds, of a clock that is unlimited, in messages
MAX_SHOWN = 60  # characters of an invalid text in a message
VERSUS = " vs "  # between the time controls of players 1 and 2, if these differ


class TimeControl(NamedTuple):
    """The time of each player: a base time, and an increment after each move.

    Attributes:
        base: Time at the start of the match or, with `per_move`, for each move. Seconds.
        increment: Time that is added after each move. Seconds.
        per_move: Whether the clock is reset to `base` for each move.
        margin: Time by which a clock may run below zero before the player forfeits on time: per
            move with `per_move`, otherwise in the whole match. Seconds.
        nodes: The most nodes that a bot may visit for a move, which is not checked; None without a
            limit.
    """

    base: float
    increment: float = 0.0
    per_move: bool = False
    margin: float = 0.0
    nodes: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a time control such as "5+0.05", "10", "0.5/move", "unlimited" or "1000 nodes".

        Raises:
            ValueError: The text has another form, or a time is out of range.
        """
        nodes = NODES.fullmatch(text)
        if nodes or text == UNLIMITED:
            return cls(math.inf, per_move=True, nodes=int(nodes[1]) if nodes else None)
        found = PATTERN.fullmatch(text)
        shown = f"{text[:MAX_SHOWN]}..." if len(text) > MAX_SHOWN else text
        if not found:
            raise ValueError(
                f"time {shown!r} is not BASE+INCREMENT, BASE or TIME/move in seconds, as 5+0.05,"
                ' nor, in process, "unlimited" or "N nodes"'
            )
        control = cls(float(found[1]), float(found[2] or 0), bool(found[3]), float(found[4] or 0))
        if not 0 < control.base <= 1e6 or max(control.increment, control.margin) > 1e6:
            raise ValueError(f"time {shown!r} must be above 0 and at most 1000000 seconds")
        return control

    @property
    def has_clock(self) -> bool:
        """Whether time is limited."""
        return self.base < math.inf

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        if not self.has_clock:
            return f"{self.nodes} nodes" if self.nodes else UNLIMITED
        added = "/move" if self.per_move else f"+{_format_seconds(self.increment)}"
        margin = f" margin {_format_seconds(self.margin)}" if self.margin else ""
        return f"{_format_seconds(self.base)}{added}{margin}"


Controls = tuple[TimeControl, TimeControl]
"""The time controls of players 1 and 2."""


def parse_controls(text: str) -> Controls:
    """Parse the time controls of a match: one for both players, or two as in "10+0.1 vs 5+0.05".

    Raises:
        ValueError: The text has another form, or a time is out of range.
    """
    one, versus, two = text.partition(VERSUS)
    control = TimeControl.parse(one)
    return control, TimeControl.parse(two) if versus else control


def controls_text(one: TimeControl, two: TimeControl) -> str:
    """Return the text that `parse_controls` reads."""
    return str(one) if one == two else f"{one}{VERSUS}{two}"


def milliseconds(seconds: float) -> float:
    """Return the reading of a clock for a message, which cannot hold infinity."""
    return 1000 * (seconds if seconds < LONGEST else LONGEST)


def _format_seconds(seconds: float) -> str:
    """Return all digits of a time, without an exponent, which `parse` does not read."""
    return f"{Decimal(repr(seconds)).normalize():f}"
