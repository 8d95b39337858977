"""Positions in which few moves win: puzzles of matches, and won positions of random games. Pure."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from arena.analysis.accuracy import has_solver
from arena.model.results import MatchRecord, Pairing
from arena.ratings.bradley_terry import Z_95
from core import GAMES, solver_of
from core.game import Position
from core.search import NoEvaluation, deepen

MAX_SIZE = 200  # of the product of the setup's parameters: a person has to see the whole position
MAX_MOVES = 1000  # of a match: all its positions are solved
MAX_LEGAL = 24  # moves to choose from
MIN_LEGAL = 3
MAX_WINNING = 3  # winning moves
LEAST_RATIO = 3  # of the legal to the winning moves
SHALLOW_DEPTH = 3  # plies of the search that may be misled
SHALLOW_NODES = 2000  # its nodes: at this size, it takes at most 0.1 s in Python
MANY_MOVES = 6  # legal moves
MANY_PLIES = 10  # to the end of the match
SOLVER_SECONDS = 60.0  # for a position of a size that a person can see: thousands of times enough
MAX_EMPTY = 100  # games in a row without a position; more would hardly find one


class Puzzle(NamedTuple):
    """A position of a match in which few moves win.

    Attributes:
        moves: The moves before it, including the opening's.
        player: The player to move, 1 or 2.
        legal_moves: The legal moves, ascending.
        winning_moves: The moves that win under perfect play, ascending.
        played: The move of the match.
        plies_left: The number of moves of the match from here on, `played` included.
        misleads: Whether a search to SHALLOW_DEPTH chooses a losing move; None without an
            evaluation.
    """

    moves: list[int]
    player: int
    legal_moves: list[int]
    winning_moves: list[int]
    played: int
    plies_left: int
    misleads: bool | None

    @property
    def is_missed(self) -> bool:
        """Whether the player of the match gave up the win."""
        return self.played not in self.winning_moves

    @property
    def level(self) -> int:
        """The difficulty: 1 easy, 2 medium, 3 hard.

        It is harder if there are many legal moves, if the end is far, and if a shallow search errs.
        """
        is_wide, is_long = len(self.legal_moves) >= MANY_MOVES, self.plies_left > MANY_PLIES
        return min(3, 1 + sum([is_wide, is_long, bool(self.misleads)]))


def may_have_puzzles(pairing: Pairing) -> bool:
    """Return whether the positions of a match can be puzzles: it is solved, and not too large."""
    if not has_solver(pairing.game):
        return False
    return math.prod(GAMES[pairing.game].completed(pairing.setup).values()) <= MAX_SIZE


def puzzles_of(record: MatchRecord, seconds: float) -> Iterator[Puzzle]:
    """Yield the puzzles among the positions of a match in which a player has moved.

    Args:
        record: A match that may have puzzles, with its moves.
        seconds: Time limit for the solver at the start.

    Raises:
        Exception: Any error that the game raises.
    """
    return puzzles_among(record.pairing, [played.move for played in record.moves], seconds)


def puzzles_among(pairing: Pairing, moves: Sequence[int], seconds: float) -> Iterator[Puzzle]:
    """Yield the puzzles among the positions before moves that follow an opening.

    Args:
        pairing: A pairing with positions that can be puzzles, with the opening.
        moves: The moves of its players.
        seconds: Time limit for the solver at the start.
    """
    if len(moves) > MAX_MOVES:
        return
    position = GAMES[pairing.game].position(**pairing.setup, moves=pairing.opening)
    solver = solver_of(position, seconds)
    assert solver
    for at, played in enumerate(moves):
        legal, winning = position.legal_moves(), solver.winning_moves()
        if _is_puzzle(len(legal), len(winning)):
            misleads = _misleads(position, winning)
            player, left = position.player_to_move, len(moves) - at
            yield Puzzle([*position.moves], player, legal, winning, played, left, misleads)
        position.play(played)
        solver.play(played)


def _is_puzzle(legal: int, winning: int) -> bool:
    """Return whether a position with these numbers of moves is a puzzle."""
    is_choice = MIN_LEGAL <= legal <= MAX_LEGAL and 1 <= winning <= MAX_WINNING
    return is_choice and legal >= LEAST_RATIO * winning


def _misleads(position: Position, winning: list[int]) -> bool | None:
    """Return whether a shallow search chooses a losing move; None if it cannot judge moves."""
    try:
        return deepen(position, SHALLOW_DEPTH, nodes=SHALLOW_NODES).move not in winning
    except NoEvaluation:
        return None


class WonPosition(NamedTuple):
    """A position with few winning moves, from a random game.

    Attributes:
        setup: The setup of its game.
        puzzle: The position.
    """

    setup: Mapping[str, int]
    puzzle: Puzzle


class KeptWins(NamedTuple):
    """Number of positions where a bot has kept the win.

    Attributes:
        kept: The positions where it has.
        positions: All positions, at least one.
    """

    kept: int
    positions: int

    @property
    def share(self) -> float:
        """The share of positions where the win was kept."""
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
    while without < MAX_EMPTY:
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
