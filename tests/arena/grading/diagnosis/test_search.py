"""The search by readings: the right one counts as core does."""

import random

import pytest

from arena.grading.diagnosis.reading import Halves, Rules, Side
from arena.grading.diagnosis.search import Found, Position, TooLarge, search
from core.search import search as core_search
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.reference import legal_moves


def random_position(seed: int) -> Position | None:
    chance = random.Random(seed)
    taken: tuple[int, ...] = ()
    stones = chance.randint(3, 25)
    for _ in range(chance.randint(0, 8)):
        taken += (chance.choice(legal_moves(stones, taken) or [0]),)
        if not legal_moves(stones, taken):
            return None
    return Position(stones, taken, chance.randint(1, 5))


@loop_over("seed", range(40))
def test_the_right_reading_equals_the_engine(seed: int) -> None:
    if position := random_position(seed):
        found = search(position, Rules(), 10**6)
        right = core_search(Board(position.stones, position.taken), position.depth)
        assert (found.move, found.value) == (right.move, right.value)
        assert (found.visited, found.ends + found.cuts, found.max_depth) == right[2:5]


def test_a_search_without_a_limit_goes_to_the_end() -> None:
    assert search(Position(3, (), 0), Rules(), 100) == Found(1, -1.0, 4, 2, 0, 0, 3, 2, 2, 0, 2)


def test_nodes_are_limited() -> None:
    with pytest.raises(TooLarge):
        search(Position(30, (), 0), Rules(), 1000)


def test_stones_are_limited() -> None:
    with pytest.raises(TooLarge):
        search(Position(201, (), 1), Rules(), 1000)


@loop_over(
    "halves, stones, moves",
    [(Halves.EXACT, 7, 2), (Halves.WHOLE, 7, 1), (Halves.EXACT, 6, 1), (Halves.UP_TO, 6, 2)],
)
def test_first_moves(halves: Halves, stones: int, moves: int) -> None:
    assert search(Position(stones, (), 1), Rules(halves=halves), 100).generated == moves


def test_a_first_move_evaluated_by_a_program_that_stops_at_the_root() -> None:
    rules = Rules(depth_offset=-1, no_zero=Side.BOTH)
    assert search(Position(9, (), 1), rules, 10).value == -0.5


def test_stones_that_are_not_put_back_are_missing_in_later_branches() -> None:
    rules = [Rules(keeps_taken=keeps_taken) for keeps_taken in (False, True)]
    assert [search(Position(4, (), 0), each, 100).visited for each in rules] == [7, 6]
