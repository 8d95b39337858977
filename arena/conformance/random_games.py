"""Setups and random games: the positions on which the suite of a game runs its checks. Pure."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import islice
from random import Random
from typing import Literal, NamedTuple

from arena.conformance.steps import CheckFailed
from core.game import Game, Position

LARGE = 1000  # a large value of any parameter
SETUPS = 2  # drawn at random, in addition to the usual ones and the smallest
GAMES = 8  # of each setup
POSITIONS = 6  # drawn from each game, in addition to its start and its end
MAX_PLIES = 10_000  # of a random game
MAX_TREE = 300  # nodes below an endgame
MAX_SHOWN = 1000  # moves in the text of a sample


def typical_setups(game: Game) -> list[dict[str, int]]:
    """Return setups that together contain each typical value of each parameter."""
    parameters = game.parameters.items()
    count = max((len(parameter.usual) for _, parameter in parameters), default=1)
    return [
        {name: parameter.usual[index % len(parameter.usual)] for name, parameter in parameters}
        for index in range(count)
    ]


def minimum_setup(game: Game) -> dict[str, int]:
    """Return the setup with the least value of each parameter."""
    return {name: parameter.minimum for name, parameter in game.parameters.items()}


def random_setups(game: Game, count: int, random: Random) -> list[dict[str, int]]:
    """Return up to `count` setups with values between the least and the largest usual ones.

    Setups that the game rejects are left out.
    """
    drawn = [
        {
            name: random.randint(parameter.minimum, max(parameter.usual))
            for name, parameter in game.parameters.items()
        }
        for _ in range(count)
    ]
    return [setup for setup in drawn if _is_accepted(game, setup)]


def small_to_large_setups(game: Game) -> list[dict[str, int]]:
    """Return the smallest setup where player 1 can move, a typical one and a large one.

    Equal setups are returned once; a large setup that the game rejects is left out.
    """
    parameters = game.parameters.items()
    ascending = (
        {name: parameter.minimum + more for name, parameter in parameters} for more in range(LARGE)
    )
    large = {name: max(LARGE, parameter.minimum) for name, parameter in parameters}
    smallest = islice(filter(_is_playable(game), ascending), 1)
    found = [*smallest, typical_setups(game)[0], *filter(_is_playable(game), [large])]
    return [setup for index, setup in enumerate(found) if setup not in found[:index]]


def _is_accepted(game: Game, setup: Mapping[str, int]) -> bool:
    try:
        game.position(**setup)
    except ValueError:  # a game may reject values above the minimum
        return False
    except Exception:  # a check reports it
        return True
    return True


def _is_playable(game: Game) -> Callable[[Mapping[str, int]], bool]:
    def is_playable(setup: Mapping[str, int]) -> bool:
        try:
            return not game.position(**setup).is_over
        except ValueError:  # a game may reject values above the minimum
            return False

    return is_playable


Kind = Literal["setups", "positions", "unfinished games", "finished games", "endgames"]


class Sample(NamedTuple):
    """A position of a random game.

    Attributes:
        game: The game.
        setup: The parameters of the game.
        moves: The moves from the start to the position.
        is_last: Whether the random game ended with the position.
    """

    game: Game
    setup: Mapping[str, int]
    moves: tuple[int, ...] = ()
    is_last: bool = False

    def __str__(self) -> str:
        """Return the setup and the moves in one line; of very many moves only the first."""
        setup = [f"{name}={value}" for name, value in self.setup.items()]
        moves = ["moves", *map(str, self.moves[:MAX_SHOWN])] if self.moves else ["no moves"]
        is_cut = len(self.moves) > MAX_SHOWN
        return " ".join([*setup, *moves, *["..."] * is_cut])

    def position(self) -> Position:
        """Return the position, reached move by move; errors of the game are passed on."""
        position = self.game.position(**self.setup)
        for move in self.moves:
            position.play(move)
        return position


class Counterexample(Exception):
    """A failed check and the sample that shows it, in one line."""

    def __init__(self, error: Exception, sample: Sample) -> None:
        super().__init__(f"{describe_error(error)}; {sample}")


class RandomGames:
    """Random games of several setups; the same seed yields the same games."""

    def __init__(self, game: Game, seed: int) -> None:
        """Prepare the games; they are played when samples are requested."""
        self.game = game
        self._random = Random(seed)

    def samples(self, kind: Kind) -> list[Sample]:
        """Return the samples of a kind, those with the fewest moves first.

        Raises:
            Counterexample: The game cannot be played.
        """
        match kind:
            case "setups":
                return self._starts
            case "positions":
                return self._positions
            case "unfinished games":
                return [sample for sample in self._positions if not sample.is_last]
            case "finished games":
                return [sample for sample in self._positions if sample.is_last]
            case _:
                return [sample for sample in self.samples("unfinished games") if _is_small(sample)]

    @cached_property
    def _starts(self) -> list[Sample]:
        setups = [
            *typical_setups(self.game),
            minimum_setup(self.game),
            *random_setups(self.game, SETUPS, self._random),
        ]
        different = [setup for index, setup in enumerate(setups) if setup not in setups[:index]]
        return [Sample(self.game, setup) for setup in different]

    @cached_property
    def _positions(self) -> list[Sample]:
        found: dict[tuple[object, ...], Sample] = {}
        for start in self._starts:
            for _ in range(GAMES):
                end = self._play_to_the_end(start)
                for ply in self._draw_plies(len(end.moves)):
                    sample = end._replace(moves=end.moves[:ply], is_last=ply == len(end.moves))
                    found[*start.setup.values(), sample.moves] = sample
        return sorted(found.values(), key=lambda sample: len(sample.moves))

    def _play_to_the_end(self, start: Sample) -> Sample:
        moves: list[int] = []
        try:
            position = start.position()
            while len(moves) < MAX_PLIES and (legal := position.legal_moves()):
                moves.append(self._random.choice(legal))
                position.play(moves[-1])
        except Exception as error:  # a game may raise anything
            raise Counterexample(error, start._replace(moves=tuple(moves))) from error
        return start._replace(moves=tuple(moves), is_last=True)

    def _draw_plies(self, last: int) -> Iterable[int]:
        """Return the first ply, the last two, and some between them."""
        drawn = self._random.sample(range(last + 1), min(POSITIONS, last + 1))
        return {0, max(0, last - 1), last, *drawn}


def describe_error(error: Exception) -> str:
    """Describe a failure in one line: of a check, or of the game, which then raised the error."""
    is_ours = isinstance(error, CheckFailed | Counterexample)
    return " ".join((str(error) if is_ours else f"{type(error).__name__}: {error}").split())


def _is_small(sample: Sample) -> bool:
    """Return whether the tree of a position is small enough to be searched without a limit."""
    left = MAX_TREE

    def visit(position: Position) -> bool:
        nonlocal left
        left -= 1
        for move in position.legal_moves() if left > 0 else ():
            position.play(move)
            visit(position)
            position.undo()
        return left > 0

    return visit(sample.position())
