"""Command `arena bot`."""

import asyncio
import json
import signal
import socket

import pytest
from websockets.asyncio.server import ServerConnection, serve

from arena.protocol.codec import encode
from arena.protocol.player import Error
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    Run,
    running_process,
    wait_for_line,
)


def test_invalid_options_are_found_before_it_connects(arena: Run) -> None:
    for words, problem in (
        (["chess"], "unknown bot 'chess' (choose from random, "),
        (["ann=greedy", "--name", "bob"], "--name bob cannot be combined with bot 'ann=greedy'"),
        (["=greedy"], "bot '=greedy': name '': "),
        (["spec:1-3"], "one bot is needed, not those of 'spec:1-3'"),
        ([f"stdio:./{'x' * 70}", "--name", "ok"], "x' not found"),
        (["stdio:./absent"], "bot 'stdio:./absent': program './absent' not found"),
    ):
        end = arena("bot", *words)
        assert (end.status, end.out) == (2, ""), words
        assert problem in end.err
        assert end.err.count("\n") == 1


@pytest.mark.usefixtures("measured")
async def test_it_says_why_it_waits_and_why_it_is_refused() -> None:
    async def refuse(connection: ServerConnection) -> None:
        hello = json.loads(await connection.recv())
        await connection.send(encode(Error("name_taken", f"the name {hello['name']} is taken")))
        await connection.wait_closed()

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        url = f"ws://127.0.0.1:{port}/play"
        with running_process(*COMMAND, "bot", "ann=greedy", "--url", url) as bot:
            waiting = f"(arena: waiting for the arena at {url}: Connection refused)"
            await asyncio.to_thread(wait_for_line, bot, waiting)
            taken.close()
            async with serve(refuse, "127.0.0.1", port):
                _, errors = await asyncio.to_thread(bot.communicate)
            assert errors == "arena: the name ann is taken (name_taken)\n"
            assert bot.returncode == 1


def test_ctrl_c_ends_it_at_once() -> None:
    with running_process(*COMMAND, "bot", "greedy", "--url", "ws://127.0.0.1:1/play") as bot:
        wait_for_line(bot, "(waiting for the arena)")
        bot.send_signal(signal.SIGINT)
        assert bot.communicate() == ("", "arena: stopped\n")
        assert bot.returncode == 130


async def test_it_ends_when_the_arena_is_done(arena: Run) -> None:
    async def finish(connection: ServerConnection) -> None:
        await connection.recv()

    async with serve(finish, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        words = ["bot", "greedy", "--quiet", "--url", f"ws://127.0.0.1:{port}/play"]
        end = await asyncio.to_thread(arena, *words)
    assert end == CompletedCommand(0, "", "")
