"""Matches that the lobby shows to spectators. Pure."""

from collections import deque
from collections.abc import Iterator

from arena.spectators.live_match import LiveMatch

LOBBY_MATCHES = 100  # shown at once
FINISHED_LOBBY_MATCHES = 200  # remembered, so that a slow spectator needs no full update


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
