"""Time controls and time banks. The time of day never comes in: `now` is an argument.

All times are in seconds; `now` is read from a clock that only goes forward.
"""

import re
from decimal import Decimal
from typing import NamedTuple, Self

MAX_CREDIT = 0.1  # the most that one move is granted for the network, whatever was measured

PATTERN = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(?:\+(\d+(?:\.\d*)?|\.\d+))?", re.ASCII)


class TimeControl(NamedTuple):
    """A bank for each player for the whole match, and what each move adds to it."""

    base: float
    increment: float

    @classmethod
    def parse(cls, text: str) -> Self:
        """The control that a text like "5+0.05" or "10" means. Raises ValueError."""
        found = PATTERN.fullmatch(text)
        if not found:
            raise ValueError(f"time {text!r} is not BASE or BASE+INCREMENT in seconds, as 5+0.05")
        control = cls(float(found[1]), float(found[2] or 0))
        if not 0 < control.base <= 1e6 or control.increment > 1e6:
            raise ValueError(f"time {text!r} must be above 0 and at most 1000000 seconds")
        return control

    def __str__(self) -> str:
        return f"{_plain(self.base)}+{_plain(self.increment)}"


def _plain(seconds: float) -> str:
    """All digits of a time, never with an exponent: `parse` reads none."""
    return f"{Decimal(repr(seconds)).normalize():f}"


class Charge(NamedTuple):
    """What one move took: the time that passed, the network's part of it, and the rest."""

    elapsed: float
    credit: float
    charged: float


class Clock:
    """Both players' time in one match."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self._banks = [control.base, control.base]
        self._running: int | None = None
        self._since = 0.0

    def start(self, player: int, now: float) -> None:
        """Start the clock of a player, 1 or 2."""
        self._running = player
        self._since = now

    def stop(self, now: float, credit: float) -> Charge:
        """Stop the clock that runs and charge its player.

        The bank is at 0 if the flag has fallen; an increment comes after that test.
        """
        assert self._running is not None, "no clock is running"
        elapsed = now - self._since
        credit = min(credit, MAX_CREDIT, elapsed)
        charge = Charge(elapsed, credit, elapsed - credit)
        left = self._banks[self._running - 1] - charge.charged
        self._banks[self._running - 1] = left + self.control.increment if left > 0 else 0.0
        self._running = None
        return charge

    def remaining(self, player: int, now: float) -> float:
        """The time that a player has left, never below 0."""
        used = now - self._since if player == self._running else 0.0
        return max(0.0, self._banks[player - 1] - used)

    def has_fallen(self, player: int) -> bool:
        """Whether the player's time was used up when the clock was stopped."""
        return self._banks[player - 1] == 0.0

    @property
    def deadline(self) -> float | None:
        """When the flag has fallen whatever the network did, or None if no clock runs."""
        if self._running is None:
            return None
        return self._since + self._banks[self._running - 1] + MAX_CREDIT
