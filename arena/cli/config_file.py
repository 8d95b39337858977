"""Configuration file of a tournament: TOML with the flags of the command line as keys."""

import tomllib
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Mapping
from datetime import date, time
from itertools import chain
from pathlib import Path
from typing import Any

from arena.cli.arguments import BOTS_HINT, UsageError
from arena.cli.tournament_options import TournamentConfig
from arena.line_file import read_text
from arena.options import GIVEN

SETTINGS = "bot"  # the key whose tables, one for each bot, are settings


def set_defaults(command: ArgumentParser, given: Namespace) -> None:
    """Let the values of a file replace the defaults of `arena tournament`.

    Args:
        command: The parser of the command.
        given: The arguments of the command line, with the file.

    Raises:
        UsageError: The file cannot be read, or is not valid.
    """
    try:
        found = _values(given.file, command)
        _check(found, given)
    except OSError as error:
        hint = "" if given.file.suffix == ".toml" else BOTS_HINT
        raise UsageError(f"cannot read {given.file}: {error.strerror}{hint}") from None
    except (ValueError, UsageError) as error:
        raise UsageError(f"{given.file}: {error}") from None
    for group in command._mutually_exclusive_groups:
        names = {action.dest for action in group._group_actions}
        if any(getattr(given, name) not in (None, False) for name in names):
            # The flag replaces the file's choice.
            found = {name: value for name, value in found.items() if name not in names}
    command.set_defaults(**found)


def _check(found: Mapping[str, Any], given: Namespace) -> None:
    """Check the values of a file, also for the game. Raises ValueError and UsageError."""
    is_given = "game" in getattr(given, GIVEN, ())
    config = TournamentConfig.of({**found, "game": given.game} if is_given else found)
    if any(config.parameters.values()):
        config.setups_of([config.game])


def _values(path: Path, command: ArgumentParser) -> dict[str, Any]:
    """Return the values of a file, by the names of the arguments. Raises OSError and ValueError."""
    names = {
        flag.removeprefix("--"): action.dest
        for flag, action in command._option_string_actions.items()
        if action.default is not SUPPRESS  # of --help
    }
    flags = read(path)
    for key in flags:
        if key not in names:
            raise ValueError(f"unknown key {key!r}{_hint(key, names)}")
    values = vars(command.parse_args([*chain.from_iterable(flags.values())]))
    if values["file"]:  # the second value of a flag that takes one
        raise ValueError(f"unrecognized arguments: {values['file']}")
    for key, words in flags.items():
        if not words and values[names[key]] is not False:
            raise ValueError(f"{key} cannot be false")
    return {names[key]: values[names[key]] for key in flags}


def _hint(key: str, names: Collection[str]) -> str:
    """Return a question for the nearest key, if one is near; underscores stand for hyphens."""
    import difflib  # slow to import

    nearest = difflib.get_close_matches(key.replace("_", "-").lower(), names, n=1, cutoff=0.7)
    return f" (did you mean {nearest[0]!r}?)" if nearest else ""


def read(path: Path) -> dict[str, list[str]]:
    """Return the words of the command line that each key of a file stands for.

    Raises:
        OSError: The file cannot be read.
        ValueError: The file is not TOML, or holds a value that no flag can have.
    """
    try:
        facts = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:  # some are not TOMLDecodeError
        raise ValueError(f"invalid TOML: {error}") from None
    return {key: _words(key, value) for key, value in facts.items()}


def _words(key: str, value: object) -> list[str]:
    match value:
        case bool():
            return [f"--{key}"] if value else []
        case dict() if key == SETTINGS and value:
            return [word for name, table in value.items() for word in _settings(name, table)]
        case list():
            return [f"--{key}", *(_item(key, item) for item in value)]
        case _:
            return [f"--{key}={_text(key, value)}"]


def _settings(name: str, table: object) -> Iterator[str]:
    """Yield the words of the table of a bot; its `env` is a table too."""
    if not isinstance(table, dict) or not table:
        raise ValueError(f"{SETTINGS}.{name} must be a table of settings, not {table!r}")
    yield f"--{SETTINGS}"
    yield _item(SETTINGS, name)
    for key, value in table.items():
        if isinstance(value, dict):
            for each in value:
                yield f"{key}.{each}={_text(f'{SETTINGS}.{name}.{key}.{each}', value[each])}"
        elif isinstance(value, bool):
            yield f"{key}={'on' if value else 'off'}"
        else:
            yield f"{key}={_text(f'{SETTINGS}.{name}.{key}', value)}"


def _item(key: str, value: object) -> str:
    text = _text(key, value)
    if isinstance(value, str) and text.startswith("-"):
        raise ValueError(f"{key}: {text!r} would be read as a flag")
    return text


def _text(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        shown = f"{value}" if isinstance(value, date | time) else repr(value)
        raise ValueError(f"{key} must be text, a number or a list of them, not {shown}")
    text = str(value)
    if "\0" in text:
        raise ValueError(f"{key}: {text!r} contains a NUL character")
    return text
