"""Monte Carlo tree search of OpenSpiel in positions of the arena.

Its search in Python asks little of a game and of a state, and any position of the arena has it.
Games of OpenSpiel itself are searched in C++.
"""

from random import Random
from typing import Any, Self

import pyspiel
from open_spiel.python.algorithms import mcts

from arena.integrations.encoded_game import Result
from arena.integrations.spiel_position import SpielPosition
from core.game import Position

EXPLORATION = 2.0  # the constant of UCT, as in OpenSpiel's own example
ROLLOUTS = 1  # random games to evaluate a leaf
MEMORY = 1000  # megabytes of the tree in C++
MAX_SEED = 2**31 - 1


def best_move(position: Position, simulations: int, random: Random) -> tuple[int, int]:
    """Search for the best move.

    Args:
        position: The position, where the game is not over; it is unchanged afterwards.
        simulations: The most simulations, at least 2.
        random: The source of all random choices.

    Returns:
        The move, and the number of simulations: fewer suffice if they prove who wins.
    """
    if isinstance(position, SpielPosition):
        root = _bot_in_cpp(position, simulations, random).mcts_search(position.state)
    else:
        evaluator = mcts.RandomRolloutEvaluator(ROLLOUTS, random)
        rules = TreeRules()
        bot = mcts.MCTSBot(rules, EXPLORATION, simulations, evaluator, random_state=random)
        root = bot.mcts_search(TreeState(position.copy()))
    return root.best_child().action, root.explore_count


def _bot_in_cpp(position: SpielPosition, simulations: int, random: Random) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, random.randint(0, MAX_SEED))
    seed, proves, is_verbose = random.randint(0, MAX_SEED), True, False
    game = position.state.get_game()
    return pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, simulations, MEMORY, proves, seed, is_verbose
    )


class TreeRules:
    """What the search asks of a game, by the names that it has for that."""

    dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL
    reward_model = pyspiel.GameType.RewardModel.TERMINAL

    def get_type(self) -> Self:
        """Return the object with the kind of the game."""
        return self

    def max_utility(self) -> float:
        """Return the reward of a win."""
        return 1.0


class TreeState:
    """What the search asks of a state, by the names that it has for that; an action is a move."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._legal = position.legal_moves()

    def clone(self) -> "TreeState":
        """Return an independent copy."""
        return TreeState(self._position.copy())

    def current_player(self) -> int:
        """Return 0 for player 1, and 1 for player 2."""
        return self._position.player_to_move - 1

    def is_chance_node(self) -> bool:
        """Return False: moves are the players' own."""
        return False

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self._legal

    def legal_actions(self, player: int | None = None) -> list[int]:  # noqa: ARG002
        """Return the legal moves."""
        return self._legal

    def apply_action(self, move: int) -> None:
        """Play a move."""
        self._position.play(move)
        self._legal = self._position.legal_moves()

    def returns(self) -> tuple[int, int]:
        """Return the rewards of the players 1 and 2 at the end of the game."""
        return Result.of(self._position).rewards
