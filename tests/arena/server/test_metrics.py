"""/metrics and /healthz of a real arena, read with the parser of Prometheus."""

import json
import platform
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from arena.model.results import Fault, PlayedMove, Termination
from arena.protocol.player import Error, Hello, Move, Turn
from arena.server.metrics import Metrics
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.servers.http_client import MonitoredServer, monitored_server
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record


@pytest.fixture(autouse=True)
def _rendered_at_every_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.server.metrics.PAGE_LIFETIME", 0.0)


LOW_BUCKETS = ["0.0001", "0.0003", "0.001", "0.003"]


def values(text: str) -> dict[str, float]:
    """Return the value of each sample by its name and labels."""
    return {
        sample.name
        + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def scrape(server: MonitoredServer) -> dict[str, float]:
    return values((await server.request("/metrics")).body)


async def health(server: MonitoredServer) -> tuple[int, dict[str, Any]]:
    reply = await server.request("/healthz")
    return reply.status, json.loads(reply.body)


@asynccontextmanager
async def standalone_metrics(db: Path) -> AsyncIterator[Metrics]:
    """Metrics without a server."""
    with DatabaseWriter(db) as writer:
        async with Metrics(writer) as metrics:
            yield metrics


def sample(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


# Over HTTP


async def test_metrics_have_the_format_of_prometheus_and_start_at_zero(db: Path) -> None:
    async with monitored_server(db) as server:
        reply = await server.request("/metrics")
        assert reply.status == 200
        assert reply.headers["Content-Type"].startswith("text/plain; version=")
        found = values(reply.body)
        names = [f"matches_finished_total termination={how}" for how in Termination]
        names += ["bots", "matches_playing", "moves_total", "database_waiting"]
        assert {found[f"arena_{name}"] for name in names} == {0}
        [build] = [name for name in found if name.startswith("arena_build")]
        version = metadata.version("take-stones-arena")
        assert build == f"arena_build_info python={platform.python_version()} version={version}"


async def test_connected_and_refused_bots_are_counted(db: Path) -> None:
    async with monitored_server(db) as server:
        one = await server.connect_bot("one")
        two = await server.connect_bot("two")
        assert (await scrape(server))["arena_bots"] == 2
        await one.connection.close()
        await server.wait_until_disconnected("one")
        await server.connect_bot("two", session=two.session)
        await two.wait_closed()
        stranger = await server.connect()
        await stranger.send(Hello(1, "two", ["take_stones"]))
        await stranger.receive(Error)
        found = await scrape(server)
        assert (found["arena_bots"], found["arena_refused_total code=name_taken"]) == (1, 1)
        assert [name for name in found if "_created" in name] == []


async def test_a_match_is_counted(db: Path) -> None:
    async with monitored_server(db) as server:
        one, _ = await server.connect_bot("one"), await server.connect_bot("two")
        match = server.start_match("one", "two", opening=(1, 4, 2, 6))
        turn = await one.receive(Turn)
        assert (await scrape(server))["arena_matches_playing"] == 1
        await one.send(Move(turn.match, turn.ply, 3))
        await match
        found = await scrape(server)
        assert found["arena_matches_playing"] == 0
        assert found["arena_matches_finished_total termination=no_legal_move"] == 1
        assert found["arena_moves_total"] == found["arena_turn_charged_seconds_count"] == 1


async def test_the_lag_of_the_event_loop_is_measured(db: Path) -> None:
    async with monitored_server(db) as server:
        time.sleep(0.05)
        assert (await scrape(server))["arena_event_loop_lag_seconds"] >= 0.04


async def test_the_version_is_unknown_without_an_installed_package(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.model.version.entry_points", lambda **_: [])
    async with standalone_metrics(db) as metrics:
        version = {"version": "unknown", "python": platform.python_version()}
        assert sample(metrics, "arena_build_info", **version) == 1


async def test_metrics_are_not_rendered_again_at_once(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.metrics.PAGE_LIFETIME", 1e6)
    async with monitored_server(db) as server:
        before = await server.request("/metrics")
        await server.connect_bot("one")
        assert (await server.request("/metrics")).body == before.body
        assert (await health(server))[1]["bots"] == 1


@loop_over("name", ["arena_turn_charged_seconds", "arena_turn_lag_seconds"])
async def test_times_are_resolved_from_a_tenth_of_a_millisecond(db: Path, name: str) -> None:
    async with standalone_metrics(db) as metrics:
        metrics.moved(1, PlayedMove(0, 3, 0.0002, 0.0, 0.0002, 0.0002))
        buckets = {bound: sample(metrics, f"{name}_bucket", le=bound) for bound in LOW_BUCKETS}
        assert buckets == {"0.0001": 0, "0.0003": 1, "0.001": 1, "0.003": 1}


# Health


async def test_the_health_of_a_running_arena(db: Path) -> None:
    async with monitored_server(db) as server:
        one, _ = await server.connect_bot("one"), await server.connect_bot("two")
        server.start_match("one", "two")
        await one.receive(Turn)
        reply = await server.request("/healthz")
        assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")
        facts = json.loads(reply.body)
        assert facts.pop("uptime") > 0
        expected = {"status": "ok", "bots": 2, "matches": 1, "database_writable": True}
        assert facts == expected


async def test_a_failed_write_is_unhealthy(db: Path) -> None:
    async with monitored_server(db) as server:
        await server.connect_bot("one")
        await server.connect_bot("two")
        with closing(sqlite3.connect(db)) as database:
            database.execute("DROP TABLE matches")
        with pytest.raises(DatabaseError):
            await server.start_match("one", "two")
        status, facts = await health(server)
        assert (status, facts["status"], facts["database_writable"]) == (503, "failed", False)


# The database writer


def test_pending_writes_are_counted(db: Path) -> None:
    with DatabaseWriter(db) as writer, closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writes = [writer.begin_match(make_pairing(), "1", 0.0) for _ in range(3)]
        assert writer.pending == 3
        other.execute("COMMIT")
        [write.stored.result() for write in writes]
        assert (writer.pending, writer.has_failed) == (0, False)


# Events


async def test_a_turn_that_ends_a_match_is_timed_but_not_counted_as_move(db: Path) -> None:
    async with standalone_metrics(db) as metrics:
        metrics.started(1, make_pairing())
        metrics.finished(make_aborted_record())
        assert sample(metrics, "arena_matches_finished_total", termination="aborted") == 1
        metrics.finished(make_record(fault=Fault(0, None, 5.0, 0.0, 5.0, 0.25)))
        assert sample(metrics, "arena_moves_total") == 0
        assert sample(metrics, "arena_turn_charged_seconds_sum") == 5.0
        assert sample(metrics, "arena_turn_lag_seconds_sum") == 0.25


async def test_two_arenas_have_separate_metrics(db: Path, tmp_path: Path) -> None:
    async with standalone_metrics(db) as one, standalone_metrics(tmp_path / "two.db") as two:
        one.moved(1, PlayedMove(0, 3, 1.5, 0.5, 1.0, 0.002))
        assert sample(one, "arena_moves_total") == 1
        assert sample(two, "arena_moves_total") == 0
