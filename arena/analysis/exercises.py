"""Random searches to practise with, the same as in the printed sheets. Pure."""

from collections.abc import Callable
from typing import NamedTuple

from arena.analysis.position import studied_position
from arena.protocol.traces import Exercise, FindExercise, SearchStart
from arena.teaching.practice import NoExercise, Positions, Trees, exercises
from arena.teaching.practice.source import Draws, Task
from core import GAMES

MAX_SETUP = 1000  # largest parameter of a setup, as many positions are drawn


class _Limited(NamedTuple):
    """A source of exercises that is used for a limited time."""

    source: Trees | Positions
    seconds: float
    clock: Callable[[], float]
    deadline: float

    def draw(self, draws: Draws) -> Task | None:
        """Return a random one, as the source does. Raises ValueError after the deadline."""
        if self.clock() > self.deadline:
            raise ValueError(f"found no exercise within {self.seconds:g} s")
        return self.source.draw(draws)


def find_exercise(request: FindExercise, seconds: float, clock: Callable[[], float]) -> Exercise:
    """Return the first exercise of a seed.

    Args:
        request: The question.
        seconds: The time in which it is looked for.
        clock: Returns the time in seconds.

    Raises:
        ValueError: If there is none, or none in this time; the message is one line.
    """

    def written(source: Trees | Positions) -> str:
        limited = _Limited(source, seconds, clock, clock() + seconds)
        try:
            [exercise] = exercises(limited, 1, request.seed)
        except NoExercise as error:
            raise ValueError(str(error)) from None
        return exercise.task.source

    if request.game is None:
        trees = Trees(request.depth, (2, request.branching))
        return Exercise(request.request, SearchStart(tree=written(trees)))
    studied_position(request.game, request.setup, [])  # checks both
    for name, value in request.setup.items():
        if value > MAX_SETUP:
            raise ValueError(f"{name} must be at most {MAX_SETUP} in an exercise, got {value}")
    positions = Positions(GAMES[request.game], request.setup, depth=request.depth)
    moves = [int(move) for move in written(positions).split()]
    search = SearchStart(request.game, request.setup, moves, depth=request.depth)
    return Exercise(request.request, search)
