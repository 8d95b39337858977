"""Speed of the environments for agents that learn: `python -m bench.arena.adapters`.

Random players take steps in environments, and in a plain loop over the positions of the game, which
is the reference. Runs alternate, and each figure is the best of several. Environments that
PettingZoo brings are measured too if pygame is installed, which they need: `pip install pygame-ce`.
"""

import argparse
import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from arena.adapters.gymnasium import OpponentEnv
from arena.adapters.pettingzoo import GameEnv
from bench.goals import met
from core import GAMES

GOAL = 106_000  # steps a second of the first case: twice those of a first version
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


def classic(name: str) -> Steps | None:
    """Return random play in an environment of PettingZoo's own; None without pygame."""
    try:
        return alternate(import_module(f"pettingzoo.classic.{name}").env())
    except ImportError:
        return None


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.adapters", description="Measure environments."
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
    fastest = dict.fromkeys(runs, 0.0)
    for _ in range(RUNS):
        for label, run in runs.items():
            start = time.process_time()
            run(steps)
            fastest[label] = max(fastest[label], steps / (time.process_time() - start))
    reference = 0.0
    for label, speed in fastest.items():
        if label.endswith("plain loop"):
            reference = speed
        ratio = f"  {speed / reference:.3f} of the plain loop" if "," in label else ""
        print(f"{label:>32}: {speed:9,.0f} steps/s{ratio}")
    first = next(speed for label, speed in fastest.items() if label.endswith("PettingZoo"))
    print(f"goal of {GOAL:,} steps/s of PettingZoo with the first game: {met(first >= GOAL)}")


if __name__ == "__main__":
    main()
