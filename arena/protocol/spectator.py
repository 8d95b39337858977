"""Messages of /watch, between the arena and a spectator.

A message is a JSON object in a text frame, tagged by `type`; docs/reference/spectators.md describes
each one for authors of clients. Unknown fields are ignored, so that the protocol can be extended. A
spectator follows the lobby or one match, and sends requests, which are answered in order.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.model.results import Info, MatchFilter, Termination
from arena.protocol.bots import BotInfo, BotMatches, FindBot, FindBotMatches
from arena.protocol.codec import decode
from arena.protocol.plots import Panel, PanelSize
from arena.protocol.positions import (
    Depth,
    Exercise,
    ExplainedSteps,
    ExplainSteps,
    FindExercise,
    FindMoveValues,
    FindPuzzle,
    MatchingInfo,
    MoveValues,
    Player,
    PuzzleInfo,
    RequestId,
    Trace,
    TracedSearch,
)

Ply = Annotated[int, Meta(ge=0)]

MAX_GAMES = 100  # matches in one answer
MAX_BEGINNING = 12  # moves after which continuations are looked up


# From spectators


class Watch(Struct, frozen=True, tag="watch", tag_field="type"):
    """A request to follow the match with this id, or the lobby if it is None."""

    match: int | None = None


class FindGames(MatchFilter, frozen=True, tag="find_games", tag_field="type"):
    """A request for finished matches that pass a filter, latest first.

    With `before` only those with a lower id.
    """

    request: RequestId
    before: int | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 50


class FindRecord(Struct, frozen=True, tag="find_record", tag_field="type"):
    """A request for the record of a match as PGN-like text."""

    request: RequestId
    match: int


class Analyse(Struct, frozen=True, tag="analyse", tag_field="type"):
    """A request to analyse a position.

    `depth` is the depth of a search in plies (0: to the end of the game); None requests no search.
    """

    request: RequestId
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int] = ()
    depth: Depth | None = None


class FindPosition(Struct, frozen=True, tag="find_position", tag_field="type"):
    """A request for a position, for clients that do not know the rules of the game.

    It is the position after `ply` of the moves, by default after all.
    """

    request: RequestId
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int] = ()
    ply: Ply | None = None


class FindMatching(Struct, frozen=True, tag="find_matching", tag_field="type"):
    """A request for the matching that decides a position, in a game that has one."""

    request: RequestId
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int] = ()


class FindContinuations(Struct, frozen=True, tag="find_continuations", tag_field="type"):
    """A request for the moves that followed the first moves of stored matches."""

    request: RequestId
    game: str
    setup: Mapping[str, int]
    moves: Annotated[Sequence[int], Meta(max_length=MAX_BEGINNING)] = ()


class FindMargins(Struct, frozen=True, tag="find_margins", tag_field="type"):
    """A request for the margins of a leaderboard that has none because it is large."""

    request: RequestId
    game: str


class FindPlots(Struct, frozen=True, tag="find_plots", tag_field="type"):
    """A request for the plots of a game's rated matches, or for the ratings of one bot alone."""

    request: RequestId
    game: str
    bot: str | None = None


class CheckName(Struct, frozen=True, tag="check_name", tag_field="type"):
    """A request to check the name of a casual player."""

    request: RequestId
    name: str


class FindChallenge(Struct, frozen=True, tag="find_challenge", tag_field="type"):
    """A request for what an open challenge offers."""

    request: RequestId
    challenge: str


# To spectators


class ParameterInfo(Struct, frozen=True):
    """An integer parameter of a game's setup."""

    meaning: str
    minimum: int
    usual: tuple[int, ...]
    maximum: int | None = None
    default: int | None = None


class GameInfo(Struct, frozen=True):
    """A game of this arena.

    `has_board` says whether /boards/NAME/board.js exists, `has_matching` whether `find_matching`
    has answers.
    """

    name: str
    title: str
    parameters: Mapping[str, ParameterInfo]
    is_solved: bool
    has_board: bool
    has_matching: bool


