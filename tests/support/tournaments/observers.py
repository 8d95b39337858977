"""Observers that record events."""

from pathlib import Path
from typing import Any

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, PlayedMove
from tests.support.servers.arena_server import read_matches


class EventRecorder(Observer):
    """Observer that records the events of matches."""

    def __init__(self) -> None:
        self.lines: list[tuple[Any, ...]] = []

    def started(self, match: int, pairing: Pairing) -> None:
        self.lines.append(("started", match, pairing))

    def moved(self, match: int, move: PlayedMove) -> None:
        self.lines.append(("moved", match, move))

    def taken_back(self, match: int, ply: int) -> None:
        self.lines.append(("taken back", match, ply))

    def finished(self, record: MatchRecord) -> None:
        self.lines.append(("finished", record))


class RecordingObserver(EventRecorder):
    """Observer that records its events, and the stored matches at each end."""

    def __init__(self, db: Path) -> None:
        super().__init__()
        self.db = db
        self.stored: list[MatchRecord] = []

    def finished(self, record: MatchRecord) -> None:
        super().finished(record)
        self.stored = read_matches(self.db)
