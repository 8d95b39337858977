"""Scripted server for tests of the client of the bots: one script per connection."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from arena.protocol.codec import encode
from arena.protocol.player import FromArena, Turn, Welcome
from bots.client import Client, ClockReading, Strategy, TurnStrategy
from core.game import Position
from tests.support.polling import TEST_TIMEOUT

Script = Callable[[ServerConnection], Awaitable[None]]
Admit = Callable[[ServerConnection, Request], Awaitable[Response | None]]
Fields = dict[str, Any]


def first_move(position: Position, clock: ClockReading) -> int:  # noqa: ARG001
    return position.legal_moves()[0]


async def run_client_async(
    *scripts: Script,
    strategy: Strategy | TurnStrategy = first_move,
    matches: int = 1,
    admit: Admit | None = None,
    token: str | None = None,
    casual: bool = False,
    think: float | None = None,
    host: str = "127.0.0.1",
) -> None:
    """Run a client against a server that uses one script per connection, then closes with 1000.

    `admit` can reject a handshake. An exception of the client or of a script is raised.
    """
    rest = iter(scripts)
    failures: list[BaseException] = []

    async def follow(connection: ServerConnection) -> None:
        try:
            await next(rest)(connection)
        except Exception as error:
            failures.append(error)

    async with (
        serve(follow, host, 0, process_request=admit) as server,
        asyncio.timeout(TEST_TIMEOUT),
    ):
        port = next(iter(server.sockets)).getsockname()[1]
        url = f"ws://{host}:{port}/play"
        games = ["take_stones"]
        await Client(url, "tester", strategy, games, matches, token, casual, think).play()
    for failure in failures:
        raise failure
    assert next(rest, None) is None, "the client did not reconnect"


def run_client(*scripts: Script, **options: Any) -> None:
    """Run a client as `run_client_async` does, in an event loop of its own."""
    asyncio.run(run_client_async(*scripts, **options))


def turn(moves: list[int], match: str = "1", you: int = 1) -> Turn:
    """Return a turn with 7 stones."""
    setup = {"stones": 7}
    clocks = (5000, 4000)
    return Turn(match, "take_stones", setup, moves, len(moves), you, clocks, 50, "other")


async def send(connection: ServerConnection, *messages: FromArena) -> None:
    for message in messages:
        await connection.send(encode(message))


async def receive(connection: ServerConnection) -> Fields:
    fields: Fields = json.loads(await connection.recv())
    return fields


async def welcome(connection: ServerConnection) -> Fields:
    """Welcome the bot and return its hello."""
    hello = await receive(connection)
    await send(connection, Welcome(1, "tester", "key"))
    return hello


async def welcome_and_abort(connection: ServerConnection) -> None:
    """Welcome the bot, then abort the connection."""
    await welcome(connection)
    connection.transport.abort()


async def end(connection: ServerConnection) -> None:
    """Welcome the bot, then close the connection normally."""
    await welcome(connection)


async def abort(connection: ServerConnection) -> None:
    connection.transport.abort()


async def close(connection: ServerConnection, code: int, reason: str = "") -> None:
    await connection.recv()
    await connection.close(code, reason)
