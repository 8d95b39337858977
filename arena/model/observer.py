"""Observer interface for events of matches, of connections, and of an arena's problems."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.model.played_matches import PlayedMatches
from arena.model.results import MatchRecord, Pairing, PlayedMove


@dataclass(frozen=True, slots=True)
class WorkersStatus:
    """The workers of a run in process.

    Attributes:
        workers: Connected workers.
        matches_per_second: Matches that were stored, as a mean over the last seconds.
        in_flight: Batches that workers play or that wait for one.
        lost: Batches that were lost so far, with a process or a connection.
        replayed: Matches so far that were played again, or are to be, because of a lost batch.
    """

    workers: int
    matches_per_second: float
    in_flight: int
    lost: int
    replayed: int


class Observer:
    """Receiver of match and connection events that ignores all of them.

    Subclasses override the methods for the events that they need. `match` is the id of the attempt
    (MatchRecord.id).
    """

    def scheduled(self, pairing: Pairing) -> None:
        """Handle a pairing that was scheduled and waits for its bots."""

    def started(self, match: int, pairing: Pairing) -> None:
        """Handle the start of a match."""

    def moved(self, match: int, move: PlayedMove) -> None:
        """Handle a move."""

    def taken_back(self, match: int, ply: int) -> None:
        """Handle a takeback in a casual match: the moves from `ply` on are undone."""

    def finished(self, record: MatchRecord) -> None:
        """Handle the end of a match, which is stored by then."""

    def joined(self, name: str, address: str) -> None:
        """Handle a bot that connected or reconnected from `address`."""

    def left(self, name: str) -> None:
        """Handle a bot that disconnected or replaced its connection."""

    def refused(self, code: str, address: str) -> None:
        """Handle a connection that was rejected with the error `code`."""

    def degraded(self, part: str, cause: str) -> None:
        """Handle a part of the arena, such as "tokens", that does not work at the moment."""

    def recovered(self, part: str) -> None:
        """Handle a part of the arena that works again."""

    def played(self, matches: PlayedMatches) -> None:
        """Handle matches that were played in process, which are stored by then.

        The events of each are handled one after the other. Subclasses for which less suffices
        override this method, as there may be thousands of matches a second.
        """
        for record in matches.records():
            self.started(record.id, record.pairing)
            for move in record.moves:
                self.moved(record.id, move)
            self.finished(record)

    def computing(self, status: WorkersStatus) -> None:
        """Handle the status of the workers, up to a few times a second."""


class CompositeObserver(Observer):
    """Observer that forwards each event to several observers, in order."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    def scheduled(self, pairing: Pairing) -> None:
        """Forward the scheduled pairing."""
        for observer in self._observers:
            observer.scheduled(pairing)

    def started(self, match: int, pairing: Pairing) -> None:
        """Forward the start of a match."""
        for observer in self._observers:
            observer.started(match, pairing)

    def moved(self, match: int, move: PlayedMove) -> None:
        """Forward the move."""
        for observer in self._observers:
            observer.moved(match, move)

    def taken_back(self, match: int, ply: int) -> None:
        """Forward the takeback."""
        for observer in self._observers:
            observer.taken_back(match, ply)

    def finished(self, record: MatchRecord) -> None:
        """Forward the end of a match."""
        for observer in self._observers:
            observer.finished(record)

    def joined(self, name: str, address: str) -> None:
        """Forward the connected bot."""
        for observer in self._observers:
            observer.joined(name, address)

    def left(self, name: str) -> None:
        """Forward the disconnected bot."""
        for observer in self._observers:
            observer.left(name)

    def refused(self, code: str, address: str) -> None:
        """Forward the rejected connection."""
        for observer in self._observers:
            observer.refused(code, address)

    def degraded(self, part: str, cause: str) -> None:
        """Forward the problem."""
        for observer in self._observers:
            observer.degraded(part, cause)

    def recovered(self, part: str) -> None:
        """Forward the end of the problem."""
        for observer in self._observers:
            observer.recovered(part)

    def played(self, matches: PlayedMatches) -> None:
        """Forward the matches."""
        for observer in self._observers:
            observer.played(matches)

    def computing(self, status: WorkersStatus) -> None:
        """Forward the status of the workers."""
        for observer in self._observers:
            observer.computing(status)


Report = Callable[[str], None]
"""Receives why a part does not work, whenever that is noticed; "" once it works."""


def no_report(cause: str) -> None:
    """Drop a report."""


class Problems:
    """Parts of an arena that do not work at the moment."""

    def __init__(self, observer: Observer, notify: Callable[[str], object]) -> None:
        """Start without problems.

        Args:
            observer: Is told about each change.
            notify: Receives a line for the operator about each change.
        """
        self._observer = observer
        self._notify = notify
        self._causes: dict[str, str] = {}  # by part

    def report(self, part: str, cause: str) -> None:
        """Note that a part does not work, and why; or that it works, without a cause."""
        if cause == self._causes.get(part, ""):
            return
        if cause:
            self._causes[part] = cause
            self._notify(f"degraded, {part}: {cause}")
            self._observer.degraded(part, cause)
        else:
            del self._causes[part]
            self._notify(f"recovered: {part}")
            self._observer.recovered(part)
