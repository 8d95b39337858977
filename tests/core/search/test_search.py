"""The compiled search, against the reference and on its own."""

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from math import nan
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from core.search import Progress, SearchResult, deepen, search
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games import reference
from tests.support.games.programs import is_interrupted, memory_error
from tests.support.games.progress import first_reports
from tests.support.games.reference import Taken
from tests.support.games.strategies import games, positions
from tests.support.polling import TEST_TIMEOUT, join

HUGE = 200  # stones: nobody sees the end of this search

small = st.integers(3, 64)
large = st.integers(65, 200)


def fits(n: int, taken: Taken, depth: int) -> bool:
    """Whether the tree is small enough for the reference."""
    return search(Board(n, taken, any_first=True), depth, nodes=3000).stopped is None


def assert_as_reference(n: int, taken: Taken, depth: int) -> None:
    result = search(Board(n, taken, any_first=True), depth)
    expected = reference.search(n, taken, depth)
    assert result[:5] == expected
    assert result.branching_factor == float(expected.branching_factor)


def assert_as_reference_to_a_depth(n: int, taken: Taken, depth: int) -> None:
    """To this depth, or to the largest below it of which the tree fits."""
    assert_as_reference(n, taken, next(d for d in range(depth, 0, -1) if fits(n, taken, d)))


def assert_as_reference_to_the_end(n: int, game: Taken) -> None:
    """From the earliest position of a finished game from which on all trees fit."""
    plies = [*takewhile(lambda ply: fits(n, game[:ply], 0), reversed(range(len(game))))]
    assume(plies)
    assert_as_reference(n, game[: plies[-1]], 0)


# The six numbers.


@loop_over(
    "n, taken, depth, result",
    (7, [1, 4, 2], 3, SearchResult(6, 1.0, 3, 1, 2, None)),
    (3, [], 0, SearchResult(1, -1.0, 4, 2, 2, None)),
    (7, [1], 2, SearchResult(5, -1.0, 12, 7, 2, None)),
    (10, [4, 2, 6], 4, SearchResult(1, 1.0, 25, 13, 4, None)),
)
def test_official_cases(n: int, taken: list[int], depth: int, result: SearchResult) -> None:
    assert search(Board(n, taken, any_first=True), depth) == result


@settings(max_examples=4 * settings().max_examples)
@given(positions(small, st.integers(0, 12)), st.integers(1, 6))
@example((64, ()), 2)
def test_one_word_to_a_depth(position: tuple[int, Taken], depth: int) -> None:
    assert_as_reference_to_a_depth(*position, depth)


@settings(max_examples=4 * settings().max_examples)
@given(positions(large, st.integers(0, 12)), st.integers(1, 4))
@example((65, ()), 2)
@example((128, (1,)), 2)
@example((129, (1,)), 2)
@example((1000, (1,)), 1)
@example((360, (5, 1, 180)), 3)
@example((1000, (499, 1)), 1)
@example((1000, (499, 1, 2)), 1)
@example((1000, (489, 1, 3, 6, 2)), 1)
def test_many_words_to_a_depth(position: tuple[int, Taken], depth: int) -> None:
    assert_as_reference_to_a_depth(*position, depth)


@given(games(small, st.just(64)))
def test_one_word_to_the_end(game: tuple[int, Taken]) -> None:
    assert_as_reference_to_the_end(*game)


@given(games(large, st.just(200)))
def test_many_words_to_the_end(game: tuple[int, Taken]) -> None:
    assert_as_reference_to_the_end(*game)


@loop_over("n", range(3, 20))
def test_small_games_from_start_to_end(n: int) -> None:
    assert_as_reference(n, (), 0)


@loop_over("n", [50, 100])
@loop_over(("taken", "depth"), [([], 3), ([3], 2)])
def test_zero_has_no_sign(n: int, taken: list[int], depth: int) -> None:
    assert str(search(Board(n, taken), depth).value) == "0.0"


