"""Self-play in an environment of PettingZoo: a table of values learns to win."""

import random
from collections import defaultdict

import numpy as np
import pytest

from arena.integrations.gymnasium import Opponent
from arena.integrations.pettingzoo import GameEnv

STONES = 12
GAMES = 4000
RATE, EXPLORATION = 0.2, 0.3


class Learner:
    """Values of actions by observation, for both players, which learn from the ends of games."""

    def __init__(self) -> None:
        self._choice = random.Random(1)
        self._values: defaultdict[bytes, np.ndarray] = defaultdict(lambda: np.zeros(STONES))

    def act(self, env: GameEnv, exploration: float = 0.0) -> int:
        seen, *_ = env.last()
        assert seen
        legal = np.flatnonzero(seen["action_mask"])
        if self._choice.random() < exploration:
            return int(self._choice.choice(legal))
        values = self._values[seen["observation"].tobytes()]
        return int(max(legal, key=lambda action: values[action]))

    def play_itself(self, env: GameEnv) -> None:
        env.reset()
        taken: dict[str, list[tuple[bytes, int]]] = {agent: [] for agent in env.possible_agents}
        while not any(env.terminations.values()):
            agent = env.agent_selection
            action = self.act(env, EXPLORATION)
            taken[agent].append((env.observe(agent)["observation"].tobytes(), action))
            env.step(action)
        for agent, steps in taken.items():
            for seen, action in steps:
                values = self._values[seen]
                values[action] += RATE * (env.rewards[agent] - values[action])

    def share_won(self, env: GameEnv, opponent: str, games: int) -> float:
        """Return the share of games that it wins, half of them as either player."""
        wins = 0
        for number in range(games):
            env.reset()
            bot, own = Opponent(opponent, number), env.possible_agents[number % 2]
            while not any(env.terminations.values()):
                if env.agent_selection == own:
                    env.step(self.act(env))
                else:
                    assert env.position
                    move = bot(env.position)
                    assert move
                    env.step(env.moves.index(move))
            wins += env.rewards[own] > 0
        return wins / games


@pytest.mark.untraced
def test_an_agent_learns_by_playing_itself() -> None:
    env, learner = GameEnv("take_stones", stones=STONES), Learner()
    before = learner.share_won(env, "random", 200)
    for _ in range(GAMES):
        learner.play_itself(env)
    assert before < 0.7
    assert learner.share_won(env, "random", 200) > 0.9
    # Of games between perfect players, player 1 loses those of 12 stones.
    assert learner.share_won(env, "perfect", 2) == 0.5
