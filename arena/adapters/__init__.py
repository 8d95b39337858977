"""Adapters to libraries of reinforcement learning and game research, which import them lazily.

Each game has a module in the manner of PettingZoo here, its name followed by `_v0`.
"""

from types import ModuleType

VERSION = "_v0"


def __getattr__(name: str) -> ModuleType:
    """Return the module of a game's environment, for `from arena.adapters import NAME_v0`."""
    from core import GAMES

    game = name.removesuffix(VERSION)
    if game == name or game not in GAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from arena.adapters.pettingzoo import make_module

    return make_module(game)
