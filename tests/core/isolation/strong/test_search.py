"""The strong search of Isolation, against plain minimax and exact play."""

from functools import cache
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.isolation import Board
from core.search import StrongResult, strong_search
from tests.core.isolation.test_board import board_of
from tests.support.cases import loop_over
from tests.support.games import isolation_reference as reference
from tests.support.games import territory_reference
from tests.support.games.isolation_reference import Position, can_win, legal_moves, play
from tests.support.games.isolation_strategies import games, unfinished
from tests.support.games.progress import first_reports

WIN = reference.LOSS
MANY = pytest.param(300_000, marks=pytest.mark.untraced)  # nodes


def value(position: Position, depth: int) -> float:
    """The value of a position for the player to move."""
    found = strong_search(board_of(position), depth).value
    return found if position.mover == "x" else -found


# The evaluation


@given(unfinished(st.integers(1, 62)))
def test_one_ply_maximises_territory(position: Position) -> None:
    assert value(position, 1) == pytest.approx(territory_reference.best(position, 1))
    board = board_of(position)
    strong_search(board, nodes=100)
    assert board == board_of(position)


@given(games(st.integers(0, 30)))
def test_territory_in_games(moves: list[int]) -> None:
    position = reference.after(moves)
    assume(reference.legal_moves(position))
    assert value(position, 1) == pytest.approx(territory_reference.best(position, 1))


@given(unfinished(st.integers(1, 62)), st.integers(1, 4))
def test_the_pieces_are_alike(position: Position, depth: int) -> None:
    rows = tuple(row.translate(str.maketrans("xo", "ox")) for row in position.rows)
    swapped = Position(rows, reference.other(position.mover))
    assert value(swapped, depth) == value(position, depth)


# The search


@given(unfinished(st.integers(1, 25)))
def test_two_plies_have_the_value_of_minimax(position: Position) -> None:
    assert value(position, 2) == pytest.approx(territory_reference.best(position, 2))


@given(unfinished(st.integers(1, 12)))
def test_three_plies_have_it_where_no_move_is_reduced(position: Position) -> None:
    assume(len(legal_moves(position)) <= 3)
    assert value(position, 3) == pytest.approx(territory_reference.best(position, 3))


@given(unfinished(st.integers(1, 9)))
def test_a_search_to_the_end_finds_who_wins(position: Position) -> None:
    assert value(position, 0) == (WIN if can_win(position) else -WIN)


@given(unfinished(st.integers(1, 9)))
def test_the_move_of_a_won_position_wins(position: Position) -> None:
    assume(can_win(position))
    move = strong_search(board_of(position)).move
    assert not can_win(play(position, reference.SQUARES[move]))


def test_all_openings_of_three_rows_are_solved() -> None:
    wins = cache(lambda at: any(not wins(play(at, move)) for move in legal_moves(at)))
    won = 0
    for x, o in permutations(range(9), 2):
        squares = "".join({x: "x", o: "o"}.get(square, "-") for square in range(9))
        position = Position((squares[:3], squares[3:6], squares[6:]), "x")
        assert value(position, 0) == (WIN if wins(position) else -WIN)
        won += wins(position)
    assert won == 56


@pytest.mark.untraced
def test_a_win_is_found_from_afar() -> None:
    board = Board([7, 56])
    while not board.is_over:
        found = strong_search(board, nodes=20_000)
        if abs(found.value) == WIN:
            break
        board.play(found.move)
    winner = 1 if found.value > 0 else 2
    assert len(board.legal_moves()) > 1
    while not board.is_over:
        board.play(strong_search(board, nodes=20_000).move)
    assert board.outcome
    assert board.outcome.winner == winner


@given(games(st.integers(0, 30)), st.integers(1, 3000))
def test_the_variation_can_be_played(moves: list[int], nodes: int) -> None:
    board = Board(moves)
    assume(not board.is_over)
    found = strong_search(board, nodes=nodes)
    assert found.variation[0] == found.move
    for move in found.variation:
        board.play(move)


# Limits


@pytest.mark.parametrize("nodes", [1, 2, 1023, 1024, 1025, 20_000, MANY])
def test_a_search_stops_at_its_number_of_nodes(nodes: int) -> None:
    found = strong_search(Board(), nodes=nodes)
    assert (found.nodes_visited, found.stopped) == (nodes, "nodes")


@pytest.mark.parametrize("nodes", [100, 5000, MANY])
def test_the_same_nodes_find_the_same(nodes: int) -> None:
    assert strong_search(Board([7]), nodes=nodes) == strong_search(Board([7]), nodes=nodes)


@loop_over("depth", [1, 2, 5])
def test_a_search_stops_at_its_depth(depth: int) -> None:
    found = strong_search(Board(), depth)
    assert (found.depth, found.stopped) == (depth, None)


def test_time_and_nodes_end_a_search() -> None:
    found = strong_search(Board(), seconds=0)
    one_ply = strong_search(Board(), 1)
    assert found == one_ply._replace(nodes_visited=found.nodes_visited, stopped="seconds")
    assert strong_search(Board(), seconds=0.05).stopped == "seconds"
    expected = StrongResult(1, float("-inf"), 0, 1, [1], "nodes")
    assert strong_search(Board(), nodes=1) == expected


def test_reports_name_a_root_move_and_may_end_the_search() -> None:
    board = Board()
    reports = first_reports(lambda report: strong_search(board, report=report))
    assert {each.move for each in reports} <= {*board.legal_moves()}
