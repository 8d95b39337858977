"""Agent that learns Take-Stones against bots: MaskablePPO of sb3-contrib, in two minutes.

    pip install 'take-stones-arena[pettingzoo]' sb3-contrib
    python train_ppo.py
    arena tournament --bots random greedy python:train_ppo:TrainedPolicy --stones 20 --rounds 10

The first program prints which share of its games the agent wins as it learns, and writes policy.npz
beside itself: the weights of its network, from which the bot plays without stable-baselines3.
"""

import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from core import GAMES

STONES = 20
TEACHERS = ("random", "greedy", "spec:4", "perfect")  # bots that the agent learns against
ENVIRONMENTS = 16
STEPS = 100_000
MEASURED_AFTER = (0, 2_000, 4_000, 8_000, 16_000, 32_000, STEPS)
GAMES_EACH = 400  # against each teacher
FILE = Path(__file__).with_name("policy.npz")


def make_environments(count: int, *opponents: str) -> Any:
    """Return a vector of environments, which the opponents share evenly."""
    import gymnasium
    from stable_baselines3.common.env_util import make_vec_env

    import arena.integrations.gymnasium  # noqa: F401  it registers the game

    turns = cycle(opponents)

    def make() -> gymnasium.Env[Any, Any]:
        return gymnasium.make("arena/take_stones-v0", stones=STONES, opponent=next(turns))

    return make_vec_env(make, n_envs=count, seed=1)


def share_won(model: Any, opponent: str) -> float:
    """Return the share of games that an agent wins with its best moves."""
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    environments = make_environments(ENVIRONMENTS, opponent)
    mean_reward, _ = evaluate_policy(model, environments, n_eval_episodes=GAMES_EACH)
    return (1 + float(mean_reward)) / 2  # a game is worth 1 or -1


def train(steps: int) -> Any:
    """Return an agent that has learned for `steps` at most; print how well it plays meanwhile."""
    from sb3_contrib import MaskablePPO

    environments = make_environments(ENVIRONMENTS, *TEACHERS)
    model = MaskablePPO(
        "MlpPolicy",
        environments,
        n_steps=64,
        batch_size=256,
        gamma=1.0,  # a game is short, and only its end counts
        ent_coef=0.01,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128]},
        seed=1,
        device="cpu",
    )
    print("   steps ", *(f"{teacher:>8}" for teacher in TEACHERS))
    for end in (each for each in MEASURED_AFTER if each <= steps):
        model.learn(end - model.num_timesteps, reset_num_timesteps=False)
        shares = [share_won(model, teacher) for teacher in TEACHERS]
        print(f"{model.num_timesteps:8} ", *(f"{share:8.1%}" for share in shares), flush=True)
    return model


def export(model: Any) -> None:
    """Save the weights and biases of the agent's network, layer by layer."""
    policy = model.policy
    layers = [*policy.mlp_extractor.policy_net, policy.action_net]
    linear = [layer for layer in layers if hasattr(layer, "weight")]
    arrays = {
        f"{kind}{number}": getattr(layer, kind).detach().numpy()
        for number, layer in enumerate(linear)
        for kind in ("weight", "bias")
    }
    np.savez(FILE, **arrays)


class TrainedPolicy:
    """Bot that plays the move to which the network gives the highest value."""

    def __init__(self) -> None:
        saved = np.load(FILE)
        self._layers = [
            (saved[f"weight{number}"], saved[f"bias{number}"]) for number in range(len(saved) // 2)
        ]

    def choose(self, position: Any, clock: Any) -> int:  # noqa: ARG002
        """Return the stone to take."""
        encoding = GAMES["take_stones"].encoding
        assert encoding
        assert encoding.observe
        seen = encoding.observe(position, position.player_to_move)
        values = np.frombuffer(seen, np.int8).astype(np.float32)
        *hidden, (weight, bias) = self._layers
        for hidden_weight, hidden_bias in hidden:
            values = np.tanh(hidden_weight @ values + hidden_bias)
        values = weight @ values + bias
        return max(position.legal_moves(), key=lambda stone: values[stone - 1])


if __name__ == "__main__":
    export(train(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS))