class TournamentInfo(Struct, frozen=True):
    """The tournament in progress. `matches` is an upper bound if it `may_end_early`.

    In a gauntlet the first bots, `references` in number, meet all others.
    """

    game: str
    format: str
    bots: Sequence[str]
    matches: int
    may_end_early: bool
    seed: int
    references: int = 0


class About(Struct, frozen=True, tag="about", tag_field="type"):
    """The first message: a description of this arena.

    `run` differs after each start of the arena. Visitors can play if it `is_open`; `offers` are the
    built-in opponents that they can challenge, with the games of each.
    """

    run: str
    time: str
    games: Sequence[GameInfo]
    is_open: bool
    offers: Mapping[str, Sequence[str]]
    tournament: TournamentInfo | None


class TimeControlInfo(Struct, frozen=True):
    """A time control, as text and in milliseconds; `per_move` resets the clock for each move.

    Without a clock, as with the texts "unlimited" and "1000 nodes", `base_ms` is 10 to the power of
    12 with `per_move`.
    """

    text: str
    base_ms: int
    increment_ms: int
    per_move: bool


class MatchInfo(Struct, frozen=True):
    """The facts of a match known at its start. `opening` is the number of opening moves.

    `control2` is the time control of player 2, if it differs from player 1's. `hints` is
    whether people have agreed to hints while they play.
    """

    match: int
    number: int | None
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    opening: int
    control: TimeControlInfo
    casual: bool
    started_at: float  # Unix time
    control2: TimeControlInfo | None = None
    hints: bool = False


class MoveUpdate(Struct, frozen=True):
    """The moves of a match from `ply` on, which replace all earlier ones from there.

    `charged_ms` are the times charged for the moves, 0 in the opening. `since_ms` is how
    long the current turn has lasted, None if no player is to move.
    """

    match: int
    ply: Ply
    moves: Sequence[int]
    charged_ms: Sequence[int]
    since_ms: int | None


class Result(Struct, frozen=True, omit_defaults=True):
    """The end of a match.

    `winner` is None for a draw, and if the match was aborted. `fault` is the turn that ended it:
    its move and charged milliseconds.
    """

    match: int
    winner: Player | None
    termination: Termination
    reason: str
    finished_at: float
    fault: tuple[int | None, int] | None = None


class MatchSummary(Struct, frozen=True):
    """A finished match without its moves."""

    facts: MatchInfo
    result: Result
    plies: int


class WorkersInfo(Struct, frozen=True):
    """The workers of a tournament in process.

    `in_flight` batches are played or wait for a worker. So far `lost` batches were lost with a
    process or a connection, and therefore `replayed` matches were played again, or are to be.
    """

    workers: int
    matches_per_second: float
    in_flight: int
    lost: int
    replayed: int


class Lobby(Struct, frozen=True, tag="lobby", tag_field="type", omit_defaults=True):
    """The changes of the lobby since the previous message, or its whole state if `full`.

    `started` are sent before their `moves`. `over` are the ids of matches no longer in progress.
    `results` are the latest finished matches, newest first. Of very many matches only some are
    sent: `playing` is the number of matches in progress, `finished` of rated matches played.
    `workers` is set by a tournament in process; its matches are not among `started`.
    """

    full: bool = False
    playing: int | None = None
    started: Sequence[MatchInfo] = ()
    moves: Sequence[MoveUpdate] = ()
    over: Sequence[int] = ()
    bots: Sequence[str] | None = None
    results: Sequence[MatchSummary] | None = None
    finished: int | None = None
    workers: WorkersInfo | None = None


class LeaderboardRow(Struct, frozen=True):
    """The row of a bot in a leaderboard. Unknown numbers are None.

    `pairs` are the pairs of matches with swapped sides that it has won, tied and lost.
    """

    bot: str
    elo: float | None
    margin: float | None
    wins: int
    losses: int
    forfeits: int
    accuracy: float | None
    draws: int = 0
    pairs: tuple[int, int, int] = (0, 0, 0)


