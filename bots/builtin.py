"""Strategies by their specifications: the built-in bots and users' Python bots."""

from pathlib import Path

from bots.client import Strategy
from bots.greedy_bot import GreedyBot
from bots.perfect_bot import PerfectBot
from bots.python_bot import PREFIX, load
from bots.random_bot import RandomBot
from bots.spec_bot import SpecBot

KINDS = ("random", "greedy", "spec", "perfect")
CHOICES = "random, greedy, spec:DEPTH, perfect, python:MODULE:CLASS, stdio:COMMAND, program:COMMAND"


def create_strategy(spec: str, seed: int, bot_files: Path | None = None) -> Strategy:
    """Return a new strategy.

    Args:
        spec: `random`, `greedy`, `spec:DEPTH`, `perfect` or `python:MODULE:CLASS`.
        seed: The seed of bots that make random choices.
        bot_files: The folder of users' modules; None is the working directory.

    Raises:
        ValueError: The specification is invalid, or the user's class cannot be used; one line.
    """
    if spec.startswith(PREFIX):
        return load(spec, seed, bot_files)
    kind, colon, depth = spec.partition(":")
    if kind not in KINDS:
        raise ValueError(f"unknown bot {spec!r} (choose from {CHOICES})")
    if kind == "spec":
        return SpecBot(_parse_depth(depth))
    if colon:
        raise ValueError(f"a depth applies to spec only, not to {spec!r}")
    if kind == "random":
        return RandomBot(seed)
    return PerfectBot() if kind == "perfect" else GreedyBot()


def _parse_depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a depth in plies, got {text!r}")
    return int(text)
