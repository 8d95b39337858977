"""Strategies of the bots that the code of the project runs, by their specifications."""

from pathlib import Path

from bots.client import Strategy
from bots.greedy_bot import GreedyBot
from bots.perfect_bot import PerfectBot
from bots.python_bot import load
from bots.random_bot import RandomBot
from bots.spec_bot import SpecBot
from bots.specification import FORMS, BotSpec, Kind
from bots.strong_bot import StrongBot

GROUP = "take_stones_arena.bots"  # entry points of bots of other libraries, by their kind


def create_strategy(spec: BotSpec, seed: int, bot_files: Path | None = None) -> Strategy:
    """Return a new strategy.

    Args:
        spec: A bot that is a strategy.
        seed: The seed of bots that make random choices.
        bot_files: The folder of users' modules; None is the working directory.

    Raises:
        ValueError: The specification lacks its depth, or it names another kind of bot; or the
            user's class or the library of the bot cannot be used; one line.
    """
    match spec.kind:
        case Kind.RANDOM:
            return RandomBot(seed)
        case Kind.GREEDY:
            return GreedyBot()
        case Kind.PERFECT:
            return PerfectBot()
        case Kind.STRONG:
            return StrongBot(spec.depth or 0, spec.nodes)
        case Kind.SPEC if spec.depth is not None:
            return SpecBot(spec.depth, spec.nodes)
        case Kind.PYTHON:
            return load(spec, seed, bot_files)
        case Kind.OPENSPIEL:
            return _of_library(spec, seed)
        case Kind.SPEC:
            raise ValueError(f"bot {spec.text!r}: expected {FORMS[spec.kind]}")
    raise ValueError(f"bot {spec.text!r} is a program, not a strategy")


def _of_library(spec: BotSpec, seed: int) -> Strategy:
    from importlib.metadata import entry_points  # slow

    for found in entry_points(group=GROUP, name=spec.kind):
        created: Strategy = found.load()(spec, seed)
        return created
    raise ValueError(f"bot {spec.text!r}: no installed package has the bots of {spec.kind}")
