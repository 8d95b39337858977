"""Connections: oversized messages, and clients that do not read."""

import asyncio
import base64
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena.network.connection import FIRST_UNITS, REFUND
from arena.protocol.player import PROTOCOL_VERSION, Hello, Move, Resign
from arena.server.server import MAX_FRAME
from tests.support.servers.arena_server import (
    MESSAGES_IN_BUDGET,
    TEST_TIMEOUT,
    arena_server,
    in_event_loop,
    two_bots,
)
from tests.support.servers.raw_socket import frame, websocket

GAMES = ["take_stones"]


# Oversized messages


@in_event_loop
async def test_an_oversized_hello_closes_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect()
        await bot.send("x" * (MAX_FRAME + 1))
        assert (await bot.wait_closed())[0] == 1009


@in_event_loop
async def test_an_oversized_message_closes_the_connection(db: Path) -> None:
    async with arena_server(db) as server:
        bot = await server.connect_bot("one")
        await bot.send("x" * (MAX_FRAME + 1))
        assert (await bot.wait_closed())[0] == 1009


# Clients that do not read


KEY = base64.b64encode(bytes(16)).decode()


HANDSHAKE = (
    "GET /play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def connect_without_reading(url: str) -> socket.socket:
    """Connect a bot that sends hello and never reads."""
    result = socket.socket()
    result.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    address = urlsplit(url)
    result.settimeout(TEST_TIMEOUT)
    result.connect((address.hostname, address.port))
    result.sendall(HANDSHAKE.encode() + frame(Hello(PROTOCOL_VERSION, "deaf", GAMES)))
    return result


def flood(bot: socket.socket) -> None:
    """Send messages that cause answers until the arena disconnects."""
    questions = frame(Resign("\1" * 64)) * 100
    while True:
        bot.sendall(questions)


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read all that a client sends, and disconnect it soon if it does not read."""
    monkeypatch.setattr("arena.network.connection.TURN_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNITS", sys.maxsize)
    monkeypatch.setattr("arena.network.connection.MAX_UNSENT", 2**16)


@pytest.mark.usefixtures("no_limits")
@in_event_loop
async def test_a_bot_that_never_reads_is_disconnected(db: Path) -> None:
    async with arena_server(db) as server:
        with await asyncio.to_thread(connect_without_reading, server.url) as bot:
            with pytest.raises(ConnectionError):
                await asyncio.to_thread(flood, bot)
            await server.wait_until_disconnected("deaf")
        assert "deaf" not in server.arena.sessions.bots


@pytest.mark.usefixtures("no_limits")
@in_event_loop
async def test_a_bot_that_never_reads_delays_no_other(db: Path) -> None:
    async with arena_server(db) as server:
        one, _ = await two_bots(server)
        with await asyncio.to_thread(connect_without_reading, server.url) as bot:
            flooding = asyncio.create_task(asyncio.to_thread(flood, bot))
            task = server.start_match("one", "two", opening=(1, 4, 2, 6))
            await one.play(3)
            assert (await task).winner == "one"
            with pytest.raises(ConnectionError):
                await flooding


# The budget


@in_event_loop
async def test_many_messages_at_once_are_all_read(db: Path) -> None:
    async with arena_server(db) as server, websocket(server.url) as bot:
        await bot.send(frame(Hello(PROTOCOL_VERSION, "one", GAMES)))
        await server.wait_until_connected("one")
        await bot.send(frame(Resign("x")) * MESSAGES_IN_BUDGET)
        for _ in range(MESSAGES_IN_BUDGET):
            await bot.read(b'"unknown_match"')


@pytest.mark.usefixtures("no_turns")
@in_event_loop
async def test_a_useful_message_lets_more_be_read(db: Path) -> None:
    async with arena_server(db) as server, websocket(server.url) as bot:
        await bot.send(frame(Hello(PROTOCOL_VERSION, "one", GAMES)))
        await server.wait_until_connected("one")
        await server.connect_bot("two")
        server.start_match("one", "two")
        await bot.read(b'"type":"turn"')
        # One read: after the hello there are units for some 36 frames, the first of which gives
        # back four.
        await bot.send(frame(Move("1", 0, 1)) + frame(Resign("x")) * FIRST_UNITS)
        for _ in range(FIRST_UNITS - 4 + REFUND - 2):
            await bot.read(b'"unknown_match"')
