"""Frozen configuration of each command."""

from dataclasses import FrozenInstanceError, fields
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import get_args

import pytest

from arena.cli.configuration import (
    AnalyseConfig,
    CommandConfig,
    ExportConfig,
    ImportConfig,
    MergeConfig,
    ReportConfig,
    StandingsConfig,
    TokenConfig,
    VerifyConfig,
    ViewConfig,
)
from arena.cli.parser import parse
from tests.support.cases import loop_over

KINDS = get_args(CommandConfig)


@loop_over("kind", KINDS)
def test_each_configuration_is_of_a_command_that_is_no_field(kind: type[CommandConfig]) -> None:
    name = kind.command.replace("-", "_") + "_" * iskeyword(kind.command)
    assert callable(import_module(f"arena.cli.commands.{name}").run)
    assert "command" not in {field.name for field in fields(kind)}


def test_configurations_are_frozen() -> None:
    config = StandingsConfig(Path("x.db"))
    with pytest.raises(FrozenInstanceError):
        config.json = True  # type: ignore[misc]


@loop_over(
    "words, expected",
    (
        "standings x.db --anchor a=5 --los",
        StandingsConfig(Path("x.db"), anchor=("a", 5.0), los=True),
    ),
    ("report x.db --output y.html", ReportConfig(Path("x.db"), Path("y.html"))),
    ("view x.db --port 1", ViewConfig(Path("x.db"), None, "127.0.0.1", 1)),
    ("export x.db --format csv", ExportConfig(Path("x.db"), "csv")),
    ("import x.pgn x.db", ImportConfig(Path("x.pgn"), Path("x.db"))),
    (
        "merge a.db b.db --output c.db",
        MergeConfig((Path("a.db"), Path("b.db")), Path("c.db")),
    ),
    ("verify x.db", VerifyConfig(Path("x.db"))),
    ("analyse x.db --json", AnalyseConfig(Path("x.db"), json=True)),
    ("token list", TokenConfig("list", Path("tokens.json"))),
    ("token add Ann", TokenConfig("add", Path("tokens.json"), "Ann")),
)
def test_other_commands(words: str, expected: CommandConfig) -> None:
    config = parse(words.split())
    assert config == expected
    assert config.command == words.split()[0]
