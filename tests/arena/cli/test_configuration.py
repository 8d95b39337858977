"""Frozen configuration of each command."""

from dataclasses import FrozenInstanceError, fields
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import get_args

import pytest

from arena.cli.configuration import CommandConfig, StandingsConfig
from tests.support.cases import loop_over

KINDS = get_args(CommandConfig)


@loop_over("kind", KINDS)
def test_each_configuration_is_of_a_command_that_is_no_field(kind: type[CommandConfig]) -> None:
    name = kind.command + "_" * iskeyword(kind.command)
    assert callable(import_module(f"arena.cli.commands.{name}").run)
    assert "command" not in {field.name for field in fields(kind)}


def test_configurations_are_frozen() -> None:
    config = StandingsConfig(Path("x.db"))
    with pytest.raises(FrozenInstanceError):
        config.json = True  # type: ignore[misc]
