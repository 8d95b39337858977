"""Queries of spectators that take time: stored matches, winners, positions and analyses.

They read the database or compute, so they run in worker processes. The answers are encoded there,
as large ones take longer to encode than the event loop may be kept from the players.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import msgspec

from arena.analysis import move_values, position, traced_search
from arena.analysis.position import SolvedLine, TooLarge
from arena.model.results import Pairing
from arena.protocol.bots import BotMatches, FindBot, FindBotMatches
from arena.protocol.codec import RequestError, encode
from arena.protocol.positions import (
    Exercise,
    ExplainedSteps,
    ExplainSteps,
    FindExercise,
    FindMoveValues,
    FindPuzzle,
    MatchingInfo,
    MoveValues,
    PuzzleInfo,
    Trace,
    TracedSearch,
)
from arena.protocol.spectator import (
    Analyse,
    Analysis,
    Continuations,
    FindContinuations,
    FindGames,
    FindMargins,
    FindMatching,
    FindPlots,
    FindPosition,
    FindRecord,
    Games,
    MatchSnapshot,
    PositionInfo,
    Record,
    Watch,
)
from arena.spectators.bot_matches import summarise_matches
from arena.spectators.live_match import LiveMatch, match_summary
from arena.spectators.puzzle_finder import PuzzleFinder, stored_puzzle
from arena.spectators.stored_matches import load_match, reported_damage, unknown_match
from arena.storage.pgn import format_record
from arena.storage.spectator_reader import SpectatorReader
from arena.storage.tallies import setup_text
from core import GAMES

SOLVE_SECONDS = 1.0  # time limit for the start of a match; above it the winners are unknown
LINE_SECONDS = 1.0  # time limit for the moves after the start
LINE_STEP = 20  # moves between two looks at the clock
SEARCH_SECONDS = 2.0  # time limit of one analysis
# Limit of all searches for the values of one position: a second or two in the compiled games, so
# that mostly it is what ends them, with the same values on every machine.
VALUE_NODES = 50_000_000
MAX_POSITIONS = 8  # latest answers that are kept, each of up to a few MB

DatabaseQuestion = (
    Watch
    | FindGames
    | FindRecord
    | FindPosition
    | FindMatching
    | FindContinuations
    | FindPuzzle
    | FindBotMatches
)
"""A message that `Queries` answers; the match of `Watch` is a stored one."""

Question = (
    DatabaseQuestion
    | Analyse
    | FindBot
    | FindMoveValues
    | FindMargins
    | FindPlots
    | Trace
    | ExplainSteps
    | FindExercise
)
"""A message that a worker answers."""


class Queries:
    """Queries of stored matches and of positions, and the winners of followed matches."""

    def __init__(self, path: Path) -> None:
        """Query the database at a path, which is opened with the first query."""
        self._path = path
        self._lines: dict[int, SolvedLine] = {}  # by match

    @cached_property
    def database(self) -> SpectatorReader:
        """The open database."""
        return SpectatorReader(self._path)

    def answer(self, question: DatabaseQuestion) -> str:
        """Return the frame that answers a question.

        Raises:
            RequestError: If there is no answer.
        """
        match question:
            case FindGames():
                return encode(self.games(question))
            case FindRecord():
                return encode(self.record(question))
            case FindPosition():
                return encode(find_position(question))
            case FindMatching():
                return encode(find_matching(question))
            case FindContinuations():
                return encode(self.continuations(question))
            case FindPuzzle():
                return encode(self.puzzle(question))
            case FindBotMatches():
                return encode(self.bot_matches(question))
            case Watch(int(match_id)):
                return encode(self.match(match_id))
        raise AssertionError("the lobby is not stored")

    def games(self, request: FindGames) -> Games:
        """Return finished matches.

        Raises:
            RequestError: If a stored match is damaged.
        """
        limit = request.limit
        try:
            with reported_damage():
                found = self.database.latest_matches(limit + 1, request.before, request)
                total = self.database.count_matches(request) if request.before is None else None
        except OverflowError:
            raise unknown_match(request.before) from None
        summaries = [match_summary(record, plies) for record, plies in found[:limit]]
        return Games(request.request, summaries, len(found) > limit, total)

    def record(self, request: FindRecord) -> Record:
        """Return the record of a match as text.

        Raises:
            RequestError: If the match is unknown or damaged.
        """
        record = load_match(self.database, request.match)
        return Record(request.request, format_record(record), record.log, record.infos)

    def continuations(self, request: FindContinuations) -> Continuations:
        """Return how stored matches went on that began with the same moves.

        Raises:
            RequestError: If the position is invalid or too large, or the matches cannot be read.
        """
        find_position(FindPosition(0, request.game, request.setup, request.moves))
        setups = _stored_setups(request.game, request.setup)
        with reported_damage():
            found = self.database.continuations(request.game, setups, request.moves)
        return Continuations(request.request, found)

    def puzzle(self, request: FindPuzzle) -> PuzzleInfo:
        """Return a puzzle: of a match, a random one, or the day's.

        Raises:
            RequestError: If there is no puzzle, or the matches cannot be read.
        """
        if request.match is not None:
            return stored_puzzle(request, load_match(self.database, request.match))
        with reported_damage():
            finder = PuzzleFinder(self.database, time.monotonic)
            if request.seed is not None:
                return finder.random(request, request.seed)
            return finder.daily(request, time.time())

    def bot_matches(self, request: FindBotMatches) -> BotMatches:
        """Return what the latest matches of a bot show.

        Raises:
            RequestError: If the matches cannot be read.
        """
        with reported_damage():
            return summarise_matches(self.database, request)

    def match(self, match: int) -> MatchSnapshot:
        """Return a finished match with its winners.

        Raises:
            RequestError: If the match is unknown or damaged.
        """
        record = load_match(self.database, match)
        try:
            live = LiveMatch.from_record(record)
            winners = _winners(record.pairing, live.moves)
        except (KeyError, TypeError, ValueError, MemoryError) as error:
            raise RequestError("damaged", f"match {match} is damaged: {error}") from None
        return MatchSnapshot(live.info, live.moves_since(0, 0.0), winners, live.result)

    def winners(
        self, match: int, game: str, setup: Mapping[str, int], moves: Sequence[int]
    ) -> Sequence[int] | None:
        """Return the winners after 0, 1, 2 ... moves of a running match; None if unknown.

        The match is solved with the first call, and kept until `discard_line`. The winners are
        unknown too if the game fails, or takes too long.
        """
        try:
            if match not in self._lines:
                self._lines[match] = SolvedLine(game, setup, SOLVE_SECONDS)
            line = self._lines[match]
            _follow(line, moves)
        except Exception:  # a game may raise anything
            return None
        return [*line.winners] if line.is_solved else None

    def discard_line(self, match: int) -> None:
        """Free the memory that `winners` keeps for a match."""
        self._lines.pop(match, None)


def _stored_setups(game: str, setup: Mapping[str, int]) -> set[str]:
    """Return the texts of a setup in databases: the oldest ones lack parameters with a default."""
    defaults, full = GAMES[game].completed({}), GAMES[game].completed(setup)
    others = {name: value for name, value in full.items() if defaults.get(name) != value}
    return {setup_text(*full.items()), setup_text(*others.items())}


class Analyses:
    """Analyses of positions and traced searches, as the object of a worker process."""

    def answer(
        self, question: Analyse | FindMoveValues | Trace | ExplainSteps | FindExercise
    ) -> str:
        """Return the frame that answers a question.

        Raises:
            RequestError: If the position or the tree is invalid or too large, or the game fails.
        """
        if isinstance(question, Analyse):
            return encode(analyse_position(question))
        if isinstance(question, FindMoveValues):
            return encode(find_move_values(question))
        game = question.game if isinstance(question, FindExercise) else question.search.game
        try:
            return encode(_search_answer(question))
        except Exception as error:  # a game may raise anything
            raise _position_error(game or "the tree", error) from error


def _search_answer(
    question: Trace | ExplainSteps | FindExercise,
) -> TracedSearch | ExplainedSteps | Exercise:
    if isinstance(question, FindExercise):
        return traced_search.find_exercise(question, SEARCH_SECONDS, time.monotonic)
    if isinstance(question, Trace):
        return traced_search.trace(question, SEARCH_SECONDS, time.monotonic)
    return traced_search.explain(question, SEARCH_SECONDS, time.monotonic)


def analyse_position(request: Analyse) -> Analysis:
    """Return the analysis of a position.

    Raises:
        RequestError: If the position is invalid or too large, or the game fails.
    """
    try:
        return position.analyse(request, SEARCH_SECONDS, time.monotonic)
    except Exception as error:  # a game may raise anything
        raise _position_error(request.game, error) from error


def find_move_values(request: FindMoveValues) -> MoveValues:
    """Return the values of all legal moves of a position.

    Raises:
        RequestError: If the position is invalid or too large, or the game fails.
    """
    try:
        return move_values.find_move_values(request, SEARCH_SECONDS, VALUE_NODES, time.monotonic)
    except Exception as error:  # a game may raise anything
        raise _position_error(request.game, error) from error


def find_position(request: FindPosition) -> PositionInfo:
    """Return a position with its legal moves, from the latest answers if it is among them.

    Raises:
        RequestError: If the position is invalid or too large, or the game fails.
    """
    setup, moves = tuple(request.setup.items()), tuple(request.moves)
    try:
        info = _computed_position(request.game, setup, moves, request.ply)
    except Exception as error:  # a game may raise anything
        raise _position_error(request.game, error) from error
    return msgspec.structs.replace(info, request=request.request)


@lru_cache(MAX_POSITIONS)
def _computed_position(
    game: str, setup: tuple[tuple[str, int], ...], moves: tuple[int, ...], ply: int | None
) -> PositionInfo:
    """Return a position as the answer to request 0: all spectators of a match ask for the same."""
    return position.find_position(FindPosition(0, game, dict(setup), moves, ply))


def find_matching(request: FindMatching) -> MatchingInfo:
    """Return the matching that decides a position.

    Raises:
        RequestError: If the position is invalid or too large, or the game has none or fails.
    """
    try:
        return position.find_matching(request)
    except Exception as error:  # a game may raise anything
        raise _position_error(request.game, error) from error


def _position_error(game: str, error: Exception) -> RequestError:
    """Return the error of a request for a position: of the request, else of the game."""
    if isinstance(error, TooLarge):
        return RequestError("too_large", str(error))
    if isinstance(error, ValueError):
        return RequestError("bad_position", str(error))
    return RequestError.unexpected("game_failed", game, error)


def _winners(pairing: Pairing, moves: Sequence[int]) -> Sequence[int] | None:
    """Return the winners after 0, 1, 2 ... moves of a stored match; None if unknown.

    Raises:
        KeyError, TypeError, ValueError, MemoryError: The match is damaged.
    """
    try:
        line = SolvedLine(pairing.game, pairing.setup, SOLVE_SECONDS)
        _follow(line, moves)
    except (KeyError, TypeError, ValueError, MemoryError):
        raise
    except Exception:  # a game may raise anything
        return None
    return line.winners if line.is_solved else None


def _follow(line: SolvedLine, moves: Sequence[int]) -> None:
    """Update the winners of a match to its moves. Raises TimeoutError, and the game's errors."""
    deadline = time.monotonic() + LINE_SECONDS
    known = len(line.winners)  # the moves that it has in common are not taken back for a step
    for end in range(known + LINE_STEP, len(moves), LINE_STEP):
        line.follow(moves[:end])
        if time.monotonic() > deadline:
            raise TimeoutError("the match is too long")
    line.follow(moves)
