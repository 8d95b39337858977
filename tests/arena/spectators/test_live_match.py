"""Live matches: moves since a version, times, results, and the limit and queue of the lobby."""

from arena.model.results import Fault, Pairing
from arena.protocol.spectator import MoveUpdate, TimeControlInfo
from arena.spectators.live_match import FINISHED_LOBBY_MATCHES, LOBBY_MATCHES, time_control_infos
from tests.support.servers.arena_server import pairing
from tests.support.simulation.simulated_arena import SimulatedArena


def test_time_controls_are_in_milliseconds_for_both_players() -> None:
    assert time_control_infos("5+0.05") == (TimeControlInfo("5+0.05", 5000, 50, False), None)
    assert time_control_infos("0.5/move") == (TimeControlInfo("0.5/move", 500, 0, True), None)
    assert time_control_infos("9 nodes") == (TimeControlInfo("9 nodes", 10**12, 0, True), None)
    one, two = TimeControlInfo("10+0.1", 10_000, 100, False), TimeControlInfo("1", 1000, 0, False)
    assert time_control_infos("10+0.1 vs 1") == (one, two)


def test_opening_moves_take_no_time(arena: SimulatedArena) -> None:
    match = arena.start(pairing("one", "two", opening=(3, 6)))
    arena.move(match, 2)
    assert arena.lobby(0).moves[0] == MoveUpdate(match, 0, [3, 6, 2], [0, 0, 250], 0)


def test_takeback_shortens_the_moves(arena: SimulatedArena) -> None:
    match = arena.start()
    for move in (3, 6, 2):
        arena.move(match, move)
    version = arena.state.version
    arena.take_back(match, 1)
    assert [*arena.lobby(version).moves] == [MoveUpdate(match, 1, [], [], 0)]


def test_move_replaces_one_that_was_taken_back(arena: SimulatedArena) -> None:
    match = arena.start()
    arena.move(match, 3)
    version = arena.state.version
    arena.take_back(match, 0)
    arena.move(match, 1)
    assert [*arena.lobby(version).moves] == [MoveUpdate(match, 0, [1], [250], 0)]


def test_fault_has_its_charged_time(arena: SimulatedArena) -> None:
    match = arena.start()
    arena.finish(match, fault=Fault(0, 5, 2.0, 0.0, 2.0, 0.0))
    live = arena.state.find(match)
    assert live
    assert live.result
    assert live.result.fault == (5, 2000)


def test_no_thinking_time_after_the_end(arena: SimulatedArena) -> None:
    match = arena.start()
    arena.finish(match)
    live = arena.state.find(match)
    assert live
    assert live.moves_since(0, arena.time).since_ms is None


def test_match_keeps_its_own_time_control(arena: SimulatedArena) -> None:
    arena.start(Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, time="9/move"))
    assert arena.lobby(0).started[0].control == TimeControlInfo("9/move", 9000, 0, True)


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
