"""Resistance in lost positions: the move after which the opponent is most likely to err.

The opponent may be any of several players, each as likely as the others: a random one, a greedy
one, or alpha-beta search to a depth of 1 to 8 plies. All but the random one answer in a known way,
so it is known which of them give up the win, and what the others play. The best move is the one
after which most of them err within two replies. docs/explanation/experiments.md compares it with
others.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from bots.greedy_bot import count_replies
from core import game_of
from core.game import Position, Solver
from core.search import search

REPLIES = 2  # of the opponent, looked ahead
DEPTHS = range(1, 9)  # of the searches that the opponent may use, in plies
ALL_PLAYERS = range(1 + len(DEPTHS))  # the greedy one, then the searches; the random one is apart
NODES = 30_000  # of such a search; a longer one counts for nothing
POSITIONS = 1000  # whose replies are predicted for a move


def hardest_move(position: Position, solver: Solver, deadline: float) -> int:
    """Return the move of a lost position after which most players would give up the win.

    If the time or POSITIONS do not suffice for all replies, fewer are looked ahead. The position
    and the solver are unchanged afterwards.

    Args:
        position: A lost position in which the game is not over.
        solver: The solver of the position.
        deadline: The time to answer, as of time.monotonic().
    """
    best = hardest_to_answer(position, solver, deadline)
    lookahead = Lookahead(position, solver, deadline)
    with suppress(MemoryError, TimeoutError):
        for replies in range(1, REPLIES + 1):
            errors = lookahead.errors(ALL_PLAYERS, replies)
            best = max(errors, key=errors.__getitem__)
    return best


def hardest_to_answer(position: Position, solver: Solver, deadline: float) -> int:
    """Return the move after which the smallest share of the replies win.

    Only the moves compared before the deadline (as of time.monotonic()) are considered.
    """
    moves = position.legal_moves()
    best, least = moves[0], 1.0
    for move in moves:
        with played(position, solver, move):
            share = winning_share(position, solver)
        if share < least:
            best, least = move, share
        if time.monotonic() >= deadline:
            break
    return best


def winning_share(position: Position, solver: Solver) -> float:
    """Return the share of winning moves; 1 if the game is over, as nobody can err any more."""
    if position.is_over:
        return 1.0
    return len(solver.winning_moves()) / len(position.legal_moves())


@contextmanager
def played(position: Position, solver: Solver, move: int) -> Iterator[None]:
    """Play a move, and take it back at the end."""
    position.play(move)
    solver.play(move)
    try:
        yield
    finally:
        solver.undo()
        position.undo()


class Lookahead:
    """Count of the players that would give up the win, from a lost position on."""

    def __init__(self, position: Position, solver: Solver, deadline: float) -> None:
        self._position = position
        self._solver = solver
        self._deadline = deadline
        self._depths = DEPTHS if game_of(position).evaluate else ()
        self._positions = 0

    def errors(self, players: Collection[int], replies: int) -> dict[int, float]:
        """Return how many of the players err in their next replies, by legal move.

        The random player counts for the share of losing replies.

        Raises:
            TimeoutError: The time or POSITIONS do not suffice.
            MemoryError: A search has too little memory.
        """
        moves = self._position.legal_moves()
        return {move: self._errors_after(move, players, replies) for move in moves}

    def _errors_after(self, move: int, players: Collection[int], replies: int) -> float:
        with played(self._position, self._solver, move):
            if self._position.is_over:
                return 0.0
            errors = 1 - winning_share(self._position, self._solver)
            winning = self._solver.winning_moves()
            for reply, repliers in self._players_by_reply(players).items():
                if reply not in winning:
                    errors += len(repliers)
                elif replies > 1:
                    with played(self._position, self._solver, reply):
                        errors += max(self.errors(repliers, replies - 1).values(), default=0)
        return errors

    def _players_by_reply(self, players: Collection[int]) -> dict[int, list[int]]:
        """Return which of the players make each reply; those that take too long are left out."""
        found: dict[int, list[int]] = defaultdict(list)
        for player, reply in enumerate(self._predict_replies()):
            if player in players:
                found[reply].append(player)
        return found

    def _predict_replies(self) -> Iterator[int]:
        """Yield the reply of the greedy player, and of searches as long as NODES suffice."""
        self._positions += 1
        if self._positions > POSITIONS:
            raise TimeoutError
        yield min(self._position.legal_moves(), key=self._count_replies)
        for depth in self._depths:
            found = search(self._position, depth, nodes=NODES, seconds=self._seconds_left())
            if found.stopped == "seconds":
                raise TimeoutError
            if found.stopped:
                return
            yield found.move

    def _count_replies(self, move: int) -> int:
        self._seconds_left()
        return count_replies(self._position, move)

    def _seconds_left(self) -> float:
        seconds = self._deadline - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds
