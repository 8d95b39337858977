"""The games of OpenSpiel that the arena can play, as a family of games named `openspiel:NAME`.

They have two players who move in turn and see everything, no chance, and one wins what the other
loses. A name may have parameters, as `openspiel:hex(board_size=5)`. OpenSpiel reads such names too,
but it also prints its errors, and ends the process for some values. Importing this module does not
import the library.
"""

import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import process_time
from types import MappingProxyType, ModuleType
from typing import Any

from core.game import Game
from core.numbers import parse_number

Value = bool | int | float | str

PREFIX = "openspiel"
INSTALL = "OpenSpiel is not installed: pip install open_spiel"
KIND = "of two players with perfect information, turns, no chance and zero sum"
NO_PARAMETERS: Mapping[str, Value] = MappingProxyType({})
CHECK = re.compile(r"\S+:\d+ ")  # place of a check that has failed, before what it checks
MAX_REASON = 200  # characters
STANDARD_ERROR = 2  # file descriptor
KNOWN_ISSUES = {"quoridor"}  # which OpenSpiel's own tests leave out
WRITTEN_IN_PYTHON = (
    "python_"  # prefix of games that are there once their module is imported, as ours
)
COLOURS = "ansi_color_output"  # parameter: colours for terminals in the texts
RANDOM_GAMES = 5  # that show whether a game can be played, and its players move in turn
RANDOM_MOVES = 10_000  # at most, of these games together
RANDOM_SECONDS = 2.0  # of processor time, after which no more of these moves are made
MAX_ACTIONS = 20_000  # of a game: its moves would take seconds
GAME_STRING = re.compile(r"(\w+)(?:\((.*)\))?", re.ASCII)
TEXT = re.compile(r"[\w.:;]+", re.ASCII)  # of a parameter that is a text
WHOLE_NUMBER = re.compile(r"-?\d{1,7}", re.ASCII)
BOOLEANS = {"True": True, "False": False, "true": True, "false": False}
MIN_NUMBER = 1  # of a whole number, unless its usual value is smaller
MAX_NUMBER = 2000  # larger games take too long


def find(name: str) -> Game:
    """Return a game.

    Args:
        name: The name that OpenSpiel has for it, with parameters or with the usual ones.

    Raises:
        ValueError: The library is not installed or has no such game, or the game is of another
            kind; the reason in one line.
    """
    pyspiel = _library()
    short_name, written = split_name(name)
    if short_name not in pyspiel.registered_names():
        raise ValueError(f"OpenSpiel has no game {short_name!r:.60}")
    if short_name not in _names_of_kind(pyspiel):
        raise ValueError(f"it is not {KIND}")
    parameters = parse_parameters(written, _usual(pyspiel, short_name))
    with _without_standard_error():
        spiel = _load_playable(pyspiel, short_name, parameters)
    from arena.integrations.spiel_position import make_game

    listed = ", ".join(f"{each} {value}" for each, value in parameters.items())
    title = spiel.get_type().long_name + (f" ({listed})" if listed else "")
    return make_game(f"{PREFIX}:{join_name(short_name, parameters)}", title, spiel)


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


def _specified(pyspiel: Any, name: str) -> dict[str, Value]:
    """Return the parameters of a game with their usual values."""
    return dict(pyspiel.load_game(name).get_type().parameter_specification)


def _usual(pyspiel: Any, name: str) -> dict[str, Value]:
    """Return the parameters that a user may choose, with their usual values."""
    specified = _specified(pyspiel, name)
    return {each: value for each, value in specified.items() if each != COLOURS}


def _load(pyspiel: Any, name: str, parameters: Mapping[str, Value] = NO_PARAMETERS) -> Any:
    """Load a game, without colours for terminals in its texts."""
    plain = {COLOURS: False} if COLOURS in _specified(pyspiel, name) else {}
    return pyspiel.load_game(name, {**parameters, **plain})


