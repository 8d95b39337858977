"""Exercises that differ in their answers, what they ask, and sheets of them to print."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

from arena.teaching.compared_run import Run, run, same_as_minimax
from arena.teaching.formats.drawing import draw
from arena.teaching.formats.figures import Figure, exercise, figures, symbol
from arena.teaching.formats.selection import is_cut_off
from arena.teaching.notation import parse_tree
from arena.teaching.practice.source import Draws, Task
from arena.teaching.searched_tree import Totals

ATTEMPTS = 1000  # at each exercise


REASONS = {
    "size": "had no move or did not fit on a page",
    "cutoffs": "had too few cutoffs",
    "answers": "had the answers of an earlier one",
}
PORTRAIT_WIDTH = 680.0  # pixels on the narrower of both papers
Paper = Literal["a4", "letter"]
EXAMPLE = "max ((6 9) (4 7 8) (7 5))"
EXAMPLE_WORDS = (
    "A solved tree. The thick line is the best one. Broken lines were not visited, as the crossed"
    " edges were pruned; alpha and beta are at their tops."
)


class NoExercise(Exception):
    """No exercise was found that is as wanted.

    Attributes:
        reason: Why most attempts failed, one of REASONS.
    """

    def __init__(self, found: int, failures: Counter[str]) -> None:
        [(self.reason, times)] = failures.most_common(1)
        super().__init__(
            f"found {found} exercises, and in {ATTEMPTS} attempts no other:"
            f" {times} {REASONS[self.reason]}"
        )


class Source(Protocol):
    """Random trees or positions."""

    def draw(self, draws: Draws) -> Task | None:
        """Return a random one, None if it does not fit on a page."""


class Question(NamedTuple):
    """A question, the words before its answer, and the lines of the answer below the solved tree.

    `is_in_tree` says whether the student answers it in the tree, and not below it.
    """

    text: str
    label: str
    answer: tuple[str, ...]
    is_in_tree: bool = False


class Exercise(NamedTuple):
    """A tree or a position, and the questions about it."""

    task: Task
    questions: tuple[Question, ...]


def exercises(source: Source, count: int, seed: int, cutoffs: int = 1) -> Iterator[Exercise]:
    """Yield random exercises; no two have the same move, value and number of visited nodes.

    Args:
        source: What they are about.
        count: How many.
        seed: Any integer; the same one gives the same exercises.
        cutoffs: The least number of nodes of each at which branches are pruned.

    Raises:
        NoExercise: If many attempts have found no exercise.
        ValueError: If the source has wrong parameters.
        MemoryError: If the source has too large ones.
    """
    answers: set[tuple[object, ...]] = set()
    for number in range(count):
        draws = Draws(seed, number)
        failures = Counter[str]()
        while failures.total() < ATTEMPTS:
            task = source.draw(draws)
            if not task:
                failures["size"] += 1
            elif _cutoffs(task.run) < cutoffs:
                failures["cutoffs"] += 1
            elif (answer := _answer(task.run.tree.totals)) in answers:
                failures["answers"] += 1
            else:
                answers.add(answer)
                yield Exercise(task, tuple(_questions(task)))
                break
        else:
            raise NoExercise(number, failures)


def _answer(totals: Totals) -> tuple[object, ...]:
    """Return what no two exercises of a sheet share."""
    return totals.move, totals.value, totals.nodes_visited


def _cutoffs(run: Run) -> int:
    """Return the number of nodes at which branches were pruned."""
    nodes = run.tree.nodes
    return sum(
        bool(node.children) and is_cut_off(run.tree, nodes[node.children[-1]]) for node in nodes
    )


def _questions(task: Task) -> Iterator[Question]:
    """Yield the questions about a tree or a position."""
    run, tree = task.run, task.run.tree
    values = [
        f"{run.names.full(tree, node)} {symbol(node.minimax)}"
        for node in tree.nodes
        if node.children and node.minimax is not None
    ]
    yield Question(
        "Write its minimax value beside each inner node.",
        "Minimax values",
        (", ".join(values),),
        is_in_tree=True,
    )
    yield Question(
        "Search with alpha-beta as in Figure 5.7, children from left to right. Write v and the"
        " final alpha and beta of each inner node that is visited into its boxes. Cross the edges"
        " of pruned branches, and write alpha and beta at their tops.",
        "Alpha-beta",
        (),
        is_in_tree=True,
    )
    yield from _questions_about_the_result(run)
    if not task.has_leaf_values:
        leaves = [node for node in tree.nodes if node.words]
        yield Question(
            "Write the static evaluation of each leaf that alpha-beta visits into its box.",
            "Leaves",
            tuple(f"{run.names.full(tree, node)}: {node.words}" for node in leaves),
            is_in_tree=True,
        )


def _questions_about_the_result(run: Run) -> Iterator[Question]:
    """Yield the questions that are answered below the tree."""
    totals, minimax = run.tree.totals, run.minimax
    assert minimax
    assert totals.move is not None
    assert totals.value is not None
    yield Question(
        "Which move is chosen at the root, and which value does it have?",
        "Move and value",
        (f"{run.names.move(totals.move)}, {symbol(totals.value)}",),
    )
    yield Question(
        "How many nodes does alpha-beta visit, and how many of them are leaves, which it evaluates?"
        " How many with minimax?",
        "Visited, evaluated",
        (
            f"{totals.nodes_visited} and {totals.nodes_evaluated},"
            f" with minimax {minimax.visited} and {minimax.evaluated}",
        ),
    )
    yield Question(
        "Is the value of the root the same as with minimax? Why?",
        "Same as minimax",
        (same_as_minimax(run).words,),
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
