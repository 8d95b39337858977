"""Options of a tournament of submissions."""

from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.tournament_options import ClassConfig, TournamentConfig
from arena.sandbox.limits import Policy
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured

PAGE = "http://127.0.0.1:1/"
WATCH = f"people can watch at {PAGE}"
SCREEN = f"show on a projector: {PAGE}?present"
RESULT = "show the result on a projector: arena view cup.db, with ?present after its URL"
NAMES = "names are in cup.db.names.json: arena standings --names cup.db"


def of_class(words: str) -> ClassConfig:
    return configured(ClassConfig, "class", *words.split())


def test_options_and_defaults() -> None:
    config = of_class("x --duration 45m --anonymous --time 5+1 --concurrency 3")
    assert (config.submissions, config.duration, config.anonymous) == (Path("x"), 2700.0, True)
    assert (str(config.time), config.concurrency) == ("5+1", 3)
    config = of_class("x")
    assert (config.duration, config.anonymous, config.time) == (None, False, None)
    assert (str(config.time_control), config.sandbox) == ("2/move", Policy.REQUIRE)


@loop_over(
    "words, reason",
    ("x --workers 2", "unrecognized arguments: --workers 2"),
    ("x --server", "unrecognized arguments: --server"),
    ("x --dry-run", "unrecognized arguments: --dry-run"),
    (
        "x --game isolation",
        "arena class requires a game with a format of programs, not isolation",
    ),
    ("x --duration soon", "--duration: 'soon' is not a duration such as 45m, 90s, 2h or 1h30m"),
    ("x --duration 0s", "--duration: '0s' is not above 0 and at most 168h"),
    ("x --duration 9m --rounds 2", "--rounds cannot be combined with --duration"),
    (
        "x --duration 9m --format knockout --pairs 2",
        "--pairs cannot be combined with --duration",
    ),
    ("x --duration 9m --sprt elo0=0 elo1=9", "--sprt cannot be combined with --duration"),
)
def test_invalid_options(words: str, reason: str) -> None:
    with pytest.raises(UsageError) as raised:
        of_class(words)
    assert str(raised.value) == reason


def test_the_rounds_of_a_swiss_tournament_can_be_given() -> None:
    assert of_class("x --duration 9m --format swiss --rounds 3").rounds == 3


@loop_over(
    "form, option",
    ("round-robin", "rounds"),
    ("gauntlet", "rounds"),
    ("swiss", "pairs"),
    ("knockout", "pairs"),
)
def test_the_option_that_gives_the_size(form: str, option: str) -> None:
    assert of_class(f"x --format {form}").sized_by == option


def test_lines_of_a_tournament() -> None:
    config = configured(TournamentConfig, "tournament")
    assert ([*config.page_notices(PAGE)], [*config.final_notices]) == ([WATCH], [])


@loop_over("words, lines", ([], [RESULT]), (["--anonymous"], [RESULT, NAMES]))
def test_lines_of_a_class(words: list[str], lines: list[str]) -> None:
    config = configured(ClassConfig, "class", "hw2", "--db", "cup.db", *words)
    assert [*config.page_notices(PAGE)] == [WATCH, SCREEN]
    assert [*config.final_notices] == lines
