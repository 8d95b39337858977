"""Size of a tournament of submissions, from measured start-up times."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.cli.arguments import UsageError
from arena.cli.class_tournament import sized, sized_as
from arena.cli.planning import make_plan
from arena.cli.tournament_options import ClassConfig
from arena.tournament.duration import parse_duration
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured


def tournament(*words: str) -> ClassConfig:
    """Return the configuration of a prepared tournament of a built-in bot and a program."""
    flags = ["x", "--stones", "20", "--bots", "random", "ada=program:true"]
    return configured(ClassConfig, "class", *flags, *words)


def size(*words: str) -> ClassConfig:
    return sized(tournament(*words), [0.01])


def test_the_choice_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    found = size("--duration", "1h")
    assert found.rounds
    assert (str(found.time), found.pairs) == ("10/move", None)
    line = capsys.readouterr().err
    chosen = f"--rounds {found.rounds} --time 10/move --concurrency {found.at_once}"
    shown = re.fullmatch(
        rf"arena: programs start in \S+ s \(median\); chosen: {chosen},"
        rf" {2 * found.rounds} matches in about (\S+)\n",
        line,
    )
    assert shown
    assert 1800 < parse_duration(shown[1]) <= 3600


def test_flags_that_are_given_stay(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--time", "60+1", "--concurrency", "7", "--format", "swiss", "--quiet"]
    found = size("--duration", "1h", *flags)
    assert (str(found.time), found.at_once, found.rounds) == ("60+1", 7, None)
    assert found.pairs
    assert not capsys.readouterr().err


def class_of_12(*words: str, others: Sequence[str] = ("random",)) -> ClassConfig:
    """Size a tournament of twelve programs."""
    bots = [f"b{number}=program:true" for number in range(12)]
    flags = ["x", "--bots", *others, *bots, "--concurrency", "1", "--seed", "1"]
    return sized(configured(ClassConfig, "class", *flags, *words), [0.01] * 12)


def offered(*words: str, others: Sequence[str] = ("random",)) -> str:
    """Return the choices that are offered if the tournament does not fit."""
    with pytest.raises(UsageError) as raised:
        class_of_12(*words, others=others)
    shown = re.fullmatch(
        r"--duration \S+ is too short: \d+ matches at --time 1/move take about \S+"
        r" \(choose from (.+)\)",
        str(raised.value),
    )
    assert shown
    return shown[1]


@loop_over(
    "words, choices",
    (["--duration", "2s"], r"--duration \d+m"),
    (
        ["--duration", "30m"],
        r"--format swiss --rounds \d, --format gauntlet --seeds 1, --stones \d+, --duration \S+m",
    ),
    (["--duration", "90s", "--format", "swiss"], r"--format swiss --rounds [1-6], --duration \S+m"),
    (["--duration", "30s", "--format", "knockout"], r"--duration \dm"),
    (["--duration", "2s", "--stones", "30"], r"--duration \d+m"),
)
def test_what_fits_is_offered(words: list[str], choices: str) -> None:
    assert re.fullmatch(choices, offered(*words))


def test_a_gauntlet_has_all_other_bots_as_seeds() -> None:
    choices = offered("--duration", "30m", others=["random", "spec:1-3"])
    assert "--format gauntlet --seeds 4" in choices.split(", ")


def test_a_choice_that_is_offered_fits() -> None:
    choices = offered("--duration", "5m").split(", ")[:-1]
    assert choices
    for flags in choices:
        assert class_of_12("--duration", "5m", "--quiet", *flags.split())


@loop_over(("time", "expected"), [((), "3/move"), (("--time", "9"), "9+0")])
def test_a_tournament_that_has_begun_keeps_its_size(time: tuple[str, ...], expected: str) -> None:
    config = tournament("--duration", "1h", *time)
    stored = replace(make_plan(config), rounds=4, time="3/move")
    found = sized_as(config, stored)
    assert (found.rounds, str(found.time)) == (4, expected)
