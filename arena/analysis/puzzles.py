"""Puzzles: positions of matches in which few of the legal moves win. Pure."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.analysis.accuracy import has_solver
from arena.model.results import MatchRecord, Pairing
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
        pairing: A pairing whose positions can be puzzles, with the opening.
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
