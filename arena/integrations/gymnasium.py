"""Games as environments of Gymnasium: one agent, and a bot as its opponent.

An illegal move loses, as it does in the arena.
"""

from math import inf
from pathlib import Path
from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("Gymnasium is not installed: pip install gymnasium") from error

from arena.integrations.encoded_game import Array, EncodedGame, Result, encoded_games
from arena.integrations.rendering import RENDER_MODES, RenderedGame, check_render_mode
from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.specification import BotSpec, Kind
from core.game import IllegalMove, Position

ENTRY_POINT = f"{__name__}:OpponentEnv"
VECTOR_ENTRY_POINT = "arena.integrations.gymnasium_vector:GameVectorEnv"
MAX_SEED = 2**63 - 1
NO_CLOCK = ClockReading(inf, inf, 0.0)


def check_player(player: int | None) -> None:
    """Raise ValueError unless a player is 1, 2, or None to be drawn."""
    if player not in (None, 1, 2):
        raise ValueError(f"expected player 1, 2 or None, got {player!r}")


class Opponent:
    """A bot without a clock. A copy, or one that was pickled, goes its own way."""

    def __init__(self, spec: str, seed: int, folder: Path | None = None) -> None:
        """Create the bot.

        Args:
            spec: The specification of a built-in bot or of a user's Python bot, as of a tournament:
                `greedy`, `spec:4`, `python:MODULE:CLASS`.
            seed: The seed of bots that make random choices.
            folder: The folder of users' modules; None is the working directory.

        Raises:
            ValueError: The specification is invalid.
            TypeError: It is no text.
        """
        if not isinstance(spec, str):
            raise TypeError(f"expected an opponent such as 'greedy' or 'spec:4', got {spec!r}")
        parsed = BotSpec.parse(spec)
        self._origin = spec, seed, folder
        self._strategy = create_strategy(parsed, seed, folder)
        self._is_pure = getattr(self._strategy, "is_pure", False)
        self._is_users = parsed.kind is Kind.PYTHON

    def __call__(self, position: Position) -> int | None:
        """Return the bot's move in a position, which does not change; None to resign."""
        return self._strategy(position if self._is_pure else position.copy(), NO_CLOCK)

    def __reduce__(self) -> tuple[Any, ...]:
        # Moves of the project's bots follow from the seed and the position; a user's bot may
        # also use what it remembers. Its module is imported before that is loaded.
        state = {"_strategy": self._strategy} if self._is_users else None
        return type(self), self._origin, state


class OpponentEnv(RenderedGame, gymnasium.Env[Array, Any]):
    """A registered game against a bot. The reward is 1 for a win, -1 for a loss, else 0.

    `info` has the `action_mask`, with 1 for each legal action, and after the end the `reason`, in
    words.

    Attributes:
        moves: The range of the moves: `moves[action]` is the move of an action.
        position: The position, a `core.game.Position`; None before the first `reset`.
        player: The player that the agent is in this episode, 1 or 2.
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        opponent: str = "random",
        player: int | None = None,
        folder: Path | None = None,
        render_mode: str | None = None,
        **setup: int,
    ) -> None:
        """Prepare a game against a bot.

        Args:
            game: The name of a registered game that has an encoding.
            opponent: The specification of a built-in bot or of a user's Python bot, as of a
                tournament. It has no clock: a bot that thinks as long as it may needs a depth or a
                number of nodes.
            player: The player that the agent is, 1 or 2; None to draw it for each episode.
            folder: The folder of users' modules; None is the working directory.
            render_mode: `ansi` to render positions as text, `svg` as pictures, `rgb_array` as their
                pixels, of the shape (520, 600, 3), `human` to print them; None for nothing.
            setup: The parameters of the game; a missing one has its default, or else its most usual
                value.

        Raises:
            UnknownGame: No game has the name.
            ValueError: The game has no encoding, the opponent cannot play it, or a value is
                invalid.
            TypeError: The game has no parameter of a name, the opponent is no text, or there is no
                such render mode.
        """
        check_render_mode(render_mode)
        check_player(player)
        Opponent(opponent, 0, folder)  # refuses an invalid specification
        self._encoded = EncodedGame(game, setup)
        BotSpec.parse(opponent).check_playable(self._encoded.game, opponent)
        self._spec, self._folder, self._fixed_player = opponent, folder, player
        self._opponent: Opponent | None = None
        self._result: Result | None = None
        self._is_over = False  # the agent knows the result
        self.moves = self._encoded.moves
        self.position: Position | None = None
        self.player = player or 1
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 1, self._encoded.shape, dtype=np.int8)
        self.action_space = spaces.Discrete(len(self.moves))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start a new episode; return the observation and `info` at the agent's first move.

        The seed decides which player the agent is, unless that is fixed, and the bot's choices.
        """
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(2)) + 1
        self.player = self._fixed_player or drawn
        bot_seed = int(self.np_random.integers(MAX_SEED))
        self._opponent = Opponent(self._spec, bot_seed, self._folder)
        self.position = self._encoded.start()
        self._result, self._is_over = None, False
        self._render_for_people()
        self._follow_up(self.position, 1)
        return self._observe(self.position)

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play the move of an action and the bot's answer.

        An illegal move ends the episode: the agent has lost. If the bot has resigned or moved
        illegally before the agent's first move, the first step only ends the episode.

        Raises:
            ValueError: The action is outside of the action space.
            RuntimeError: There was no `reset` before, or the episode is over.
        """
        position = self._started()
        if self._is_over:
            raise RuntimeError("the game is over: call reset() before step()")
        move = self._encoded.move(action)
        if not self._result:
            self._play(position, move)
        self._is_over = self._result is not None
        observation, info = self._observe(position)
        reward = self._result.rewards[self.player - 1] if self._result else 0
        return observation, float(reward), self._is_over, False, info

    def action_masks(self) -> Array:
        """Return a new array with 1 for each legal action, by the name that sb3-contrib asks for.

        Raises:
            RuntimeError: There was no `reset` before.
        """
        position = self._started()
        return self._encoded.mask([] if self._result else position.legal_moves())

    def _play(self, position: Position, move: int) -> None:
        try:
            position.play(move)
        except IllegalMove as error:
            self._result = Result.of_loss(self.player, str(error))
            return
        self._render_for_people()
        self._follow_up(position, 3 - self.player)

    def _follow_up(self, position: Position, player: int) -> None:
        """End the episode if the game is over; else play the bot's move if it is the bot's turn."""
        if position.is_over:
            self._result = Result.of(position)
        elif player != self.player:
            self._answer(position, player)

    def _answer(self, position: Position, player: int) -> None:
        assert self._opponent, "there was a reset"
        move = self._opponent(position)
        if move is None:
            self._result = Result.of_loss(player, f"player {player} has resigned")
            return
        try:
            position.play(move)
        except IllegalMove as error:
            self._result = Result.of_loss(player, str(error))
            return
        self._render_for_people()
        self._follow_up(position, self.player)

    def _observe(self, position: Position) -> tuple[Array, dict[str, Any]]:
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if self._result:
            info["reason"] = self._result.reason
        return self._encoded.observe(position, self.player), info


def _register(game: str, has_vector: bool) -> None:
    """Register a game with `gymnasium.make` and `gymnasium.make_vec`."""
    gymnasium.register(
        f"arena/{game}-v0",
        entry_point=ENTRY_POINT,
        vector_entry_point=VECTOR_ENTRY_POINT if has_vector else None,
        kwargs={"game": game},
    )


for _name, _encoding in encoded_games().items():
    _register(_name, _encoding.vector is not None)
