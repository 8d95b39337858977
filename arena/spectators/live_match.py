"""Live matches as the lobby shows them, and match information for spectators. Pure."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Self

from arena.model.results import MatchRecord, Pairing, PlayedMove
from arena.model.time_control import VERSUS, TimeControl, milliseconds
from arena.protocol.spectator import MatchInfo, MatchSummary, MoveUpdate, Result, TimeControlInfo

LOBBY_MATCHES = 100  # shown at once
FINISHED_LOBBY_MATCHES = 200  # remembered, so that a slow spectator needs no full update


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


class LobbyMatches:
    """The matches in the lobby, at most LOBBY_MATCHES, and a queue of those not shown yet.

    Attributes:
        complete_since: Oldest version from which the finished matches are all remembered.
    """

    def __init__(self) -> None:
        self.complete_since = 0
        self._shown: dict[int, LiveMatch] = {}  # by id, the last changed one last
        self._queue: dict[int, LiveMatch] = {}  # by id, the oldest first
        self._finished: deque[LiveMatch] = deque(maxlen=FINISHED_LOBBY_MATCHES)

    def add(self, match: LiveMatch, version: int) -> None:
        """Show a match that has started, or queue it if the lobby is full."""
        if len(self._shown) < LOBBY_MATCHES:
            self._show(match, version)
        else:
            self._queue[match.info.match] = match

    def change(self, match: LiveMatch) -> None:
        """Move a match that has changed to the end, if it is shown."""
        if match.lobby_version:
            self._shown[match.info.match] = self._shown.pop(match.info.match)

    def finish(self, match: LiveMatch, version: int) -> None:
        """Remove a finished match, and show the next of the queue in its place."""
        if self._queue.pop(match.info.match, None):
            return
        del self._shown[match.info.match]
        if len(self._finished) == FINISHED_LOBBY_MATCHES:
            self.complete_since = self._finished[0].version
        self._finished.append(match)
        if self._queue:
            self._show(self._queue.pop(next(iter(self._queue))), version)

    def changed_since(self, version: int) -> list[LiveMatch]:
        """Return the shown matches that have changed after a version, in order of their start."""
        changed = _newer(reversed(self._shown.values()), version)
        return sorted(changed, key=lambda match: match.info.match)

    def finished_since(self, version: int) -> list[LiveMatch]:
        """Return the matches finished after a version that the lobby showed at that version."""
        finished = _newer(reversed(self._finished), version)
        return [match for match in finished if match.lobby_version <= version]

    def _show(self, match: LiveMatch, version: int) -> None:
        self._shown[match.info.match] = match
        match.version = match.lobby_version = version


def _newer(matches: Iterator[LiveMatch], version: int) -> Iterator[LiveMatch]:
    """Yield the first matches, as long as they have changed after a version."""
    for match in matches:
        if match.version <= version:
            return
        yield match
