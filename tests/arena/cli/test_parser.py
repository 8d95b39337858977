"""Parser of the command line, and of a tournament's configuration file."""

from dataclasses import replace
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.commands.records import ImportConfig
from arena.cli.parser import command_parser, parser
from arena.cli.tournament_options import TournamentConfig
from arena.model.time_control import TimeControl
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run, configured


def tournament(*words: str) -> TournamentConfig:
    return configured(TournamentConfig, "tournament", *words)


def test_version(arena: Run) -> None:
    end = arena("--version")
    assert (end.status, end.out, end.err) == (0, f"arena {version('take-stones-arena')}\n", "")


# Configuration files of tournaments


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.toml"


FILE = """\
bots = ["random", "ann=spec:4"]
format = "gauntlet"
stones = ["20-30", 7]
time = "1/move"
opening-plies = 3
quiet = true
json = false
db = "x.db"
"""


def test_keys_are_the_flags(path: Path) -> None:
    path.write_text(FILE)
    flags = "--bots random ann=spec:4 --format gauntlet --stones 20-30 7 --time 1/move"
    flags += " --opening-plies 3 --quiet --db x.db"
    assert tournament(str(path)) == replace(tournament(*flags.split()), file=path)


def test_every_flag_may_be_in_the_file(path: Path) -> None:
    flags = command_parser(parser(["tournament"]), "tournament")._option_string_actions
    for key in {flag.removeprefix("--") for flag in flags} - {"help", "-h"}:
        path.write_text(f"{key} = {{}}")
        with pytest.raises(UsageError, match=f"{key} must be text, a number or a list"):
            tournament(str(path))


@loop_over(
    "words, name, value",
    (["--bots", "a", "b"], "bots", ("a", "b")),
    (["--format", "swiss"], "format", "swiss"),
    (["--stones", "9"], "setups", ({"stones": 9},)),
    (["--time", "2"], "arena.time", TimeControl.parse("2")),
    (["--opening-plies=0"], "opening_plies", (0,)),
    (["--json"], "json", True),
    (["--plain"], "quiet", False),
    (["--plain"], "plain", True),
)
def test_command_line_overrides_it(path: Path, words: list[str], name: str, value: object) -> None:
    path.write_text(FILE)
    assert attrgetter(name)(tournament(str(path), *words)) == value


def test_quiet_overrides_plain_in_the_file(path: Path) -> None:
    path.write_text("plain = true")
    arguments = tournament(str(path), "--quiet")
    assert (arguments.quiet, arguments.plain) == (True, False)
    path.write_text("")  # changes nothing
    assert tournament(str(path)) == replace(tournament(), file=path)


@loop_over(
    "text, error",
    ("file = 'x'", "unknown key 'file'"),
    ("command = 'serve'", "unknown key 'command'"),
    ("opening_plies = 1", "unknown key 'opening_plies' (did you mean 'opening-plies'?)"),
    ("Stnoes = 20", "unknown key 'Stnoes' (did you mean 'stones'?)"),
    ("xylophone = 1", "unknown key 'xylophone'"),
    ("help = true", "unknown key 'help'"),
    ("seed = 'x'", "--seed must be a whole number, not 'x'"),
    ("seed = 1.5", "--seed must be a whole number, not '1.5'"),
    ("seed = true", "--seed: expected one argument"),
    ("seed = [1, 2]", "unrecognized arguments: 2"),
    ("seed = false", "seed cannot be false"),
    ("tag = ['Cup']", "--tag must be NAME=VALUE, not 'Cup'"),
    ("json = 'yes'", "--json: ignored explicit argument 'yes'"),
    ("bots = []", "--bots: expected at least one argument"),
    ("stones = [-inf]", "--stones: expected at least one argument"),
    ("stones = 0", "--stones must be at least 1, not 0"),
    ("game = 'isolation'\nstones = 7", "isolation has no parameter --stones"),
    ("quiet = true\nplain = true", "--plain: not allowed with argument --quiet"),
)
def test_invalid_files(path: Path, text: str, error: str) -> None:
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        tournament(str(path))
    assert str(raised.value) == f"{path}: {error}"


def test_the_parameters_of_a_file_are_those_of_the_game_of_the_command_line(path: Path) -> None:
    path.write_text("stones = 7")
    assert tournament(str(path), "--game", "take_stones").setups == ({"stones": 7},)
    with pytest.raises(UsageError, match=f"^{path}: isolation has no parameter --stones$"):
        tournament(str(path), "--game", "isolation")


def test_files_that_cannot_be_read(path: Path) -> None:
    with pytest.raises(UsageError, match=f"^cannot read {path}: No such file or directory$"):
        tournament(str(path))
    path.write_text("seed")
    with pytest.raises(UsageError, match=f"^{path}: invalid TOML: "):
        tournament(str(path))


def test_a_file_of_another_command_is_not_read() -> None:
    config = configured(ImportConfig, "import", "no.pgn", "x.db")
    assert config.file == Path("no.pgn")
