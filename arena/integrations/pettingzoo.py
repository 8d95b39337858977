"""Games as environments of PettingZoo, for agents that learn by playing each other.

An illegal move loses, as it does in the arena.
"""

from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("PettingZoo is not installed: pip install pettingzoo") from error

from arena.integrations.encoded_game import Array, EncodedGame, Result, encoded_games
from arena.integrations.rendering import RENDER_MODES, RenderedGame, check_render_mode
from core import GAMES
from core.game import IllegalMove, Position

PLAYERS = {"player_1": 1, "player_2": 2}
AGENTS = (*PLAYERS,)

Observation = dict[str, Array]


class GameEnv(RenderedGame, AECEnv):  # type: ignore[misc]
    """A registered game of the agents player_1, who begins, and player_2.

    It needs no wrapper: it checks the order of calls and the actions itself.

    Attributes:
        moves: The range of the moves: `moves[action]` is the move of an action.
        position: The position, a `core.game.Position`; None before the first `reset`.
        agents: The agents that still have to act; none before the first `reset`.
        possible_agents: Both agents.
        agent_selection: The agent to act.
        rewards: Of the last step: 1 for a win, -1 for a loss, else 0.
        terminations: Whether the game is over for an agent.
        truncations: All false: a game comes to an end by itself.
        infos: After the end the `reason`, in words.
    """

    metadata: dict[str, Any]
    possible_agents: list[str]
    agents: list[str]
    agent_selection: str

    def __init__(self, game: str, *, render_mode: str | None = None, **setup: int) -> None:
        """Prepare a game.

        Args:
            game: The name of a registered game that has an encoding.
            render_mode: `ansi` to render positions as text, `svg` as pictures, `rgb_array` as their
                pixels, of the shape (520, 600, 3), `human` to print them; None for nothing.
            setup: The parameters of the game; a missing one has its default, or else its most usual
                value.

        Raises:
            UnknownGame: No game has the name.
            ValueError: The game has no encoding, or a value is invalid.
            TypeError: The game has no parameter of a name, or there is no such render mode.
        """
        check_render_mode(render_mode)
        super().__init__()
        self._encoded = EncodedGame(game, setup)
        self.moves = self._encoded.moves
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game}_v0",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [*AGENTS]
        self.agents = []
        count = len(self.moves)
        self.observation_spaces = {agent: self._observation_space(count) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}
        self.position: Position | None = None
        self._legal: list[int] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the observations of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the actions of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,  # noqa: ARG002
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> None:
        """Start a new game. Nothing is random, so that a seed has no effect."""
        self.position = self._encoded.start()
        self._legal = self.position.legal_moves()
        self.agents = [*AGENTS]
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in AGENTS}
        self._render_for_people()

    def observe(self, agent: str) -> Observation:
        """Return the position as an agent sees it, and which actions are legal for it now.

        Raises:
            RuntimeError: There was no `reset` before.
            KeyError: There is no such agent.
        """
        position = self._started()
        player = PLAYERS[agent]
        legal = self._legal if agent == self.agent_selection else []
        return {
            "observation": self._encoded.observe(position, player),
            "action_mask": self._encoded.mask(legal),
        }

    def step(self, action: Any) -> None:
        """Play the move of an action; None after the end of the agent's game.

        An illegal move ends the game: the agent that made it has lost.

        Raises:
            ValueError: The action is outside of the action space, or there is one after the end.
            RuntimeError: There was no `reset` before, or no agent is left.
        """
        position, agent = self._started(), self.agent_selection
        if not self.agents:
            raise RuntimeError("the game is over for both agents: call reset() before step()")
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._play(position, action)
        self.agent_selection = AGENTS[agent == AGENTS[0]]
        self._render_for_people()

    def _play(self, position: Position, action: Any) -> None:
        self._cumulative_rewards[self.agent_selection] = 0
        move = self._encoded.move(action)
        try:
            position.play(move)
        except IllegalMove as error:
            self._legal = []
            self._end(Result.of_loss(PLAYERS[self.agent_selection], str(error)))
            return
        self._legal = position.legal_moves()
        if not self._legal:
            self._end(Result.of(position))

    def close(self) -> None:
        """Release nothing: an environment holds no resources."""

    def _end(self, result: Result) -> None:
        self.rewards = dict(zip(AGENTS, result.rewards, strict=True))
        self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {agent: {"reason": result.reason} for agent in AGENTS}
        self._accumulate_rewards()

    def _observation_space(self, count: int) -> spaces.Dict:
        shape = self._encoded.shape
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (count,), dtype=np.int8),
            }
        )


def make_module(game: str) -> ModuleType:
    """Return a module of a game with `env` and `raw_env`, as PettingZoo's own modules have.

    Both return a GameEnv: it needs no wrapper.

    Raises:
        UnknownGame: No game has the name.
    """
    module = ModuleType(f"arena.integrations.{game}_v0", GAMES[game].title)
    module.env = module.raw_env = partial(GameEnv, game)  # type: ignore[attr-defined]
    return module


for _name in encoded_games():  # for pettingzoo.make
    register("aec", f"arena/{_name}-v0", GameEnv, kwargs={"game": _name})
