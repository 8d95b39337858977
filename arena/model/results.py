"""Pairings, moves, results, records and filters of matches: values that the arena shares."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

MAX_VARIATION = 64  # moves of a principal variation
MAX_LOG = 4000  # characters of a program's last output
MISSING = -1  # half points in a match that a pair lacks
MAX_PARAMETERS = 20  # of a setup: each is a condition, and SQLite takes about a thousand

Evaluation = Annotated[float, Meta(ge=-1e9, le=1e9)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
VariationMove = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Variation = Annotated[tuple[VariationMove, ...], Meta(max_length=MAX_VARIATION)]


class Info(Struct, frozen=True, omit_defaults=True):
    """The search behind a move, as its bot reports it. None of the fields is checked.

    `evaluation` is the value of the position: above 0 it is better for player 1. `depth` is the
    depth of the search in plies, `nodes` the number of positions visited, and `pv` the principal
    variation: the moves that the bot expects, its own first.
    """

    evaluation: Evaluation | None = None
    depth: Count | None = None
    nodes: Count | None = None
    pv: Variation = ()


NOTHING = Info()


def parse_info(fields: Mapping[str, str | list[str]]) -> Info:
    """Return the information that texts give, by field.

    Raises:
        ValueError: A text is no number, or a number is out of range.
    """
    return msgspec.convert(fields, Info, strict=False)


class Termination(StrEnum):
    """The way a match ended."""

    NO_LEGAL_MOVE = "no_legal_move"
    GAME_OVER = "game_over"  # by another rule of the game; draws are always of this kind
    ILLEGAL_MOVE = "illegal_move"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    RESIGNATION = "resignation"
    MALFORMED = "malformed"
    ABORTED = "aborted"  # unrated and played again: a fault of the arena; or called off, if casual

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
        termination: The way it ended.
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
        ply: Number of moves before this one, including the opening's.
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


TIMES = ("elapsed", "credit", "charged", "lag")
"""The fields of a move, and of a fault, that are times in seconds."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The turn that ended a match by an illegal move or a timeout.

    `move` is None if no move was received. The other fields are as in PlayedMove.
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
        tags: Further tags of the match's record, such as Event, by name.
        hints: Whether people have agreed to hints while they play; it is not stored.
    """

    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: tuple[int, ...] = ()
    casual: bool = False
    time: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    hints: bool = False


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


class PairScore(NamedTuple):
    """Number of pairs between two bots with the same score.

    Attributes:
        one: A bot.
        two: Another bot; its name sorts after the name of `one`.
        first: Half points of bot `one` in the match as player 1: 0, 1, 2 or MISSING.
        second: Half points of bot `one` in the match as player 2.
        pairs: The number of pairs.
        clusters: The number of different pairs among them.
        squares: The sum over clusters of the square of their number of pairs.
    """

    one: str
    two: str
    first: int
    second: int
    pairs: int
    clusters: int
    squares: int

    @property
    def pair_results(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """The numbers of pairs that each bot has won, tied and lost; without single matches."""
        if MISSING in (self.first, self.second):
            return (0, 0, 0), (0, 0, 0)
        ahead = self.first + self.second - 2
        won, tied, lost = (self.pairs * is_so for is_so in (ahead > 0, ahead == 0, ahead < 0))
        return (won, tied, lost), (lost, tied, won)


def pair_score(*matches: tuple[str, str, int | None]) -> tuple[str, str, int, int]:
    """Return bots and half points of a pair, or of a match outside of one, as in PairScore.

    Args:
        matches: Players 1 and 2 and the winner (1, 2, or None or 0 for a draw) of one match, or of
            the two matches of a pair.
    """
    one, two = sorted(matches[0][:2])
    points = {True: MISSING, False: MISSING}  # by whether bot `one` is player 1
    for player1, _, winner in matches:
        is_first = player1 == one
        is_won = winner == (1 if is_first else 2)
        points[is_first] = 2 * is_won if winner else 1
    return one, two, points[True], points[False]


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
        moves: The moves of the players, without the opening's.
        fault: The turn that ended the match by an illegal move or a timeout. Its player lost,
            unless the match was aborted because the arena itself was late.
        log: The last output of the loser's program, if it failed and its bot sent that.
        infos: What the bots reported with their moves, by ply.
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
    infos: Mapping[int, Info] = field(default_factory=dict)

    @property
    def tags(self) -> Mapping[str, str]:
        """Further tags of the record, such as Event, by name."""
        return self.pairing.tags

    @property
    def turns(self) -> tuple["PlayedMove | Fault", ...]:
        """The players' moves, then the fault if there is one."""
        return (*self.moves, self.fault) if self.fault else self.moves

    def total_seconds(self, time: str) -> tuple[float, float]:
        """Return a time of players 1 and 2 in total, including a fault's.

        Args:
            time: One of the times of a turn, such as "charged" or "credit".
        """
        one, two = (
            sum(getattr(turn, time) for turn in self.turns if turn.ply % 2 == side)
            for side in (0, 1)
        )
        return one, two

    @property
    def winner(self) -> str | None:
        """The winner's name, or None."""
        return self.pairing.players[self.result.winner - 1] if self.result.winner else None

    @property
    def loser(self) -> str | None:
        """The loser's name, or None."""
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


Parameter = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Outcome = Literal["won", "lost", "draw"]


class MatchFilter(Struct, frozen=True, kw_only=True):
    """Conditions on a finished match; None stands for any.

    Attributes:
        bot: A name; if nobody has it, the beginning of names, in upper or lower case.
        opponent: The same for the other player.
        game: The name of a game.
        setup: Values of parameters of the game, by name; others may have any value.
        outcome: The result of `bot`, or of player 1 if neither player is given.
        ending: How the match ended.
        max_blunders: Maximum number of blunders of both players; only analysed matches have one.
        min_plies: Minimum number of moves, the opening included.
        max_plies: Maximum number of moves, the opening included.
        since: Unix time from which on the match ended.
        until: Unix time before which the match ended.
    """

    bot: str | None = None
    opponent: str | None = None
    game: str | None = None
    setup: Annotated[Mapping[str, Parameter], Meta(max_length=MAX_PARAMETERS)] = {}
    outcome: Outcome | None = None
    ending: Termination | None = None
    max_blunders: Count | None = None
    min_plies: Count | None = None
    max_plies: Count | None = None
    since: float | None = None
    until: float | None = None
