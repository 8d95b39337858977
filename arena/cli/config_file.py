"""A tournament in a file: TOML with the command line's flags as keys."""

import tomllib
from argparse import Namespace
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any


def defaults(path: Path, parse: Callable[[Sequence[str]], Namespace]) -> dict[str, Any]:
    """What a file says, by the names of the arguments; `parse` reads words as on a command line.

    Raises OSError, ValueError and what `parse` raises.
    """
    names = {name.replace("_", "-"): name for name in vars(parse([]))}
    flags = read(path)
    for key in flags:
        if key not in names or key in {"command", "file"}:
            raise ValueError(f"there is no key {key!r}")
    values = vars(parse([*chain.from_iterable(flags.values())]))
    if values["file"]:  # the second of a list where there may be but one
        raise ValueError(f"unrecognized arguments: {values['file']}")
    for key, words in flags.items():
        if not words and values[names[key]] is not False:
            raise ValueError(f"{key} cannot be false")
    return {names[key]: values[names[key]] for key in flags}


def read(path: Path) -> dict[str, list[str]]:
    """The words of the command line that each key in a file means.

    Raises OSError and ValueError.
    """
    try:
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # not all are tomllib's own
        raise ValueError(f"it is not TOML: {error}") from None
    return {key: _words(key, value) for key, value in facts.items()}


def _words(key: str, value: object) -> list[str]:
    match value:
        case bool():
            return [f"--{key}"] if value else []
        case list():
            return [f"--{key}", *(_item(key, item) for item in value)]
        case _:
            return [f"--{key}={_text(key, value)}"]


def _item(key: str, value: object) -> str:
    text = _text(key, value)
    if isinstance(value, str) and text.startswith("-"):
        raise ValueError(f"{key}: {text!r} would be another flag")
    return text


def _text(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{key} must be text, a number or a list of them, not {value!r}")
    text = str(value)
    if "\0" in text:
        raise ValueError(f"{key}: {text!r} holds a character that no argument can have")
    return text
