"""Pairings, moves, results and records of matches: the value types that the arena shares."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct


class Termination(StrEnum):
    """The way in which a match ended."""

    NO_LEGAL_MOVE = "no_legal_move"
    GAME_OVER = "game_over"  # by another rule of the game; draws are always of this kind
    ILLEGAL_MOVE = "illegal_move"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    RESIGNATION = "resignation"
    MALFORMED = "malformed"
    ABORTED = "aborted"  # a fault of the arena: the match is unrated and is played again

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


GAME_TERMINATIONS = (Termination.NO_LEGAL_MOVE, Termination.GAME_OVER)
"""The terminations that the rules of a game decide."""


Points = tuple[float, float]
"""Points of two players: 1 for a win, 1/2 for a draw. Multiples of 1/2, so that sums are exact."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match.

    Attributes:
        termination: The way in which it ended.
        winner: 1 or 2; None for a draw, and if the match was aborted.
        reason: Why it ended, in words.
    """

    termination: Termination
    winner: int | None
    reason: str

    @property
    def is_aborted(self) -> bool:
        """Whether the match was aborted, so that it does not count."""
        return self.termination is Termination.ABORTED

    @property
    def is_draw(self) -> bool:
        """Whether the match ended without a winner by the rules of the game."""
        return self.winner is None and not self.is_aborted


class PlayedMove(Struct, frozen=True, gc=False):
    """A move and its times.

    Attributes:
        ply: Number of moves before this one, those of the opening included.
        move: The move.
        elapsed: Time from sending the turn to receiving the move. Seconds.
        credit: The part of `elapsed` that is attributed to the network. Seconds.
        charged: The rest, which is taken from the player's clock. Seconds.
        lag: Largest lag of the arena's event loop during the turn. Seconds.
    """

    ply: int
    move: int
    elapsed: float
    credit: float
    charged: float
    lag: float


@dataclass(frozen=True, slots=True)
class Fault:
    """The turn that ended a match by an illegal move or a timeout.

    `move` is None if no move was received. The other fields are those of PlayedMove.
    """

    ply: int
    move: int | None
    elapsed: float
    credit: float
    charged: float
    lag: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, and the game that they play.

    Attributes:
        number: The match's number in the tournament's schedule, from 1; None outside of one. Two
            matches make a pair (1 and 2, 3 and 4, ...): the same bots and opening, sides swapped.
        players: The names of players 1 and 2.
        game: The name of the game.
        setup: The parameters of the game.
        opening: Moves that are made before the players move.
        casual: Whether the match is unrated and allows takebacks.
        time: The time control, if it differs from the arena's.
    """

    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...] = ()
    casual: bool = False
    time: str | None = None


class RatedResult(NamedTuple):
    """The result of a rated match: names of players 1 and 2, the winner, and the termination.

    `winner` is 1 or 2, or None for a draw.
    """

    one: str
    two: str
    winner: int | None
    termination: Termination

    @property
    def points(self) -> Points:
        """The points of players 1 and 2."""
        return match_points(self.winner)


def match_points(winner: int | None) -> Points:
    """Return the points of players 1 and 2 for a match won by `winner`, None for a draw."""
    if winner is None:
        return 0.5, 0.5
    return (1.0, 0.0) if winner == 1 else (0.0, 1.0)


def points_number(points: float) -> int | float:
    """Return points as they are written: as an integer if they are whole."""
    return int(points) if points == int(points) else points


class PlayedGame(NamedTuple):
    """The result and the moves of a rated match in a schedule, without times.

    Attributes:
        number: The match's number.
        result: Its players and its result.
        opening: The moves of the opening.
        moves: The moves of the players, as text.
    """

    number: int
    result: RatedResult
    opening: tuple[int, ...]
    moves: str


Tally = Counter[RatedResult]
"""Number of matches by rated result: the input of standings and ratings."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The complete record of one attempt to play a pairing.

    Attributes:
        id: The number of the attempt, unique in a database.
        pairing: The players and the game.
        time_control: The time control, as text.
        started_at: Start of the match. Unix time, seconds.
        finished_at: End of the match. Unix time, seconds.
        result: How the match ended.
        moves: The moves of the players, without those of the opening.
        fault: The turn that ended the match by an illegal move or a timeout. Its player lost,
            unless the match was aborted because the arena itself was late.
        log: The last output of the loser's program, if it failed and its bot sent that.
    """

    id: int
    pairing: Pairing
    time_control: str
    started_at: float
    finished_at: float
    result: MatchResult
    moves: tuple[PlayedMove, ...]
    fault: Fault | None = None
    log: str = ""

    @property
    def winner(self) -> str | None:
        """The name of the winner, or None if there is none."""
        return self.pairing.players[self.result.winner - 1] if self.result.winner else None

    @property
    def loser(self) -> str | None:
        """The name of the loser, or None if there is none."""
        return self.pairing.players[2 - self.result.winner] if self.result.winner else None

    @property
    def is_rated(self) -> bool:
        """Whether the match counts, as it was neither aborted nor casual."""
        return not (self.result.is_aborted or self.pairing.casual)

    @property
    def rated_result(self) -> RatedResult | None:
        """The rated result, or None if the match does not count."""
        if not self.is_rated:
            return None
        return RatedResult(*self.pairing.players, self.result.winner, self.result.termination)
