"""Strong bot: the move of the strong search, in the time that the clock allows."""

from math import inf

from hypothesis import assume, given
from hypothesis import strategies as st

from arena.model.results import Info
from bots.client import ClockReading
from bots.strong_bot import StrongBot, think_time
from core.isolation import Board
from core.search import strong_search
from tests.support.cases import loop_over
from tests.support.games.isolation_strategies import games

NO_CLOCK = ClockReading(remaining=inf, opponent=inf, increment=0.0)
AN_HOUR = ClockReading(remaining=3600.0, opponent=3600.0, increment=0.0)

times = st.floats(0, 1e6)
clocks = st.builds(ClockReading, st.floats(0.001, 1e6), times, times, st.booleans())


@given(games(st.integers(0, 30)), st.integers(1, 3), st.none() | st.integers(1, 500))
def test_move_is_that_of_the_strong_search(moves: list[int], depth: int, nodes: int | None) -> None:
    board = Board(moves)
    assume(len(board.legal_moves()) > 1)
    expected = strong_search(board, depth, nodes=nodes).move
    assert StrongBot(depth, nodes)(board.copy(), NO_CLOCK) == expected
    assert StrongBot(depth, nodes)(board, AN_HOUR) == expected


@loop_over(("own", "given"), [(50, 5000), (5000, 50), (None, 50)])
def test_the_smaller_number_of_nodes_counts(own: int | None, given: int) -> None:
    chosen = StrongBot(nodes=own).choose_with_info(Board(), NO_CLOCK._replace(nodes=given))
    assert chosen.info.nodes == 50


def test_a_move_comes_with_its_search_unless_it_is_the_only_one() -> None:
    found = strong_search(Board([7]), nodes=5000)
    info = Info(found.value, found.depth, found.nodes_visited, tuple(found.variation))
    assert StrongBot(nodes=5000).choose_with_info(Board([7]), AN_HOUR) == (found.move, info)
    assert StrongBot(nodes=1).choose_with_info(Board(), AN_HOUR).info.evaluation is None
    forced = Board.from_rows(["x-******", "********", *["--------"] * 5, "-------o"])
    assert StrongBot().choose_with_info(forced, AN_HOUR).info.depth == 1
    forced = Board.from_rows(["x-******", *["********"] * 6, "****---o"])
    clock = AN_HOUR._replace(per_move=True)
    assert StrongBot().choose_with_info(forced, clock).info == Info(-1000.0, 1, 2, (1,))


# The time for a move


@given(clocks)
def test_there_is_time_for_every_move(clock: ClockReading) -> None:
    assert 0 < think_time(clock) < clock.remaining
    clock = clock._replace(per_move=False)
    assert think_time(clock) <= clock.remaining / 3


def test_an_increment_is_used() -> None:
    slow = ClockReading(remaining=10.0, opponent=10.0, increment=0.0)
    assert think_time(slow._replace(increment=1.0)) == think_time(slow) + 0.75
