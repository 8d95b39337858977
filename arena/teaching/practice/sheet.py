"""A sheet of exercises to print."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from arena.teaching.compared_run import run
from arena.teaching.formats.drawing import draw
from arena.teaching.formats.figures import Figure, exercise, figures
from arena.teaching.notation import parse_tree
from arena.teaching.practice.exercises import Exercise

PORTRAIT_WIDTH = 680.0  # pixels on the narrower of both papers

Paper = Literal["a4", "letter"]


EXAMPLE = "max ((6 9) (4 7 8) (7 5))"
EXAMPLE_WORDS = (
    "A solved tree. The thick line is the best one. Broken lines were not visited, as the crossed"
    " edges were pruned; alpha and beta are at their tops."
)


class Sheet(NamedTuple):
    """Exercises under a title, at least one, with the same questions.

    Attributes:
        title: The title, in plain text.
        exercises: The exercises.
        has_solutions: Whether the trees are solved and the answers given.
        paper: The size of the paper.
        footer: A line for the teacher below the solutions.
    """

    title: str
    exercises: Sequence[Exercise]
    has_solutions: bool = False
    paper: Paper = "a4"
    footer: str = ""

    @property
    def tasks(self) -> list[str]:
        """What is asked in each exercise."""
        return [question.text for question in self.exercises[0].questions]

    @property
    def is_landscape(self) -> bool:
        """Whether a tree is too wide for an upright page."""
        widths = (draw(self.figures(exercise)).width for exercise in self.exercises)
        return max(widths) > PORTRAIT_WIDTH

    @staticmethod
    def example() -> list[Figure]:
        """Return a solved tree, which shows how to fill in the others."""
        return figures(run(parse_tree(EXAMPLE)))

    def figures(self, wanted: Exercise) -> list[Figure]:
        """Return the tree of an exercise, solved or with empty boxes."""
        task = wanted.task
        if self.has_solutions:
            return figures(task.run)
        return exercise(task.run, has_leaf_values=task.has_leaf_values)
