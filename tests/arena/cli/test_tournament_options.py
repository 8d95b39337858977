"""Options of the commands that play."""

from pathlib import Path

import pytest

from arena.cli.arguments import DEFAULT_OFFERS, UsageError
from arena.cli.commands.serve import ServeConfig
from arena.cli.parser import parse
from arena.cli.tournament_options import TournamentConfig
from arena.configuration import ArenaConfig
from arena.model.time_control import TimeControl
from arena.tournament.schedule import WHOLE, Part
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
    "words, error",
    ("--rounds 0", "--rounds must be at least 1, not 0"),
    ("--seeds 0", "--seeds must be at least 1, not 0"),
    ("--pairs -1", "--pairs must be at least 1, not -1"),
    ("--pairs 1000000000001", "--pairs must be at most 1000000000000, not 1000000000001"),
    ("--opening-plies -1", "--opening-plies must be at least 0, not -1"),
    ("--book b start=0", "--book: start must be from 1 to the number of openings, not '0'"),
    ("--book b order=x", "--book: order must be sequential or random, not 'x'"),
    ("--book b policy=x", "--book: policy must be all, round or encounter, not 'x'"),
    ("--book b policy=all policy=all", "--book: repeated policy"),
    ("--book b x=2", "--book: unknown setting 'x' (choose from order, start, policy)"),
    ("--book b round", "--book must be KEY=VALUE, not 'round'"),
    ("--concurrency 0", "--concurrency must be at least 1, not 0"),
    ("--grace -0.1", "--grace must be at least 0, not -0.1"),
    ("--wait -1", "--wait must be at least 0, not -1.0"),
    ("--port -1", "--port must be at least 0, not -1"),
    ("--port 65536", "--port must be at most 65535, not 65536"),
    ("--time 0", "--time '0' must be above 0 and at most 1000000 seconds"),
    ("--rounds 1000000000001", "--rounds must be at most 1000000000000, not 1000000000001"),
    ("--tokens t.json --open", "--open: not allowed with argument --tokens"),
    (
        "--server soon",
        "--server must be a time such as 20:00 or 2030-12-31T20:00, not 'soon'",
    ),
)
def test_invalid_values(words: str, error: str) -> None:
    assert error_for("tournament", *words.split()) == error


@loop_over("suffix", ["", "-wal", "-shm", "-journal", ".lock"])
def test_no_output_takes_a_file_of_the_database(suffix: str) -> None:
    for command, flag in (("tournament", "--events"), ("serve", "--log"), ("serve", "--trace")):
        error = f"{flag} x.db{suffix} is the file of --db"
        assert error_for(command, "--db", "x.db", flag, f"x.db{suffix}") == error


@loop_over(
    "words", ["serve", "tournament --rounds 1 --seeds 1 --pairs 1 --opening-plies 0 --grace 0"]
)
def test_minimum_values(words: str) -> None:
    parse(words.split())


def test_origins_are_given_together_or_one_by_one() -> None:
    words = ["--origin", "http://a", "http://b", "--origin", "http://c"]
    admission = configured(ServeConfig, "serve", *words).arena.admission
    assert admission.origins == ("http://a", "http://b", "http://c")


def test_limits_of_addresses() -> None:
    words = ["--connections-per-address", "9", "--trusted", "192.0.2.0/24=90", "::/8=7"]
    admission = configured(ServeConfig, "serve", *words, "--trusted", "127.0.0.1=8").arena.admission
    assert admission.connections_per_address == 9
    assert [*admission.trusted.values()] == [90, 7, 8]
    assert error_for("serve", "--connections", "0") == "--connections must be at least 1, not 0"
    with pytest.raises(UsageError, match=r"^--connections-per-address must be at least 1, not 0$"):
        parse(["serve", "--connections-per-address", "0"])


# Parts and tags


def test_parts_and_tags() -> None:
    config = configured(TournamentConfig, "tournament")
    assert (config.extend, config.part, config.tag) == (False, WHOLE, {})
    words = ["--extend", "--part", "2/3", "--tag", "Event=Cup", "--tag", "Site="]
    config = configured(TournamentConfig, "tournament", *words)
    assert (config.extend, config.part) == (True, Part(2, 3))
    assert config.tag == {"Event": "Cup", "Site": ""}
    control = "--tag Site contains the control character '\\n'"
    assert error_for("tournament", "--tag", "Site=a\nb") == control
    assert error_for("tournament", "--tag", "Cup") == "--tag must be NAME=VALUE, not 'Cup'"


@loop_over("text", ["0/3", "4/3", "1", "1/0", "a/b", "1/3/3", "-1/3"])
def test_invalid_parts(text: str) -> None:
    error = f"--part must be a part such as 1/3, up to 3/3, not '{text}'"
    assert error_for("tournament", f"--part={text}") == error


def test_the_command_line_precedes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('tag = ["Event=Cup", "Site=Here"]\ntokens = "tokens.json"\nplain = true\n')
    config = parse(["tournament", str(file), "--tag", "Event=Other", "--open", "--quiet"])
    assert isinstance(config, TournamentConfig)
    assert config.tag == {"Event": "Other", "Site": "Here"}
    assert (config.open, config.tokens, config.quiet, config.plain) == (True, None, True, False)


def test_only_streams_are_called_minus() -> None:
    with pytest.raises(UsageError, match=r"^--trace: - is no stream here; "):
        parse(["serve", "--trace", "-"])
