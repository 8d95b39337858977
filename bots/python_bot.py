"""Python bot: a class of a user with a method choose(position, clock)."""

import importlib
import inspect
import operator
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.machinery import PathFinder
from os.path import realpath
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.model.visible import printable
from bots.client import ClockReading
from bots.specification import BotSpec
from core.game import Position

MAX_REASON = 500  # characters of an exception of a user's code


class BotFailed(Exception):
    """A user's bot raised an exception. The text is the reason, one line."""


class PythonBot:
    """Strategy that calls an object of a user's class.

    Attributes:
        name: The name of the class.
    """

    def __init__(self, name: str, bot: Any) -> None:
        self.name = name
        self._bot = bot

    def __call__(self, position: Position, clock: ClockReading) -> int | None:
        """Return the move that the object chooses, None to resign.

        Anything else that it returns is returned too: the referee judges it.

        Raises:
            BotFailed: The object raised an exception of any type.
        """
        try:
            move = self._bot.choose(position, clock)
            if not isinstance(move, bool) and hasattr(move, "__index__"):
                return operator.index(move)  # an integer of numpy, for example
        except BaseException as error:
            raise BotFailed(f"{self.name}.choose raised {describe(error)}") from error
        return move  # type: ignore[no-any-return]


def load(spec: BotSpec, seed: int, folder: Path | None = None) -> PythonBot:
    """Create the bot of a user's class.

    Args:
        spec: A bot of the kind python.
        seed: The argument `seed` of the constructor, if it has one.
        folder: The folder in which the module is looked for before the installed packages; None is
            the working directory.

    Raises:
        ValueError: There is no such module or class, or its code raises an exception; one line.
    """
    kind = _find_class(spec, (folder or Path()).absolute())
    name = spec.default_name
    try:
        return PythonBot(name, _create(kind, seed))
    except BaseException as error:
        raise ValueError(f"bot {spec.text!r}: {name}() raised {describe(error)}") from error


@lru_cache  # each match creates bots
def _find_class(spec: BotSpec, folder: Path) -> type:
    """Return a bot's class. Raises ValueError."""
    module_name, _, name = spec.argument.partition(":")
    module = _import(spec.text, module_name, folder.resolve())
    found = vars(module).get(name)
    if not inspect.isclass(found):
        known = ", ".join(_bot_classes(module)) or "none with a method choose"
        raise ValueError(
            f"bot {spec.text!r}: no class {name!r} in {module_name} (classes: {known})"
        )
    if not callable(getattr(found, "choose", None)):
        raise ValueError(f"bot {spec.text!r}: class {name} has no method choose(position, clock)")
    return found


def describe(error: BaseException) -> str:
    """Return an exception in one line, with the place in the code that raised it."""
    words = f"{type(error).__name__}: {_message(error)}".split()
    text = printable(" ".join(words).removesuffix(":"))
    place = error.__traceback__
    while place and place.tb_next:
        place = place.tb_next
    if not place or place.tb_frame.f_code.co_filename == __file__:
        return text[:MAX_REASON]
    file = Path(place.tb_frame.f_code.co_filename).name
    return f"{text[:MAX_REASON]} ({file}, line {place.tb_lineno})"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # of a user's class
        return "without a message"


def _import(spec: str, name: str, folder: Path) -> ModuleType:
    top = name.partition(".")[0]
    if _is_hidden(top, folder):
        raise ValueError(
            f"bot {spec!r}: {top!r} in {folder} has the name of a module of Python or the arena"
            " (rename it)"
        )
    if sys.path[:1] != [str(folder)]:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            hint = f" ({name[:-3]} is the module)" if name.endswith(".py") else ""
            raise ValueError(
                f"bot {spec!r}: no module {name!r} in {folder} or the installed packages{hint}"
            ) from None
        raise ValueError(f"bot {spec!r}: cannot import {name}: {describe(error)}") from error
    except BaseException as error:
        raise ValueError(f"bot {spec!r}: cannot import {name}: {describe(error)}") from error


def _is_hidden(name: str, folder: Path) -> bool:
    """Return whether a folder has a module whose name belongs to another one."""
    found = PathFinder.find_spec(name, [str(folder)])
    if not found or name in sys.stdlib_module_names:
        return found is not None
    imported = sys.modules.get(name)
    own = imported.__spec__ if imported else found
    return own is None or realpath(own.origin or "") != realpath(found.origin or "")


def _bot_classes(module: ModuleType) -> Iterator[str]:
    for name, value in vars(module).items():
        if inspect.isclass(value) and callable(getattr(value, "choose", None)):
            yield name


def _create(kind: type, seed: int) -> object:
    """Call the constructor, with a seed if it has a parameter of that name."""
    match _kind_of_seed(kind):
        case inspect.Parameter.POSITIONAL_OR_KEYWORD | inspect.Parameter.KEYWORD_ONLY:
            return kind(seed=seed)
        case inspect.Parameter.POSITIONAL_ONLY:
            return kind(seed)
        case _:
            return kind()


@lru_cache
def _kind_of_seed(kind: type) -> object:
    """Return the kind of the constructor's parameter `seed`, None without one."""
    try:
        parameters = inspect.signature(kind).parameters
    except ValueError:  # of a compiled class
        return None
    found = parameters.get("seed")
    if found is None:
        return None
    is_positional = found.kind is inspect.Parameter.POSITIONAL_ONLY
    return found.kind if not is_positional or next(iter(parameters)) == "seed" else None
