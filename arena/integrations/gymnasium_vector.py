"""Games as vector environments of Gymnasium: compiled code takes a step in all of them at once."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from arena.integrations.encoded_game import MAX_ELEMENTS, Array, EncodedGame
from arena.integrations.gymnasium import MAX_SEED, check_player

Steps = tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class GameVectorEnv(VectorEnv[Array, Any, NDArray[Any]]):
    """Games against a random player, or of the agent against itself.

    A game that ends is followed by a new one in the same step. `info` has arrays with an element
    for each game: `action_mask`, with 1 for each legal action; `player`, the player that the agent
    is; and after a step that ended games `final_obs`, their last observations, where `_final_obs`
    is true.

    The reward is 1 for a win, -1 for a loss, else 0. The agent that plays itself is rewarded as the
    player that moved, and next moves as the other one.

    Attributes:
        moves: The range of the moves: `moves[action]` is the move of an action.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponent: str | None = "random",
        player: int | None = None,
        **setup: int,
    ) -> None:
        """Prepare games.

        Args:
            game: The name of a registered game with a vector in its encoding.
            num_envs: The number of games at once.
            opponent: `random`; None for the agent against itself.
            player: The player that the agent is against `random`, 1 or 2; None to draw it for each
                game.
            setup: The parameters of the game; a missing one has its default, or else its most usual
                value.

        Raises:
            UnknownGame: No game has the name.
            ValueError: The game has no vector, or a value is invalid.
            TypeError: The game has no parameter of a name.
        """
        check_player(player)
        if opponent not in ("random", None):
            raise ValueError(
                f"expected opponent 'random' or None, got {opponent!r}"
                " (with vectorization_mode='sync' any bot)"
            )
        encoded = EncodedGame(game, setup)
        most = MAX_ELEMENTS // encoded.elements
        if not 1 <= num_envs <= most:
            raise ValueError(f"expected 1 to {most} environments of this game, got {num_envs}")
        if not encoded.vector:
            raise ValueError(f"game {game!r} has no vector: its core.game.Encoding lacks one")
        self.num_envs = num_envs
        self.moves = encoded.moves
        self.single_observation_space = spaces.Box(0, 1, encoded.shape, dtype=np.int8)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(len(self.moves))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = np.zeros((num_envs, *encoded.shape), np.int8)
        self._final = np.zeros_like(self._observations)
        self._masks = np.zeros((num_envs, len(self.moves)), np.int8)
        self._players = np.zeros(num_envs, np.int8)
        self._rewards = np.zeros(num_envs)
        self._ends = np.zeros(num_envs, np.bool_)
        self._is_started = False
        self._vector = encoded.vector(
            self._observations,
            self._masks,
            self._players,
            self._rewards,
            self._ends.view(np.uint8),
            self._final,
            opponent == "random",
            player or 0,
        )

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all games; return the observations and `info`. The seed decides what is random."""
        super().reset(seed=seed, options=options)
        self._is_started = True
        self._vector.reset(int(self.np_random.integers(MAX_SEED)))
        return self._observations.copy(), self._info()

    def step(self, actions: Any) -> Steps:
        """Take an action in each game, with the random player's answer. An illegal move loses.

        Raises:
            ValueError: There are too many or too few actions, or one is outside of the action
                space.
            RuntimeError: There was no `reset` before.
        """
        if not self._is_started:
            raise RuntimeError("call reset() first")
        self._vector.step(_whole_numbers(actions))
        info, ends = self._info(), self._ends.copy()
        if ends.any():
            info |= {"final_obs": self._final.copy(), "_final_obs": ends}
        no_cuts = np.zeros_like(ends)
        return self._observations.copy(), self._rewards.copy(), ends, no_cuts, info

    def _info(self) -> dict[str, Any]:
        all_games = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._masks.copy(),
            "_action_mask": all_games,
            "player": self._players.copy(),
            "_player": all_games,
        }


def _whole_numbers(actions: Any) -> NDArray[np.int64]:
    """Return actions of any type as whole numbers. Raises ValueError if they are not whole."""
    given = np.asarray(actions).reshape(-1)
    try:
        with np.errstate(invalid="ignore"):
            numbers = np.ascontiguousarray(given, np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"expected whole numbers as actions, got {actions!r}") from error
    if (numbers != given).any():
        raise ValueError(f"expected whole numbers as actions, got {given[numbers != given][0]}")
    return numbers
