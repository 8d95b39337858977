"""Strategies by their specifications: the built-in bots and users' Python bots."""

from pathlib import Path

from bots.client import Strategy
from bots.greedy_bot import GreedyBot
from bots.mcts_bot import FORM, MctsBot, parse
from bots.mcts_bot import PREFIX as OPENSPIEL
from bots.perfect_bot import PerfectBot
from bots.python_bot import PREFIX, load
from bots.random_bot import RandomBot
from bots.spec_bot import SpecBot
from bots.strong_bot import StrongBot

KINDS = ("random", "greedy", "spec", "strong", "perfect")
SEARCHING_KINDS = ("spec", "strong")  # which have a depth and a number of nodes
CHOICES = (
    "random, greedy, spec:DEPTH[@nodes=N], strong[:DEPTH][@nodes=N], perfect,"
    f" {FORM}, python:MODULE:CLASS, stdio:COMMAND, program:COMMAND"
)
MAX_NODES = 10**15 - 1  # as in a time control


def create_strategy(spec: str, seed: int, bot_files: Path | None = None) -> Strategy:
    """Return a new strategy.

    Args:
        spec: `random`, `greedy`, `spec:DEPTH`, `strong` or `strong:DEPTH`, the latter three also
            with `@nodes=N`, `perfect`, `openspiel:mcts:SIMULATIONS` or `python:MODULE:CLASS`.
        seed: The seed of bots that make random choices.
        bot_files: The folder of users' modules; None is the working directory.

    Raises:
        ValueError: The specification is invalid, or the user's class cannot be used; one line.
    """
    if spec.startswith(PREFIX):
        return load(spec, seed, bot_files)
    if spec.startswith(OPENSPIEL):
        return MctsBot(parse(spec), seed)
    words, at, nodes = spec.partition("@nodes=")
    kind, colon, depth = words.partition(":")
    if kind not in KINDS:
        raise ValueError(f"unknown bot {spec!r} (choose from {CHOICES})")
    if kind == "spec":
        return SpecBot(_parse_depth(depth), _parse_nodes(nodes) if at else None)
    if kind == "strong":
        return StrongBot(_parse_depth(depth) if colon else 0, _parse_nodes(nodes) if at else None)
    if colon or at:
        raise ValueError(f"limits apply to {' and '.join(SEARCHING_KINDS)} only, not to {spec!r}")
    if kind == "random":
        return RandomBot(seed)
    return PerfectBot() if kind == "perfect" else GreedyBot()


def _parse_depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a depth in plies, got {text!r}")
    return int(text)


def _parse_nodes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_NODES):
        raise ValueError(f"expected nodes from 1 to {MAX_NODES}, got {text!r}")
    return int(text)
