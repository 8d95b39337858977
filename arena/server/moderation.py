"""Moderation: what the operator changes in files takes effect on clients that are connected."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

from arena.model.observer import Problems
from arena.server.admission import Admission
from arena.server.server import Server
from arena.storage.writer import DatabaseWriter

CHECK_SECONDS = 0.25  # between two looks at the files


class Moderation:
    """Looks at the files of tokens and bans, and at the database, from `async with` to its end."""

    def __init__(
        self,
        admission: Admission,
        server: Server,
        problems: Problems,
        writer: DatabaseWriter,
        reload: Callable[[], Awaitable[None]],
    ) -> None:
        """Start nothing yet.

        Args:
            admission: The rules, with the files.
            server: The server, which removes clients.
            problems: Where files are reported that cannot be used.
            writer: The database.
            reload: Called when another process has changed the matches in it.
        """
        self._admission = admission
        self._server = server
        self._problems = problems
        self._revision = admission.revision
        self._writer = writer
        self._reload = reload

    async def __aenter__(self) -> Self:
        self._looking, self._rewrites = self._writer.look(), self._writer.rewrites
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self._check()
            except Exception as error:  # it goes on, or no ban would have an effect any more
                self._problems.report("moderation", f"{type(error).__name__}: {error}")
            else:
                self._problems.report("moderation", "")

    async def _check(self) -> None:
        """Apply all changes since the last call."""
        for part, problem in self._admission.problems().items():
            self._problems.report(part, problem)
        if (revision := self._admission.revision) != self._revision:
            self._server.remove_clients()
            self._revision = revision
        if self._looking.done():  # it waits while another process changes the database
            self._looking = self._writer.look()
        if (rewrites := self._writer.rewrites) != self._rewrites:
            await self._reload()
            self._rewrites = rewrites
