"""Chances of games between players that do not search, by recursion over all games."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from core.game import Position
from core.playout import Playouts

LIMIT = 5.0  # standard deviations between a count and its expectation


class Chances(NamedTuple):
    """Expectation of the wins of player 1 and of the length of a game, and of its square."""

    wins: Fraction
    length: Fraction
    square: Fraction

    @property
    def variance(self) -> Fraction:
        """Variance of the length of a game."""
        return self.square - self.length**2


def replies(position: Position, move: int) -> int:
    """The number of replies to a move."""
    position.play(move)
    count = len(position.legal_moves())
    position.undo()
    return count


def choices(position: Position, player: str) -> list[int]:
    """The moves that a player may choose, all with the same probability."""
    moves = position.legal_moves()
    if player == "random":
        return moves
    return [min(moves, key=lambda move: (replies(position, move), move))]


def chances(
    position: Position, players: Sequence[str], known: dict[Position, Chances] | None = None
) -> Chances:
    """The exact chances of playouts from a position."""
    known = {} if known is None else known
    if position in known:
        return known[position]
    if outcome := position.outcome:
        return Chances(Fraction(outcome.winner == 1), Fraction(0), Fraction(0))
    moves = choices(position, players[position.player_to_move - 1])
    wins = length = square = Fraction(0)
    for move in moves:
        position.play(move)
        below = chances(position, players, known)
        position.undo()
        wins += below.wins
        length += below.length + 1
        square += below.square + 2 * below.length + 1
    found = Chances(wins / len(moves), length / len(moves), square / len(moves))
    known[position.copy()] = found
    return found


def assert_agree(found: Playouts, exact: Chances) -> None:
    """Compare playouts with their expectation."""
    deviation = sqrt(exact.wins * (1 - exact.wins) / found.games)
    assert abs(found.share - exact.wins) <= LIMIT * deviation
    deviation = sqrt(exact.variance / found.games)
    assert abs(found.mean_length - exact.length) <= LIMIT * deviation + 1e-9
