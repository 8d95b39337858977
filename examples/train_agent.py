"""Agent that learns Take-Stones by playing against itself: Q-learning of OpenSpiel, in a minute.

    pip install '.[openspiel]'
    cd examples
    python train_agent.py
    arena tournament --bots random greedy python:train_agent:TrainedAgent --stones 20 --rounds 10

The first program writes agent.pickle beside itself. Another learner of OpenSpiel can take the place
of QLearner: all have the same `step`.
"""

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import Environment
from open_spiel.python.rl_tools import LinearSchedule

import arena.integrations.openspiel  # noqa: F401  it registers the game

STONES = 20
GAMES = 60_000
FILE = Path(__file__).with_name("agent.pickle")


def create_environment() -> Any:
    """Return an environment of the game. An action is a stone, counted from 0."""
    return Environment(f"python_take_stones(stones={STONES})")


def create_learner(player: int, games: int) -> QLearner:
    """Return a learner that explores all moves at first, and in the end one in ten."""
    exploration = LinearSchedule(1.0, 0.1, num_steps=4 * games)  # it has 4 moves in a game or so
    return QLearner(player, STONES, step_size=0.3, epsilon_schedule=exploration)


def train(games: int) -> list[QLearner]:
    """Return a learner for each player, after a number of games between them."""
    np.random.seed(1)
    environment = create_environment()
    learners = [create_learner(player, games) for player in range(2)]
    for _ in range(games):
        time_step = environment.reset()
        while not time_step.last():
            learner = learners[time_step.observations["current_player"]]
            time_step = environment.step([learner.step(time_step).action])
        for learner in learners:
            learner.step(time_step)  # learns from the result
    return learners


class TrainedAgent:
    """Bot that plays the best moves that the learners know."""

    def __init__(self, seed: int) -> None:
        np.random.seed(seed % 2**32)  # for positions that the learners have never seen
        self._learners = pickle.loads(FILE.read_bytes())

    def choose(self, position: Any, clock: Any) -> int:  # noqa: ARG002
        """Return the stone to take. Several matches may ask at once."""
        environment = create_environment()
        time_step = environment.reset()
        for stone in position.moves:
            time_step = environment.step([stone - 1])
        learner = self._learners[position.player_to_move - 1]
        return learner.step(time_step, is_evaluation=True).action + 1


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    FILE.write_bytes(pickle.dumps(train(games)))
