"""An arena that goes on without something: health, metrics and log say what is missing."""

import asyncio
import json
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from arena.storage.tokens import add_token
from tests.support.polling import wait_until
from tests.support.servers.arena_command import COMMAND, Process, running_process, wait_for_exit
from tests.support.servers.handshakes import handshake_status
from tests.support.servers.http_client import request

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
