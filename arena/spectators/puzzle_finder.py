"""Choice of puzzles from stored matches: the day's, a random one, or one by its place."""

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime

from arena.analysis.accuracy import MoveVerdict
from arena.analysis.puzzles import Puzzle, may_have_puzzles, puzzles_of
from arena.model.results import MatchRecord
from arena.protocol.codec import RequestError
from arena.protocol.positions import FindPuzzle, PuzzleInfo
from arena.storage.spectator_reader import PuzzleReader

PROBES = 400  # matches that are drawn: 10 ms in a database of a million matches
CANDIDATES = 40  # of these that may have puzzles, and are looked through
ENOUGH = 6  # matches with a missed win; one is chosen
SECONDS = 2.0  # time limit of the choice; it takes 0.1 s where solvers are fast
SOLVE_SECONDS = 0.5  # of this, time limit for the start of one match

Found = tuple[MatchRecord, Puzzle]


class PuzzleFinder:
    """Choice of puzzles. It reads a bounded number of matches, however many are stored.

    A win that a player of the match missed is preferred, best one that a shallow search misses too.
    Verdicts that are stored save solving a match again, and do not change the choice.
    """

    def __init__(self, database: PuzzleReader, clock: Callable[[], float]) -> None:
        """Start.

        Args:
            database: The matches.
            clock: A monotonic clock, in seconds.
        """
        self._database = database
        self._clock = clock

    def daily(self, request: FindPuzzle, now: float) -> PuzzleInfo:
        """Return the puzzle of the day (UTC), from the matches that ended before it began.

        It stays the same during the day, as matches that are added meanwhile have later times.

        Args:
            request: The question.
            now: The Unix time.

        Raises:
            RequestError: There is no such puzzle.
            DatabaseError: If the matches cannot be read.
        """
        midnight = datetime.fromtimestamp(now, UTC).replace(
            hour=0, minute=0, second=0, microsecond=0
        )
        day, begin = midnight.date().isoformat(), midnight.timestamp()
        last = self._database.last_before(begin)
        record, puzzle = self._choose(day, last, begin, None)
        return _info(request, record, puzzle, day)

    def random(self, request: FindPuzzle, seed: int) -> PuzzleInfo:
        """Return a puzzle of all matches; a seed gives the same one as long as none is added.

        Raises:
            RequestError: There is no such puzzle.
            DatabaseError: If the matches cannot be read.
        """
        last = self._database.last_id()
        record, puzzle = self._choose(str(seed), last, math.inf, request.level)
        return _info(request, record, puzzle)

    def _choose(self, seed: str, last: int, before: float, level: int | None) -> Found:
        """Choose a puzzle of the matches up to an id that ended before a time, of a level or any.

        The draws for a match depend on the seed and its id alone: another match that is skipped, as
        it is known to have nothing to offer, does not change them.
        """
        deadline = self._clock() + SECONDS
        missed: list[Found] = []
        kept: Found | None = None
        candidates = self._candidates(seed, last, before)
        for record, verdicts in candidates:
            is_without_blunder = verdicts is not None and MoveVerdict.BLUNDER not in verdicts
            if is_without_blunder and kept:
                continue
            puzzles = [puzzle for puzzle in self._puzzles(record) if level in (None, puzzle.level)]
            wins = [puzzle for puzzle in puzzles if puzzle.is_missed]
            misleading = [puzzle for puzzle in wins if puzzle.misleads]
            draw = random.Random(f"{seed} {record.id}")
            if misleading:
                return record, draw.choice(misleading)
            if wins:
                missed.append((record, draw.choice(wins)))
            elif puzzles and not kept:
                kept = record, draw.choice(puzzles)
            if len(missed) == ENOUGH or self._clock() > deadline:
                break
        if found := missed[0] if missed else kept:
            return found
        text = f"none of the {len(candidates)} matches that were looked through has such a puzzle"
        raise RequestError("no_puzzle", text)

    def _candidates(
        self, seed: str, last: int, before: float
    ) -> list[tuple[MatchRecord, str | None]]:
        """Draw the matches to look through, with their verdicts. Raises RequestError."""
        ids = random.Random(seed).sample(range(1, last + 1), min(PROBES, last))
        drawn = self._database.rated_among(ids, before)
        if not drawn:
            when = "yet" if math.isinf(before) else "before today (UTC)"
            raise RequestError("no_puzzle", f"no rated match has ended {when}")
        found = [match for match in drawn if may_have_puzzles(match[0].pairing)]
        if not found:
            text = (
                f"the {len(drawn)} matches drawn have no solver, or are too large to be seen whole"
            )
            raise RequestError("no_puzzle", text)
        return found[:CANDIDATES]

    def _puzzles(self, record: MatchRecord) -> list[Puzzle]:
        """Return the puzzles of a match; none if its game fails or takes too long."""
        complete = self._database.with_moves(record)
        try:
            return [*puzzles_of(complete, SOLVE_SECONDS)]
        except Exception:  # a game may raise anything
            return []


def stored_puzzle(request: FindPuzzle, record: MatchRecord) -> PuzzleInfo:
    """Return the puzzle of a match, with its moves, after the ply of the request.

    Raises:
        RequestError: There is no such puzzle.
    """
    try:
        puzzles = puzzles_of(record, SECONDS) if may_have_puzzles(record.pairing) else iter(())
        found = next((puzzle for puzzle in puzzles if len(puzzle.moves) == request.ply), None)
    except Exception:  # a game may raise anything
        found = None
    if not found:
        text = f"match {record.id} has no puzzle after {request.ply} moves"
        raise RequestError("no_puzzle", text)
    return _info(request, record, found)


def _info(
    request: FindPuzzle, record: MatchRecord, puzzle: Puzzle, day: str | None = None
) -> PuzzleInfo:
    """Return the answer; the record may lack its moves, which the puzzle has."""
    pairing = record.pairing
    return PuzzleInfo(
        request.request,
        record.id,
        pairing.players,
        pairing.game,
        pairing.setup,
        puzzle.moves,
        puzzle.player,
        puzzle.legal_moves,
        puzzle.winning_moves,
        puzzle.played,
        puzzle.plies_left,
        puzzle.misleads,
        puzzle.level,
        day,
    )
