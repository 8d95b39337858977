"""The vocabulary of pairings and results. Plain values that everything else in arena uses."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Termination(StrEnum):
    """How a match ended."""

    NO_LEGAL_MOVE = "no_legal_move"
    ILLEGAL_MOVE = "illegal_move"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    RESIGNATION = "resignation"
    MALFORMED = "malformed"
    ABORTED = "aborted"  # the arena's own fault: counts for nobody and is played again

    @property
    def is_forfeit(self) -> bool:
        """Whether the loser broke a rule, rather than being beaten on the board."""
        return self in FORFEITS


FORFEITS = frozenset(
    {
        Termination.ILLEGAL_MOVE,
        Termination.TIMEOUT,
        Termination.DISCONNECT,
        Termination.MALFORMED,
    }
)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended, who won it (1 or 2; None if aborted), and why in words."""

    termination: Termination
    winner: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move and its time, in seconds.

    `elapsed` is what passed, `credit` what the network was granted of it, `charged` the rest, and
    `lag` by how much the arena's own event loop was late meanwhile, at worst.
    """

    ply: int
    move: int
    elapsed: float
    credit: float
    charged: float
    lag: float


@dataclass(frozen=True, slots=True)
class Fault:
    """The turn that ended a match: an illegal move, or a fallen flag. Times as in PlayedMove.

    `move` is None if no answer came.
    """

    ply: int
    move: int | None
    elapsed: float
    credit: float
    charged: float
    lag: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who meets whom on what. `number` is the place in a tournament's schedule, from 1.

    `opening` holds the moves that are made before the players take over. Two matches make a pair,
    1 and 2, 3 and 4, ...: the same bots and the same opening, with the sides swapped.

    A `casual` match counts for nobody, and its players may take moves back. `time` is the time
    control that it is played with, if it is not the arena's.
    """

    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...] = ()
    casual: bool = False
    time: str | None = None


class Outcome(NamedTuple):
    """What a match that counts comes to: player 1, player 2, who won (1 or 2), and how."""

    one: str
    two: str
    winner: int
    termination: Termination


Tally = Counter[Outcome]
"""How often each outcome occurred: all that standings and ratings need of any number of matches."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """Everything that is kept of one attempt at a pairing. Times of day are Unix time.

    `fault` is there if an illegal move or a fallen flag has ended the match; it lost the match,
    unless the arena itself was late and has aborted it.
    """

    id: int
    pairing: Pairing
    time_control: str
    started_at: float
    finished_at: float
    result: MatchResult
    moves: tuple[PlayedMove, ...]
    fault: Fault | None = None

    @property
    def winner(self) -> str | None:
        """The name of the winner, or None if the match was aborted."""
        return self.pairing.players[self.result.winner - 1] if self.result.winner else None

    @property
    def loser(self) -> str | None:
        """The name of the loser, or None if the match was aborted."""
        return self.pairing.players[2 - self.result.winner] if self.result.winner else None

    @property
    def outcome(self) -> Outcome | None:
        """What it counts as, or None if the match was aborted or casual."""
        if self.result.winner is None or self.pairing.casual:
            return None
        return Outcome(*self.pairing.players, self.result.winner, self.result.termination)
