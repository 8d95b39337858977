"""Matches in the lobby: limit, queue and old versions."""

from arena.protocol.spectator import MoveUpdate
from arena.spectators.lobby_matches import FINISHED_LOBBY_MATCHES, LOBBY_MATCHES
from tests.support.simulation.simulated_arena import SimulatedArena


def test_lobby_size_is_limited(arena: SimulatedArena) -> None:
    matches = [arena.start() for _ in range(LOBBY_MATCHES + 2)]
    lobby = arena.lobby(0)
    assert lobby.playing == LOBBY_MATCHES + 2
    assert [info.match for info in lobby.started] == matches[:LOBBY_MATCHES]


def test_queued_match_enters_when_one_finishes(arena: SimulatedArena) -> None:
    matches = [arena.start() for _ in range(LOBBY_MATCHES + 2)]
    arena.move(matches[-2], 3)
    version = arena.state.version
    arena.finish(matches[0])
    arena.finish(matches[-1])
    lobby = arena.lobby(version)
    assert [*lobby.over] == [matches[0]]
    assert [info.match for info in lobby.started] == [matches[-2]]
    assert MoveUpdate(matches[-2], 0, [3], [250], 0) in lobby.moves


def test_old_version_returns_the_whole_lobby(arena: SimulatedArena) -> None:
    old = arena.start()
    version = arena.state.version
    arena.finish(old)
    for _ in range(FINISHED_LOBBY_MATCHES + 1):
        arena.finish(arena.start())
    assert arena.lobby(version).full
