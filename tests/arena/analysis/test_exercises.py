"""Random exercises, against those of the sheets."""

import pytest

from arena.analysis.exercises import find_exercise
from arena.protocol.traces import FindExercise, SearchStart
from core import GAMES
from core.alpha_beta.notation import parse_tree
from core.alpha_beta.practice import Positions, Trees, exercises
from tests.support.cases import loop_over


def test_exercises_are_the_first_of_the_seed() -> None:
    found = find_exercise(FindExercise(5, 17, depth=2, branching=4))
    [exercise] = exercises(Trees(2, (2, 4)), 1, 17)
    assert found.search == SearchStart(tree=exercise.task.source)
    assert found.request == 5
    assert parse_tree(exercise.task.source).root.children
    setup = {"stones": 10}
    found = find_exercise(FindExercise(5, 17, game="take_stones", setup=setup))
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
        find_exercise(request_)
