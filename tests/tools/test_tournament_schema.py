"""The JSON Schema of a tournament's file: current, and it accepts what `arena tournament` does."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run
from tools.tournament_schema import schema

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "guide" / "run-a-tournament.md").read_text()
CHECK = Draft202012Validator(schema())

BOTS = 'bots = ["random", "greedy"]\n'
ACCEPTED = [
    "",
    "bots = ['random', 'greedy']\nrounds = 3",
    BOTS + "stones = 20",
    BOTS + "stones = [7, '20-22']",
    BOTS + "time = '2+0.05'",
    BOTS + "grace = 0.5",
    BOTS + "workers = true",
    BOTS + "workers = 1\ntag = ['Event=Cup', 'Site=Lab']",
    BOTS + "format = 'swiss'\npairs = 2",
    BOTS + "game = 'isolation'\nsize = 5",
    BOTS + "game = 'openspiel:tic_tac_toe'",
    BOTS + "quiet = true\nplain = false",
    BOTS + "[bot.greedy]\ntime = '1+1'",
]
REFUSED = [
    "bot_files = '.'",
    "stones = []",
    "stones = true",
    BOTS + "rounds = 0",
    BOTS + "rounds = 'three'",
    BOTS + "rounds = 1.5",
    BOTS + "grace = -1",
    BOTS + "format = 'cup'",
    BOTS + "game = 'chess'",
    BOTS + "json = 'yes'",
    BOTS + "quiet = true\nplain = true",
    BOTS + "tokens = 'x'\nopen = true",
    BOTS + "[book]\nfile = 'a'",
    BOTS + "workers = 0",
    BOTS + "workers = false",
    BOTS + "connections = 9",
    BOTS + "help = true",
    BOTS + "[bot.greedy]",
    BOTS + "[bot.greedy]\nspeed = 3",
    BOTS + "[stones]\nfirst = 3",
]


@pytest.mark.usefixtures("measured")
def test_the_published_schema_is_current() -> None:
    command = [sys.executable, "-m", "tools.tournament_schema"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == (DOCS / "reference" / "tournament.schema.json").read_text()
    Draft202012Validator.check_schema(json.loads(printed))


def test_every_key_is_described_and_the_example_valid() -> None:
    for key, described in schema()["properties"].items():
        assert len(described["description"]) > 10, key
        assert "%(" not in described["description"], key
    [example] = re.findall(r"^```toml\n(.*?)^```$", GUIDE, re.M | re.S)
    CHECK.validate(tomllib.loads(example))


@loop_over("text", [*ACCEPTED, *REFUSED])
def test_the_schema_and_the_command_agree(text: str, arena: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text)
    end = arena("tournament", file, "--dry-run")
    assert end.status == (0 if text in ACCEPTED else 2), end.err
    assert CHECK.is_valid(tomllib.loads(text)) == (text in ACCEPTED)
