"""Client of the bots: reconnection, retries and delays."""

import asyncio
import itertools
import time
from functools import partial

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bots import client as client_module
from bots.client import Client, ConnectionRejected, is_here
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.ports import reserved_port
from tests.support.servers.scripted_server import (
    Script,
    abort,
    close,
    end,
    first_move,
    run_client,
    welcome,
    welcome_and_abort,
)


@loop_over(
    "script",
    abort,
    welcome_and_abort,
    partial(close, code=1009),
    partial(close, code=1011),
    partial(close, code=1012),
)
def test_client_reconnects_after(script: Script) -> None:
    hellos = []

    async def again(connection: ServerConnection) -> None:
        hellos.append(await welcome(connection))

    run_client(script, again)
    assert len(hellos) == 1


def test_reconnection_uses_the_session_key_and_the_options_or_is_rejected() -> None:
    hellos = []

    async def again(connection: ServerConnection) -> None:
        hellos.append(await welcome(connection))

    run_client(welcome_and_abort, again, casual=True, token="tsa_secret")
    [hello] = hellos
    assert (hello["session"], hello["casual"], hello["token"]) == ("key", True, "tsa_secret")
    with pytest.raises(ConnectionRejected, match="name_taken"):
        run_client(welcome_and_abort, partial(close, code=1008, reason="name_taken"))


def test_client_waits_for_the_arena_to_start() -> None:
    async def wait(port: int) -> None:
        url = f"ws://127.0.0.1:{port}/play"
        playing = asyncio.create_task(Client(url, "tester", first_move, []).play())
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        async with serve(end, "127.0.0.1", port), asyncio.timeout(TEST_TIMEOUT):
            await playing

    with reserved_port() as port:
        asyncio.run(wait(port))


@loop_over("host", ["127.0.0.1", "127.0.0.2", "0.0.0.0"])
def test_no_proxy_is_asked_for_this_machine(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for scheme in ("http", "https", "all"):
        monkeypatch.setenv(f"{scheme}_proxy", "http://127.0.0.1:9")
    run_client(end, host=host)


@loop_over("proxy", ["ftp://127.0.0.1:9", "http://127.0.0.1:99999"])
def test_a_proxy_that_cannot_be_asked_is_named(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for scheme in ("http", "https", "socks", "all"):
        monkeypatch.setenv(f"{scheme}_proxy", proxy)
    client = Client("ws://203.0.113.77:9/play", "tester", first_move, [])
    with pytest.raises(ConnectionRejected, match="proxy of the environment: "):
        asyncio.run(client.play())


@loop_over(
    "host, expected",
    ("localhost", True),
    ("127.0.0.1", True),
    ("203.0.113.77", False),
    ("2001:db8:77::1", False),
    ("arena.example", False),
)
def test_which_hosts_are_this_machine(
    host: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "is_loopback", lambda _: False)  # an address as any other
    assert is_here(host) == expected


def test_client_retries_after_status_503_but_not_404() -> None:
    answers = [503, 503]

    async def admit(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        return connection.respond(answers.pop(), "not now\n") if answers else None

    run_client(end, admit=admit)
    assert answers == []

    async def refuse(connection: ServerConnection, request: Request) -> Response | None:  # noqa: ARG001
        return connection.respond(404, "no arena\n")

    with pytest.raises(ConnectionRejected, match=r"no arena at ws://.*: HTTP status 404"):
        run_client(end, admit=refuse)


def test_delay_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_DELAY", 0.02)
    attempts = []

    async def abort_at_once(connection: ServerConnection) -> None:
        attempts.append(time.monotonic())
        connection.transport.abort()

    run_client(*4 * [abort_at_once], end)
    gaps = [later - sooner for sooner, later in itertools.pairwise(attempts)]
    assert all(gap > least for gap, least in zip(gaps, [0.0199, 0.0399, 0.0799], strict=True))


# Without the limit or the reset, 24 delays take hours and exceed the timeout of `run_client`.


def test_delays_have_a_limit_and_are_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LAST_DELAY", 0.002)
    run_client(*24 * [abort], end)
    monkeypatch.setattr(client_module, "LAST_DELAY", 10 * TEST_TIMEOUT)
    run_client(*24 * [welcome_and_abort], end)
