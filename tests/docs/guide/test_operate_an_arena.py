"""The guide for operators: the page matches the sources, and its commands work."""

import json
import re
import shlex
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
from arena.cli.commands.serve import ServeConfig
from arena.lobby.challenges import MAX_CASUAL_MATCHES
from arena.runner.house_bots import THINK_SECONDS
from arena.runner.processes import NICENESS
from arena.server.json_log import LAG_INTERVAL, LAG_THRESHOLD
from arena.server.metrics import CHARGED_BUCKETS, LAG_BUCKETS, LAG_WINDOW, PAGE_LIFETIME
from arena.storage.access import add_token, read_bans, read_tokens
from arena.storage.schema import ADDED_TABLES, VERSION
from tests.arena.server.test_json_log import EVENTS
from tests.support.cases import loop_over
from tests.support.servers.arena_command import (
    COMMAND,
    Run,
    configured,
    running_process,
    scripted_bots,
    wait_for_exit,
    wait_for_line,
)
from tests.support.servers.arena_server import read_matches
from tests.support.servers.http_client import monitored_server
from tests.support.tools import need
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.records import make_pairing, make_record

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "guide" / "operate-an-arena.md").read_text()
FLAT = " ".join(TEXT.split())

Facts = dict[str, Any]


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table whose first column has a heading."""
    table = TEXT.split(f"\n| {heading} |")[1].split("\n\n")[0]
    return [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]


def commands(word: str) -> list[str]:
    """Return the shell commands that contain a word."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if word in line]


def types(facts: Facts) -> dict[str, type]:
    return {name: type(value) for name, value in facts.items()}


def fields(line: Facts) -> set[str]:
    return {*line} - {"time", "level", "event"}


# Tables and numbers


async def test_exactly_the_metrics_are_explained(db: Path) -> None:
    async with monitored_server(db) as server:
        families = text_string_to_metric_families((await server.request("/metrics")).body)
        found = {
            (family.name + "_total" * (family.type == "counter"), family.type)
            for family in families
        }
    explained = [(name.strip("`"), kind) for name, kind, _ in rows("metric")]
    assert sorted(explained) == sorted(found)


def test_alerts_use_existing_metrics() -> None:
    known = {name.strip("`") for name, *_ in rows("metric")}
    conditions = " ".join(row[0] for row in rows("condition"))
    used = re.findall(r"\b(?:arena|process)_\w+", conditions)
    assert used
    assert {*used} <= known


async def test_the_health_example_has_all_fields(db: Path) -> None:
    healthy, degraded = map(json.loads, re.findall(r'^{"status".*}$', TEXT, re.M))
    async with monitored_server(db) as server:
        found = json.loads((await server.request("/healthz")).body)
    assert types(healthy) == types(found)
    assert types(degraded) == types(found) | {"problems": dict}


def test_events_are_explained() -> None:
    explained = {name.strip("`"): (level, rest) for name, level, rest in rows("event")}
    for _, line in EVENTS.values():
        level, rest = explained[line["event"]]
        assert level == line["level"]
        assert fields(line) == {*re.findall(r"`(\w+)`", rest)}
    source = (ROOT / "arena" / "server" / "json_log.py").read_text()
    written = set(re.findall(r'(?:_info|_warning|_log)\(\s*(?:logging\.\w+, )?"(\w+)"', source))
    assert {name.strip("`") for name, *_ in rows("event")} == written | {"message"}


def test_numbers_match_the_sources() -> None:
    assert f"above {LAG_THRESHOLD:g}, at most once a second" in TEXT
    assert LAG_INTERVAL == 1
    assert f"in the last {LAG_WINDOW:g} s" in TEXT
    assert f"at most once in {PAGE_LIFETIME:g} s" in FLAT
    assert f"from {CHARGED_BUCKETS[0] * 1000:g} ms to {CHARGED_BUCKETS[-1]:g} s" in FLAT
    assert f"from {LAG_BUCKETS[0] * 1000:g} ms to {LAG_BUCKETS[-1]:g} s" in FLAT
    assert f"at most {THINK_SECONDS:g} s a move and has a niceness {NICENESS} above" in FLAT
    assert f"of which there are at most {MAX_CASUAL_MATCHES}." in FLAT


