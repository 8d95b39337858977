"""Spec bot: the move of the assignment's command line."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import Info
from bots.client import ClockReading
from bots.spec_bot import RESERVE, SpecBot, allowance
from core import GAMES
from core.search import deepen, search
from core.take_stones import Board
from core.take_stones.__main__ import run
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.games.strategies import positions
from tests.support.games.toy_games import NIM, Heap

AN_HOUR = ClockReading(remaining=3600.0, opponent=3600.0, increment=0.0)
times = st.floats(0, 1e6)
clocks = st.builds(ClockReading, st.floats(0.001, 1e6), times, times, st.just(False))


def move(n: int, taken: Taken, depth: int, clock: ClockReading = AN_HOUR) -> int:
    return SpecBot(depth)(Board(n, taken, any_first=True), clock)


def command_line(n: int, taken: Taken, depth: int) -> str:
    """Return the first line that the assignment's program prints."""
    arguments = [n, len(taken), *taken, depth]
    return run([str(number) for number in arguments]).splitlines()[0]


@given(positions(st.integers(3, 16), st.integers(0, 8)), st.integers(0, 6))
def test_move_is_that_of_the_command_line(position: tuple[int, Taken], depth: int) -> None:
    assert f"Move: {move(*position, depth)}" == command_line(*position, depth)


@given(positions(st.integers(65, 90), st.integers(0, 8)), st.integers(1, 4))
def test_large_boards_have_the_commands_moves(position: tuple[int, Taken], depth: int) -> None:
    assert f"Move: {move(*position, depth)}" == command_line(*position, depth)


@loop_over("remaining", [0.0001, 3600.0])
def test_depth_0_needs_no_evaluation(remaining: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    found = SpecBot(0)(Heap(11), ClockReading(remaining, remaining, 0.0))
    assert found == 2 or (found in {1, 3} and remaining < 1)


@loop_over("remaining", [0.0001, 0.01, 0.2])
def test_little_time_gives_the_move_of_a_shallower_search(remaining: float) -> None:
    clock = ClockReading(remaining, opponent=1.0, increment=0.0)
    shallower = {search(Board(150), depth).move for depth in range(1, 8)}
    assert move(150, (), 0, clock) in shallower


def test_move_is_made_in_time() -> None:
    clock = ClockReading(remaining=5.0, opponent=5.0, increment=0.0)
    began = time.thread_time()  # it stands still while a busy machine halts the thread
    move(500, (), 0, clock)
    assert time.thread_time() - began < clock.remaining


NO_CLOCK = ClockReading(remaining=inf, opponent=inf, increment=0.0)


@loop_over("depth", [0, 1, 5])
def test_without_a_clock_only_the_depth_counts(depth: int) -> None:
    assert move(16, (3,), depth, NO_CLOCK) == search(Board(16, [3]), depth).move


@given(positions(st.integers(3, 40), st.integers(0, 8)), st.integers(0, 6), st.integers(1, 100_000))
def test_limit_of_nodes_gives_the_deepest_search_within_it(
    position: tuple[int, Taken], depth: int, nodes: int
) -> None:
    n, taken = position
    board, visited, expected = Board(n, taken, any_first=True), 0, board_move(n, taken, nodes)
    for reached in itertools.count(1):
        result = search(board, reached, nodes=max(1, nodes - visited))
        if result.stopped or visited + result.nodes_visited > nodes:
            break
        visited, expected = visited + result.nodes_visited, result.move
        if reached == depth or result.max_depth < reached:
            break
    assert move(n, taken, depth, NO_CLOCK._replace(nodes=nodes)) == expected


def board_move(n: int, taken: Taken, nodes: int) -> int:
    """Return the move of a search to depth 1 that may be stopped."""
    return search(Board(n, taken, any_first=True), 1, nodes=nodes).move


@given(clocks)
def test_allowances_are_positive_and_leave_time(clock: ClockReading) -> None:
    assert 0 < allowance(clock) < clock.remaining / 2
    per_move = clock._replace(per_move=True)
    assert max(0, clock.remaining - RESERVE) <= allowance(per_move) < clock.remaining
    assert allowance(per_move) > 0


def test_a_move_gets_a_third_of_the_time() -> None:
    assert allowance(NO_CLOCK._replace(remaining=RESERVE + 6)) == 2


# Limits of nodes


@given(positions(st.integers(3, 40), st.integers(0, 8)), st.integers(1, 500))
def test_nodes_choose_the_move_whatever_the_clock(position: tuple[int, Taken], nodes: int) -> None:
    n, taken = position
    board = Board(n, taken, any_first=True)
    bot = SpecBot(12, nodes)
    clocks = [AN_HOUR, ClockReading(60.0, 1.0, 0.0, per_move=True), ClockReading(inf, inf, 0.0)]
    moves = {bot(board.copy(), clock) for clock in clocks}
    assert moves == {deepen(board, 12, nodes=nodes).move}


def test_the_moves_with_nodes_are_the_same_on_a_busy_machine() -> None:
    boards = [Board(n) for n in range(40, 60)]
    alone = [SpecBot(12, 2000)(board, AN_HOUR) for board in boards]
    with ThreadPoolExecutor(8) as pool:
        results = pool.map(
            lambda _: [SpecBot(12, 2000)(each, AN_HOUR) for each in boards], range(8)
        )
        assert all(moves == alone for moves in results)


@loop_over(("own", "given"), [(50, 500), (500, 50)])
def test_the_smaller_number_of_nodes_counts(own: int, given: int) -> None:
    clock = ClockReading(inf, inf, 0.0, nodes=given)
    boards = [Board(n) for n in range(30, 60)]
    expected = [deepen(board, 12, nodes=50).move for board in boards]
    assert [SpecBot(12, own)(board, clock) for board in boards] == expected


def test_a_depth_within_the_nodes_is_reached() -> None:
    assert SpecBot(3, 10**9)(Board(30), AN_HOUR) == move(30, (), 3)


@loop_over("depth", [0, 3])
def test_the_move_comes_with_its_search(depth: int) -> None:
    position = Board(20, [3, 6])
    found = search(position, depth)
    chosen = SpecBot(depth).choose_with_info(position, ClockReading(inf, inf, 0.0))
    assert chosen == (found.move, Info(found.value, found.max_depth, found.nodes_visited))


def test_a_search_without_a_value_has_no_evaluation() -> None:
    clock = ClockReading(inf, inf, 0.0, per_move=True, nodes=1)
    chosen = SpecBot(3).choose_with_info(Board(20, [3, 6]), clock)
    assert chosen.info.evaluation is None
    assert chosen.info.nodes == 1
