"""The arena's command line, and a tournament's file."""

from argparse import Namespace
from pathlib import Path

import pytest

from arena.cli.arguments import DEFAULT_OFFERS, Refused, check_numbers, time_control
from arena.cli.parser import parse, parser
from arena.runner.bot_spec import offered
from core import GAMES


def tournament(*words: str) -> Namespace:
    return parse(["tournament", *words])


def test_a_tournament_has_defaults_for_everything() -> None:
    arguments = tournament()
    check_numbers(arguments)
    assert (arguments.bots, arguments.game) == (None, "take_stones")
    assert (arguments.format, str(time_control(arguments))) == ("round-robin", "5+0.05")
    assert (arguments.seed, arguments.db, arguments.anchor) == (None, None, None)


def test_serving_has_all_games_by_default() -> None:
    assert parse(["serve"]).game == [*GAMES]


@pytest.mark.parametrize(
    ("words", "bots"),
    [
        ([], DEFAULT_OFFERS),
        (["--offer"], []),
        (["--offer", "a=greedy", "random"], ["a=greedy", "random"]),
    ],
)
def test_bots_that_are_offered(words: list[str], bots: list[str]) -> None:
    assert parse(["serve", *words]).offer == bots


def test_the_bots_that_are_offered_by_default_are_such() -> None:
    assert [*offered(DEFAULT_OFFERS, GAMES)] == DEFAULT_OFFERS


@pytest.mark.parametrize("command", ["standings", "analyse"])
def test_commands_that_need_a_database(command: str) -> None:
    assert parse([command, "x.db"]).db == Path("x.db")
    with pytest.raises(Refused, match="the following arguments are required: DB"):
        parse([command])


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["tournament", "--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["tournament", "--nothing"], "unrecognized arguments: --nothing"),
        (
            ["tournament", "--quiet", "--plain"],
            "argument --plain: not allowed with argument --quiet",
        ),
    ],
)
def test_words_that_mean_nothing(words: list[str], error: str) -> None:
    with pytest.raises(Refused) as refused:
        parse(words)
    assert str(refused.value) == error


@pytest.mark.parametrize("words", [["--help"], ["tournament", "--help"]])
def test_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse(words)
    assert (end.value.code, capsys.readouterr().out[:12]) == (0, "usage: arena")


# A tournament in a file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.toml"


FILE = """\
bots = ["random", "ann=spec:4"]
format = "gauntlet"
stones = ["20-30", 7]
time = "1/move"
margin = 0.5
opening-plies = 3
quiet = true
json = false
db = "x.db"
"""


def test_keys_are_the_flags(path: Path) -> None:
    path.write_text(FILE)
    flags = "--bots random ann=spec:4 --format gauntlet --stones 20-30 7 --time 1/move"
    flags += " --margin 0.5 --opening-plies 3 --quiet --db x.db"
    expected = tournament(*flags.split())
    expected.file = path
    assert tournament(str(path)) == expected


def test_what_is_not_in_the_file_is_as_without_it(path: Path) -> None:
    path.touch()
    assert {**vars(tournament(str(path))), "file": None} == vars(tournament())


def test_every_flag_may_be_in_the_file(path: Path) -> None:
    keys = {name.replace("_", "-") for name in vars(tournament())} - {"command", "file"}
    for key in keys:
        path.write_text(f"{key} = {{}}")
        with pytest.raises(Refused, match=f"{key} must be text, a number or a list"):
            tournament(str(path))


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--bots", "a", "b"], "bots", ["a", "b"]),
        (["--format", "swiss"], "format", "swiss"),
        (["--stones", "9"], "stones", ["9"]),
        (["--margin", "0"], "margin", 0.0),
        (["--opening-plies=0"], "opening_plies", 0),
        (["--json"], "json", True),
        (["--plain"], "quiet", False),
        (["--plain"], "plain", True),
    ],
)
def test_the_command_line_wins(path: Path, words: list[str], name: str, value: object) -> None:
    path.write_text(FILE)
    assert getattr(tournament(str(path), *words), name) == value


def test_quiet_wins_over_a_plain_file(path: Path) -> None:
    path.write_text("plain = true")
    arguments = tournament(str(path), "--quiet")
    assert (arguments.quiet, arguments.plain) == (True, False)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("file = 'x'", "there is no key 'file'"),
        ("command = 'serve'", "there is no key 'command'"),
        ("opening_plies = 1", "there is no key 'opening_plies'"),
        ("help = true", "there is no key 'help'"),
        ("seed = 'x'", "argument --seed: invalid int value: 'x'"),
        ("seed = 1.5", "argument --seed: invalid int value: '1.5'"),
        ("seed = true", "argument --seed: expected one argument"),
        ("seed = [1, 2]", "unrecognized arguments: 2"),
        ("seed = [1, 2, 3]", "unrecognized arguments: 3"),
        ("seed = false", "seed cannot be false"),
        ("json = 'yes'", "argument --json: ignored explicit argument 'yes'"),
        ("bots = []", "argument --bots: expected at least one argument"),
        ("stones = [-inf]", "argument --stones: expected at least one argument"),
        ("quiet = true\nplain = true", "argument --plain: not allowed with argument --quiet"),
    ],
)
def test_a_file_that_is_refused(path: Path, text: str, error: str) -> None:
    path.write_text(text)
    with pytest.raises(Refused) as refused:
        tournament(str(path))
    assert str(refused.value) == f"{path}: {error}"


def test_a_file_that_is_not_toml(path: Path) -> None:
    path.write_text("seed")
    with pytest.raises(Refused, match=f"^{path}: it is not TOML: "):
        tournament(str(path))


def test_a_file_that_is_not_there(path: Path) -> None:
    with pytest.raises(Refused) as refused:
        tournament(str(path))
    assert str(refused.value) == f"cannot read {path}: No such file or directory"


def test_the_file_of_another_command_is_another_matter() -> None:
    assert parse(["import", "no.toml", "x.db"]).file == Path("no.toml")


def test_defaults_may_be_others() -> None:
    assert parser({"seed": 5}).parse_args(["tournament"]).seed == 5