def test_offers_backups_and_versions() -> None:
    [words] = re.findall(r"`(--offer \w+=[^`]+)`", FLAT)
    assert configured(ServeConfig, "serve", *words.split()).arena.house_bots
    assert len(DEFAULT_OFFERS) == 9
    assert [command.split()[0] for command in commands("VACUUM")] == ["sqlite3", "python3"]
    assert f"This arena writes databases of version {VERSION}." in TEXT
    *others, latest = (str(version - 1) for version in ADDED_TABLES)
    assert f"One of version {', '.join(others)} or {latest} is upgraded" in TEXT


# Moderation


def test_a_bot_is_forgotten_and_a_season_begins(
    tmp_path: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pairing = make_pairing(None, ("mybot", "bert"))
    records = [make_record(pairing, attempt=match) for match in (1, 2, 3)]
    make_database(tmp_path / "arena.db", records, None)
    add_token(tmp_path / "tokens.json", "mybot", 0.0)
    section = TEXT.split("## Moderation")[1].split("\n## ")[0]
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", section, re.S)
        for line in block.splitlines()
    ]
    assert len(lines) == 7
    for line in lines:
        assert arena(*shlex.split(line)[1:]).status == 0, line
    assert [*read_bans(tmp_path / "bans.json")] == ["mybot"]
    assert [*read_tokens(tmp_path / "tokens.json")] == ["bot-17"]
    kept = {db: [r.id for r in read_matches(tmp_path / db)] for db in ("arena.db", "season-1.db")}
    assert kept == {"arena.db": [3], "season-1.db": [1, 2, 3]}
    assert {r.pairing.players[0] for r in read_matches(tmp_path / "season-1.db")} == {"bot-17"}
    for command, *_ in ((row[1].strip("`").split()[1:]) for row in rows("to")):
        assert command in {"token", "ban", "rename", "prune"}


# Backup


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page, with this interpreter."""
    words = shlex.split(command)
    if words[0] == "sqlite3":
        need("sqlite3")
    elif words[0] == "python3":
        words[0] = sys.executable
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


@contextmanager
def busy(db: Path) -> Iterator[None]:
    """Run an arena that stores matches continuously, and has stored at least one."""
    command = [*COMMAND, "serve", "--port", "0", "--db", db, "--stones", "7"]
    with running_process(*command) as process:
        address = wait_for_line(process, r"(ws://\S+) to play")
        with scripted_bots(address, "Ann", "Bob"):
            wait_for_line(process, r"\[(\d+)\] match", times=3)
            yield
            wait_for_line(process, r"\[(\d+)\] match", times=3)  # it was not blocked
            process.send_signal(signal.SIGTERM)
            wait_for_exit(process)


SQLITE, PYTHON = commands("VACUUM")


@pytest.mark.parametrize("command", [pytest.param(SQLITE, marks=pytest.mark.slow), PYTHON])
def test_a_backup_of_a_live_database(db: Path, arena: Run, command: str) -> None:
    with busy(db):
        assert run(command, db.parent).stderr == ""
    copy = read_matches(db.parent / "backup.db")
    assert copy == read_matches(db)[: len(copy)]
    assert len(copy) >= 3
    assert arena("verify", db.parent / "backup.db").status == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", commands("VACUUM"))
def test_a_backup_does_not_overwrite_a_file(complete: Path, command: str) -> None:
    (complete.parent / "backup.db").write_text("precious")
    assert run(command, complete.parent).returncode != 0
    assert (complete.parent / "backup.db").read_text() == "precious"


@loop_over("command", commands("VACUUM"))
def test_a_missing_database_is_an_error(tmp_path: Path, command: str) -> None:
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


def test_upgrading(complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(complete.parent)
    for command in [*commands("arena export"), *commands("arena import")]:
        assert arena(*shlex.split(command)[1:]).status == 0
    assert read_matches(complete.parent / "new.db") == read_matches(complete)
