"""The reference itself, against the assignment's examples and against plain minimax."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.support.cases import loop_over
from tests.support.games.reference import (
    Result,
    Taken,
    evaluate,
    is_prime,
    largest_prime_factor,
    legal_moves,
    minimax,
    one_decimal,
    player_to_move,
    search,
    six_lines,
)
from tests.support.games.strategies import positions


@loop_over(
    "n, taken, depth, result",
    (7, (1, 4, 2), 3, Result(6, 1.0, 3, 1, 2)),
    (3, (), 0, Result(1, -1.0, 4, 2, 2)),
    (7, (1,), 2, Result(5, -1.0, 12, 7, 2)),
    (10, (4, 2, 6), 4, Result(1, 1.0, 25, 13, 4)),
)
def test_official_cases(n: int, taken: Taken, depth: int, result: Result) -> None:
    assert search(n, taken, depth) == result


def test_official_output() -> None:
    assert six_lines(search(7, (1, 4, 2), 3)) == (
        "Move: 6\n"
        "Value: 1.0\n"
        "Number of Nodes Visited: 3\n"
        "Number of Nodes Evaluated: 1\n"
        "Max Depth Reached: 2\n"
        "Avg Effective Branching Factor: 1.0\n"
    )


@loop_over(("n", "moves"), [(1, []), (2, []), (3, [1]), (6, [1]), (7, [1, 3])])
def test_first_moves(n: int, moves: list[int]) -> None:
    assert legal_moves(n, ()) == moves


def test_official_game_is_lost_by_player_1() -> None:
    game = (3, 6, 2, 4, 1, 7)
    assert all(stone in legal_moves(7, game[:ply]) for ply, stone in enumerate(game))
    assert (legal_moves(7, game), player_to_move(game)) == ([], 1)


@loop_over(
    "n, taken, value",
    (7, (3, 6, 2, 4, 1, 7), -1.0),  # Max cannot move
    (3, (2, 1, 3), 1.0),  # Min cannot move
    (7, (), 0.0),  # stone 1 remains, on Max's turn
    (7, (3, 6, 2), 0.0),  # and on Min's
    (7, (3, 1), 0.5),  # 2 4 5 6 7
    (8, (3, 1), -0.5),  # 2 4 5 6 7 8
    (7, (1,), 0.5),  # 2 3 4 5 6 7, on Min's turn
    (7, (1, 3), 0.7),  # 6
    (9, (1, 3), -0.7),  # 6 9
    (9, (6, 1, 3), -0.7),  # 9, on Min's turn
    (6, (1, 6), 0.6),  # 3, but not 2
    (12, (1, 6), -0.6),  # 3 12, but not 2
    (12, (3, 1, 6), -0.6),  # 12, but not 2, on Min's turn
)
def test_evaluation(n: int, taken: Taken, value: float) -> None:
    assert evaluate(n, taken) == value


def test_primes() -> None:
    assert [number for number in range(20) if is_prime(number)] == [2, 3, 5, 7, 11, 13, 17, 19]


@loop_over(("number", "prime"), [(2, 2), (8, 2), (12, 3), (35, 7), (97, 97)])
def test_largest_prime_factor(number: int, prime: int) -> None:
    assert largest_prime_factor(number) == prime


@given(positions(st.integers(3, 12), st.integers(0, 6)), st.integers(1, 5))
def test_pruning_changes_no_value_and_no_move(position: tuple[int, Taken], depth: int) -> None:
    n, taken = position
    assert search(n, taken, depth).value == minimax(n, taken, depth)
    value = minimax(n, taken, depth)
    best = [m for m in legal_moves(n, taken) if minimax(n, (*taken, m), depth - 1) == value]
    assert search(n, taken, depth).move == best[0]


@given(positions(st.integers(3, 10), st.integers(0, 6)))
def test_depth_0_is_the_end_of_the_game(position: tuple[int, Taken]) -> None:
    n, taken = position
    assert search(n, taken, 0) == search(n, taken, n + 1)


@given(positions(st.integers(3, 30), st.integers(0, 6)))
def test_at_depth_1_every_child_is_evaluated(position: tuple[int, Taken]) -> None:
    n, taken = position
    result = search(n, taken, 1)
    moves = len(legal_moves(n, taken))
    assert (result.nodes_visited, result.nodes_evaluated) == (1 + moves, moves)


@loop_over(
    "number, text",
    (Fraction(1), "1.0"),
    (Fraction(11, 5), "2.2"),
    (Fraction(21, 4), "5.3"),
    (Fraction(53, 20), "2.7"),
    (Fraction(5249, 1000), "5.2"),
    (Fraction(199, 20), "10.0"),
)
def test_halves_are_rounded_up(number: Fraction, text: str) -> None:
    assert one_decimal(number) == text
