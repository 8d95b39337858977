"""Queries of spectators that take time: stored matches, winners, positions and analyses.

They read the database or compute, so they run in worker processes. The answers are encoded there,
as large ones take longer to encode than the event loop may be kept from the players.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import msgspec

from arena.analysis import exercises, matching, position, traced_search
from arena.analysis.position import SolvedLine, TooLarge
from arena.model.results import MatchRecord, Pairing
from arena.protocol.codec import encode
from arena.protocol.errors import RequestError
from arena.protocol.matching import MatchingInfo
from arena.protocol.spectator import (
    Analyse,
    Analysis,
    Exercise,
    ExplainedSteps,
    ExplainSteps,
    FindExercise,
    FindGames,
    FindMargins,
    FindMatching,
    FindPosition,
    FindRecord,
    Games,
    MatchSnapshot,
    PositionInfo,
    Record,
    Trace,
    TracedSearch,
    Watch,
)
from arena.spectators.live_match import LiveMatch, match_summary
from arena.storage.pgn import format_record
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError

SOLVE_SECONDS = 1.0  # time limit for the start of a match; above it the winners are unknown
LINE_SECONDS = 1.0  # time limit for the moves after the start
LINE_STEP = 20  # moves between two looks at the clock
SEARCH_SECONDS = 2.0  # time limit of one analysis
MAX_POSITIONS = 8  # latest answers that are kept, each of up to a few MB
MAX_ERROR_TEXT = 200  # characters of an exception of a game

Question = (
    Watch
    | FindGames
    | FindRecord
    | FindPosition
    | FindMatching
    | Analyse
    | FindMargins
    | Trace
    | ExplainSteps
    | FindExercise
)
"""A message that a worker answers; the match of `Watch` is a stored one."""


class Queries:
    """Queries of stored matches and of positions, and the winners of followed matches."""

    def __init__(self, path: Path) -> None:
        """Query the database at a path, which is opened with the first query."""
        self._path = path
        self._lines: dict[int, SolvedLine] = {}  # by match

    @cached_property
    def database(self) -> DatabaseReader:
        """The open database."""
        return DatabaseReader(self._path)

    def close(self) -> None:
        """Close the database, if it is open."""
        if "database" in self.__dict__:
            self.database.close()

    def answer(self, question: Watch | FindGames | FindRecord | FindPosition | FindMatching) -> str:
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
            found = self.database.latest_matches(
                limit + 1, request.before, request.bot, request.game
            )
            summaries = [match_summary(record, plies) for record, plies in found[:limit]]
        except OverflowError:
            raise _unknown(request.before) from None
        except DatabaseError as error:  # which names the database's path
            raise RequestError("damaged", "the stored matches cannot be read") from error
        except ValueError as error:
            raise RequestError("damaged", str(error)) from None
        return Games(request.request, summaries, len(found) > limit)

    def record(self, request: FindRecord) -> Record:
        """Return the record of a match as text.

        Raises:
            RequestError: If the match is unknown or damaged.
        """
        record = self._load(request.match)
        return Record(request.request, format_record(record), record.log)

    def match(self, match: int) -> MatchSnapshot:
        """Return a finished match with its winners.

        Raises:
            RequestError: If the match is unknown or damaged.
        """
        record = self._load(match)
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

    def _load(self, match: int) -> MatchRecord:
        try:
            record = self.database.match(match)
        except OverflowError:  # the database has ids of 64 bits
            raise _unknown(match) from None
        except DatabaseError as error:
            raise RequestError("damaged", f"match {match} cannot be read") from error
        if record is None:
            raise _unknown(match)
        return record


def _unknown(match: int | None) -> RequestError:
    return RequestError("unknown_match", f"unknown match {match}")


class Analyses:
    """Analyses of positions and traced searches, as the object of a worker process."""

    def answer(self, question: Analyse | Trace | ExplainSteps | FindExercise) -> str:
        """Return the frame that answers a question.

        Raises:
            RequestError: If the position or the tree is invalid or too large, or the game fails.
        """
        if isinstance(question, Analyse):
            return encode(analyse_position(question))
        game = question.game if isinstance(question, FindExercise) else question.search.game
        try:
            return encode(_search_answer(question))
        except Exception as error:  # a game may raise anything
            raise _position_error(game or "the tree", error) from error


def _search_answer(
    question: Trace | ExplainSteps | FindExercise,
) -> TracedSearch | ExplainedSteps | Exercise:
    if isinstance(question, FindExercise):
        return exercises.find_exercise(question)
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


def find_position(request: FindPosition) -> PositionInfo:
    """Return a position with its legal moves, from the latest answers if it is among them.

    Raises:
        RequestError: If the position is invalid or too large, or the game fails.
    """
    setup, moves = tuple(request.setup.items()), tuple(request.moves)
    try:
        info = _computed_position(request.game, setup, moves)
    except Exception as error:  # a game may raise anything
        raise _position_error(request.game, error) from error
    return msgspec.structs.replace(info, request=request.request)


@lru_cache(MAX_POSITIONS)
def _computed_position(
    game: str, setup: tuple[tuple[str, int], ...], moves: tuple[int, ...]
) -> PositionInfo:
    """Return a position as the answer to request 0: all spectators of a match ask for the same."""
    return position.find_position(FindPosition(0, game, dict(setup), moves))


def find_matching(request: FindMatching) -> MatchingInfo:
    """Return the matching that decides a position.

    Raises:
        RequestError: If the position is invalid or too large, or the game has none or fails.
    """
    try:
        return matching.find_matching(request)
    except Exception as error:  # a game may raise anything
        raise _position_error(request.game, error) from error


def _position_error(game: str, error: Exception) -> RequestError:
    """Return the error of a request for a position: of the request, else of the game."""
    if isinstance(error, TooLarge):
        return RequestError("too_large", str(error))
    if isinstance(error, ValueError):
        return RequestError("bad_position", str(error))
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return RequestError("game_failed", f"{game}: {text:.{MAX_ERROR_TEXT}}")


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
