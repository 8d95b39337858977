"""Won positions of random games, by which it is measured how often a bot keeps a win. Pure."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from arena.analysis.puzzles import Puzzle, may_have_puzzles, puzzles_among
from arena.model.results import Pairing
from arena.ratings.bradley_terry import Z_95
from core import GAMES

SOLVER_SECONDS = 60.0  # for a position of a size that a person can see: thousands of times enough
MAX_GAMES = 100  # without any position, after which there is none in the next ones either


class WonPosition(NamedTuple):
    """A position with few winning moves, from a random game.

    Attributes:
        setup: The setup of its game.
        puzzle: The position.
    """

    setup: Mapping[str, int]
    puzzle: Puzzle


class KeptWins(NamedTuple):
    """Number of positions in which a bot has kept the win.

    Attributes:
        kept: The positions in which it has.
        positions: All positions, at least one.
    """

    kept: int
    positions: int

    @property
    def share(self) -> float:
        """The share of positions in which the win was kept."""
        return self.kept / self.positions

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval of the share.

        Of Agresti and Coull, "Approximate is better than 'exact' for interval estimation of
        binomial proportions", The American Statistician 52, 1998: it is above 0 without any loss.
        """
        number = self.positions + Z_95**2
        share = (self.kept + Z_95**2 / 2) / number
        return Z_95 * math.sqrt(share * (1 - share) / number)


def draw_positions(
    game: str, setups: Sequence[Mapping[str, int]], count: int, seed: int
) -> Iterator[WonPosition]:
    """Yield positions of random games, at most one of each game.

    Args:
        game: The name of a game with a solver.
        setups: The setups of the games, used in turn; those too large for puzzles are left out.
        count: The number of positions.
        seed: The seed, from which the same positions follow.

    Raises:
        ValueError: The game has no such positions.
    """
    pairings = [Pairing(None, ("", ""), game, setup) for setup in setups]
    usable = [pairing for pairing in pairings if may_have_puzzles(pairing)]
    if not usable:
        raise ValueError(f"{game} has no solver, or is too large for it")
    positions = _positions(usable, seed)
    for _ in range(count):
        if not (position := next(positions, None)):
            raise ValueError(
                f"random games of {game} have too few positions with few winning moves"
            )
        yield position


def _positions(pairings: Sequence[Pairing], seed: int) -> Iterator[WonPosition]:
    number = without = 0
    while without < MAX_GAMES:
        pairing = pairings[number % len(pairings)]
        random = Random(f"{seed}/{number}")
        number += 1
        position = GAMES[pairing.game].position(**pairing.setup)
        while not position.is_over:
            position.play(random.choice(position.legal_moves()))
        found = [*puzzles_among(pairing, position.moves, SOLVER_SECONDS)]
        without = 0 if found else without + 1
        if found:
            yield WonPosition(pairing.setup, random.choice(found))


def count_kept(answers: Iterable[tuple[WonPosition, int | None]]) -> KeptWins:
    """Return how many positions were kept won by the moves in them; None resigns."""
    kept = [move in position.puzzle.winning_moves for position, move in answers]
    return KeptWins(sum(kept), len(kept))


def chance(positions: Sequence[WonPosition]) -> float:
    """Return the expected share of positions that random moves keep won."""
    shares = (len(each.puzzle.winning_moves) / len(each.puzzle.legal_moves) for each in positions)
    return math.fsum(shares) / len(positions)
