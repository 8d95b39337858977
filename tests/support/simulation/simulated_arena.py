"""A live state for tests, and the events that it observes."""

import itertools

from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.protocol.spectator import Lobby
from arena.spectators.live_state import LiveState
from tests.support.servers.arena_server import pairing

PAIRING = pairing("one", "two")


class SimulatedArena:
    """A live state and the events that it observes."""

    def __init__(self) -> None:
        self.time = 100.0
        self.state = LiveState("5+0.05", [], 0, lambda: self.time, lambda: 1e9 + self.time)
        self.plies: dict[int, int] = {}
        self.ids = itertools.count(1)
        self.change_count = 0
        self.state.on_change = self.count_change

    def count_change(self) -> None:
        self.change_count += 1

    def start(self, pairing: Pairing = PAIRING) -> int:
        match = next(self.ids)
        self.state.started(match, pairing)
        self.plies[match] = len(pairing.opening)
        return match

    def move(self, match: int, move: int = 1, charged: float = 0.25) -> None:
        ply = self.plies[match]
        self.state.moved(match, PlayedMove(ply, move, charged, 0.0, charged, 0.0))
        self.plies[match] = ply + 1

    def take_back(self, match: int, ply: int) -> None:
        self.state.taken_back(match, ply)
        self.plies[match] = ply

    def finish(self, match: int, pairing: Pairing = PAIRING, fault: Fault | None = None) -> None:
        del self.plies[match]
        self.state.finished(match_record(match, pairing, fault))

    def lobby(self, version: int) -> Lobby:
        """Return what has changed in the lobby, which must be something."""
        lobby = self.state.lobby(version)
        assert lobby
        return lobby


def match_record(match: int, pairing: Pairing = PAIRING, fault: Fault | None = None) -> MatchRecord:
    result = MatchResult(Termination.NO_LEGAL_MOVE, 1, "player 2 (two) cannot move")
    return MatchRecord(match, pairing, "5+0.05", 1e9, 1e9 + 5, result, (), fault)
