"""What an operator sees of a real arena: health, metrics and log, also if something is missing."""

import asyncio
import json
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect

from arena.app import Arena
from arena.configuration import ArenaConfig
from arena.model.time_control import TimeControl
from arena.protocol.codec import encode
from arena.protocol.player import PROTOCOL_VERSION, Finished, Hello, Move, Resign, Turn
from arena.protocol.spectator import Leaderboards
from arena.storage.access import add_token
from arena.storage.writer import DatabaseWriter
from core.take_stones import Board
from tests.docs.guide.test_operate_an_arena import fields, rows
from tests.support.polling import awaited, wait_until
from tests.support.servers.arena_command import (
    COMMAND,
    Process,
    connect_guest,
    running_bot,
    running_process,
    wait_for_exit,
)
from tests.support.servers.handshakes import handshake_status
from tests.support.servers.http_client import request
from tests.support.servers.spectators import SpectatedArena
from tests.support.tournaments.databases import make_database, run_script
from tests.support.tournaments.records import make_pairing, make_record

pytestmark = pytest.mark.usefixtures("measured")


class Served(NamedTuple):
    """A running `arena serve` with a log."""

    process: Process
    log: Path
    url: str

    def health(self) -> dict[str, Any]:
        reply = request(self.url, "/healthz")
        assert reply.status == 200
        return dict(json.loads(reply.body))

    def wait_for_problems(self, *parts: str) -> dict[str, str]:
        """Wait until exactly these parts are degraded, and return the causes."""
        wait_until(lambda: [*self.health().get("problems", ())] == [*parts], f"{parts}")
        return dict(self.health().get("problems", {}))

    def lines(self, event: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line["event"] == event]

    def metric(self, name: str) -> list[str]:
        return [
            line
            for line in request(self.url, "/metrics").body.splitlines()
            if line.startswith(name)
        ]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Close what a test has opened."""
    with ExitStack() as result:
        yield result


def serve(stack: ExitStack, db: Path, *words: object, descriptors: int = 1024) -> Served:
    log = db.with_name("arena.log")
    command = [*COMMAND, "serve", "--port", 0, "--db", db, "--log", log, *words]
    limited = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
    process = stack.enter_context(running_process(*limited))
    wait_until(lambda: log.exists() and log.read_text(), "the log")
    [started] = Served(process, log, "").lines("arena_started")
    return Served(process, log, started["url"])


def stop(served: Served) -> None:
    served.process.send_signal(signal.SIGINT)
    assert wait_for_exit(served.process).status == 130


def test_health_is_answered_when_descriptors_are_short(stack: ExitStack, db: Path) -> None:
    served = serve(stack, db, descriptors=100)
    address = urlsplit(served.url)
    assert served.health()["status"] == "ok"
    clients = stack.enter_context(ExitStack())
    handshake = (
        "GET /watch HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    for _ in range(100):
        client = socket.create_connection((address.hostname, address.port or 0))
        clients.enter_context(client)
        client.sendall(handshake.encode())
        if b" 503 " in client.recv(100):
            break
    else:
        raise AssertionError("no spectator was refused")
    health = served.health()
    text = "file descriptors are short: new bots and spectators are refused"
    assert (health["status"], health["problems"]) == ("degraded", {"descriptors": text})
    assert served.metric('arena_degraded{part="descriptors"}') == [
        'arena_degraded{part="descriptors"} 1.0'
    ]
    assert served.metric('arena_refused_total{code="http_503"}')
    # Connections that ask for nothing do not keep the reserve.
    silent = [socket.create_connection((address.hostname, address.port or 0)) for _ in range(50)]
    for client in silent:
        clients.enter_context(client)
    wait_until(lambda: served.health()["status"] == "degraded", "health beside silent clients")
    clients.close()
    assert served.wait_for_problems() == {}
    stop(served)
    messages = [(line["logger"], line["text"]) for line in served.lines("message")]
    assert ("arena.listener", text) in messages
    assert [line["part"] for line in served.lines("degraded")][:1] == ["descriptors"]
    assert [line["part"] for line in served.lines("recovered")][:1] == ["descriptors"]


def test_a_token_file_that_cannot_be_read_is_reported(stack: ExitStack, db: Path) -> None:
    tokens = db.with_name("tokens.json")
    token = add_token(tokens, "Ann", 0.0)
    served = serve(stack, db, "--tokens", tokens)
    tokens.rename(db.with_name("elsewhere.json"))
    causes = served.wait_for_problems("tokens")
    assert causes == {"tokens": f"cannot read {tokens}: No such file or directory"}
    assert served.metric("arena_degraded{") == ['arena_degraded{part="tokens"} 1.0']
    headers = "Host: localhost", f"Authorization: Bearer {token}"
    assert asyncio.run(handshake_status(served.url, *headers)) == "503"
    db.with_name("elsewhere.json").rename(tokens)
    assert served.wait_for_problems() == {}
    assert asyncio.run(handshake_status(served.url, *headers)) == "101"
    stop(served)
    [line] = served.lines("degraded")
    assert (line["level"], line["part"], line["cause"]) == ("error", "tokens", causes["tokens"])
    assert [line["part"] for line in served.lines("recovered")] == ["tokens"]
    assert [line["code"] for line in served.lines("bot_refused")] == ["http_503"]


async def test_leaderboards_that_cannot_be_computed_are_tried_again(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.spectators.computations.RETRY_SECONDS", 0.0)
    make_database(db, [make_record(make_pairing(None))], None)
    config = ArenaConfig(("take_stones",), TimeControl.parse("20"), has_metrics=True)
    with DatabaseWriter(db) as writer:
        async with Arena(config, writer) as arena, AsyncExitStack() as connections:
            server = SpectatedArena(db, arena, connections)

            async def health() -> dict[str, Any]:
                reply = await asyncio.to_thread(request, arena.url, "/healthz")
                return dict(json.loads(reply.body))

            with monkeypatch.context() as broken:
                broken.setattr("sys.executable", "/nowhere/python")
                spectator = await server.follow()
                async with awaited("the report of the process"):
                    while (await health())["status"] == "ok":
                        pass
                cause = "no process can be started for the question: No such file or directory"
                assert (await health())["problems"] == {"leaderboards": cause}
            [table] = (await spectator.receive(Leaderboards)).tables
            assert table.finished == 1
            assert (await health())["status"] == "ok"


# The log


REFUSED = 10  # connections


async def play_as_guest(served: Served) -> None:
    """Play with the arena suspended in a turn, resign, and let others use the name in vain."""
    async with connect_guest(served.url) as guest:
        turn = await guest.receive(Turn)
        served.process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)  # the lag is what is tested
        served.process.send_signal(signal.SIGCONT)
        # Not 1, after which a large prime would end the match.
        move = Board(turn.setup["stones"], turn.moves).legal_moves()[-1]
        await guest.send(Move(turn.match, turn.ply, move))
        turn = await guest.receive(Turn)
        await guest.send(Resign(turn.match))
        await guest.receive(Finished)
        for _ in range(REFUSED):
            async with connect(served.url, proxy=None) as other:
                await other.send(encode(Hello(PROTOCOL_VERSION, "guest", ["take_stones"])))
                await other.wait_closed()
                assert other.close_reason == "name_taken"


async def play_to_the_end_of_the_arena(served: Served) -> None:
    """Play a match that cannot be stored."""
    async with connect_guest(served.url) as guest:
        turn = await guest.receive(Turn)
        run_script(served.log.with_name("arena.db"), "DROP TABLE matches")
        await guest.send(Resign(turn.match))
        assert await guest.wait_closed() == (1012, "")


def test_a_served_arena_logs_every_event_of_the_guide(stack: ExitStack, db: Path) -> None:
    bans = db.with_name("bans.json")
    served = serve(stack, db, "--stones", "50", "--bans", bans)
    stack.enter_context(running_bot("random", "Ann", served.url))
    asyncio.run(play_as_guest(served))
    bans.write_text("{")
    served.wait_for_problems("bans")
    bans.unlink()
    served.wait_for_problems()
    asyncio.run(play_to_the_end_of_the_arena(served))
    assert wait_for_exit(served.process).status == 1
    lines = [json.loads(line) for line in served.log.read_text().splitlines()]
    explained = {event.strip("`"): (levels, rest) for event, levels, rest in rows("event")}
    assert {line["event"] for line in lines} - {"message"} == {*explained} - {"message"}
    for line in lines:
        levels, rest = explained[line["event"]]
        assert line["level"] in levels
        if line["event"] != "message":  # which has a trace at times
            assert fields(line) == {*re.findall(r"`(\w+)`", rest)}
    refused = served.lines("bot_refused")
    assert (sum(line["count"] for line in refused), {line["code"] for line in refused}) == (
        REFUSED,
        {"name_taken"},
    )
    assert len(refused) < REFUSED  # once a second, and at the end
    assert [line["cause"] for line in served.lines("database_failed")]
