"""Random searches to practise with, the same as those of the printed sheets. Pure."""

from arena.analysis.position import studied_position
from arena.protocol.traces import Exercise, FindExercise, SearchStart
from core import GAMES
from core.alpha_beta.practice import NoExercise, Positions, Trees, exercises

MAX_SETUP = 1000  # largest parameter of a setup, as many positions are drawn


def find_exercise(request: FindExercise) -> Exercise:
    """Return the first exercise of a seed.

    Raises:
        ValueError: If there is none; the message is one line.
    """
    if request.game is None:
        trees = Trees(request.depth, (2, request.branching))
        return Exercise(request.request, SearchStart(tree=_source(trees, request.seed)))
    studied_position(request.game, request.setup, [])  # checks both
    for name, value in request.setup.items():
        if value > MAX_SETUP:
            raise ValueError(f"{name} must be at most {MAX_SETUP} in an exercise, got {value}")
    positions = Positions(GAMES[request.game], request.setup, depth=request.depth)
    moves = [int(move) for move in _source(positions, request.seed).split()]
    search = SearchStart(request.game, request.setup, moves, depth=request.depth)
    return Exercise(request.request, search)


def _source(source: Trees | Positions, seed: int) -> str:
    """Return the first exercise as it is written. Raises ValueError if there is none."""
    try:
        [exercise] = exercises(source, 1, seed)
    except NoExercise as error:
        raise ValueError(str(error)) from None
    return exercise.task.source