def _load_playable(pyspiel: Any, name: str, parameters: Mapping[str, Value]) -> Any:
    """Load a game that the arena can play. Raises ValueError with the reason if it cannot."""
    try:
        spiel = _load(pyspiel, name, parameters)
        actions = spiel.num_distinct_actions()
        is_in_turn = actions > MAX_ACTIONS or _moves_in_turn(spiel)
    except Exception as error:  # of the library, which has no common class for them
        raise ValueError(_reason(error)) from None
    if actions > MAX_ACTIONS:
        raise ValueError(f"it has {actions:,} different moves (at most {MAX_ACTIONS:,})")
    if not is_in_turn:
        raise ValueError("its players do not move in turn")
    return spiel


def _reason(error: Exception) -> str:
    text = (str(error).splitlines() or [type(error).__name__])[0][:MAX_REASON]
    if CHECK.match(text):
        return f"OpenSpiel requires {CHECK.sub('', text)}"
    return f"OpenSpiel cannot play it: {text}"


def _moves_in_turn(spiel: Any) -> bool:
    """Return whether two players move in turn in some random games, always the same ones.

    Raises:
        Exception: The game cannot be played with these parameters.
    """
    choice = random.Random(1).choice
    moves, deadline = 0, process_time() + RANDOM_SECONDS
    for _ in range(RANDOM_GAMES):
        state = spiel.new_initial_state()
        player = state.current_player()
        while not state.is_terminal() and moves < RANDOM_MOVES and process_time() < deadline:
            if state.current_player() != player:
                return False
            legal = state.legal_actions()
            if not legal:
                raise ValueError("there is no legal move")
            state.apply_action(choice(legal))
            player = 1 - player
            moves += 1
        str(state)  # may fail, too
    return True


def split_name(text: str) -> tuple[str, dict[str, str]]:
    """Return the short name of a game and its parameters as they are written.

    Raises:
        ValueError: The text is no game string, in one line.
    """
    match = GAME_STRING.fullmatch(text)
    if not match:
        raise ValueError("expected NAME or NAME(PARAMETER=VALUE,...)")
    parameters: dict[str, str] = {}
    for part in filter(None, (match[2] or "").split(",")):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise ValueError(f"expected PARAMETER=VALUE, got {part!r:.60}")
        if name in parameters:
            raise ValueError(f"repeated parameter {name!r:.60}")
        parameters[name] = value
    return match[1], parameters


def parse_parameters(written: Mapping[str, str], usual: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of parameters by name, in the order of the names.

    Args:
        written: The parameters as they are written.
        usual: The usual value of each parameter that the game has.

    Raises:
        ValueError: There is no such parameter, or a value is invalid, in one line.
    """
    for name in written:
        if name not in usual:
            known = ", ".join(f"{each}={usual[each]}" for each in sorted(usual)) or "none"
            raise ValueError(f"unknown parameter {name!r:.60} (parameters: {known})")
    return {name: _parse(name, written[name], usual[name]) for name in sorted(written)}


def join_name(name: str, parameters: Mapping[str, Value]) -> str:
    """Return the game string of a game with parameters, which are in order."""
    written = ",".join(f"{each}={value}" for each, value in parameters.items())
    return f"{name}({written})" if written else name


def _parse(name: str, text: str, usual: Value) -> Value:
    value: Value | None
    match usual:
        case bool():
            expected, value = "True or False", BOOLEANS.get(text)
        case int():
            least = min(MIN_NUMBER, usual)
            expected, value = f"a whole number from {least} to {MAX_NUMBER}", _whole_number(text)
            value = value if value is not None and least <= value <= MAX_NUMBER else None
        case float():
            expected, value = "a number", _number(text)
        case _:
            expected = "letters, digits or any of _.:;"
            value = text if TEXT.fullmatch(text) else None
    if value is None:
        raise ValueError(f"parameter {name}: expected {expected}, got {text!r:.60}")
    return value


def _whole_number(text: str) -> int | None:
    return int(text) if WHOLE_NUMBER.fullmatch(text) else None


def _number(text: str) -> float | None:
    try:
        return parse_number(text)
    except ValueError:
        return None


@contextmanager
def _without_standard_error() -> Iterator[None]:
    """Discard standard error: the library prints each error that it raises."""
    saved, null = os.dup(STANDARD_ERROR), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, STANDARD_ERROR)
        yield
    finally:
        os.dup2(saved, STANDARD_ERROR)
        os.close(saved)
        os.close(null)
