"""Live state: full lobbies, changes since a version, results and connected bots."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.model.observer import WorkersStatus
from arena.model.results import Pairing
from arena.protocol.spectator import Lobby, MoveUpdate, WorkersInfo
from arena.spectators.live_match import match_summary
from arena.spectators.live_state import (
    BOTS_BYTES,
    BOTS_RATE,
    FINISHED_MATCHES,
    LATEST_RESULTS,
    LiveState,
)
from tests.support.simulation.simulated_arena import PAIRING, SimulatedArena, match_record
from tests.support.tournaments.records import played_matches


class LobbyReader:
    """A spectator of the lobby that applies all changes, as the page does."""

    def __init__(self) -> None:
        self.version = 0
        self.moves: dict[int, list[int]] = {}
        self.bots: list[str] = []
        self.results: list[int] = []

    def update(self, state: LiveState) -> None:
        lobby = state.lobby(self.version)
        self.version = state.version
        if lobby:
            self._apply(lobby)

    def _apply(self, lobby: Lobby) -> None:
        if lobby.full:
            self.moves = {}
        for info in lobby.started:
            self.moves[info.match] = []
        for moves in lobby.moves:
            self.moves[moves.match][moves.ply :] = moves.moves
        for match in lobby.over:
            self.moves.pop(match, None)
        if lobby.bots is not None:
            self.bots = [*lobby.bots]
        if lobby.results is not None:
            self.results = [summary.facts.match for summary in lobby.results]


def test_version_0_returns_the_whole_lobby(arena: SimulatedArena) -> None:
    assert arena.lobby(0) == Lobby(True, 0, (), (), (), [], [], 0)
    arena.state.joined("one", "127.0.0.1")
    match = arena.start()
    arena.move(match, 3)
    lobby = arena.lobby(0)
    assert (lobby.full, lobby.playing, lobby.finished, lobby.bots) == (True, 1, 0, ["one"])
    assert lobby.started[0].players == ("one", "two")
    assert [*lobby.moves] == [MoveUpdate(match, 0, [3], [250], 0)]
    assert arena.state.lobby(arena.state.version) is None


def test_a_long_list_of_bots_is_followed_by_a_pause(arena: SimulatedArena) -> None:
    for number in range(30):
        arena.time += 1.0
        arena.state.joined(f"{number:064}", "127.0.0.1")
    version, seconds = arena.state.version, (30 * 64 - BOTS_BYTES) / BOTS_RATE
    arena.state.joined("ann", "127.0.0.1")
    assert arena.state.lobby(version) is None
    arena.time += seconds / 2
    assert arena.state.lobby(version) is None
    arena.time += seconds
    bots = arena.lobby(version).bots
    assert bots
    assert (len(bots), bots[-1]) == (31, "ann")


def test_later_version_returns_only_changes(arena: SimulatedArena) -> None:
    one, two = arena.start(), arena.start()
    arena.move(one, 3)
    version = arena.state.version
    arena.move(two, 1)
    arena.time += 1.5
    assert arena.lobby(version) == Lobby(
        playing=2, moves=[MoveUpdate(two, 0, [1], [250], 1500)], bots=None
    )


def test_last_moves_are_reported_with_the_end(arena: SimulatedArena) -> None:
    before = arena.state.version
    match = arena.start()
    arena.move(match, 3)
    version = arena.state.version
    arena.move(match, 1)
    arena.finish(match)
    lobby = arena.lobby(version)
    assert [*lobby.moves] == [MoveUpdate(match, 1, [1], [250], None)]
    assert ([*lobby.over], lobby.playing, lobby.finished) == ([match], 0, 1)
    assert lobby.results
    assert lobby.results[0].result.reason == "player 2 (two) cannot move"
    lobby = arena.lobby(before)  # to which it is only a result
    assert ([*lobby.moves], [*lobby.over]) == ([], [])
    assert lobby.results


def test_old_finished_match_is_forgotten(arena: SimulatedArena) -> None:
    for _ in range(FINISHED_MATCHES + 1):
        arena.finish(arena.start())
    assert arena.state.find(1) is None
    assert arena.state.find(2)


def test_casual_match_is_a_result_but_not_counted(arena: SimulatedArena) -> None:
    casual = Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, casual=True, time="9/move")
    match = arena.start(casual)
    arena.finish(match, casual)
    lobby = arena.lobby(0)
    assert lobby.finished == 0
    assert lobby.results
    assert lobby.results[0].facts.casual


def test_state_continues_from_stored_results() -> None:
    before = [match_summary(match_record(1), 3)]
    state = LiveState("5+0.05", before, 4, lambda: 0.0, lambda: 0.0)
    state.started(2, PAIRING)
    state.finished(match_record(2))
    lobby = state.lobby(0)
    assert lobby
    assert lobby.finished == 5
    assert lobby.results
    assert [summary.facts.match for summary in lobby.results] == [2, 1]


def test_moves_without_spectators_are_in_the_whole_lobby(arena: SimulatedArena) -> None:
    match, changes, reader = arena.start(), arena.change_count, LobbyReader()
    arena.state.is_watched = False
    arena.move(match, 7)
    arena.move(match, 1)
    assert arena.change_count == changes
    arena.state.is_watched = True
    reader.update(arena.state)
    assert reader.moves == {match: [7, 1]}
    arena.move(match, 5)
    assert arena.lobby(reader.version).moves[0].moves == [5]


def test_every_change_calls_on_change(arena: SimulatedArena) -> None:
    arena.state.joined("one", "127.0.0.1")
    arena.state.left("one")
    match = arena.start()
    arena.move(match)
    before = arena.change_count
    arena.take_back(match, 0)
    arena.finish(match)
    assert before >= 4
    assert arena.change_count == before + 2


def test_oldest_running_match(arena: SimulatedArena) -> None:
    assert arena.state.oldest_running is None
    one, two = arena.start(), arena.start()
    arena.finish(one)
    assert arena.state.oldest_running == two


def test_shared_name_stays_until_both_disconnect(arena: SimulatedArena) -> None:
    for _ in range(2):
        arena.state.joined("ann", "127.0.0.1")
    arena.state.left("ann")
    assert arena.lobby(0).bots == ["ann"]
    arena.state.left("ann")
    assert arena.lobby(0).bots == []


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=60), st.data())
def test_incremental_updates_equal_one_full_update(steps: Any, data: Any) -> None:
    arena, full_reader, incremental_reader = SimulatedArena(), LobbyReader(), LobbyReader()
    for step, number in steps:
        running = [*arena.plies]
        match = running[number % len(running)] if running else None
        if step == 0 or match is None:
            arena.start()
        elif step == 1:
            arena.finish(match)
        elif step == 2:
            arena.take_back(match, data.draw(st.integers(0, arena.plies[match])))
        elif step == 3:
            arena.state.joined(f"bot {number}", "127.0.0.1")
        elif step == 4 and f"bot {number}" in (arena.lobby(0).bots or ()):
            arena.state.left(f"bot {number}")
        else:
            arena.move(match, number)
        if data.draw(st.booleans()):
            incremental_reader.update(arena.state)
    incremental_reader.update(arena.state)
    full_reader.update(arena.state)
    assert (incremental_reader.moves, incremental_reader.bots, incremental_reader.results) == (
        full_reader.moves,
        full_reader.bots,
        full_reader.results,
    )
    assert len(full_reader.results) <= LATEST_RESULTS


STATUS = WorkersStatus(2, 1500.0, 6, 1, 100)


def test_results_in_process_are_seen_with_the_next_status(arena: SimulatedArena) -> None:
    version, changes = arena.state.version, arena.change_count
    arena.state.played(played_matches(*map(match_record, range(1, 21))))
    arena.state.played(played_matches(*map(match_record, range(21, 51))))
    assert (arena.state.lobby(version), arena.change_count) == (None, changes)
    arena.state.computing(STATUS)
    lobby = arena.lobby(version)
    assert (lobby.finished, lobby.workers) == (50, WorkersInfo(2, 1500.0, 6, 1, 100))
    assert lobby.results == [match_summary(match_record(n), 0) for n in range(50, 30, -1)]
    assert (lobby.started, lobby.over, arena.change_count) == ((), (), changes + 1)


def test_status_without_results_is_sent_alone(arena: SimulatedArena) -> None:
    version = arena.state.version
    arena.state.computing(STATUS)
    lobby = arena.lobby(version)
    assert (lobby.finished, lobby.results) == (None, None)
    assert lobby.workers == WorkersInfo(2, 1500.0, 6, 1, 100)
    assert arena.state.lobby(arena.state.version) is None