@loop_over("depth", [20, 10**30])
def test_no_depth_is_too_deep(depth: int) -> None:
    assert search(Board(12), depth) == search(Board(12))


class Cut(Exception):
    """Ends the reference's search."""


class CutAlphaBeta(reference.AlphaBeta):
    """The reference's search, until it has visited some nodes."""

    nodes = 2000

    def is_leaf(self, taken: Taken, depth: int) -> bool:
        if self.visited == self.nodes:
            raise Cut
        return super().is_leaf(taken, depth)


def test_games_longer_than_a_word_visit_the_same_nodes() -> None:
    expected = CutAlphaBeta(500, 0)
    with pytest.raises(Cut):
        expected.search(())
    result = search(Board(500), nodes=expected.nodes)
    assert expected.max_depth > 64
    assert result[3:5] == (expected.evaluated, expected.max_depth)


@loop_over(
    "taken, depth, result",
    # Of the stones after 1, the first prime above n/2 ends the game; after 2 it is 2p.
    ([499979, 1], 1, SearchResult(500009, 1.0, 999_999, 999_998, 1, None)),
    ([499979, 1, 2], 1, SearchResult(999958, -1.0, 500_000, 499_999, 1, None)),
    ([499979, 1, 3], 1, SearchResult(9, -0.6, 333_333, 333_332, 1, None)),
    ([499979], 2, SearchResult(999958, 0.0, 1_000_003, 1_000_000, 2, None)),
)
def test_leaves_of_huge_boards_count(taken: list[int], depth: int, result: SearchResult) -> None:
    assert search(Board(10**6, taken), depth) == result


# Limits.


@loop_over("nodes", [1, 2, 1023, 1024, 1025, 5000])
@loop_over("n", [50, HUGE])
def test_a_search_stops_at_its_number_of_nodes(n: int, nodes: int) -> None:
    result = search(Board(n), nodes=nodes)
    assert (result.nodes_visited, result.stopped) == (nodes, "nodes")


@loop_over("nodes", [1, 2, 10, 5000])
def test_leaves_that_are_counted_are_limited_too(nodes: int) -> None:
    result = search(Board(10**5, [49999, 1]), 1, nodes=nodes)
    assert result[2:] == (nodes, nodes - 1, min(1, nodes - 1), "nodes")


@loop_over("nodes", [14477, 14478, 10**30])
def test_a_search_that_needs_no_more_nodes_is_finished(nodes: int) -> None:
    assert search(Board(20), nodes=nodes) == search(Board(20))


def test_nodes_and_time_stop_a_search() -> None:
    assert search(Board(20), nodes=14476).stopped == "nodes"
    assert search(Board(HUGE), seconds=0.01).stopped == "seconds"
    assert search(Board(20), seconds=3600) == search(Board(20))


@loop_over(("taken", "value"), [([], -math.inf), ([1], math.inf)])
def test_stopped_before_any_result_the_first_move_is_told(taken: list[int], value: float) -> None:
    result = search(Board(HUGE, taken), nodes=1)
    assert (result.move, result.value) == (Board(HUGE, taken).legal_moves()[0], value)


def answers(n: int, depth: int) -> Iterator[tuple[int, float]]:
    """The answers of a search for Max, from its start on."""
    moves = Board(n).legal_moves()
    best = -math.inf
    yield moves[0], best
    for move in moves:
        value = search(Board(n, [move]), depth - 1).value
        if value > best:
            best = value
            yield move, best


@pytest.mark.parametrize("n", [50, pytest.param(66, marks=pytest.mark.untraced)])
def test_stopped_the_best_of_the_finished_moves_is_told(n: int) -> None:
    visited = search(Board(n), 3).nodes_visited
    told = [search(Board(n), 3, nodes=nodes)[:2] for nodes in range(1, visited + 1)]
    assert list(dict.fromkeys(told)) == list(answers(n, 3))


