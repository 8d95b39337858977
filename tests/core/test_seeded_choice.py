"""Choices drawn from a seed and a position."""

from collections import Counter
from collections.abc import Iterable
from math import cbrt, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.playout import Playouts
from core.seeded_choice import seeded_choice
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.exact_play import assert_agree, chances

numbers = st.lists(st.integers(), max_size=8)


def excess(counts: Iterable[int], expected: float) -> float:
    """Chi-square of counts that should be equal, in standard deviations above its expectation.

    By the cube root of Wilson and Hilferty, which is close to normal for any degrees of freedom.
    """
    counts = [*counts]
    freedom = len(counts) - 1
    square = sum((count - expected) ** 2 / expected for count in counts)
    spread = 2 / (9 * freedom)
    return (cbrt(square / freedom) - (1 - spread)) / sqrt(spread)


# The definition, so that games stay the same from version to version.
@loop_over(
    "seed, moves, expected",
    (0, [], 588),
    (1, [], 585),
    (4294967296, [3, 6], 222),
    (-1, [3, 6], 267),
    (7, [6, 3], 882),
    (1000000000000000000000000000000, [1180591620717411303424, -5], 875),
)
def test_choices_do_not_change(seed: int, moves: list[int], expected: int) -> None:
    assert seeded_choice(seed, moves, [*range(1000)]) == expected


@given(st.integers(), numbers, numbers.filter(bool))
def test_a_choice_is_legal_and_constant(seed: int, moves: list[int], legal: list[int]) -> None:
    assert seeded_choice(seed, moves, legal) in legal
    assert seeded_choice(seed, moves, legal) == seeded_choice(seed, tuple(moves), tuple(legal))


def test_without_a_legal_move_there_is_no_choice() -> None:
    with pytest.raises(IndexError, match="no legal move"):
        seeded_choice(1, [], [])


SAMPLE = 20_000


@pytest.mark.untraced
@loop_over("count", [2, 3, 5, 7, 16, 100])
@loop_over("varied", ["seed", "moves", "legal"])
def test_choices_are_equally_likely(count: int, varied: str) -> None:
    counts = Counter[int]()
    for number in range(SAMPLE):
        seed = number if varied == "seed" else 1
        moves = [3, 6, number] if varied == "moves" else [3, 6]
        first = number if varied == "legal" else 0
        legal = [*range(first, first + count)]
        counts[legal.index(seeded_choice(seed, moves, legal))] += 1
    assert abs(excess((counts[place] for place in range(count)), SAMPLE / count)) < 4


@pytest.mark.untraced
@loop_over("count", [2, 3, 5])
def test_choices_of_neighbouring_seeds_and_plies_are_independent(count: int) -> None:
    legal = [*range(count)]
    seeds, plies = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for number in range(SAMPLE):
        here = seeded_choice(number, [number], legal)
        seeds[here, seeded_choice(number + 1, [number], legal)] += 1
        plies[here, seeded_choice(number, [number, here], legal)] += 1
    pairs = [(one, two) for one in legal for two in legal]
    for counts in (seeds, plies):
        assert abs(excess((counts[pair] for pair in pairs), SAMPLE / len(pairs))) < 4


@pytest.mark.untraced
def test_games_of_random_moves_have_their_exact_chances() -> None:
    wins = plies = 0
    for seed in range(SAMPLE):
        board = Board(13)
        while moves := board.legal_moves():
            board.play(seeded_choice(seed, board.taken, moves))
        wins += board.winner == 1
        plies += len(board.taken)
    assert_agree(Playouts(SAMPLE, wins, plies), chances(Board(13), ("random", "random")))
