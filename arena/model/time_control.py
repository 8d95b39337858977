"""Time controls, how much time each player has, and the chess clock. All times are in seconds.

Matches in process can be played without a clock, with or without a limit of nodes for each move.
The clock does not read the time itself: the caller passes `now`, the reading of a monotonic clock.
"""

import math
import re
from decimal import Decimal
from typing import NamedTuple, Self

from msgspec import Struct

NUMBER = r"(\d+(?:\.\d*)?|\.\d+)"
PATTERN = re.compile(rf"{NUMBER}(?:\+{NUMBER}|(/move))?(?: margin {NUMBER})?", re.ASCII)
UNLIMITED = "unlimited"
NODES = re.compile(r"([1-9]\d{0,14}) nodes", re.ASCII)
LONGEST = 1e9  # seconds, of a clock that is unlimited, in messages
MAX_TIME = 10**6  # seconds, of each part
MAX_SHOWN = 60  # characters of an invalid text in a message
VERSUS = " vs "  # between the time controls of players 1 and 2, if these differ
MAX_CREDIT = 0.2  # seconds of network credit in reserve, unless an arena has another quota
CREDIT_RATE = 0.02  # seconds of quota that a second of the player's own turns gives back


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
        if not 0 < control.base <= MAX_TIME:
            raise ValueError(f"time {shown!r} must be above 0 and at most {MAX_TIME} seconds")
        for part in ("increment", "margin"):
            if getattr(control, part) > MAX_TIME:
                raise ValueError(f"time {shown!r}: {part} must be at most {MAX_TIME} seconds")
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


class Charge(Struct, frozen=True, gc=False):
    """The time that one turn took, in the fields of PlayedMove."""

    elapsed: float
    credit: float
    charged: float
    lag: float


class Clock:
    """Remaining time of both players in one match.

    Attributes:
        controls: The time controls of players 1 and 2.
        max_credit: The most network credit that a player has in reserve, in seconds.
        overdrawn: How far the clock ran below zero when the player's time ran out; None until
            then.
        started_at: When the clock was last started.
    """

    __slots__ = (
        "_charged_players",
        "_quotas",
        "_remaining",
        "_remaining_before",
        "_running",
        "controls",
        "max_credit",
        "overdrawn",
        "started_at",
    )

    def __init__(
        self,
        control: TimeControl,
        second: TimeControl | None = None,
        max_credit: float = 0.0,
    ) -> None:
        """Prepare stopped clocks.

        Args:
            control: The time control of both players, or of player 1.
            second: Player 2's, if it has another one.
            max_credit: The network credit that each player has in reserve at the start, and at
                most. Seconds.
        """
        self.controls = control, second or control
        self.max_credit = max_credit
        self.overdrawn: float | None = None
        self.started_at = 0.0
        self._remaining = [each.base for each in self.controls]
        self._quotas = [max_credit, max_credit]
        # Of each charge. Two lists: the garbage collector would visit a tuple for each turn.
        self._charged_players: list[int] = []
        self._remaining_before: list[float] = []
        self._running: int | None = None

    def start(self, player: int, now: float) -> None:
        """Start the clock of a player, 1 or 2."""
        self._running = player
        self.started_at = now

    def stop(self, now: float, credit: float, lag: float = 0.0) -> Charge:
        """Stop the running clock and charge its player.

        If the player's time ran out, `overdrawn` is set. The increment is added after that check.

        Args:
            now: The time of the stop.
            credit: Measured network delay; the player is not charged for it, up to its quota.
            lag: Largest lag of the arena's event loop during the turn; it is only recorded.
        """
        player = self._running
        assert player is not None, "no clock is running"
        control = self.controls[player - 1]
        elapsed = now - self.started_at
        if self.max_credit:
            quota = min(self.max_credit, self._quotas[player - 1] + CREDIT_RATE * elapsed)
            credit = min(credit, quota, elapsed)
            self._quotas[player - 1] = quota - credit
        else:
            credit = 0.0
        charged = elapsed - credit
        before = self._remaining[player - 1]
        left = before - charged
        if left + control.margin <= 0:
            self.overdrawn = -left - control.margin
        after = control.base if control.per_move else left + control.increment
        self._remaining[player - 1] = after
        self._charged_players.append(player)
        self._remaining_before.append(before)
        self._running = None
        return Charge(elapsed, credit, charged, lag)

    def refund(self, turns: int) -> None:
        """Revert the charges of the last `turns` turns exactly, and stop the running clock.

        The credit that they have had is not given back to the quota.
        """
        for _ in range(turns):
            player = self._charged_players.pop()
            self._remaining[player - 1] = self._remaining_before.pop()
        self._running = None

    def remaining(self, player: int, now: float) -> float:
        """Return the remaining time of a player, at least 0 and without the margin."""
        left = self._remaining[player - 1]
        if player == self._running:
            left -= now - self.started_at
        return left if left > 0.0 else 0.0

    @property
    def deadline(self) -> float | None:
        """The time after which no move can be in time, even with full credit.

        None if the clock is stopped or the time is not limited.
        """
        if self._running is None:
            return None
        control = self.controls[self._running - 1]
        if not control.has_clock:
            return None
        left = self._remaining[self._running - 1]
        left += control.margin
        quota = self._quotas[self._running - 1] + CREDIT_RATE * max(0.0, left + self.max_credit)
        return self.started_at + left + min(self.max_credit, quota)

    def limit_credit(self, seconds: float) -> None:
        """Let each player have this credit in reserve now, as in a replay of a recorded turn."""
        self.max_credit = seconds
        self._quotas = [seconds, seconds]