class HeadToHead(Struct, frozen=True, array_like=True):
    """The results between two bots, named by their places in the leaderboard.

    `first` and `second` are wins and losses of bot `one` as player 1 and as player 2, `draws` its
    draws on both sides. It is encoded as an array, once for both bots: there may be thousands.
    """

    one: int
    other: int
    first: tuple[int, int]
    second: tuple[int, int]
    forfeits: int
    draws: tuple[int, int] = (0, 0)


class EncounterInfo(Struct, frozen=True, array_like=True):
    """The matches of two bots in a round of a Swiss or knockout.

    `players` are None for a bot that is not known yet, and for a bye. `winner` is the bot that
    advances or has more points; None before the end, and for equal points. `decided` is "played",
    "sudden death", "seed" (the better one advances), "bye", or None before the end. It is encoded
    as an array: there may be thousands.
    """

    players: tuple[str | None, str | None]
    points: tuple[float, float]
    winner: str | None
    decided: str | None


class Leaderboard(Struct, frozen=True):
    """The bots in one game, best first, with their results against each other.

    `judged` is the number of finished matches that the accuracies are based on. `note` is a
    warning. `omitted` is the number of bots that have a rating but no row. A large leaderboard has
    no margins, neither in `bots` nor in `first_move`: `find_margins` requests them. `places` are
    the first places of a finished Swiss or knockout: rank, bot, and what it has achieved. `rounds`
    are the paired rounds of a Swiss, or all of a knockout, the final last; `points` are the
    standings of a Swiss: rank, bot, points, Buchholz, Sonneborn-Berger and byes.
    """

    game: str
    finished: int
    judged: int
    first_move: str
    note: str
    bots: Sequence[LeaderboardRow]
    meetings: Sequence[HeadToHead]
    omitted: int = 0
    places: Sequence[tuple[int, str, str]] = ()
    rounds: Sequence[Sequence[EncounterInfo]] = ()
    points: Sequence[tuple[int, str, float, float, float, int]] = ()


class Leaderboards(Struct, frozen=True, tag="tables", tag_field="type"):
    """The leaderboard of each game, sent again after every change."""

    tables: Sequence[Leaderboard]


class MatchSnapshot(Struct, frozen=True, tag="match", tag_field="type"):
    """The complete state of the followed match.

    `winners` are as in the `winners` message, from the first position on; None if unknown.
    """

    facts: MatchInfo
    moves: MoveUpdate
    winners: Sequence[int] | None
    result: Result | None


class MatchMoves(Struct, frozen=True, tag="moves", tag_field="type"):
    """New moves in the followed match."""

    moves: MoveUpdate


class Winners(Struct, frozen=True, tag="winners", tag_field="type"):
    """The winners under perfect play (1 or 2) of the positions from `ply` moves on."""

    match: int
    ply: Ply
    winners: Sequence[int]


class MatchFinished(Struct, frozen=True, tag="result", tag_field="type"):
    """The end of the followed match, sent after the result is stored."""

    result: Result


class Games(Struct, frozen=True, tag="games", tag_field="type"):
    """Finished matches, latest first. `more` says whether there are earlier ones.

    `total` is the number of all that pass the filter; None in an answer to a request with `before`.
    """

    request: int
    games: Sequence[MatchSummary]
    more: bool
    total: int | None = None


class Record(Struct, frozen=True, tag="record", tag_field="type"):
    """The record of a match as text.

    `log` is the last output of the program that lost it by a failure; empty without one. `infos`
    are what the bots reported with their moves, by ply; they are kept back until the match is over.
    """

    request: int
    text: str
    log: str
    infos: Mapping[int, Info] = {}


class Margins(Struct, frozen=True, tag="margins", tag_field="type"):
    """The margins of the latest leaderboard of a game, by bot, and its `first_move` with one."""

    request: int
    game: str
    first_move: str
    margins: Mapping[str, float]


