"""The trace against Figure 5.7 as it stands in the book, the searches and the references."""

from collections.abc import Iterator
from itertools import islice
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.teaching import (
    FIGURE_5_7,
    MINIMAX,
    VARIANTS,
    GameTree,
    Node,
    SearchedTree,
    TooManyPositions,
    Totals,
    Variant,
    trace,
)
from arena.teaching.events import Cutoff, Enter, Evaluate, Generate, Return, Reuse, Stop, Update
from core import GAMES
from core.game import Game, Position
from core.isolation import Board as IsolationBoard
from core.search import NoEvaluation, search
from core.take_stones import Board as StonesBoard
from tests.support.cases import loop_over
from tests.support.games import isolation_reference, reference
from tests.support.games.figure_5_7 import Book, Plain, Visit, trees
from tests.support.games.toy_games import DRAWN_NIM, EVALUATED_NIM, NIM, DrawnHeap, Heap

TRANSPOSITIONS = VARIANTS["transpositions"]
LEAVES = (Node("D", 3.0), Node("E", 5.0)), (Node("F", 2.0), Node("G", 9.0))
SMALL = GameTree(Node("A", None, (Node("B", None, LEAVES[0]), Node("C", None, LEAVES[1]))))


def totals(start: Position | GameTree, depth: int, variant: Variant = FIGURE_5_7) -> Totals:
    return SearchedTree.after(trace(start, depth, variant=variant)).totals


def searched(position: Position, depth: int) -> Totals:
    """Return the numbers of the search that plays."""
    return Totals(*search(position, depth)[:5])


def entered(tree: GameTree, depth: int, variant: Variant) -> list[Visit]:
    """Return the visited nodes with their alphas and betas."""
    events = trace(tree, depth, variant=variant)
    return [
        Visit(str(event.move or tree.root.name), event.alpha, event.beta)
        for event in events
        if isinstance(event, Enter)
    ]


# Written trees.


@given(trees(), st.integers(0, 4))
def test_it_is_figure_5_7_and_returns_what_the_book_returns(tree: GameTree, depth: int) -> None:
    book = Book(depth)
    value = book.search(tree)
    assert entered(tree, depth, FIGURE_5_7) == book.visits
    found = totals(tree, depth)
    assert found[1:] == (value, len(book.visits), book.evaluated, book.deepest)
    nodes = SearchedTree.after(trace(tree, depth)).nodes
    values = {str(node.move or tree.root.name): node.value for node in nodes if node.is_visited}
    assert values == book.values


@given(trees(), st.integers(0, 4))
def test_fail_hard_is_that_of_the_book(tree: GameTree, depth: int) -> None:
    book = Book(depth, is_fail_hard=True)
    value = book.search(tree)
    variant = VARIANTS["fail-hard"]
    assert entered(tree, depth, variant) == book.visits
    assert totals(tree, depth, variant).value == value
    assert entered(tree, depth, VARIANTS["fail-hard"]) == entered(tree, depth, FIGURE_5_7)


@given(trees(), st.integers(0, 4))
def test_minimax_visits_all_nodes_and_pruning_no_more(tree: GameTree, depth: int) -> None:
    plain = Plain(depth)
    value = plain.search(tree)
    visits = entered(tree, depth, MINIMAX)
    assert visits == [Visit(name, -inf, inf) for name in plain.visits]
    found = totals(tree, depth, MINIMAX)
    assert found[1:4] == (value, len(visits), plain.evaluated)
    most = totals(tree, depth, MINIMAX).nodes_visited
    assert all(totals(tree, depth, variant).nodes_visited <= most for variant in VARIANTS.values())


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=[*VARIANTS])
@given(trees(), st.integers(0, 4))
def test_each_variant_has_the_minimax_value(variant: Variant, tree: GameTree, depth: int) -> None:
    assert totals(tree, depth, variant).value == Plain(depth).search(tree)


# Positions of games.


