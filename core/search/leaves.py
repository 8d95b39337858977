"""Leaves of a search in Python: the positions that it evaluates and does not search deeper."""

from core.game import Evaluation, Game, Position

RESULT_VALUES = {1: 1.0, 2: -1.0, None: 0.0}  # by winner, in games without an evaluation


class NoEvaluation(ValueError):
    """A search with a depth limit in a game that has no evaluation."""


class Leaves:
    """The leaves of one search: positions that are over, decided, or at the depth limit.

    Args:
        game: The game.
        root_player: The player who moves at the root, 1 or 2.
        depth: The depth limit in plies, 0 for the end of the game.

    Raises:
        NoEvaluation: If the game has no evaluation and there is a depth limit.
    """

    def __init__(self, game: Game, root_player: int, depth: int) -> None:
        if game.evaluate is None and depth:
            raise NoEvaluation(
                f"{game.name} has no evaluation, so that it can only be searched to the end "
                "(depth 0)"
            )
        self._evaluate = game.evaluate
        self._decides_early = game.decides_early
        self._root_player = root_player
        self._depth = depth

    def evaluation(self, position: Position, ply: int) -> Evaluation | None:
        """Return the evaluation of a position `ply` plies below the root, None for an inner node.

        The root itself is no leaf; `ply` is at least 1.
        """
        outcome = position.outcome
        if not self._evaluate:
            return Evaluation(RESULT_VALUES[outcome.winner], outcome.reason) if outcome else None
        is_leaf = outcome is not None or ply == self._depth
        if not (is_leaf or self._decides_early):
            return None
        evaluation = self._evaluate(position, self._root_player)
        return evaluation if is_leaf or evaluation.is_final else None
