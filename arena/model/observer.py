"""Who wants to know what is being played."""

from collections.abc import Sequence

from arena.model.results import MatchRecord, Pairing, PlayedMove


class Observer:
    """Hears of everything, and does nothing with it. Matches are named by the attempt's id."""

    def scheduled(self, pairing: Pairing) -> None:
        """A pairing waits for its bots to be free."""

    def started(self, match: int, pairing: Pairing) -> None:
        """A match has begun."""

    def moved(self, match: int, move: PlayedMove) -> None:
        """A player has made a move."""

    def taken_back(self, match: int, ply: int) -> None:
        """The moves of a casual match from this ply on have been taken back."""

    def finished(self, record: MatchRecord) -> None:
        """A match has ended and is stored."""

    def joined(self, name: str, address: str) -> None:
        """A bot has been let in, from this address; maybe it is one that has come back."""

    def left(self, name: str) -> None:
        """A bot's connection has ended, or another takes its place."""

    def refused(self, code: str, address: str) -> None:
        """A connection was sent away, with an error of this code."""


class CompositeObserver(Observer):
    """Passes on to several, in order."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    def scheduled(self, pairing: Pairing) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.scheduled(pairing)

    def started(self, match: int, pairing: Pairing) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.started(match, pairing)

    def moved(self, match: int, move: PlayedMove) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.moved(match, move)

    def taken_back(self, match: int, ply: int) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.taken_back(match, ply)

    def finished(self, record: MatchRecord) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.finished(record)

    def joined(self, name: str, address: str) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.joined(name, address)

    def left(self, name: str) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.left(name)

    def refused(self, code: str, address: str) -> None:
        """Pass it on."""
        for observer in self._observers:
            observer.refused(code, address)
