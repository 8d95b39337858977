"""Observer interface for match and connection events."""

from collections.abc import Sequence

from arena.model.results import MatchRecord, Pairing, PlayedMove


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
        """Handle a bot that disconnected or whose connection was replaced."""

    def refused(self, code: str, address: str) -> None:
        """Handle a connection that was rejected with the error `code`."""


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
