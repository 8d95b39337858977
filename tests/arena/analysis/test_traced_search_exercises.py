"""Random exercises, against those of the sheets."""

from itertools import count

import pytest

from arena.analysis.traced_search import find_exercise
from arena.protocol.positions import Exercise, FindExercise, SearchStart
from arena.teaching.notation import parse_tree
from arena.teaching.practice import Positions, Trees, exercises
from core import GAMES
from tests.support.cases import loop_over


def find(request: FindExercise) -> Exercise:
    """Return an exercise without a limit of time."""
    return find_exercise(request, 1.0, lambda: 0.0)


def test_a_tree_is_the_first_exercise_of_the_seed() -> None:
    found = find(FindExercise(5, 17, depth=2, branching=4))
    [exercise] = exercises(Trees(2, (2, 4)), 1, 17)
    assert found.search == SearchStart(tree=exercise.task.source)
    assert found.request == 5
    assert parse_tree(exercise.task.source).root.children
    setup = {"stones": 10}
    found = find(FindExercise(5, 17, game="take_stones", setup=setup))
    [exercise] = exercises(Positions(GAMES["take_stones"], setup), 1, 17)
    moves = [int(move) for move in exercise.task.source.split()]
    assert found.search == SearchStart("take_stones", setup, moves, depth=3)


@loop_over(
    "request_, message",
    (FindExercise(5, 1, depth=5, branching=5), "in 1000 attempts no other"),
    (FindExercise(5, 1, game="chess"), "unknown game 'chess'"),
    (FindExercise(5, 1, game="take_stones", setup={"stones": 1001}), "must be at most 1000"),
)
def test_impossible_exercises_are_refused(request_: FindExercise, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^[^\n]*{message}[^\n]*$"):
        find(request_)


def test_an_exercise_is_looked_for_during_a_limited_time() -> None:
    ticks = count()
    with pytest.raises(ValueError, match=r"^found no exercise within 7 s$"):
        find_exercise(FindExercise(5, 1, depth=5, branching=5), 7.0, lambda: next(ticks))
    assert next(ticks) == 9  # from 0 to 7 and the first one after it
