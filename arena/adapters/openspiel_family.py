"""The games of OpenSpiel that the arena can play, as a family of games named `openspiel:NAME`.

They are those of two players who move in turn and see everything, without chance, in which one wins
what the other loses. Importing this module does not import the library.
"""

import random
from types import ModuleType
from typing import Any

from core.game import Game

PREFIX = "openspiel"
INSTALL = "OpenSpiel is not installed: pip install open_spiel"
KIND = "of two players with perfect information, turns, no chance and zero sum"
KNOWN_ISSUES = {"quoridor"}  # which OpenSpiel's own tests leave out
WRITTEN_IN_PYTHON = (
    "python_"  # prefix of games that are there once their module is imported, as ours
)
RANDOM_GAMES = 5  # that show whether the players move in turn


def find(name: str) -> Game:
    """Return a game with its usual parameters.

    Raises:
        ValueError: The library is not installed or has no such game, or the game is of another
            kind; the reason in one line.
    """
    pyspiel = _library()
    if name not in pyspiel.registered_names():
        raise ValueError(f"OpenSpiel has no game {name!r:.60}")
    if name not in _names_of_kind(pyspiel):
        raise ValueError(f"it is not {KIND}")
    from arena.adapters.spiel_position import make_game

    spiel = _load(pyspiel, name)
    if not _moves_in_turn(spiel):
        raise ValueError("its players do not move in turn")
    return make_game(f"{PREFIX}:{name}", spiel)


def names() -> list[str]:
    """Return the names of the games that `find` returns.

    Raises:
        ValueError: The library is not installed.
    """
    pyspiel = _library()
    return [name for name in _names_of_kind(pyspiel) if _moves_in_turn(_load(pyspiel, name))]


def _library() -> ModuleType:
    try:
        import pyspiel
    except ImportError:
        raise ValueError(INSTALL) from None
    module: ModuleType = pyspiel
    return module


def _names_of_kind(pyspiel: Any) -> list[str]:
    kind = pyspiel.GameType
    return [
        game.short_name
        for game in pyspiel.registered_games()
        if game.dynamics == kind.Dynamics.SEQUENTIAL
        and game.chance_mode == kind.ChanceMode.DETERMINISTIC
        and game.information == kind.Information.PERFECT_INFORMATION
        and game.utility == kind.Utility.ZERO_SUM
        and game.min_num_players <= 2 <= game.max_num_players
        and game.default_loadable
        and game.short_name not in KNOWN_ISSUES
        and not game.short_name.startswith(WRITTEN_IN_PYTHON)
    ]


def _load(pyspiel: Any, name: str) -> Any:
    """Load a game with its usual parameters, but without colours for terminals in its texts."""
    parameters = pyspiel.load_game(name).get_parameters()
    plain = {"ansi_color_output": False} if "ansi_color_output" in parameters else {}
    return pyspiel.load_game(name, plain)


def _moves_in_turn(spiel: Any) -> bool:
    """Return whether two players move in turn in some random games, always the same ones."""
    choice = random.Random(1).choice
    for _ in range(RANDOM_GAMES):
        state = spiel.new_initial_state()
        player = state.current_player()
        while not state.is_terminal():
            if state.current_player() != player:
                return False
            state.apply_action(choice(state.legal_actions()))
            player = 1 - player
    return True
