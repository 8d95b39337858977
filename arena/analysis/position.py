"""What perfect play, the search and a game itself say of positions that somebody looks at. Pure."""

from collections.abc import Mapping, Sequence

from arena.protocol.spectator import Analyse, Analysis, SearchSummary
from core import GAMES, solver_of
from core.game import Game, Position
from core.search import deepen

# The most that a number of a setup may be, and the most moves. A position of this size takes some
# 5 MB and 0.03 s to solve, and 0.3 s to search one ply deep, which no limit of time ends; ten
# times the size takes 50 MB, 2 s and 7 s.
LARGEST = 100_000


class Line:
    """Who wins under perfect play along the moves of one match, which may still go on.

    `winners` has the winner, 1 or 2, after 0, 1, 2 ... of the moves. `is_solved` tells whether
    that is known; it is not if the game has no solver, if the setup is larger than LARGEST, or if
    the start could not be solved in so many seconds or in the memory. Then `winners` stays empty.
    """

    def __init__(self, game: str, setup: Mapping[str, int], seconds: float) -> None:
        self.winners: list[int] = []
        self._moves: list[int] = []
        self._solver = None
        if all(value <= LARGEST for value in setup.values()):
            try:
                self._solver = solver_of(GAMES[game].position(**setup), seconds)
            except (MemoryError, TimeoutError):
                return
        self._judge()

    @property
    def is_solved(self) -> bool:
        """Whether it is known who wins."""
        return self._solver is not None

    def follow(self, moves: Sequence[int]) -> int | None:
        """Go on, or back, to these moves, all from the start of the match.

        Returns from which ply on `winners` has changed, its length before if there are only more;
        None if nothing has changed. Raises IllegalMove, and then has followed the moves before it.
        """
        if not self._solver:
            return None
        pairs = zip(self._moves, moves, strict=False)
        shorter = min(len(self._moves), len(moves))
        kept = next((ply for ply, (old, new) in enumerate(pairs) if old != new), shorter)
        if kept == len(self._moves) == len(moves):
            return None
        for _ in self._moves[kept:]:
            self._solver.undo()
        del self._moves[kept:], self.winners[kept + 1 :]
        for move in moves[kept:]:
            self._solver.take(move)
            self._moves.append(move)
            self._judge()
        return kept + 1

    def _judge(self) -> None:
        if self._solver:
            player = 1 + len(self._moves) % 2
            self.winners.append(player if self._solver.winning_moves() else 3 - player)


def answer(question: Analyse, seconds: float) -> Analysis:
    """What there is to say of a position.

    The solver gets so many seconds, and so does the search, which goes one ply deeper and deeper:
    if it is stopped it tells what the deepest finished one has found, of `max_depth` plies. Raises
    ValueError, in one line, if there is no such position or it is too large.
    """
    try:
        game = _game(question.game)
        position = _position(game, question.setup, question.moves)
        value, words = game.explain(position)
        winner, winning_moves = _verdict(position, seconds)
        return Analysis(
            question.request,
            position.player_to_move,
            position.legal_moves(),
            value,
            words,
            winner,
            winning_moves,
            _searched(position, question.depth, seconds),
        )
    except MemoryError:
        raise ValueError("the position is too large for this machine's memory") from None


def _game(name: str) -> Game:
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r:.60}, but {', '.join(GAMES)}")
    return GAMES[name]


def _position(game: Game, setup: Mapping[str, int], moves: Sequence[int]) -> Position:
    for name, value in setup.items():
        if name not in game.parameters:
            known = " and ".join(game.parameters) or "nothing"
            raise ValueError(f"{game.name} is set up by {known}, not by {name!r:.60}")
        if value < (least := game.parameters[name].minimum):
            raise ValueError(f"{name} must be at least {least}, not {value}")
        if value > LARGEST:
            raise ValueError(f"{name} must be at most {LARGEST} to be analysed, not {value}")
    for name, parameter in game.parameters.items():
        if name not in setup:
            raise ValueError(f"the setup of {game.name} lacks {name}, the {parameter.meaning}")
    if len(moves) > LARGEST:
        raise ValueError(f"{len(moves)} moves are too many to be analysed, at most {LARGEST}")
    return game.study(**setup, taken=moves)


def _verdict(position: Position, seconds: float) -> tuple[int | None, list[int] | None]:
    """Who wins, and with which moves; None for what is not known."""
    if position.is_over:
        return position.winner, []
    try:
        solver = solver_of(position, seconds)
    except (MemoryError, TimeoutError):
        return None, None
    if not solver:
        return None, None
    moves = solver.winning_moves()
    player = position.player_to_move
    return (player if moves else 3 - player), moves


def _searched(position: Position, depth: int | None, seconds: float) -> SearchSummary | None:
    if depth is None or position.is_over:
        return None
    result = deepen(position, depth, seconds=seconds)
    return SearchSummary(
        depth,
        result.move,
        result.value,
        result.nodes_visited,
        result.nodes_evaluated,
        result.max_depth,
        result.branching_factor,
        result.stopped,
    )