def take_stones(random: Random, count: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield positions in which the game is not over."""
    while count:
        n = random.randint(3, 13)
        taken: tuple[int, ...] = ()
        for _ in range(random.randint(0, 7)):
            if moves := reference.legal_moves(n, taken):
                taken = (*taken, random.choice(moves))
        if reference.legal_moves(n, taken):
            count -= 1
            yield n, taken


def test_take_stones_has_the_numbers_of_the_search_and_of_the_reference() -> None:
    random = Random(17)
    for n, taken in take_stones(random, 400):
        board, depth = StonesBoard(n, taken), random.randint(0, 5)
        found = totals(board, depth)
        assert found == searched(board, depth)
        assert tuple(found) == tuple(reference.search(n, taken, depth))


@loop_over("variant", VARIANTS.values())
def test_take_stones_has_the_value_of_minimax_with_every_variant(variant: Variant) -> None:
    random = Random(17)
    for n, taken in take_stones(random, 50):
        depth = random.randint(1, 5)
        found = totals(StonesBoard(n, taken), depth, variant)
        assert found.value == reference.minimax(n, taken, depth)


def isolation(random: Random, free: int) -> isolation_reference.Position:
    """Return any board with this number of free squares on which the piece can move."""
    while True:
        squares = random.sample(isolation_reference.SQUARES, 2 + free)
        symbols = dict(zip(squares, "xo" + "-" * free, strict=True))
        rows = [
            "".join(symbols.get((row, column), "*") for column in range(1, 9))
            for row in range(1, 9)
        ]
        position = isolation_reference.Position(tuple(rows), random.choice("xo"))
        if isolation_reference.legal_moves(position):
            return position


def test_isolation_has_the_numbers_of_the_search() -> None:
    random = Random(17)
    for _ in range(400):
        free = random.randint(4, 16)
        position = isolation(random, free)
        board = IsolationBoard.from_rows(position.rows, 1 + "xo".index(position.mover))
        depth = random.randint(free > 8, 3)
        assert totals(board, depth) == searched(board, depth)


@loop_over("game", [NIM, EVALUATED_NIM])
def test_a_toy_game_has_the_search_numbers(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, game.name, game)
    for size in range(1, 10):
        for depth in range(1 + 5 * (game is EVALUATED_NIM)):
            assert totals(Heap(size), depth) == searched(Heap(size), depth)


def test_a_draw_is_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, DRAWN_NIM.name, DRAWN_NIM)
    for size in range(1, 9):
        assert totals(DrawnHeap(size), 0) == searched(DrawnHeap(size), 0)


def test_the_position_stays_as_it_is() -> None:
    board = StonesBoard(9, [3, 6])
    assert totals(board, 0).nodes_visited > 1
    assert (board, board.moves) == (StonesBoard(9, [3, 6]), [3, 6])


# Events.


def test_the_events_of_a_small_tree() -> None:
    leaf = "it is a leaf"
    assert [*trace(SMALL)] == [
        Enter(0, None, 0, True, -inf, inf),
        Generate(0, ["B", "C"], 1, -inf),
        Enter(1, "B", 1, False, -inf, inf),
        Generate(1, ["D", "E"], 3, inf),
        Enter(3, "D", 2, True, -inf, inf),
        Evaluate(3, 3.0, leaf),
        Return(3, 3.0, -inf, inf),
        Update(1, 3, 3.0, -inf, 3.0, True),
        Enter(4, "E", 2, True, -inf, 3.0),
        Evaluate(4, 5.0, leaf),
        Return(4, 5.0, -inf, 3.0),
        Update(1, 4, 3.0, -inf, 3.0, False),
        Return(1, 3.0, -inf, 3.0),
        Update(0, 1, 3.0, 3.0, inf, True),
        Enter(2, "C", 1, False, 3.0, inf),
        Generate(2, ["F", "G"], 5, inf),
        Enter(5, "F", 2, True, 3.0, inf),
        Evaluate(5, 2.0, leaf),
        Return(5, 2.0, 3.0, inf),
        Update(2, 5, 2.0, 3.0, inf, True),
        Cutoff(2, 2.0, 3.0, range(6, 7)),
        Return(2, 2.0, 3.0, inf),
        Update(0, 2, 3.0, 3.0, inf, False),
        Return(0, 3.0, 3.0, inf),
    ]


def test_bounds_of_fail_hard_and_minimax() -> None:
    events = [*trace(SMALL, variant=VARIANTS["fail-hard"])]
    assert Generate(2, ["F", "G"], 5, inf) in events
    assert Cutoff(2, 2.0, 3.0, range(6, 7)) in events
    assert Return(2, 3.0, 3.0, inf) in events
    events = [*trace(SMALL, variant=MINIMAX)]
    assert not [event for event in events if isinstance(event, Cutoff)]
    assert {(e.alpha, e.beta) for e in events if isinstance(e, Update | Return)} == {(-inf, inf)}


@loop_over(
    "variant, is_max, moves",
    ("alpha-beta", True, ["B", "C"]),
    ("best-first", True, ["C", "B"]),  # B is worth 2, C 3
    ("worst-first", True, ["B", "C"]),
    ("best-first", False, ["C", "B"]),  # B is worth 9, C 5
    ("worst-first", False, ["B", "C"]),
)
def test_children_are_ordered(variant: str, is_max: bool, moves: list[str]) -> None:
    children = Node("B", None, LEAVES[1]), Node("C", None, LEAVES[0])
    tree = GameTree(Node("A", None, children), is_max)
    events = trace(tree, variant=VARIANTS[variant])
    assert next(event for event in events if isinstance(event, Generate)).moves == moves


def test_leaves_and_zeros() -> None:
    assert [*trace(GameTree(Node("A", 2.0)))] == [
        Enter(0, None, 0, True, -inf, inf),
        Evaluate(0, 2.0, "it is a leaf"),
        Return(0, 2.0, -inf, inf),
    ]
    tree = GameTree(Node("A", None, (Node("B", -0.0),)))
    [value] = [event.value for event in trace(tree) if isinstance(event, Evaluate)]
    assert str(value) == "0.0"


# Transpositions.


def reuses(board: StonesBoard) -> Iterator[tuple[StonesBoard, StonesBoard, Reuse]]:
    """Yield the positions of nodes that use the value of another node, and of the other node."""
    tree = SearchedTree()
    for event in trace(board, 0, variant=TRANSPOSITIONS):
        tree.apply(event)
        if isinstance(event, Reuse):
            yield after(board, tree, event.node), after(board, tree, event.same_as), event


def after(board: StonesBoard, tree: SearchedTree, number: int) -> StonesBoard:
    """Return the position of a node."""
    node, moves = tree.nodes[number], list[int]()
    while node.parent is not None:
        assert isinstance(node.move, int)
        moves.append(node.move)
        node = tree.nodes[node.parent]
    return StonesBoard(board.n, [*board.moves, *reversed(moves)])


def test_equal_positions_are_searched_once_at_a_depth() -> None:
    board = StonesBoard(16, [3])
    found = [*reuses(board)]
    assert len(found) > 100
    assert all(here == other for here, other, _ in found)
    assert {event.bound for _, _, event in found} == {"exact", "at least", "at most"}
    assert totals(board, 0, TRANSPOSITIONS).nodes_visited < totals(board, 0).nodes_visited
    board = StonesBoard(13, [3])
    for depth in range(1, 7):
        result = totals(board, depth, TRANSPOSITIONS)
        assert result.value == search(board, depth).value


def test_a_reused_value_is_a_true_bound() -> None:
    board = StonesBoard(13, [3])
    for here, _, event in reuses(board):
        value = search(here).value if not here.is_over else event.value
        assert {
            "exact": event.value == value,
            "at least": event.value <= value,
            "at most": event.value >= value,
        }[event.bound]


# Limits and errors.


@loop_over("limit", [0, 1, 10, 23])
def test_a_limit_ends_the_trace(limit: int) -> None:
    assert [*trace(SMALL, limit=limit)] == [*islice(trace(SMALL), limit), Stop(limit)]


def test_traces_are_lazy_limited_and_as_deep_as_they_must() -> None:
    assert len([*islice(trace(StonesBoard(1000), 0), 1000)]) == 1000
    assert [*trace(SMALL, limit=24)] == [*trace(SMALL)]
    node = Node("leaf", 1.0)
    for number in range(5000):
        node = Node(f"N{number}", None, (node,))
    for variant in (FIGURE_5_7, VARIANTS["best-first"], TRANSPOSITIONS):
        assert totals(GameTree(node), 0, variant)[1:] == (1.0, 5001, 1, 5000)


def test_what_cannot_be_traced() -> None:
    with pytest.raises(ValueError, match="the game is over: player 1 cannot move"):
        trace(StonesBoard(2), 0)
    with pytest.raises(ValueError, match="depth must be 0 or more plies, not -1"):
        trace(SMALL, -1)
    with pytest.raises(ValueError, match="node 'B' needs a value, as a leaf of the search"):
        [*trace(SMALL, 1)]


def test_evaluations_and_orders_may_be_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    with pytest.raises(NoEvaluation, match="misere_nim has no evaluation"):
        trace(Heap(3), 2)
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 100)
    with pytest.raises(TooManyPositions, match="the tree has more than 100 different positions"):
        [*trace(StonesBoard(16), 0, variant=VARIANTS["best-first"])]


def test_only_figure_5_7_is_first_and_only_minimax_does_not_prune() -> None:
    assert (next(iter(VARIANTS)), VARIANTS["alpha-beta"]) == ("alpha-beta", FIGURE_5_7)
    assert [variant for variant in VARIANTS.values() if not variant.prunes] == [MINIMAX]
    assert len({variant.title for variant in VARIANTS.values()}) == len(VARIANTS)
