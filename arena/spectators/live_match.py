"""Live matches, and match information for spectators. Pure."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Self

from arena.model.results import MatchRecord, Pairing, PlayedMove
from arena.model.time_control import VERSUS, TimeControl, milliseconds
from arena.protocol.spectator import MatchInfo, MatchSummary, MoveUpdate, Result, TimeControlInfo


@lru_cache(maxsize=16)  # called for each match, with few different texts
def time_control_infos(text: str) -> tuple[TimeControlInfo, TimeControlInfo | None]:
    """Return player 1's time control as spectators receive it, and player 2's if it differs.

    Raises:
        ValueError: For an invalid time control.
    """
    one, _, two = text.partition(VERSUS)
    return _time_control_info(one), _time_control_info(two) if two else None


def _time_control_info(text: str) -> TimeControlInfo:
    control = TimeControl.parse(text)
    base, increment = (round(milliseconds(time)) for time in (control.base, control.increment))
    return TimeControlInfo(text, base, increment, control.per_move)


def match_info(match: int, pairing: Pairing, control: str, started_at: float) -> MatchInfo:
    """Return the facts of a match that are known at its start.

    Args:
        match: The id of the match.
        pairing: The pairing that is played.
        control: The time control as text.
        started_at: Unix time of the start.

    Raises:
        ValueError: For an invalid time control.
    """
    one, two = time_control_infos(control)
    return MatchInfo(
        match,
        pairing.number,
        pairing.players,
        pairing.game,
        pairing.setup,
        len(pairing.opening),
        one,
        pairing.casual,
        started_at,
        two,
        pairing.hints,
    )


def match_result(record: MatchRecord) -> Result:
    """Return the result of a finished match as spectators receive it."""
    result, fault = record.result, record.fault
    return Result(
        record.id,
        result.winner,
        result.termination,
        result.reason,
        record.finished_at,
        (fault.move, round(1000 * fault.charged)) if fault else None,
    )


def match_summary(record: MatchRecord, plies: int) -> MatchSummary:
    """Return a finished match of `plies` plies without its moves.

    Raises:
        ValueError: For an invalid time control.
    """
    info = match_info(record.id, record.pairing, record.time_control, record.started_at)
    return MatchSummary(info, match_result(record), plies)


class LiveMatch:
    """A match as spectators see it, with the version of each change.

    Attributes:
        info: The facts that are known at the start.
        moves: The moves so far, from the opening on.
        result: The result, None while the match goes on.
        version: Version of the last change.
        lobby_version: Version at which the lobby began to show the match, 0 before that.
    """

    __slots__ = (
        "_charged",
        "_turn_since",
        "_versions",
        "info",
        "lobby_version",
        "moves",
        "result",
        "version",
    )

    def __init__(self, info: MatchInfo, opening: Sequence[int], now: float) -> None:
        """Start a match with the moves of its opening; `now` is in seconds, as everywhere here."""
        self.info = info
        self.moves = [*opening]
        self.result: Result | None = None
        self.version = 0
        self.lobby_version = 0
        self._charged = [0.0] * len(opening)  # seconds
        self._versions = [0] * len(opening)  # of each move
        self._turn_since: float | None = now

    @classmethod
    def from_record(cls, record: MatchRecord) -> Self:
        """Return the finished match of a record.

        Raises:
            ValueError: For an invalid time control.
        """
        info = match_info(record.id, record.pairing, record.time_control, record.started_at)
        match = cls(info, record.pairing.opening, 0.0)
        for move in record.moves:
            match.play(move, 0, 0.0)
        match.finish(match_result(record))
        return match

    def play(self, move: PlayedMove, version: int, now: float) -> None:
        """Append a move."""
        self.moves.append(move.move)
        self._charged.append(move.charged)
        self._versions.append(version)
        self._turn_since = now

    def take_back(self, ply: int, now: float) -> None:
        """Remove the moves from a ply on."""
        del self.moves[ply:], self._charged[ply:], self._versions[ply:]
        self._turn_since = now

    def finish(self, result: Result) -> None:
        """Set the result."""
        self.result = result
        self._turn_since = None

    def moves_since(self, version: int, now: float) -> MoveUpdate:
        """Return the moves after a version; all of them for version 0."""
        # Moves taken back since need no mention: the update starts at the first new ply.
        ply = bisect_right(self._versions, version) if version else 0
        thinking_ms = None if self._turn_since is None else round(1000 * (now - self._turn_since))
        charged_ms = [round(1000 * seconds) for seconds in self._charged[ply:]]
        return MoveUpdate(self.info.match, ply, self.moves[ply:], charged_ms, thinking_ms)
