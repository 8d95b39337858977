"""Flags of a tournament of submissions."""

from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.class_tournament.flags import sized_by
from arena.cli.configuration import ClassOptions, TournamentConfig
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured


def tournament(words: str) -> TournamentConfig:
    return configured(TournamentConfig, "tournament", *words.split())


def test_flags_and_defaults() -> None:
    config = tournament("--submissions x --duration 45m --anonymous --time 5+1 --concurrency 3")
    assert config.class_options == ClassOptions(
        Path("x"), 2700.0, anonymous=True, has_time=True, has_concurrency=True
    )
    assert (str(config.arena.time), config.concurrency) == ("5+1", 3)
    config = tournament("--submissions x")
    assert config.class_options == ClassOptions(
        Path("x"), None, anonymous=False, has_time=False, has_concurrency=False
    )
    assert str(config.arena.time) == "2/move"
    config = tournament("--bots random greedy")
    assert config.class_options is None
    assert str(config.arena.time) == "5+0.05"


@loop_over(
    "words, reason",
    ("--duration 45m", "--duration requires --submissions"),
    ("--anonymous", "--anonymous requires --submissions"),
    ("--submissions x --in-process", "--in-process cannot be combined with --submissions"),
    ("--submissions x --workers 2", "--workers cannot be combined with --submissions"),
    ("--submissions x --server", "--server cannot be combined with --submissions"),
    ("--submissions x --dry-run", "--dry-run cannot be combined with --submissions"),
    (
        "--submissions x --game isolation",
        "--submissions requires a game with a format of programs, not isolation",
    ),
    (
        "--submissions x --duration soon",
        "--duration 'soon' is not a duration such as 45m, 90s, 2h or 1h30m",
    ),
    ("--submissions x --duration 0s", "--duration '0s' is not above 0 and at most 168h"),
    ("--submissions x --duration 9m --rounds 2", "--rounds cannot be combined with --duration"),
    (
        "--submissions x --duration 9m --format knockout --pairs 2",
        "--pairs cannot be combined with --duration",
    ),
    (
        "--submissions x --duration 9m --sprt elo0=0 elo1=9",
        "--sprt cannot be combined with --duration",
    ),
)
def test_invalid_flags(words: str, reason: str) -> None:
    with pytest.raises(UsageError) as raised:
        tournament(words)
    assert str(raised.value) == reason


def test_the_rounds_of_a_swiss_tournament_can_be_given() -> None:
    assert tournament("--submissions x --duration 9m --format swiss --rounds 3").rounds == 3


def test_the_flag_that_gives_the_size() -> None:
    assert {kind: sized_by(kind) for kind in ("round-robin", "gauntlet", "swiss", "knockout")} == {
        "round-robin": "rounds",
        "gauntlet": "rounds",
        "swiss": "pairs",
        "knockout": "pairs",
    }
