"""Class of each command."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from arena.cli.commands.administration import TokenConfig
from arena.cli.commands.merge import MergeConfig
from arena.cli.commands.records import ExportConfig, ImportConfig
from arena.cli.commands.replay import AnalyseConfig, VerifyConfig
from arena.cli.commands.report import ReportConfig
from arena.cli.commands.standings import StandingsConfig
from arena.cli.commands.view import ViewConfig
from arena.cli.parser import COMMANDS, command_class, parse
from arena.cli.shared_options import Command
from tests.support.cases import loop_over


@loop_over("name", COMMANDS)
def test_each_command_has_a_class(name: str) -> None:
    kind = command_class(name)
    assert kind.command == name
    assert kind.run is not Command.run


def test_commands_are_frozen() -> None:
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
def test_other_commands(words: str, expected: Command) -> None:
    config = parse(words.split())
    assert config == expected
    assert config.command == words.split()[0]
