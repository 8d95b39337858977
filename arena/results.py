"""The vocabulary of pairings and results. Plain values that everything else in arena uses."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


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
    """A move and its time, in seconds: what passed, what the network was granted, the charge."""

    ply: int
    move: int
    elapsed: float
    credit: float
    charged: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who meets whom on what. `number` is the place in a tournament's schedule, from 1.

    `opening` holds the moves that are made before the players take over.
    """

    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """Everything that is kept of one attempt at a pairing. Times of day are Unix time."""

    id: int
    pairing: Pairing
    time_control: str
    started_at: float
    finished_at: float
    result: MatchResult
    moves: tuple[PlayedMove, ...]

    @property
    def winner(self) -> str | None:
        """The name of the winner, or None if the match was aborted."""
        return self.pairing.players[self.result.winner - 1] if self.result.winner else None

    @property
    def loser(self) -> str | None:
        """The name of the loser, or None if the match was aborted."""
        return self.pairing.players[2 - self.result.winner] if self.result.winner else None