class Plots(Struct, frozen=True, tag="plots", tag_field="type"):
    """The plots of a game's rated matches, `matches` in number. All panels have one `size`."""

    request: int
    game: str
    matches: int
    size: PanelSize
    panels: Sequence[Panel]


class SearchSummary(Struct, frozen=True):
    """The result of an alpha-beta search; `stopped` is the limit that ended it early, if any.

    `winner` is the player that wins under perfect play, if the search has seen who does.
    """

    depth: int
    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int
    branching_factor: float
    stopped: str | None
    winner: Player | None = None


class Analysis(Struct, frozen=True, tag="analysis", tag_field="type"):
    """The analysis of a position.

    `value` is the static evaluation for player 1, and `explanation` describes it in words; both are
    None if the game has no evaluation. `winner` and `winning_moves` are None if the game has no
    solver or the solver ran out of time; but the winner of a decided position is known. `search` is
    None if no search was requested, if the game is over, or for the reason in `search_error`.
    """

    request: int
    player: Player
    legal_moves: Sequence[int]
    value: float | None
    explanation: str | None
    winner: Player | None
    winning_moves: Sequence[int] | None
    search: SearchSummary | None
    search_error: str | None = None


class OutcomeInfo(Struct, frozen=True):
    """How a game has ended. `winner` is None for a draw; `reason` names "player 1", "player 2"."""

    winner: Player | None
    reason: str


class Continuations(Struct, frozen=True, tag="continuations", tag_field="type"):
    """How the latest rated matches went on that began with the same moves.

    `continuations` are arrays `[move, won, drawn, lost]`, ascending by the next `move`, with the
    numbers of matches that player 1 won, that were drawn and that player 1 lost.
    """

    request: int
    continuations: Sequence[tuple[int, int, int, int]]


class PositionInfo(Struct, frozen=True, tag="position", tag_field="type"):
    """A position: the player to move, the legal moves, and a text for people.

    `outcome` is None while the game goes on. `played_names` are the names of all moves of the
    request, `legal_names` the names of the legal moves, both as people write them.
    """

    request: int
    player: Player
    legal_moves: Sequence[int]
    text: str
    outcome: OutcomeInfo | None
    played_names: Sequence[str]
    legal_names: Sequence[str]


class NameCheck(Struct, frozen=True, tag="name_check", tag_field="type"):
    """A name in the spelling to use, and why it cannot be used, if it cannot."""

    request: int
    name: str
    problem: str | None


class ChallengeInfo(Struct, frozen=True, tag="open_challenge", tag_field="type"):
    """An open challenge. `player` makes it and wants to be player `you`."""

    request: int
    player: str
    game: str
    setup: Mapping[str, int]
    you: Player
    time: str
    moves: tuple[int, ...] = ()
    hints: bool = False


class ErrorReply(Struct, frozen=True, tag="error", tag_field="type"):
    """The rejection of a message of a spectator; `request` is None if it was no request."""

    code: str
    message: str
    request: int | None = None


FromSpectator = (
    Watch
    | FindGames
    | FindRecord
    | Analyse
    | FindMoveValues
    | FindPosition
    | FindMatching
    | FindContinuations
    | FindMargins
    | FindPlots
    | FindBot
    | FindBotMatches
    | Trace
    | ExplainSteps
    | FindExercise
    | FindPuzzle
    | CheckName
    | FindChallenge
)
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
    | Margins
    | Plots
    | BotInfo
    | BotMatches
    | Analysis
    | MoveValues
    | PositionInfo
    | MatchingInfo
    | Continuations
    | TracedSearch
    | ExplainedSteps
    | Exercise
    | NameCheck
    | ChallengeInfo
    | PuzzleInfo
    | ErrorReply
)


_decoder: msgspec.json.Decoder[FromSpectator] = msgspec.json.Decoder(FromSpectator)


def decode_from_spectator(frame: str | bytes) -> FromSpectator:
    """Decode a frame that a spectator sent.

    Raises:
        DecodeError: The frame is binary, not JSON, or not a message of a spectator.
    """
    return decode(_decoder, frame)
