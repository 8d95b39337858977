"""Wiring of an arena from its configuration."""

import asyncio
import json
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from arena.app import Arena, ConfigurationError, load_live_state
from arena.configuration import AdmissionConfig, ArenaConfig
from arena.model.time_control import TimeControl
from arena.runner.named_bots import Bots
from arena.storage.writer import DatabaseWriter
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.page.sites import store_sample_matches
from tests.support.servers.http_client import request

CONFIG = ArenaConfig(("take_stones",), TimeControl(5))


# Live state


def test_live_state_starts_with_the_stored_results(db: Path) -> None:
    store_sample_matches(db)
    lobby = load_live_state(db, "5+0").lobby(0)
    assert lobby
    assert lobby.results
    assert [summary.facts.match for summary in lobby.results] == [6, 5, 4, 3, 2, 1]
    assert lobby.finished == 6


def test_live_state_of_an_empty_database(db: Path) -> None:
    DatabaseWriter(db).close()
    lobby = load_live_state(db, "5+0").lobby(0)
    assert lobby
    assert (lobby.results, lobby.finished) == ([], 0)


# Wiring


def test_a_board_that_is_missing_is_reported(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(page=tmp_path))
    lines: list[str] = []
    with DatabaseWriter(db) as writer:
        Arena(replace(CONFIG, games=(NIM.name,), has_page=True), writer, report=lines.append)
    assert lines == [f"misere_nim is shown as text: cannot read board.js in {tmp_path}"]


async def statuses(db: Path, config: ArenaConfig) -> dict[str, int]:
    """Return the HTTP status of each path; 426 asks for a WebSocket."""
    paths = ["/play", "/watch", "/", "/metrics"]
    with DatabaseWriter(db) as writer:
        async with Arena(config, writer) as arena:
            return {
                path: (await asyncio.to_thread(request, arena.url, path)).status for path in paths
            }


async def test_bots_and_spectators_by_default(db: Path) -> None:
    assert await statuses(db, CONFIG) == {"/play": 426, "/watch": 426, "/": 404, "/metrics": 404}


async def test_page_and_metrics(db: Path) -> None:
    config = replace(
        CONFIG, accepts_bots=False, accepts_spectators=False, has_page=True, has_metrics=True
    )
    assert await statuses(db, config) == {"/play": 404, "/watch": 404, "/": 200, "/metrics": 200}


@loop_over("house_bots", [None, {}])
async def test_challenges_require_house_bots_even_none(db: Path, house_bots: Bots | None) -> None:
    with DatabaseWriter(db) as writer:
        arena = Arena(replace(CONFIG, house_bots=house_bots), writer)
    assert (arena.challenges is None) == (house_bots is None)


async def test_the_log_starts_with_the_url_and_the_database(db: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with DatabaseWriter(db) as writer:
        async with Arena(replace(CONFIG, log=str(log)), writer) as arena:
            [line] = log.read_text().splitlines()
    start = json.loads(line)
    assert (start["event"], start["url"]) == ("arena_started", arena.url)
    assert start["database"] == str(db)


# Configurations that cannot be used


async def error_of(db: Path, config: ArenaConfig) -> str:
    with DatabaseWriter(db) as writer, pytest.raises(ConfigurationError) as raised:
        async with Arena(config, writer):
            raise AssertionError("listens")
    return str(raised.value)


async def test_address_in_use(db: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        error = f"cannot listen on 127.0.0.1 port {port}: Address already in use"
        assert await error_of(db, replace(CONFIG, port=port)) == error


async def test_unwritable_log(db: Path, tmp_path: Path) -> None:
    log = tmp_path / "missing" / "log"
    error = f"cannot write --log {log}: No such file or directory"
    assert await error_of(db, replace(CONFIG, log=str(log))) == error


async def test_invalid_files_of_tokens_and_bans(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text("{")
    for admission, kind in (
        (AdmissionConfig(tokens=file), "a token file"),
        (AdmissionConfig(bans=file), "a file of bans"),
    ):
        config = replace(CONFIG, admission=admission)
        assert (await error_of(db, config)).startswith(f"{file} is not {kind}: ")
