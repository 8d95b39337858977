"""TCP proxy on 127.0.0.1 whose connections a test can cut."""

import asyncio
from contextlib import suppress
from typing import Self

CHUNK = 2**16


class TcpProxy:
    """Passes bytes on to a port, until it is cut.

    Attributes:
        port: The port of the proxy.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_cut = False  # it listens on, or another process could take its port

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        """Reset all connections, also new ones until `restore`."""
        self._is_cut = True
        for writer in self._writers.copy():
            writer.transport.abort()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def restore(self) -> None:
        """Pass bytes on again."""
        self._is_cut = False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self._target)
        await asyncio.gather(self._pass(reader, other_writer), self._pass(other_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                writer.write(data)
                await writer.drain()
        self._writers.discard(writer)
        writer.transport.abort()
