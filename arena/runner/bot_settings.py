"""Settings of single bots: their own time, folder, environment, and a new process for each match.

An organiser writes them as KEY=VALUE; the plan holds them as text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Self

from arena.model.time_control import TimeControl
from arena.options import named_values
from bots.specification import COMMANDS, USERS_CODE, BotSpec, Kind

TIME, FOLDER, RESTART, ENVIRONMENT = "time", "dir", "restart", "env."
SWITCH = {"on": True, "off": False}
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
RESERVED = "ARENA_"  # prefix of the variables that the arena sets

Settings = Mapping[str, str]
"""The settings of a bot as text by key, in the order of the keys."""

NO_SETTINGS: Mapping[str, Settings] = MappingProxyType({})


@dataclass(frozen=True)
class ProcessSettings:
    """Settings of the process of a bot.

    Attributes:
        folder: The working directory, where Python modules are looked for too; None is the usual
            one.
        restarts: Whether each match has a new process.
        environment: Variables to add to the inherited ones.
    """

    folder: Path | None = None
    restarts: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return those among the settings of a bot, which have been checked."""
        folder = settings.get(FOLDER)
        return cls(
            Path(folder) if folder is not None else None,
            RESTART in settings,
            {
                key.removeprefix(ENVIRONMENT): value
                for key, value in settings.items()
                if key.startswith(ENVIRONMENT)
            },
        )


USUAL = ProcessSettings()


def parse_settings(words: Sequence[Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return the settings of bots by name; later ones of a bot replace earlier ones of the key.

    Args:
        words: Each the name of a bot and its settings, KEY=VALUE.

    Raises:
        ValueError: A setting has another form, an unknown key or an invalid value.
    """
    found: dict[str, dict[str, str | None]] = {}
    for name, *texts in words:
        if not texts:
            raise ValueError(f"{name}: no settings (expected KEY=VALUE)")
        try:
            given = named_values(texts, "KEY=VALUE")
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        checked = {key: _checked(name, key, value) for key, value in given.items()}
        found.setdefault(name, {}).update(checked)
    # What is off is as if it was not given, and the order of the keys makes no difference.
    return {
        name: {key: value for key, value in sorted(settings.items()) if value is not None}
        for name, settings in found.items()
    }


def _checked(name: str, key: str, value: str) -> str | None:
    """Return a value in its only spelling, None for one that is off; raise ValueError."""
    if "\0" in value:
        raise ValueError(f"{name}: {key} contains a NUL character")
    if key == TIME:
        return _time(name, value)
    if key == FOLDER:
        if not (value and Path(value).is_dir()):
            raise ValueError(f"{name}: dir {value!r} is not a folder")
        return value
    if key == RESTART:
        if value not in SWITCH:
            raise ValueError(f"{name}: restart must be {' or '.join(SWITCH)}, not {value!r}")
        return value if SWITCH[value] else None
    if key.startswith(ENVIRONMENT):
        _check_variable(name, key.removeprefix(ENVIRONMENT))
        return value
    known = f"{TIME}, {FOLDER}, {RESTART}, {ENVIRONMENT}NAME"
    raise ValueError(f"{name}: unknown setting {key!r} (choose from {known})")


def _time(name: str, text: str) -> str:
    try:
        control = TimeControl.parse(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if control.margin:
        raise ValueError(f"{name}: time {text!r}: the margin of --time is that of all bots")
    return str(control)


def _check_variable(name: str, variable: str) -> None:
    if not VARIABLE.fullmatch(variable):
        raise ValueError(f"{name}: {variable!r} is not the name of an environment variable")
    if variable.startswith(RESERVED):
        raise ValueError(f"{name}: the arena itself sets the variables {RESERVED}...")


def check_settings(
    settings: Mapping[str, Settings], bots: Mapping[str, BotSpec], *, in_process: bool
) -> None:
    """Check that the settings can apply to their bots.

    Args:
        settings: The settings of each bot, by name.
        bots: The specification of each bot, by name.
        in_process: Whether the bots play in process.

    Raises:
        ValueError: There is no such bot, or a setting has no meaning for it.
    """
    for name, given in settings.items():
        if name not in bots:
            raise ValueError(f"--bot: unknown bot {name!r} (choose from {', '.join(bots)})")
        spec = bots[name]
        for key, value in given.items():
            if key == TIME:
                if not (in_process or TimeControl.parse(value).has_clock):
                    raise ValueError(f"--bot {name}: time {value!r} requires --workers")
            elif reason := _obstacle(spec, key, in_process):
                raise ValueError(f"--bot {name}: {key} {reason}")


def _obstacle(spec: BotSpec, key: str, in_process: bool) -> str | None:
    """Return why a setting of a process has no meaning for a bot; None if it has one."""
    if in_process:
        return "has no meaning in process, where bots share the processes of the workers"
    if spec.kind is Kind.EXTERNAL:
        return f"has no meaning for {spec.text!r}, which the arena does not start"
    if spec.kind not in {*USERS_CODE, *COMMANDS}:
        return f"has no meaning for the built-in bot {spec.text!r}"
    if key == RESTART and spec.kind is Kind.PROGRAM:
        return "has no meaning for program:, which starts a process for each move"
    return None
