"""docs/guide/operate-an-arena.md is true: checked against the sources, and its commands are run."""

import json
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from arena.cli.arguments import DEFAULT_OFFERS
from arena.cli.configuration import ServeConfig
from arena.lobby.challenges import MAX_CASUAL_MATCHES
from arena.runner.house_bots import THINK_SECONDS
from arena.runner.processes import NICENESS
from arena.server.json_log import LAG_INTERVAL, LAG_THRESHOLD
from arena.server.metrics import LAG_WINDOW
from arena.storage.schema import PREVIOUS_VERSION, VERSION
from tests.arena.server.test_json_log import EVENTS
from tests.support.arena_command import COMMAND, Run, bot, configured, ended, said, started
from tests.support.arena_server import in_event_loop, read_matches
from tests.support.http_client import watched

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "guide" / "operate-an-arena.md").read_text()
FLAT = " ".join(TEXT.split())

Facts = dict[str, Any]


def rows(heading: str) -> list[list[str]]:
    """The rows of the table whose first column has this heading."""
    table = TEXT.split(f"\n| {heading} |")[1].split("\n\n")[0]
    return [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]


def commands(word: str) -> list[str]:
    """The lines of shell with a word in them."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if word in line]


def fields(line: Facts) -> set[str]:
    return {*line} - {"time", "level", "event"}


# What is told


@in_event_loop
async def test_every_metric_is_explained_and_no_other(db: Path) -> None:
    async with watched(db) as server:
        families = text_string_to_metric_families((await server.ask("/metrics")).body)
        found = {
            (family.name + "_total" * (family.type == "counter"), family.type)
            for family in families
            if not family.name.endswith("_created")
        }
    told = [(name.strip("`"), kind) for name, kind, _ in rows("metric")]
    assert sorted(told) == sorted(found)


def test_alerts_are_about_metrics_that_there_are() -> None:
    known = {name.strip("`") for name, *_ in rows("metric")}
    used = re.findall(r"\b(?:arena|process)_\w+", " ".join(what for what, _ in rows("condition")))
    assert used
    assert {*used} <= known


@in_event_loop
async def test_health_is_told_with_all_its_facts(db: Path) -> None:
    [example] = re.findall(r'^{"status".*}$', TEXT, re.M)
    async with watched(db) as server:
        found = json.loads((await server.ask("/healthz")).body)
    assert {name: type(fact) for name, fact in json.loads(example).items()} == {
        name: type(fact) for name, fact in found.items()
    }


def test_events_are_explained() -> None:
    told = {name.strip("`"): (level, rest) for name, level, rest in rows("event")}
    for _, line in EVENTS.values():
        level, rest = told[line["event"]]
        assert level == line["level"]
        assert fields(line) == {*re.findall(r"`(\w+)`", rest)}


def test_no_other_events_are_told_of() -> None:
    source = (ROOT / "arena" / "server" / "json_log.py").read_text()
    written = set(re.findall(r'(?:_inform|_warn|_tell)\(\s*(?:logging\.\w+, )?"(\w+)"', source))
    assert {name.strip("`") for name, *_ in rows("event")} == written | {"message"}


def test_numbers_are_those_of_the_source() -> None:
    assert f"above {LAG_THRESHOLD:g}, at most once a second" in TEXT
    assert LAG_INTERVAL == 1
    assert f"in the last {LAG_WINDOW:g} s" in TEXT
    assert f"at most {THINK_SECONDS:g} s a move and has a niceness {NICENESS} above" in FLAT
    assert f"of which there are at most {MAX_CASUAL_MATCHES}." in FLAT


def test_bots_that_are_offered() -> None:
    [words] = re.findall(r"`(--offer \w+=[^`]+)`", FLAT)
    assert configured(ServeConfig, "serve", *words.split()).house_bots
    assert len(DEFAULT_OFFERS) == 8


# Backup


def test_there_are_two_ways_to_make_a_backup() -> None:
    assert [command.split()[0] for command in commands("VACUUM")] == ["sqlite3", "python3"]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as it is told, but with this interpreter."""
    words = shlex.split(command)
    if not shutil.which(words[0]):
        pytest.skip(f"there is no {words[0]}")
    if words[0] == "python3":
        words[0] = sys.executable
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


@contextmanager
def busy(db: Path) -> Iterator[None]:
    """An arena that writes matches all the time; it has written one at least."""
    command = [*COMMAND, "serve", "--port", "0", "--db", db, "--stones", "7"]
    with started(*command) as process:
        address = said(process, r"(ws://\S+) to play")
        with bot("random", "Ann", address), bot("greedy", "Bob", address):
            said(process, r"\[(\d+)\] match", times=3)
            yield
            said(process, r"\[(\d+)\] match", times=3)  # nobody was held up
            process.send_signal(signal.SIGTERM)
            ended(process)


@pytest.mark.parametrize("command", commands("VACUUM"))
def test_a_backup_of_a_live_database(db: Path, arena: Run, command: str) -> None:
    with busy(db):
        assert run(command, db.parent).stderr == ""
    copy = read_matches(db.parent / "backup.db")
    assert copy == read_matches(db)[: len(copy)]
    assert len(copy) >= 3
    assert arena("verify", db.parent / "backup.db").status == 0


@pytest.mark.parametrize("command", commands("VACUUM"))
def test_a_backup_overwrites_nothing(complete: Path, command: str) -> None:
    (complete.parent / "backup.db").write_text("precious")
    assert run(command, complete.parent).returncode != 0
    assert (complete.parent / "backup.db").read_text() == "precious"


@pytest.mark.parametrize("command", commands("VACUUM"))
def test_no_backup_of_nothing(tmp_path: Path, command: str) -> None:
    assert run(command, tmp_path).returncode != 0
    assert not (tmp_path / "arena.db").exists()


def test_restoring(complete: Path, arena: Run) -> None:
    folder, before = complete.parent, read_matches(complete)
    run(commands("VACUUM")[1], folder)
    with closing(sqlite3.connect(complete)) as database:
        database.execute("DROP TABLE moves")
    for command in [*commands("rm -f"), *commands("cp backup")]:
        run(command, folder)
    assert read_matches(complete) == before
    assert arena("standings", complete).status == 0


def test_versions_of_databases() -> None:
    assert f"A database of version {VERSION} is what this arena" in TEXT
    assert f"One of version {PREVIOUS_VERSION} is upgraded" in TEXT


def test_upgrading(complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(complete.parent)
    for command in [*commands("arena export"), *commands("arena import")]:
        assert arena(*shlex.split(command)[1:]).status == 0
    assert read_matches(complete.parent / "new.db") == read_matches(complete)
