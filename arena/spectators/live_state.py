"""Live state of an arena for spectators, versioned. Pure.

Each change increments the version, and a client at version N receives all changes after N. Nothing
is stored for a single client: one that reads slowly gets fewer updates, each with the latest state.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Sequence

from arena.model.observer import Observer, WorkersStatus
from arena.model.played_matches import PlayedMatches
from arena.model.results import MatchRecord, Pairing, PlayedMove
from arena.protocol.spectator import Lobby, MatchSummary, WorkersInfo
from arena.spectators.live_match import (
    LiveMatch,
    LobbyMatches,
    match_info,
    match_result,
    match_summary,
)

LATEST_RESULTS = 20  # in the lobby
# Names of connected bots: with many, each that joins or leaves sends all of them to all spectators.
BOTS_BYTES = 1000  # in each round
BOTS_RATE = 20_000  # bytes per second of longer lists
FINISHED_MATCHES = 200  # kept for the spectators that follow them; older ones: the database


class LiveState(Observer):
    """Observer that keeps the state for spectators: matches, results, connected bots.

    Eight of its methods handle the observer's events. Matches in process may be thousands a second:
    only their latest results are kept, which change with the workers' status.

    Attributes:
        version: Number of the last change.
        results_version: Version of the last result.
        finished_count: Number of rated matches.
        on_change: Called after each change; settable.
        is_watched: Whether any spectator is connected; settable. A move without spectators makes no
            version: the next spectator receives the whole state.
    """

    def __init__(
        self,
        control: str,
        results: Sequence[MatchSummary],
        finished_count: int,
        clock: Callable[[], float],
        now: Callable[[], float],
    ) -> None:
        """Continue from the stored state.

        Args:
            control: The arena's time control as text.
            results: Matches that finished before, newest first.
            finished_count: Number of rated matches that finished before.
            clock: A monotonic clock, in seconds.
            now: The Unix time.
        """
        self.version = 1
        self.results_version = 1
        self.finished_count = finished_count
        self.on_change: Callable[[], None] = lambda: None
        self.is_watched = True
        self._control = control
        self._clock = clock
        self._now = now
        self._running: dict[int, LiveMatch] = {}
        self._finished: dict[int, LiveMatch] = {}
        self._lobby = LobbyMatches()
        self._bots: Counter[str] = Counter()  # a bot and a casual player may share a name
        self._bots_version = 1
        self._bots_due = -math.inf  # time from which on the next list of them is sent
        self._has_unseen_bots = False
        self._results: deque[MatchSummary | MatchRecord] = deque(results, LATEST_RESULTS)
        self._workers: WorkersInfo | None = None
        self._workers_version = 0
        self._has_unseen_results = False

    def reload(self, results: Sequence[MatchSummary], finished_count: int) -> None:
        """Forget what has finished, and continue from the stored state, which was changed."""
        self.finished_count = finished_count
        self._results = deque(results, LATEST_RESULTS)
        self._finished.clear()
        self.results_version = self._next_version()

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002 (the observer's signature)
        """Add a connected bot."""
        self._bots[name] += 1
        self._has_unseen_bots = True
        self._publish_bots()

    def left(self, name: str) -> None:
        """Remove a disconnected bot."""
        self._bots[name] -= 1
        self._bots += Counter()  # drops the zeros
        self._has_unseen_bots = True
        self._publish_bots()

    def started(self, match: int, pairing: Pairing) -> None:
        """Add a match that has started."""
        info = match_info(match, pairing, pairing.time or self._control, self._now())
        live = self._running[match] = LiveMatch(info, pairing.opening, self._clock())
        live.version = self._next_version()
        self._lobby.add(live, live.version)

    def moved(self, match: int, move: PlayedMove) -> None:
        """Add a move."""
        live = self._change(match) if self.is_watched else self._running[match]
        live.play(move, self.version, self._clock())

    def taken_back(self, match: int, ply: int) -> None:
        """Remove the moves of a match from a ply on."""
        self._change(match).take_back(ply, self._clock())

    def finished(self, record: MatchRecord) -> None:
        """Add the result of a match."""
        if record.is_rated:
            self.finished_count += 1
        live = self._running.pop(record.id)
        result = match_result(record)
        live.finish(result)
        live.version = self.results_version = self._next_version()
        self._results.appendleft(MatchSummary(live.info, result, len(live.moves)))
        self._finished[record.id] = live
        if len(self._finished) > FINISHED_MATCHES:
            del self._finished[next(iter(self._finished))]
        self._lobby.finish(live, self.version)

    def played(self, matches: PlayedMatches) -> None:
        """Add the results of matches in process, which spectators see with the next status."""
        self.finished_count += matches.rated
        self._results.extendleft(matches.records(-LATEST_RESULTS))
        self._has_unseen_results = True

    def computing(self, status: WorkersStatus) -> None:
        """Set the status of the workers."""
        self._workers = WorkersInfo(
            status.workers,
            status.matches_per_second,
            status.in_flight,
            status.lost,
            status.replayed,
        )
        self._workers_version = self._next_version()
        if self._has_unseen_results:
            self.results_version, self._has_unseen_results = self.version, False

    def _publish_bots(self) -> None:
        """Give the list of bots a new version if it has changed, or later after a long list."""
        if not self._has_unseen_bots:
            return
        now = self._clock()
        if now < self._bots_due:
            self.on_change()  # check again in the next round
            return
        size = sum(len(name.encode()) for name in self._bots)
        self._bots_due = now + max(0, size - BOTS_BYTES) / BOTS_RATE
        self._bots_version, self._has_unseen_bots = self._next_version(), False

    def _next_version(self) -> int:
        self.version += 1
        self.on_change()
        return self.version

    def _change(self, match: int) -> LiveMatch:
        """Return a match that changes, with a new version."""
        live = self._running[match]
        live.version = self._next_version()
        self._lobby.change(live)
        return live

    @property
    def oldest_running(self) -> int | None:
        """Id of the running match that started first; None if no match is running."""
        return next(iter(self._running), None)

    def find(self, match: int) -> LiveMatch | None:
        """Return a running or recently finished match."""
        return self._running.get(match) or self._finished.get(match)

    def lobby(self, version: int) -> Lobby | None:
        """Return the changes in the lobby.

        Args:
            version: The version that the client has; 0 for none.

        Returns:
            The changes, or the whole lobby if the version is 0 or too old; None without changes.
        """
        self._publish_bots()
        if version < self._lobby.complete_since:
            version = 0
        is_full = not version
        finished = self._lobby.finished_since(version) if version else []
        changed = self._lobby.changed_since(version)
        has_results = self.results_version > version
        has_bots = self._bots_version > version
        has_workers = self._workers_version > version
        if not (is_full or changed or finished or has_results or has_bots or has_workers):
            return None
        now = self._clock()
        started = [live.info for live in changed if live.lobby_version > version]
        moves = [
            live.moves_since(version if live.lobby_version <= version else 0, now)
            for live in finished + changed
        ]
        return Lobby(
            is_full,
            len(self._running),
            started or (),
            moves or (),
            [live.info.match for live in finished] or (),
            [*self._bots] if has_bots else None,
            [*map(_summary, self._results)] if has_results else None,
            self.finished_count if has_results else None,
            self._workers if has_workers else None,
        )


def _summary(result: MatchSummary | MatchRecord) -> MatchSummary:
    if isinstance(result, MatchSummary):
        return result
    return match_summary(result, len(result.pairing.opening) + len(result.moves))
