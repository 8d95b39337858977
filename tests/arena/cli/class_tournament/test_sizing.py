"""Size of a tournament of submissions, from measured start-up times."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.class_tournament.sizing import sized, sized_as
from arena.cli.configuration import TournamentConfig
from arena.cli.planning import make_plan
from arena.sandbox.sandbox import UNPROTECTED
from arena.tournament.duration import parse_duration
from tests.support.cases import loop_over
from tests.support.grading.classes import program
from tests.support.servers.arena_command import configured


def tournament(*words: str) -> TournamentConfig:
    """Return the configuration of a prepared tournament of a built-in bot and a program."""
    flags = ["--submissions", "x", "--stones", "20", "--bots", "random", "ada=program:true"]
    return configured(TournamentConfig, "tournament", *flags, *words)


def size(folder: Path, *words: str) -> TournamentConfig:
    config = tournament(*words)
    assert config.class_options
    return sized(config, config.class_options, [program(folder, "exit 1")], UNPROTECTED)


def test_the_choice_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = size(tmp_path, "--duration", "1h")
    assert found.rounds
    assert (str(found.time), found.pairs) == ("10/move", None)
    line = capsys.readouterr().err
    chosen = f"--rounds {found.rounds} --time 10/move --concurrency {found.concurrency}"
    shown = re.fullmatch(
        rf"arena: programs start in \S+ s \(median\); chosen: {chosen},"
        rf" {2 * found.rounds} matches in about (\S+)\n",
        line,
    )
    assert shown
    assert 1800 < parse_duration(shown[1]) <= 3600


def test_flags_that_are_given_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--time", "60+1", "--concurrency", "7", "--format", "swiss", "--quiet"]
    found = size(tmp_path, "--duration", "1h", *flags)
    assert (str(found.time), found.concurrency, found.rounds) == ("60+1", 7, None)
    assert found.pairs
    assert not capsys.readouterr().err


ADVICE = "a longer --duration, a shorter --time, fewer setups"


@loop_over(
    "format_, advice",
    [("round-robin", f"{ADVICE}, --format swiss, --format gauntlet"), ("knockout", ADVICE)],
)
def test_a_duration_that_is_too_short(tmp_path: Path, format_: str, advice: str) -> None:
    reason = re.escape(f" (choose from {advice})")
    with pytest.raises(
        UsageError,
        match=rf"^--duration 1s is too short: \d+ matches at --time 1/move take about \S+{reason}$",
    ):
        size(tmp_path, "--duration", "1s", "--format", format_, "--margin", "0")


def test_a_margin_is_kept(tmp_path: Path) -> None:
    assert str(size(tmp_path, "--duration", "1h", "--margin", "0.5").time) == "10/move margin 0.5"


@loop_over(("time", "expected"), [((), "3/move"), (("--time", "9"), "9+0")])
def test_a_tournament_that_has_begun_keeps_its_size(time: tuple[str, ...], expected: str) -> None:
    config = tournament("--duration", "1h", *time)
    stored = replace(make_plan(config), rounds=4, time="3/move")
    assert config.class_options
    found = sized_as(config, config.class_options, stored)
    assert (found.rounds, str(found.time)) == (4, expected)
