"""Every message between the arena and those who watch, and the only place that encodes or decodes.

A message is a JSON object in a text frame, tagged by `type`; docs/reference/spectators.md
tells a stranger what each one means. Unknown fields are ignored, so that the protocol can grow. A
viewer follows one thing at a time, the lobby or a match, and may ask questions, which are answered one after another.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from arena.model.results import Termination

Request = Annotated[int, Meta(ge=0)]
Ply = Annotated[int, Meta(ge=0)]

MAX_GAMES = 100  # in one answer
MAX_DEPTH = 50  # plies of a search that is asked for


# What viewers send


class Watch(Struct, frozen=True, tag="watch", tag_field="type"):
    """Follow a match by its id or, if that is None, the lobby."""

    match: int | None = None


class FindGames(Struct, frozen=True, tag="find_games", tag_field="type"):
    """Which matches have been played? The latest come first, those before an id if there is one."""

    request: Request
    before: int | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 50
    bot: str | None = None
    game: str | None = None


class FindRecord(Struct, frozen=True, tag="find_record", tag_field="type"):
    """What is the record of a match as text in the manner of PGN?"""

    request: Request
    match: int


class Analyse(Struct, frozen=True, tag="analyse", tag_field="type"):
    """What is there to say of a position, with a search to a depth in plies (0: to the end)?

    Without a depth nothing is searched.
    """

    request: Request
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int] = ()
    depth: Annotated[int, Meta(ge=0, le=MAX_DEPTH)] | None = None


# What viewers get


class ParameterInfo(Struct, frozen=True):
    """One whole number of a game's setup."""

    meaning: str
    minimum: int
    usual: tuple[int, ...]


class GameInfo(Struct, frozen=True):
    """A game that is played here."""

    name: str
    title: str
    parameters: Mapping[str, ParameterInfo]
    is_solved: bool


class TournamentInfo(Struct, frozen=True):
    """What is being played, in a tournament. `matches` is a bound where it may end early."""

    game: str
    format: str
    bots: Sequence[str]
    matches: int
    may_end_early: bool
    seed: int


class About(Struct, frozen=True, tag="about", tag_field="type"):
    """What this arena is: the first message.

    Only if it `is_open` may anybody come to play; `offers` are the bots that may be challenged
    then, with the games that each plays. `run` is another one after each start of the arena.
    """

    run: str
    time: str
    games: Sequence[GameInfo]
    is_open: bool
    offers: Mapping[str, Sequence[str]]
    tournament: TournamentInfo | None


class TimeControlInfo(Struct, frozen=True):
    """A time control, as text and in milliseconds; with `per_move` it is filled for each move."""

    text: str
    base_ms: int
    increment_ms: int
    per_move: bool


class MatchInfo(Struct, frozen=True):
    """What is known of a match from its beginning. `opening` is how many moves were set."""

    match: int
    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: int
    control: TimeControlInfo
    casual: bool
    started_at: float  # Unix time


class MoveUpdate(Struct, frozen=True):
    """The moves of a match from a ply on: whatever was known from there on is replaced.

    `charged_ms` has the time that each of them took, 0 for those of the opening. `since_ms` is for
    how long the player whose turn it is has been thinking; None if nobody is.
    """

    match: int
    ply: Ply
    moves: Sequence[int]
    charged_ms: Sequence[int]
    since_ms: int | None


class Result(Struct, frozen=True, omit_defaults=True):
    """How a match ended; `fault` is the turn that ended it, if one did: its move and charged ms."""

    match: int
    winner: int | None
    termination: Termination
    reason: str
    finished_at: float
    fault: tuple[int | None, int] | None = None


class MatchSummary(Struct, frozen=True):
    """A match that has ended, without its moves."""

    facts: MatchInfo
    result: Result
    plies: int


