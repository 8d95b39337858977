"""The search in Python for any game, against Figure 5.7 as it stands in the book."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.teaching.space import GameTree, Node
from core import GAMES
from core.game import Evaluation, Game
from core.search import Limits, NoEvaluation, Progress, deepen, generic, search
from core.search.generic import search_position
from core.search.result import SearchResult
from tests.support.cases import loop_over
from tests.support.games.figure_5_7 import Book
from tests.support.games.toy_games import EVALUATED_NIM, NIM, Heap, evaluate


def node_of(heap: Heap) -> Node:
    """Return the node of a position, with all that may follow."""
    children = []
    for move in heap.legal_moves():
        heap.play(move)
        children.append(node_of(heap))
        heap.undo()
    return Node("", evaluate(heap, 1).value, tuple(children))


@given(st.integers(1, 12), st.lists(st.integers(1, 3), max_size=3), st.integers(0, 6))
def test_it_is_figure_5_7(size: int, moves: list[int], depth: int) -> None:
    heap = Heap(size + sum(moves), moves)
    is_max, root, book = heap.player_to_move == 1, node_of(heap), Book(depth)
    value = book.search(GameTree(root, is_max))
    values = [Book(depth).value(child, not is_max, -inf, inf, 1) for child in root.children]
    move = heap.legal_moves()[values.index(value)]
    found = search_position(EVALUATED_NIM, heap, Limits(depth), None)
    nodes = len(book.visits), book.evaluated, book.deepest
    assert found == SearchResult(move, value, *nodes, None)


@given(st.integers(1, 12))
def test_without_an_evaluation_it_searches_to_the_end(size: int) -> None:
    found = search_position(NIM, Heap(size), Limits(), None)
    assert found.value == (-1.0 if size % 4 == 1 else 1.0)


@loop_over("decides_early", [False, True])
def test_a_position_is_evaluated_once(decides_early: bool) -> None:
    calls: list[int] = []

    def evaluate_decided(heap: Heap, player: int) -> Evaluation:
        calls.append(len(heap.moves))
        is_final = sum(heap.moves) > 4  # some decided leaves at the depth limit, some above it
        return evaluate(heap, player)._replace(is_final=is_final)

    game = EVALUATED_NIM._replace(evaluate=evaluate_decided, decides_early=decides_early)
    found = search_position(game, Heap(20), Limits(3), None)
    seen = found.nodes_visited - 1 if decides_early else found.nodes_evaluated
    assert (len(calls), set(calls)) == (seen, {1, 2, 3} if decides_early else {3})


def test_a_draw_is_worth_nothing() -> None:
    class Drawn(Heap):
        """A game that is always drawn."""

        @property
        def outcome(self):  # type: ignore[no-untyped-def]
            return super().outcome and super().outcome._replace(winner=None)  # type: ignore[union-attr]

    assert search_position(NIM, Drawn(2), Limits(), None).value == 0.0


def test_without_an_evaluation_the_search_is_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    with pytest.raises(NoEvaluation, match="misere_nim has no evaluation"):
        search(Heap(3), 2)
    with pytest.raises(NoEvaluation, match="misere_nim has no evaluation"):
        deepen(Heap(3), 2, seconds=1)
    assert deepen(Heap(7), seconds=60) == search(Heap(7))
    assert deepen(Heap(7), seconds=0).stopped == "seconds"


def test_a_registered_game_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, EVALUATED_NIM)
    assert search(Heap(8), 3) == search_position(EVALUATED_NIM, Heap(8), Limits(3), None)
    assert deepen(Heap(5), seconds=60).max_depth == 5


def test_the_position_stays_as_it_is_and_time_stops() -> None:
    heap = Heap(8, [1, 2])
    search_position(EVALUATED_NIM, heap, Limits(3), None)
    assert (heap, heap.moves) == (Heap(8, [1, 2]), [1, 2])
    found = search_position(EVALUATED_NIM, Heap(8), Limits(seconds=0), None)
    assert found == (1, -inf, 1, 0, 0, "seconds")


def test_a_game_may_be_longer_than_the_recursion_limit() -> None:
    class Path(Heap):
        """A heap from which only one may be taken at a time."""

        def legal_moves(self) -> list[int]:
            return super().legal_moves()[:1]

    assert search_position(NIM, Path(3000), Limits(), None).max_depth == 3000


@loop_over("game", [NIM, EVALUATED_NIM])
def test_progress_is_reported(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generic, "REPORT_SECONDS", 0.0)
    reports: list[Progress] = []
    found = search_position(game, Heap(6), Limits(), reports.append)
    assert [report.nodes_visited for report in reports] == [*range(1, found.nodes_visited)]
    assert {report.move for report in reports} == {1, 2, 3}


def test_what_a_report_raises_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generic, "REPORT_SECONDS", 0.0)

    def cancel(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search_position(NIM, Heap(6), Limits(), cancel)
