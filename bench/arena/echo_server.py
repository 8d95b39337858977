"""Echo server: the reference of bench/arena/load.py, which sends the turns of matches."""

import asyncio
import itertools
import time
from multiprocessing.connection import Connection

from websockets.asyncio.server import ServerConnection, serve

from arena.protocol.codec import encode
from arena.protocol.player import Turn, Welcome
from arena.server.server import CLOSE_TIMEOUT, LOGGER, MAX_FRAME
from bench.arena.simulated_bots import GAME, STONES, fixed_moves


def turns(match: str) -> list[str]:
    """Return the turns of the fixed match, as long as the arena's."""
    line, setup = fixed_moves(), {"stones": STONES}
    clocks = 999_999, 999_999
    return [
        encode(Turn(match, GAME, setup, line[:ply], ply, ply % 2 + 1, clocks, 1000, "bot 123"))
        for ply in range(len(line))
    ]


def run(pipe: Connection, timed: bool) -> None:
    """Run the server in this process: send its port, and exit after a message.

    If `timed`, it then sends the elapsed time of each turn in seconds, by match and ply.
    """
    asyncio.run(_serve(pipe, timed))


async def _serve(pipe: Connection, timed: bool) -> None:
    always, numbers = turns("12345"), itertools.count(1)
    elapsed: dict[tuple[str, int], float] = {}

    async def echo(connection: ServerConnection) -> None:
        await connection.recv()
        await connection.send(encode(Welcome(1, "bot", "1234567890123456789012")))
        while not timed:
            for message in always:
                await connection.send(message)
                await connection.recv()
        while True:
            match = str(next(numbers))
            for ply, message in enumerate(turns(match)):
                begun = time.monotonic()
                await connection.send(message)
                await connection.recv()
                elapsed[match, ply] = time.monotonic() - begun

    server = await serve(
        echo,
        "127.0.0.1",
        0,
        compression=None,
        max_size=MAX_FRAME,
        close_timeout=CLOSE_TIMEOUT,
        logger=LOGGER,
    )
    pipe.send(next(iter(server.sockets)).getsockname()[1])
    await asyncio.to_thread(pipe.recv)
    if timed:
        pipe.send(elapsed)
    server.close(close_connections=False)