class Lobby(Struct, frozen=True, tag="lobby", tag_field="type", omit_defaults=True):
    """What has changed since the last one; the first, which is `full`, has everything.

    `started` come before their `moves`; `over` are the ids of those that are not played any more;
    `results` are the latest matches that have ended, the newest first. Of very many matches not all
    are told: `playing` is how many there are, `finished` how many have been played and count.
    """

    full: bool = False
    playing: int | None = None
    started: Sequence[MatchInfo] = ()
    moves: Sequence[MoveUpdate] = ()
    over: Sequence[int] = ()
    bots: Sequence[str] | None = None
    results: Sequence[MatchSummary] | None = None
    finished: int | None = None


class LeaderboardRow(Struct, frozen=True):
    """A bot's line in the table; `elo`, `margin` and `accuracy` are None where nothing is known."""

    bot: str
    elo: float | None
    margin: float | None
    wins: int
    losses: int
    forfeits: int
    accuracy: float | None


class HeadToHead(Struct, frozen=True, array_like=True):
    """What one bot has from another, by their places in the table: won, lost as player 1, as 2.

    An array on the wire, and one for both of them: there may be thousands.
    """

    one: int
    other: int
    first: tuple[int, int]
    second: tuple[int, int]
    forfeits: int


class Leaderboard(Struct, frozen=True):
    """All there is to say of the bots in one game, best first.

    `judged` is how many of the finished matches the accuracies are from; `blocks` are what a
    tournament's format has to show besides, a heading and a text each; `note` is a warning.
    """

    game: str
    finished: int
    judged: int
    first_move: str
    note: str
    bots: Sequence[LeaderboardRow]
    meetings: Sequence[HeadToHead]
    blocks: Sequence[tuple[str, str]]


class Leaderboards(Struct, frozen=True, tag="tables", tag_field="type"):
    """The table of each game, told again when it has changed."""

    tables: Sequence[Leaderboard]


class MatchSnapshot(Struct, frozen=True, tag="match", tag_field="type"):
    """The match that is followed: all of it. `winners` as in Winners, from the first position on.

    `winners` are None where nobody knows.
    """

    facts: MatchInfo
    moves: MoveUpdate
    winners: Sequence[int] | None
    result: Result | None


class MatchMoves(Struct, frozen=True, tag="moves", tag_field="type"):
    """There are moves in the match that is followed."""

    moves: MoveUpdate


class Winners(Struct, frozen=True, tag="winners", tag_field="type"):
    """Who wins under perfect play, 1 or 2, in the positions after so many moves and more."""

    match: int
    ply: Ply
    winners: Sequence[int]


class MatchFinished(Struct, frozen=True, tag="result", tag_field="type"):
    """The match that is followed has ended, and is stored."""

    result: Result


class Games(Struct, frozen=True, tag="games", tag_field="type"):
    """Matches that have been played, the latest first; `more` if there are earlier ones."""

    request: int
    games: Sequence[MatchSummary]
    more: bool


class Record(Struct, frozen=True, tag="record", tag_field="type"):
    """The record of a match as text."""

    request: int
    text: str


class SearchSummary(Struct, frozen=True):
    """What alpha-beta says; `stopped` tells which limit ended it before its depth, if one did."""

    depth: int
    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int
    branching_factor: float
    stopped: str | None


class Analysis(Struct, frozen=True, tag="analysis", tag_field="type"):
    """What there is to say of a position.

    `value` is the static evaluation for player 1 and `explanation` tells in words where it comes
    from. `winner` and `winning_moves` are None where the game has no solver or it took too long;
    `search` is None if none was asked for or the game is over.
    """

    request: int
    player: int
    legal_moves: Sequence[int]
    value: float
    explanation: str
    winner: int | None
    winning_moves: Sequence[int] | None
    search: SearchSummary | None


class ErrorReply(Struct, frozen=True, tag="error", tag_field="type"):
    """Something that a viewer sent cannot be answered; `request` is None if it was no question."""

    code: str
    message: str
    request: int | None = None


FromSpectator = Watch | FindGames | FindRecord | Analyse
ToSpectator = (
    About
    | Lobby
    | Leaderboards
    | MatchSnapshot
    | MatchMoves
    | Winners
    | MatchFinished
    | Games
    | Record
    | Analysis
    | ErrorReply
)
