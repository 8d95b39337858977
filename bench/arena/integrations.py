"""Speed of the environments for agents that learn: `python -m bench.arena.integrations`.

Random players take steps in environments, and in a plain loop over the positions of the game, which
is the reference; copies of states of OpenSpiel are compared with copies of its tic-tac-toe. Runs
alternate, and each figure is the best of several. Environments that PettingZoo brings are measured
too if pygame is installed, which they need: `pip install pygame-ce`.
"""

import argparse
import random
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401  it registers the game

import arena.integrations.openspiel  # noqa: F401  likewise
from arena.integrations.gymnasium import OpponentEnv
from arena.integrations.gymnasium_vector import GameVectorEnv
from arena.integrations.pettingzoo import GameEnv
from bench.goals import met
from core import GAMES

GOAL = 106_000  # steps a second of the first case: twice as many as a first version made
VECTOR_GOAL = 3_000_000  # steps a second of 1,000 boards of 20 stones
COPY_GOAL = 1.5  # of the time for tic-tac-toe, at most
BOARDS = 1000  # of a vector
VECTOR_STEPS = 20  # times the steps of single environments
COPIED = ("python_tic_tac_toe", "python_take_stones", "python_isolation")
COPIED_MOVES = 4  # that the copied state has
CASES: list[tuple[str, dict[str, Any]]] = [
    ("take_stones", {"stones": 20}),
    ("take_stones", {"stones": 100}),
    ("isolation", {"size": 8}),
]
CLASSIC = ("tictactoe_v3", "connect_four_v3")
RUNS = 5

Steps = Callable[[int], object]
"""Takes a number of steps."""


def loop(game: str, setup: dict[str, Any]) -> Steps:
    """Return the reference: random games by the rules alone."""

    def run(steps: int) -> None:
        position = GAMES[game].position(**setup)
        for _ in range(steps):
            legal = position.legal_moves()
            if not legal:
                position = GAMES[game].position(**setup)
                legal = position.legal_moves()
            position.play(random.choice(legal))

    return run


def alternate(env: Any) -> Steps:
    """Return random play in an environment of PettingZoo, as its own benchmark plays."""

    def run(steps: int) -> None:
        env.reset()
        for _ in range(steps):
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.reset()
                seen, *_ = env.last()
            env.step(random.choice(seen["action_mask"].nonzero()[0].tolist()))

    return run


def against_bot(env: OpponentEnv) -> Steps:
    """Return random play in an environment of Gymnasium; the bot's answer is part of a step."""

    def run(steps: int) -> None:
        _, info = env.reset()
        for _ in range(steps):
            action = random.choice(info["action_mask"].nonzero()[0].tolist())
            _, _, is_over, _, info = env.step(action)
            while is_over or not info["action_mask"].any():
                _, info = env.reset()
                is_over = False

    return run


def in_vector(env: GameVectorEnv) -> Steps:
    """Return random play in a vector of environments; the choice of the actions is part of it."""
    random_numbers = np.random.default_rng(1)

    def run(steps: int) -> None:
        _, info = env.reset(seed=1)
        for _ in range(steps // env.num_envs):
            mask = info["action_mask"]
            drawn = random_numbers.random(mask.shape, np.float32)
            *_, info = env.step((drawn * mask).argmax(axis=1))

    return run


def copying(game: str) -> Steps:
    """Return the copying of a state of OpenSpiel, and the question for its legal actions."""
    state = pyspiel.load_game(game).new_initial_state()
    for _ in range(COPIED_MOVES):
        state.apply_action(state.legal_actions()[0])

    def run(steps: int) -> None:
        for _ in range(steps):
            state.clone().legal_actions()

    return run


def classic(name: str) -> Steps | None:
    """Return random play in an environment of PettingZoo's own; None without pygame."""
    try:
        return alternate(import_module(f"pettingzoo.classic.{name}").env())
    except ImportError:
        return None


def measure(runs: Mapping[str, Steps], steps: int) -> dict[str, float]:
    """Return the most steps a second of several runs of each, which alternate."""
    fastest = dict.fromkeys(runs, 0.0)
    for _ in range(RUNS):
        for label, run in runs.items():
            start = time.process_time()
            run(steps)
            fastest[label] = max(fastest[label], steps / (time.process_time() - start))
    return fastest


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.integrations", description="Measure environments."
    )
    parser.add_argument("--steps", type=int, default=50_000, metavar="N", help="of each run")
    steps = parser.parse_args().steps
    runs: dict[str, Steps] = {}
    for game, setup in CASES:
        label = " ".join([game, *map(str, setup.values())])
        runs[f"{label}, plain loop"] = loop(game, setup)
        runs[f"{label}, PettingZoo"] = alternate(GameEnv(game, **setup))
        runs[f"{label}, Gymnasium"] = against_bot(OpponentEnv(game, **setup))
    runs |= {f"PettingZoo's {name}": run for name in CLASSIC if (run := classic(name))}
    fastest = measure(runs, steps)
    reference = 0.0
    for label, speed in fastest.items():
        if label.endswith("plain loop"):
            reference = speed
        ratio = f"  {speed / reference:.3f} of the plain loop" if "," in label else ""
        print(f"{label:>32}: {speed:9,.0f} steps/s{ratio}")
    first = next(speed for label, speed in fastest.items() if label.endswith("PettingZoo"))
    print(f"goal of {GOAL:,} steps/s of PettingZoo with the first game: {met(first >= GOAL)}")
    print_vectors(steps)
    print_copies(steps)


def print_vectors(steps: int) -> None:
    """Print the speed of vectors of environments."""
    game, setup = CASES[0]
    runs = {
        f"{BOARDS} boards, {opponent or 'itself'}": in_vector(
            GameVectorEnv(game, BOARDS, opponent=opponent, **setup)
        )
        for opponent in ("random", None)
    }
    fastest = measure(runs, VECTOR_STEPS * steps)
    for label, speed in fastest.items():
        print(f"{label:>32}: {speed:9,.0f} steps/s")
    is_met = met(min(fastest.values()) >= VECTOR_GOAL)
    print(f"goal of {VECTOR_GOAL:,} steps/s of a vector: {is_met}")


def print_copies(steps: int) -> None:
    """Print the time of copies of OpenSpiel's states, next to its tic-tac-toe."""
    times = {
        game: 1 / speed for game, speed in measure({g: copying(g) for g in COPIED}, steps).items()
    }
    ratios = {game: seconds / times[COPIED[0]] for game, seconds in times.items()}
    for game, ratio in ratios.items():
        print(f"{f'copy of {game}':>32}: {times[game] * 1e6:9.1f} µs, {ratio:.2f} of tic-tac-toe")
    print(f"goal of {COPY_GOAL} of tic-tac-toe: {met(max(ratios.values()) <= COPY_GOAL)}")


if __name__ == "__main__":
    main()
