"""Settings of a teacher for submissions that are not recognised: `grade.toml`. Pure."""

import shlex
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from arena.grading.toolchain import RECOGNISERS, Command, Override


class InvalidSettings(ValueError):
    """An invalid `grade.toml`; the text is the reason in one line."""


@dataclass(frozen=True)
class Settings:
    """Settings of all submissions.

    Attributes:
        default: The settings of submissions without their own.
        submissions: The settings of submissions by name.
    """

    default: Override = field(default_factory=Override)
    submissions: Mapping[str, Override] = field(default_factory=dict)

    def of(self, name: str) -> Override:
        """Return the settings of a submission."""
        return self.submissions.get(name, self.default)

    def unused(self, names: Iterable[str]) -> list[str]:
        """Return the names that have settings, but are not among the names of submissions."""
        return sorted(self.submissions.keys() - {*names})


def parse_settings(text: str) -> Settings:
    """Return the settings in the text of a `grade.toml`.

    Raises:
        InvalidSettings: It is no TOML, or has an unknown key or an invalid value.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettings(str(error)) from None
    for key in document:
        if key not in ("default", "submissions"):
            raise InvalidSettings(f"unknown key {key!r} (choose from default, submissions)")
    tables = _table(document.get("submissions", {}), "submissions")
    return Settings(
        _override(document.get("default", {}), "default"),
        {name: _override(tables[name], f"submissions.{name}") for name in tables},
    )


def _override(value: object, where: str) -> Override:
    table = _table(value, where)
    known = [field.name for field in fields(Override)]
    for key, text in table.items():
        if key not in known:
            raise InvalidSettings(f"{where}: unknown key {key!r} (choose from {', '.join(known)})")
        if not isinstance(text, str) or not text.strip():
            raise InvalidSettings(f"{where}.{key} must be a text, not {text!r}")
    language = table.get("language")
    if language is not None and language not in RECOGNISERS and "run" not in table:
        raise InvalidSettings(
            f"{where}: unknown language {language!r} (choose from {', '.join(RECOGNISERS)})"
        )
    return Override(
        language,
        table.get("main"),
        _command(table.get("build"), where),
        _command(table.get("run"), where),
    )


def _command(text: str | None, where: str) -> Command | None:
    try:
        return tuple(shlex.split(text)) if text else None
    except ValueError as error:
        raise InvalidSettings(f"{where}: {text!r}: {error}") from None


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidSettings(f"{where} must be a table, not {value!r}")
    return value