def test_searches_report_and_take_about_their_time() -> None:
    start = time.monotonic()
    search(Board(HUGE), seconds=0.1)
    assert 0.1 <= time.monotonic() - start < TEST_TIMEOUT
    start, reports = time.monotonic(), reports_of(HUGE)
    assert 0.05 <= reports[0].seconds <= reports[-1].seconds <= time.monotonic() - start
    result = deepen(Board(HUGE), seconds=0.1)
    assert result.stopped == "seconds"
    assert result._replace(stopped=None) == search(Board(HUGE), result.max_depth)
    assert first_reports(lambda report: deepen(Board(HUGE), report=report))


# The report, and other threads.


def reports_of(n: int) -> list[Progress]:
    return first_reports(lambda report: search(Board(n), report=report))


@loop_over("n", [60, HUGE])
def test_reports_raise_and_name_the_root_move_at_work(n: int) -> None:
    first = reports_of(n)[0]
    assert first.nodes_visited > 0
    assert first.move == 1


def test_reports_move_on() -> None:
    nodes = [report.nodes_visited for report in reports_of(HUGE)]
    assert nodes == sorted(set(nodes))


@pytest.mark.untraced
def test_a_report_does_not_change_the_result() -> None:
    ignored: list[Progress] = []
    result = search(Board(60), nodes=10**6, report=ignored.append)
    assert result == search(Board(60), nodes=10**6)


def test_other_threads_run_during_a_search() -> None:
    """A thread runs several times between two reports, in which a search has the GIL."""
    done = threading.Event()
    ticks, before = 0, 0

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    def report(_: Progress) -> None:
        nonlocal before
        if ticks >= before + 5:
            raise Cut
        before = ticks

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(Cut):
        search(Board(HUGE), report=report)
    done.set()
    join(thread)


# Ctrl-C and lack of memory need a process of their own.

IMPORTS = "from core.search import search\nfrom core.take_stones import Board"


@pytest.mark.untraced
def test_ctrl_c_ends_a_search_at_once() -> None:
    assert is_interrupted(IMPORTS, f"search(Board({HUGE}), report=report)")


