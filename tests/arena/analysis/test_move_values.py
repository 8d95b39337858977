"""Values of all legal moves, against single searches of the same position."""

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.move_values import MAX_LINE, MAX_MOVES, find_move_values
from arena.analysis.position import TooLarge
from arena.protocol.positions import FindMoveValues, MoveValue
from core import GAMES
from core.search import search
from core.search.leaves import Leaves
from core.take_stones.solver import solve
from tests.support.games.defective_games import SoundHeap, sound_game
from tests.support.games.isolation_strategies import games as isolation_games
from tests.support.games.reference import Taken
from tests.support.games.strategies import positions
from tests.support.games.toy_games import EVALUATED_NIM, NIM
from tests.support.polling import TEST_TIMEOUT

NODES = 1_000_000  # more than any search here visits


def values(
    game: str, setup: dict[str, int], moves: Taken, depth: int, nodes: int = NODES
) -> list[MoveValue]:
    request = FindMoveValues(7, game, setup, moves, depth)
    found = find_move_values(request, TEST_TIMEOUT, nodes, monotonic)
    assert found.request == 7
    return [*found.values]


def assert_as_search(game: str, setup: dict[str, int], moves: Taken, depth: int) -> None:
    """Check the values against one search, and the lines against the positions at their ends."""
    position = GAMES[game].study(**setup, moves=moves)
    rows = values(game, setup, moves, depth)
    assert [row.move for row in rows] == position.legal_moves()
    expected = search(position, depth)
    player = position.player_to_move
    best = max if player == 1 else min
    known = [row.value for row in rows if row.value is not None]
    assert len(known) == len(rows)
    assert best(known) == expected.value
    assert rows[known.index(expected.value)].move == expected.move
    assert sum(row.nodes_visited for row in rows) + 1 >= expected.nodes_visited
    leaves = Leaves(GAMES[game], player, depth)
    evaluate = GAMES[game].evaluate
    assert evaluate
    for row in rows:
        end = position.copy()
        end.play(row.move)
        assert row.static == evaluate(end, player).value
        for move in row.line[1:]:
            end.play(move)
        leaf = leaves.evaluation(end, len(row.line))
        assert leaf
        assert leaf.value == row.value


@given(positions(st.integers(3, 12), st.integers(0, 12)), st.integers(0, 4))
def test_values_are_those_of_the_search(game: tuple[int, Taken], depth: int) -> None:
    stones, taken = game
    assert_as_search("take_stones", {"stones": stones}, taken, depth)


@given(positions(st.integers(3, 40), st.integers(0, 12)))
def test_winners_are_those_of_the_solver(game: tuple[int, Taken]) -> None:
    stones, taken = game
    position = GAMES["take_stones"].study(stones=stones, moves=taken)
    winning = solve(position).winning_moves  # type: ignore[arg-type]
    rows = values("take_stones", {"stones": stones}, taken, 1)
    assert [row.move for row in rows if row.wins] == winning


@given(isolation_games(st.integers(0, 50)), st.integers(1, 3))
def test_the_evaluation_is_that_of_the_player_at_the_root(moves: list[int], depth: int) -> None:
    if not GAMES["isolation"].position(moves=moves).is_over:
        assert_as_search("isolation", {}, tuple(moves), depth)


def test_a_move_that_ends_the_game_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    row, *others = values(NIM.name, {"heap": 1}, (), 0)
    assert row == MoveValue(1, None, None, -1.0, 1, [1])
    assert not others
    assert not values(NIM.name, {"heap": 1}, (1,), 0)


def test_a_long_line_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, EVALUATED_NIM)
    for row in values(NIM.name, {"heap": 17}, (), MAX_LINE + 2):
        assert len(row.line) <= MAX_LINE
    assert max(len(row.line) for row in values(NIM.name, {"heap": 17}, (), MAX_LINE + 2)) > 5


def test_moves_beyond_the_limit_of_nodes_have_no_value() -> None:
    setup, moves = {"stones": 20}, (3, 1, 6)
    all_rows = {row.move: row for row in values("take_stones", setup, moves, 4)}
    first, *_ = [row for row in all_rows.values() if row.wins]
    cut = values("take_stones", setup, moves, 4, first.nodes_visited)
    assert [row.move for row in cut] == [*all_rows]
    searched = [row for row in cut if not row.stopped]
    assert [(row.move, row.value) for row in searched] == [(first.move, first.value)]
    assert searched[0].line == first.line[:2]  # the rest was beyond the limit
    for row in cut:
        if row not in searched:
            assert (row.value, row.nodes_visited, [*row.line]) == (None, 0, [])
            assert (row.stopped, row.wins) == ("nodes", all_rows[row.move].wins)
    assert all(row.stopped for row in values("take_stones", setup, moves, 4, 1))


def test_moves_beyond_the_limit_of_time_have_no_value() -> None:
    times = iter([0.0, 0.0])  # the begin, and then before the first move
    request = FindMoveValues(1, "take_stones", {"stones": 20}, [3, 1, 6], 4)
    found = find_move_values(request, TEST_TIMEOUT, NODES, lambda: next(times, TEST_TIMEOUT))
    assert {row.stopped for row in found.values} == {"seconds"}
    assert all(row.value is None for row in found.values)


def test_bad_requests_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    with pytest.raises(ValueError, match="illegal move 2"):
        values("take_stones", {"stones": 7}, (3, 4), 1)
    with pytest.raises(ValueError, match="has no evaluation"):
        values(NIM.name, {"heap": 7}, (), 1)
    with pytest.raises(TooLarge, match=f"at most {MAX_MOVES} legal moves"):
        values("take_stones", {"stones": 10_000}, (), 1)


def test_position_that_is_too_large_for_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    class LargeHeap(SoundHeap):
        def legal_moves(self) -> list[int]:
            raise MemoryError

    game = sound_game(LargeHeap)
    monkeypatch.setitem(GAMES, game.name, game)
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        values(game.name, {"heap": 6}, (), 1)
