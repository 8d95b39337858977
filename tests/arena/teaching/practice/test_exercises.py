"""Exercises that differ, and their sheets."""

import pytest

from arena.teaching.practice import NoExercise, Positions, Sheet, Trees, exercises
from arena.teaching.practice.exercises import ATTEMPTS, Exercise
from arena.teaching.practice.source import Draws, Task
from core import GAMES
from core.take_stones import Board
from core.take_stones.explanation import evaluate
from tests.support.cases import loop_over


def answers(found: Exercise) -> dict[str, tuple[str, ...]]:
    return {question.label: question.answer for question in found.questions}


def test_a_seed_gives_the_same_exercises_for_ever() -> None:
    found = exercises(Trees(), 3, seed=7)
    assert [item.task.source for item in found] == [
        "max (((6 46) (50 11 21) (27 19)) ((31 38 12) (37 43 20) (7 23)) ((30 49) (10 32 13)))",
        "max (((31 47) (18 3) (23 30)) ((8 40 38) (44 4) (5 25)) ((27 35) (45 21 6)))",
        "max (((19 41) (48 23 47) (32 15)) ((46 6 4) (20 10 45)) ((12 9) (33 21)))",
    ]


def test_exercises_differ_and_more_begin_with_the_same() -> None:
    few, many = ([*exercises(Trees(depth=2), count, seed=3)] for count in (2, 5))
    assert [item.task.source for item in many[:2]] == [item.task.source for item in few]
    source = Positions(GAMES["take_stones"], {"stones": 10}, depth=3)
    totals = [item.task.run.tree.totals for item in exercises(source, 4, seed=1)]
    assert len({(item.move, item.value, item.nodes_visited) for item in totals}) == 4


@loop_over("least", [0, 1, 3])
def test_branches_are_pruned_at_enough_nodes(least: int) -> None:
    for item in exercises(Trees(), 10, seed=1, cutoffs=least):
        tree = item.task.run.tree
        pruned = {node.parent for node in tree.nodes if not node.is_visited}
        assert len([node for node in pruned if node and tree.nodes[node].is_visited]) >= least


def test_no_exercise_is_an_error() -> None:
    found = exercises(Trees(depth=1), 2, seed=1)
    with pytest.raises(NoExercise, match=r"^found 0 exercises, .* 1000 had too few") as caught:
        next(found)
    assert caught.value.reason == "cutoffs"


def test_each_attempt_counts_once() -> None:
    class OneTree:
        draws = 0

        def draw(self, draws: Draws) -> Task | None:
            del draws
            self.draws += 1
            return task

    task = Trees().draw(Draws(7, 0))
    source = OneTree()
    with pytest.raises(NoExercise, match=r"1000 had the answers of an earlier one") as caught:
        [*exercises(source, 2, seed=1, cutoffs=0)]
    assert caught.value.reason == "answers"
    assert source.draws == 1 + ATTEMPTS


def test_questions_about_a_tree() -> None:
    [item] = exercises(Trees(depth=2, branching=(2, 2)), 1, seed=2)
    tree = item.task.run.tree
    values = [node.minimax for node in tree.nodes[:3]]
    assert answers(item) == {
        "Minimax values": (f"A {values[0]:g}, B {values[1]:g}, C {values[2]:g}",),
        "Alpha-beta": (),
        "Move and value": (f"{tree.totals.move}, {tree.totals.value:g}",),
        "Visited, evaluated": ("6 and 3, with minimax 7 and 4",),
        "Same as minimax": (answers(item)["Same as minimax"][0],),
    }
    assert answers(item)["Same as minimax"][0].startswith("Yes: both give the root the value")


def test_leaves_of_a_game_are_explained() -> None:
    source = Positions(GAMES["take_stones"], {"stones": 10}, depth=3)
    [item] = exercises(source, 1, seed=1)
    moves = [int(move) for move in item.task.source.split()]
    explained = answers(item)["Leaves"]
    assert len(explained) == item.task.run.tree.totals.nodes_evaluated
    for line in explained:
        name, _, words = line.partition(": ")
        played = [*moves, *map(int, name.split("-"))]
        assert words == evaluate(Board(10, played)).words


def sheet(source: Trees, *, has_solutions: bool = False) -> Sheet:
    return Sheet("Title", [*exercises(source, 2, seed=1)], has_solutions)


def test_sheets_of_trees() -> None:
    assert not sheet(Trees(depth=2)).is_landscape
    assert sheet(Trees(depth=3, branching=(3, 3))).is_landscape
    empty, solved = sheet(Trees(depth=2)), sheet(Trees(depth=2), has_solutions=True)
    boxes = [row.value for figure in empty.figures(empty.exercises[0]) for row in figure.rows]
    values = [row.value for figure in solved.figures(solved.exercises[0]) for row in figure.rows]
    assert None in boxes
    assert None not in values


def test_exercises_have_tasks_and_an_example() -> None:
    page = sheet(Trees(depth=2))
    for item in page.exercises:
        assert [question.text for question in item.questions] == page.tasks
    example = Sheet.example()
    assert any(figure.is_cut_off for figure in example)
    assert any(figure.is_best for figure in example)