@loop_over("memory", [0, 100, 200])  # bytes, for a stone or two
@loop_over("taken", [[], [1]])
def test_memory_is_missed(memory: int, taken: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": memory}
    monkeypatch.setattr("os.sysconf", sizes.get)
    with pytest.raises(MemoryError):
        search(Board(HUGE, taken))


@pytest.mark.untraced
def test_leaves_of_a_huge_board_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": 2 * 10**6}  # for the first moves
    monkeypatch.setattr("os.sysconf", sizes.get)
    found = search(Board(10**7), 1)
    assert (found.move, found.value, found.nodes_visited) == (3, 0.0, 2_500_001)


@loop_over(("taken", "depth"), [([], 2), ([], 3), ([1], 2), ([3], 3), ([3], 2), ([1, 3], 2)])
def test_a_search_is_refused_only_where_memory_would_not_suffice(
    taken: list[int], depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = []
    for memory in range(3000, 40_000, 1000):
        monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": memory}.get)
        try:
            search(Board(500, taken), depth)
        except MemoryError as error:
            refused.append("at least" in str(error))
            with pytest.raises(MemoryError, match="more memory than there is"):
                search(Board(500, taken), depth, nodes=10**6)
    assert any(refused)


def test_what_a_refused_search_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": 10**8}.get)
    message = "the search needs at least 3.2 GiB, and the limit is 0.1 GiB, half of the memory"
    with pytest.raises(MemoryError, match=message):
        search(Board(10**7, [1]))


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory")
@pytest.mark.parametrize(
    "megabytes", [1, pytest.param(64, marks=pytest.mark.untraced)]
)  # too little to begin, to go on
def test_without_memory_for_stones_a_search_says_so(megabytes: int) -> None:
    preparation = f"{IMPORTS}\nboard = Board(10**6, [1])"
    assert memory_error(preparation, "search(board, 2)", megabytes).startswith("MemoryError")


FILL_MEMORY = """
import ctypes
search(Board(7))
board = Board(30)
malloc = ctypes.CDLL(None).malloc
malloc.restype = ctypes.c_void_p
def run():
    for size in (1 << 20, 1 << 15, 1 << 11):
        while malloc(size):
            pass
    search(board)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory")
def test_without_memory_for_plies_a_search_says_so() -> None:
    assert memory_error(IMPORTS + FILL_MEMORY, "run()").startswith("MemoryError")


# Arguments that make no sense.


@loop_over(
    "n, taken, player",
    [(1, [], 1), (7, [3, 6, 2, 4, 1, 7], 1), (100, [1, 97], 1), (100, [3, 1, 97], 2)],
)
def test_a_finished_game_cannot_be_searched(n: int, taken: list[int], player: int) -> None:
    with pytest.raises(ValueError, match=f"game is over: player {player} cannot move"):
        search(Board(n, taken))


@loop_over("find", [search, deepen])
def test_only_positions_can_be_searched(find: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match="expected a position of a registered game, got None"):
        find(None)


@loop_over(
    "name, rule, values",
    ("depth", "0 or more plies", [-1, -(10**30)]),
    ("nodes", "at least 1", [0, -1]),
    ("seconds", "0 or more", [-0.1, math.nan, -math.inf]),
)
def test_limits_that_make_no_sense_are_refused(name: str, rule: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ValueError, match=f"{name} must be {rule}, not {value}"):
            search(Board(7), **{name: value})


# Iterative deepening.


@loop_over("depth", [1, 2, 3, 4])
def test_deepening_reaches_the_depth(depth: int) -> None:
    assert deepen(Board(30), depth, seconds=60) == search(Board(30), depth)
    assert deepen(Board(30), depth, nodes=10**6) == search(Board(30), depth)


@loop_over("n", [3, 7, 12])
def test_deepening_reaches_the_end(n: int) -> None:
    expected = search(Board(n))
    assert deepen(Board(n)) == deepen(Board(n), seconds=60) == expected
    assert deepen(Board(n), 10**30, seconds=60) == expected


def test_deepening_has_depth_1_unless_it_is_limited_too() -> None:
    assert deepen(Board(10**4), 2, seconds=0).max_depth == 1
    with pytest.raises(TimeoutError, match=r"the search to depth 1 did not finish in 0 s"):
        deepen(Board(10**4), 2, seconds=0, finish_first=False)
    assert deepen(Board(30), 2, seconds=60, finish_first=False) == search(Board(30), 2)
    assert deepen(Board(HUGE), seconds=0, nodes=10**12).stopped == "seconds"


@loop_over("nodes", [*range(1, 40), 500, 5000])
def test_nodes_of_all_depths_together_are_limited(nodes: int) -> None:
    visited, deepest = 0, search(Board(40), 1, nodes=nodes)
    for depth in range(1, 10):
        result = search(Board(40), depth)
        visited += result.nodes_visited
        if visited > nodes:
            break
        deepest = result
    assert deepen(Board(40), nodes=nodes) == deepest._replace(stopped="nodes")


@loop_over(
    "deepening, error",
    (lambda: deepen(Board(7), nodes=0), "nodes must be at least 1, not 0"),
    (lambda: deepen(Board(1), seconds=1), "the game is over: player 1 cannot move"),
    (lambda: deepen(Board(7), -1, seconds=1), "depth must be 0 or more plies, not -1"),
    (lambda: deepen(Board(7), seconds=-1), "seconds must be 0 or more, not -1"),
    (lambda: deepen(Board(7), seconds=nan), "seconds must be 0 or more, not nan"),
)
def test_invalid_arguments_of_deepening(deepening: Callable[[], object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        deepening()
