"""Conversion of parsed arguments to configurations."""

from pathlib import Path

import pytest

from arena.cli.arguments import DEFAULT_OFFERS, UsageError
from arena.cli.configuration import (
    AnalyseConfig,
    CommandConfig,
    ExportConfig,
    ImportConfig,
    ReportConfig,
    ServeConfig,
    StandingsConfig,
    TokenConfig,
    TournamentConfig,
    VerifyConfig,
    ViewConfig,
)
from arena.cli.parser import parse
from arena.configuration import ArenaConfig
from arena.model.time_control import TimeControl
from bots.specification import read_bots
from core import GAMES
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured


def error_for(*words: str) -> str:
    with pytest.raises(UsageError) as raised:
        parse(words)
    return str(raised.value)


def test_defaults_of_commands() -> None:
    config = configured(TournamentConfig, "tournament")
    assert (config.bots, config.game) == (None, "take_stones")
    assert config.setups == ({"stones": 20}, {"stones": 30}, {"stones": 50})
    assert (config.format, config.seed, config.db) == ("round-robin", None, None)
    assert config.arena == ArenaConfig(("take_stones",), TimeControl.parse("5+0.05"), has_page=True)
    serving = configured(ServeConfig, "serve")
    assert [*serving.setups] == [*GAMES]
    assert [*(serving.arena.house_bots or ())] == DEFAULT_OFFERS
    assert serving.arena == ArenaConfig(
        tuple(GAMES),
        TimeControl.parse("5+0.05"),
        port=8765,
        has_page=True,
        has_metrics=True,
        house_bots=serving.arena.house_bots,
    )


@loop_over(
    "words, bots",
    ("--game isolation", {bot: bot for bot in DEFAULT_OFFERS if bot != "perfect"}),
    ("--offer", {}),
    ("--offer a=greedy random", {"a": "greedy", "random": "random"}),
)
def test_house_bots(words: str, bots: dict[str, str]) -> None:
    assert configured(ServeConfig, "serve", *words.split()).arena.house_bots == read_bots(bots)


@loop_over(
    "words, expected",
    ("standings x.db --anchor a=5 --los", StandingsConfig(Path("x.db"), ("a", 5.0), los=True)),
    ("report x.db --output y.html", ReportConfig(Path("x.db"), Path("y.html"), games=1000)),
    ("view x.db --port 1", ViewConfig(Path("x.db"), None, "127.0.0.1", 1)),
    ("export x.db --format csv", ExportConfig(Path("x.db"), "csv")),
    ("import x.pgn x.db", ImportConfig(Path("x.pgn"), Path("x.db"))),
    ("verify x.db", VerifyConfig(Path("x.db"))),
    ("analyse x.db --json", AnalyseConfig(Path("x.db"), json=True)),
    ("token list", TokenConfig("list", Path("tokens.json"))),
    ("token add Ann", TokenConfig("add", Path("tokens.json"), "Ann")),
)
def test_other_commands(words: str, expected: CommandConfig) -> None:
    config = parse(words.split())
    assert config == expected
    assert config.command == words.split()[0]


@loop_over(
    "words, error",
    ("--rounds 0", "--rounds must be at least 1, not 0"),
    ("--seeds 0", "--seeds must be at least 1, not 0"),
    ("--pairs -1", "--pairs must be at least 1, not -1"),
    ("--pairs 1000000000001", "--pairs must be at most 1000000000000"),
    ("--opening-plies -1", "--opening-plies must be at least 0, not -1"),
    ("--book b --book-start 0", "--book-start must be at least 1, not 0"),
    ("--book-start 2", "--book-start requires --book"),
    ("--book-order random", "--book-order requires --book"),
    ("--book-policy round", "--book-policy requires --book"),
    ("--concurrency 0", "--concurrency must be at least 1, not 0"),
    ("--connections 0", "--connections must be at least 1, not 0"),
    ("--connections -1", "--connections must be at least 1, not -1"),
    ("--grace -0.1", "--grace must be at least 0, not -0.1"),
    ("--wait -1", "--wait must be at least 0, not -1.0"),
    ("--grace nan", "--grace must be at least 0, not nan"),
    ("--margin -1", "--margin must be at least 0, not -1.0"),
    ("--margin nan", "--margin must be at least 0, not nan"),
    ("--tokens t.json --open", "argument --open: not allowed with argument --tokens"),
    (
        "--server --at soon",
        "argument --at: invalid time 'soon' (expected a form such as 20:00 or 2030-12-31T20:00)",
    ),
)
def test_invalid_values(words: str, error: str) -> None:
    assert error_for("tournament", *words.split()) == error


@loop_over(
    "words", ["serve", "tournament --rounds 1 --seeds 1 --pairs 1 --opening-plies 0 --grace 0"]
)
def test_minimum_values(words: str) -> None:
    parse(words.split())


def test_origins_are_given_together_or_one_by_one() -> None:
    words = ["--origin", "http://a", "http://b", "--origin", "http://c"]
    admission = configured(TournamentConfig, "tournament", *words).arena.admission
    assert admission.origins == ("http://a", "http://b", "http://c")


def test_limits_of_addresses() -> None:
    words = ["--connections-per-address", "9", "--trusted", "192.0.2.0/24=90", "::/8=7"]
    admission = configured(ServeConfig, "serve", *words, "--trusted", "127.0.0.1=8").arena.admission
    assert admission.connections_per_address == 9
    assert [*admission.trusted.values()] == [90, 7, 8]
    with pytest.raises(UsageError, match=r"^--connections-per-address must be at least 1, not 0$"):
        parse(["serve", "--connections-per-address", "0"])
