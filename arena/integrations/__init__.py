"""Games and results for libraries of learning, game research and data frames, imported lazily.

Each game has a module in the manner of PettingZoo here, its name followed by `_v0`.
"""

from types import ModuleType

VERSION = "_v0"


def __getattr__(name: str) -> ModuleType:
    """Return the module of a game's environment, for `from arena.integrations import NAME_v0`."""
    from core import GAMES

    game = name.removesuffix(VERSION)
    if game == name or game not in GAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from arena.integrations.pettingzoo import make_module

    return make_module(game)
