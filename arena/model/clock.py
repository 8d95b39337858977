"""Time controls and time banks. The time of day never comes in: `now` is an argument.

All times are in seconds; `now` is read from a clock that only goes forward.
"""

import re
from decimal import Decimal
from typing import NamedTuple, Self

MAX_CREDIT = 0.1  # the most that one move is granted for the network, whatever was measured

NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
PATTERN = re.compile(rf"{NUMBER}(?:\+{NUMBER}|(/move))?(?: margin {NUMBER})?", re.ASCII)


class TimeControl(NamedTuple):
    """A bank for each player for the whole match, and what each move adds to it.

    With `per_move` the bank is filled anew for every move. By as much as `margin` the bank may be
    overdrawn before the flag falls: for one move where it is filled anew, else in the whole match.
    """

    base: float
    increment: float = 0.0
    per_move: bool = False
    margin: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Self:
        """The control that "5+0.05", "10", "0.5/move" or "10 margin 0.1" means.

        Raises ValueError.
        """
        found = PATTERN.fullmatch(text)
        if not found:
            raise ValueError(
                f"time {text!r} is not BASE+INCREMENT, BASE or TIME/move in seconds, as 5+0.05"
            )
        control = cls(float(found[1]), float(found[2] or 0), bool(found[3]), float(found[4] or 0))
        if not 0 < control.base <= 1e6 or max(control.increment, control.margin) > 1e6:
            raise ValueError(f"time {text!r} must be above 0 and at most 1000000 seconds")
        return control

    def __str__(self) -> str:
        added = "/move" if self.per_move else f"+{_plain(self.increment)}"
        margin = f" margin {_plain(self.margin)}" if self.margin else ""
        return f"{_plain(self.base)}{added}{margin}"


def _plain(seconds: float) -> str:
    """All digits of a time, never with an exponent: `parse` reads none."""
    return f"{Decimal(repr(seconds)).normalize():f}"


class Charge(NamedTuple):
    """What one turn took, in seconds: see PlayedMove."""

    elapsed: float
    credit: float
    charged: float
    lag: float


class Clock:
    """Both players' time in one match."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.overdrawn: float | None = None
        self.since = 0.0  # when it was last started
        self._banks = [control.base, control.base]
        self._charged: list[tuple[int, float]] = []  # who was, and what was in the bank before
        self._running: int | None = None

    def start(self, player: int, now: float) -> None:
        """Start the clock of a player, 1 or 2."""
        self._running = player
        self.since = now

    def stop(self, now: float, credit: float, lag: float = 0.0) -> Charge:
        """Stop the clock that runs and charge its player.

        If the flag has fallen, `overdrawn` says by how many seconds; an increment comes after that
        test.
        """
        assert self._running is not None, "no clock is running"
        elapsed = now - self.since
        credit = min(credit, MAX_CREDIT, elapsed)
        charge = Charge(elapsed, credit, elapsed - credit, lag)
        bank = self._banks[self._running - 1]
        left = bank - charge.charged
        if left + self.control.margin <= 0:
            self.overdrawn = -left - self.control.margin
        filled = self.control.base if self.control.per_move else left + self.control.increment
        self._banks[self._running - 1] = filled
        self._charged.append((self._running, bank))
        self._running = None
        return charge

    def give_back(self, charges: int) -> None:
        """Undo the last so many charges: both banks are as if there had been none, to the last bit.

        No clock runs then.
        """
        for _ in range(charges):
            player, bank = self._charged.pop()
            self._banks[player - 1] = bank
        self._running = None

    def remaining(self, player: int, now: float) -> float:
        """The time that a player has left, never below 0; the margin is not told."""
        used = now - self.since if player == self._running else 0.0
        return max(0.0, self._banks[player - 1] - used)

    @property
    def deadline(self) -> float | None:
        """When the flag has fallen whatever the network did, or None if no clock runs."""
        if self._running is None:
            return None
        return self.since + self._banks[self._running - 1] + self.control.margin + MAX_CREDIT
