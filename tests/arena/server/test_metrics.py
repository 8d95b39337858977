"""What /metrics and /healthz of a real arena say, read by Prometheus' own parser."""

import json
import platform
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from arena.model.results import Fault, PlayedMove, Termination
from arena.protocol.player import Error, Hello, Move, Turn
from arena.server.metrics import Metrics
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.arena_server import in_event_loop
from tests.support.http_client import Watched, watched
from tests.support.records import make_aborted_record, make_pairing, make_record


def values(text: str) -> dict[str, float]:
    """The samples by how they are written."""
    return {
        sample.name
        + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def told(server: Watched) -> dict[str, float]:
    return values((await server.ask("/metrics")).body)


async def health(server: Watched) -> tuple[int, dict[str, Any]]:
    reply = await server.ask("/healthz")
    return reply.status, json.loads(reply.body)


@asynccontextmanager
async def counting(db: Path) -> AsyncIterator[Metrics]:
    """Metrics of an arena that nobody listens to."""
    with DatabaseWriter(db) as store:
        async with Metrics(store) as metrics:
            yield metrics


def counted(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


# Over HTTP


@in_event_loop
async def test_prometheus_is_told_its_own_format(db: Path) -> None:
    async with watched(db) as server:
        reply = await server.ask("/metrics")
        assert reply.status == 200
        assert reply.headers["Content-Type"].startswith("text/plain; version=")


@in_event_loop
async def test_before_anything_has_happened(db: Path) -> None:
    async with watched(db) as server:
        found = await told(server)
        assert all(
            found[f"arena_matches_finished_total termination={how}"] == 0 for how in Termination
        )
        names = ["bots", "matches_playing", "moves_total", "database_waiting"]
        assert [found[f"arena_{name}"] for name in names] == [0, 0, 0, 0]


@in_event_loop
async def test_bots_that_come_and_go_are_counted(db: Path) -> None:
    async with watched(db) as server:
        one = await server.connect_bot("one")
        await server.connect_bot("two")
        assert (await told(server))["arena_bots"] == 2
        await one.connection.close()
        await server.wait_until_disconnected("one")
        assert (await told(server))["arena_bots"] == 1


@in_event_loop
async def test_a_bot_that_comes_back_is_one_bot(db: Path) -> None:
    async with watched(db) as server:
        one = await server.connect_bot("one")
        await server.connect_bot("one", session=one.session)
        await one.wait_closed()
        assert (await told(server))["arena_bots"] == 1


@in_event_loop
async def test_a_match_is_counted(db: Path) -> None:
    async with watched(db) as server:
        one, _ = await server.connect_bot("one"), await server.connect_bot("two")
        match = server.start_match("one", "two", opening=(1, 4, 2, 6))
        turn = await one.receive(Turn)
        assert (await told(server))["arena_matches_playing"] == 1
        await one.send(Move(turn.match, turn.ply, 3))
        await match
        found = await told(server)
        assert found["arena_matches_playing"] == 0
        assert found["arena_matches_finished_total termination=no_legal_move"] == 1
        assert found["arena_moves_total"] == found["arena_turn_charged_seconds_count"] == 1


@in_event_loop
async def test_who_is_refused_is_counted(db: Path) -> None:
    async with watched(db) as server:
        await server.connect_bot("one")
        stranger = await server.connect()
        await stranger.send(Hello(1, "one", ["take_stones"]))
        await stranger.receive(Error)
        assert (await told(server))["arena_refused_total code=name_taken"] == 1


@in_event_loop
async def test_the_lag_of_the_loop_is_measured(db: Path) -> None:
    async with watched(db) as server:
        time.sleep(0.05)
        assert (await told(server))["arena_event_loop_lag_seconds"] >= 0.04


@in_event_loop
async def test_what_is_running(db: Path) -> None:
    async with watched(db) as server:
        [build] = [name for name in await told(server) if name.startswith("arena_build")]
        assert build == f"arena_build_info python={platform.python_version()} version=0.1.0"


@in_event_loop
async def test_without_its_package_the_version_is_unknown(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.metrics.entry_points", lambda **_: [])
    async with counting(db) as metrics:
        version = {"version": "unknown", "python": platform.python_version()}
        assert counted(metrics, "arena_build_info", **version) == 1


# Health


@in_event_loop
async def test_a_healthy_arena(db: Path) -> None:
    async with watched(db) as server:
        one, _ = await server.connect_bot("one"), await server.connect_bot("two")
        server.start_match("one", "two")
        await one.receive(Turn)
        status, facts = await health(server)
        assert facts.pop("uptime") > 0
        assert (status, facts) == (
            200,
            {"status": "ok", "bots": 2, "matches": 1, "database_writable": True},
        )


@in_event_loop
async def test_health_is_json(db: Path) -> None:
    async with watched(db) as server:
        assert (await server.ask("/healthz")).headers["Content-Type"] == "application/json"


@in_event_loop
async def test_a_database_that_could_not_be_written(db: Path) -> None:
    async with watched(db) as server:
        await server.connect_bot("one")
        await server.connect_bot("two")
        with closing(sqlite3.connect(db)) as database:
            database.execute("DROP TABLE matches")
        with pytest.raises(DatabaseError):
            await server.start_match("one", "two")
        status, facts = await health(server)
        assert (status, facts["status"], facts["database_writable"]) == (503, "failed", False)


# The store


def test_writes_that_wait_are_counted(db: Path) -> None:
    with DatabaseWriter(db) as store, closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writes = [store.begin_match(make_pairing(), "1", 0.0) for _ in range(3)]
        assert store.pending == 3
        other.execute("COMMIT")
        [write.result() for write in writes]
        assert (store.pending, store.has_failed) == (0, False)


# Happenings


@in_event_loop
async def test_an_aborted_match_is_counted_as_one(db: Path) -> None:
    async with counting(db) as metrics:
        metrics.started(1, make_pairing())
        metrics.finished(make_aborted_record())
        assert counted(metrics, "arena_matches_finished_total", termination="aborted") == 1


@in_event_loop
async def test_the_turn_that_ended_a_match_is_timed_but_is_no_move(db: Path) -> None:
    async with counting(db) as metrics:
        metrics.finished(make_record(fault=Fault(0, None, 5.0, 0.0, 5.0, 0.25)))
        assert counted(metrics, "arena_moves_total") == 0
        assert counted(metrics, "arena_turn_charged_seconds_sum") == 5.0
        assert counted(metrics, "arena_turn_lag_seconds_sum") == 0.25


@in_event_loop
async def test_two_arenas_count_on_their_own(db: Path, tmp_path: Path) -> None:
    async with counting(db) as one, counting(tmp_path / "two.db") as two:
        one.moved(1, PlayedMove(0, 3, 1.5, 0.5, 1.0, 0.002))
        assert counted(one, "arena_moves_total") == 1
        assert counted(two, "arena_moves_total") == 0
