"""Deltas: what a spectator at a cursor receives, applied as a spectator does."""

import json
from typing import Any

import pytest

from arena.spectators.delta import IDLE, Cursor, Deltas, KnownWinners
from arena.spectators.live_state import FINISHED_MATCHES
from tests.support.simulation.simulated_arena import SimulatedArena


class Reader:
    """A spectator that applies what it receives."""

    def __init__(self, deltas: Deltas, match: int | None) -> None:
        self._deltas = deltas
        self.cursor = Cursor(match)
        self.moves: list[int] = []
        self.winners: list[int] = []
        self.types: list[str] = []

    def read(self) -> list[Any]:
        frames, self.cursor = self._deltas.since(self.cursor)
        messages = [json.loads(frame) for frame in frames]
        for message in messages:
            self.types.append(message["type"])
            if message["type"] in {"match", "moves"}:
                self.moves[message["moves"]["ply"] :] = message["moves"]["moves"]
                del self.winners[message["moves"]["ply"] + 1 :]
            if message["type"] == "winners":
                assert message["ply"] <= len(self.winners)
                self.winners[message["ply"] :] = message["winners"]
            elif message["type"] == "match":
                self.winners = message["winners"] or []
        return messages


@pytest.fixture
def deltas(arena: SimulatedArena) -> Deltas:
    return Deltas(arena.state, lambda: arena.time)


def test_idle_cursor_receives_nothing(deltas: Deltas) -> None:
    assert deltas.since(IDLE) == ([], IDLE)


def test_match_is_sent_whole_and_then_its_moves(arena: SimulatedArena, deltas: Deltas) -> None:
    match = arena.start()
    arena.move(match, 3)
    reader = Reader(deltas, match)
    reader.read()
    arena.move(match, 6)
    reader.read()
    assert (reader.types, reader.moves) == (["match", "moves"], [3, 6])
    assert not reader.read()


def test_winners_are_sent_once_known_or_with_the_whole_match(
    arena: SimulatedArena, deltas: Deltas
) -> None:
    match = arena.start()
    reader = Reader(deltas, match)
    reader.read()
    arena.move(match, 3)
    deltas.set_winners(match, KnownWinners([3], [2, 2]))
    reader.read()
    assert (reader.types, reader.winners) == (["match", "moves", "winners"], [2, 2])
    match = arena.start()
    arena.move(match, 3)
    deltas.set_winners(match, KnownWinners([3], [2, 2]))
    reader = Reader(deltas, match)
    reader.read()
    assert (reader.types, reader.winners) == (["match"], [2, 2])


def test_winners_of_other_moves_are_not_sent(arena: SimulatedArena, deltas: Deltas) -> None:
    match = arena.start()
    for move in (3, 6, 2):
        arena.move(match, move)
    deltas.set_winners(match, KnownWinners([3, 6, 2], [2, 2, 1, 1]))
    reader = Reader(deltas, match)
    reader.read()
    arena.take_back(match, 1)
    arena.move(match, 1)
    reader.read()
    assert (reader.moves, reader.winners) == ([3, 1], [2, 2])
    deltas.set_winners(match, KnownWinners([3, 1], [2, 2, 1]))
    reader.read()
    assert reader.winners == [2, 2, 1]


def test_result_is_sent_once(arena: SimulatedArena, deltas: Deltas) -> None:
    match = arena.start()
    reader = Reader(deltas, match)
    reader.read()
    arena.finish(match)
    reader.read()
    assert reader.types == ["match", "moves", "result"]
    assert not reader.read()
    late = Reader(deltas, match)
    [whole] = late.read()
    assert whole["result"]["winner"] == 1
    assert not late.read()


def test_cursor_is_idle_after_a_forgotten_match(arena: SimulatedArena, deltas: Deltas) -> None:
    match = arena.start()
    reader = Reader(deltas, match)
    reader.read()
    arena.finish(match)
    for _ in range(FINISHED_MATCHES):
        arena.finish(arena.start())
    assert not reader.read()
    assert reader.cursor == IDLE


def test_new_leaderboards_are_sent_to_the_lobby_once(arena: SimulatedArena, deltas: Deltas) -> None:
    reader = Reader(deltas, None)
    reader.read()
    deltas.set_leaderboards('{"type":"tables","tables":[]}')
    reader.read()
    arena.state.joined("ann", "127.0.0.1")
    reader.read()
    assert reader.types == ["lobby", "tables", "lobby"]


def test_match_lacks_winners_of_new_moves_if_it_has_a_solver(
    arena: SimulatedArena, deltas: Deltas
) -> None:
    match = arena.start()
    live = arena.state.find(match)
    assert live
    assert deltas.lacks_winners(live)
    deltas.set_winners(match, KnownWinners([], [2]))
    assert not deltas.lacks_winners(live)
    arena.move(match, 3)
    assert deltas.lacks_winners(live)
    deltas.set_winners(match, KnownWinners([], None))
    assert not deltas.lacks_winners(live)
    assert Reader(deltas, match).read()[0]["winners"] is None


def test_winners_of_unfollowed_matches_are_discarded(arena: SimulatedArena, deltas: Deltas) -> None:
    one, two = arena.start(), arena.start()
    for match in (one, two):
        deltas.set_winners(match, KnownWinners([], [2]))
    assert deltas.discard_winners({one, None}) == [two]
    assert deltas.discard_winners({one, None}) == []
