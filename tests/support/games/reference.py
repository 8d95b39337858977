"""Take-Stones, its evaluation and its search in obvious Python, to check the compiled code against.

Everything is written from the assignment and takes nothing from core. A position is the number of
stones n and the stones taken, from first to last; values are those for Max.
"""

from fractions import Fraction
from functools import cache
from math import floor, inf
from typing import NamedTuple

Taken = tuple[int, ...]


def is_legal(n: int, taken: Taken, stone: int) -> bool:
    """Whether a stone from 1 to n may be taken next."""
    if not taken:
        return stone % 2 == 1 and 2 * stone < n
    factor_or_multiple = taken[-1] % stone == 0 or stone % taken[-1] == 0
    return factor_or_multiple and stone not in taken


def legal_moves(n: int, taken: Taken) -> list[int]:
    """The stones that may be taken next, ascending."""
    return [stone for stone in legal_after(n, taken[-1:]) if stone not in taken]


@cache
def legal_after(n: int, last: Taken) -> list[int]:
    """The stones that may be taken after the last one, if it was the only one, or at first."""
    return [stone for stone in range(1, n + 1) if is_legal(n, last, stone)]


def player_to_move(taken: Taken) -> int:
    """1 (Max) or 2 (Min)."""
    return 1 if len(taken) % 2 == 0 else 2


@cache
def is_prime(number: int) -> bool:
    """Whether a number has exactly two divisors."""
    return [d for d in range(1, number + 1) if number % d == 0] == [1, number]


@cache
def largest_prime_factor(number: int) -> int:
    """The largest prime that divides a number above 1."""
    return max(d for d in range(2, number + 1) if number % d == 0 and is_prime(d))


def evaluate(n: int, taken: Taken) -> float:
    """The static board evaluation."""
    value = value_on_turn(n, taken)
    return value if player_to_move(taken) == 1 or value == 0.0 else -value


def value_on_turn(n: int, taken: Taken) -> float:
    """The static board evaluation on Max's turn; on Min's it is the opposite."""
    successors = legal_moves(n, taken)
    if not successors:
        return -1.0
    if 1 not in taken:
        return 0.0
    last = taken[-1]
    if last == 1:
        return 0.5 if len(successors) % 2 == 1 else -0.5
    prime = largest_prime_factor(last)
    multiples = [stone for stone in successors if stone % prime == 0]
    size = 0.7 if last == prime else 0.6
    return size if len(multiples) % 2 == 1 else -size


class Result(NamedTuple):
    """What the assignment asks for."""

    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int

    @property
    def branching_factor(self) -> Fraction:
        """The average number of successors of the nodes that were not evaluated."""
        return Fraction(self.nodes_visited - 1, self.nodes_visited - self.nodes_evaluated)


class AlphaBeta:
    """ALPHA-BETA-SEARCH of Figure 5.7, which also counts."""

    def __init__(self, n: int, depth_limit: int) -> None:
        self.n = n
        self.depth_limit = depth_limit
        self.visited = self.evaluated = self.max_depth = 0

    def search(self, taken: Taken) -> Result:
        """The first move of the best value."""
        own_value = self.max_value if player_to_move(taken) == 1 else self.min_value
        value, move = own_value(taken, -inf, inf, 0)
        return Result(move, value, self.visited, self.evaluated, self.max_depth)

    def max_value(self, taken: Taken, alpha: float, beta: float, depth: int) -> tuple[float, int]:
        """MAX-VALUE, and the move that has it."""
        if self.is_leaf(taken, depth):
            return evaluate(self.n, taken), 0
        best, best_move = -inf, 0
        for move in legal_moves(self.n, taken):
            value, _ = self.min_value((*taken, move), alpha, beta, depth + 1)
            if value > best:
                best, best_move = value, move
            if best >= beta:
                return best, best_move
            alpha = max(alpha, best)
        return best, best_move

    def min_value(self, taken: Taken, alpha: float, beta: float, depth: int) -> tuple[float, int]:
        """MIN-VALUE, and the move that has it."""
        if self.is_leaf(taken, depth):
            return evaluate(self.n, taken), 0
        best, best_move = inf, 0
        for move in legal_moves(self.n, taken):
            value, _ = self.max_value((*taken, move), alpha, beta, depth + 1)
            if value < best:
                best, best_move = value, move
            if best <= alpha:
                return best, best_move
            beta = min(beta, best)
        return best, best_move

    def is_leaf(self, taken: Taken, depth: int) -> bool:
        """Visit a node; whether it is evaluated instead of its successors."""
        self.visited += 1
        self.max_depth = max(self.max_depth, depth)
        is_over = not legal_moves(self.n, taken)
        at_limit = depth == self.depth_limit and depth > 0  # a limit of 0 is none
        if is_over or at_limit:
            self.evaluated += 1
        return is_over or at_limit


def search(n: int, taken: Taken, depth: int) -> Result:
    """The search of a position to a depth, 0 for the end of the game."""
    return AlphaBeta(n, depth).search(taken)


def minimax(n: int, taken: Taken, depth: int) -> float:
    """The value of a position to a depth above 0, without any pruning."""
    moves = legal_moves(n, taken)
    if not moves or depth == 0:
        return evaluate(n, taken)
    values = [minimax(n, (*taken, move), depth - 1) for move in moves]
    return max(values) if player_to_move(taken) == 1 else min(values)


def one_decimal(number: Fraction) -> str:
    """A number that is not negative, rounded half up to one decimal."""
    tenths = floor(10 * number + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10}"


def six_lines(result: Result) -> str:
    """The output of the assignment."""
    return (
        f"Move: {result.move}\n"
        f"Value: {result.value:.1f}\n"
        f"Number of Nodes Visited: {result.nodes_visited}\n"
        f"Number of Nodes Evaluated: {result.nodes_evaluated}\n"
        f"Max Depth Reached: {result.max_depth}\n"
        f"Avg Effective Branching Factor: {one_decimal(result.branching_factor)}\n"
    )
