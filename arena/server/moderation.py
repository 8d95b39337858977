"""Moderation: what the operator changes in files takes effect on clients that are connected."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

from arena.model.problems import Problems
from arena.server.admission import Admission
from arena.server.server import Arena
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter

CHECK_SECONDS = 0.25  # between two looks at the files


class Moderation:
    """Looks at the files of tokens and bans, and at the database, from `async with` to its end."""

    def __init__(
        self,
        admission: Admission,
        server: Arena,
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
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        looking, rewrites = self._writer.look(), self._writer.rewrites
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            for part, problem in self._admission.problems().items():
                self._problems.report(part, problem)
            if (revision := self._admission.revision) != self._revision:
                self._revision = revision
                self._server.remove_clients()
            if looking.done():  # it waits while another process changes the database
                looking = self._writer.look()
            if (changed := self._writer.rewrites) != rewrites and await self._try_to_reload():
                rewrites = changed

    async def _try_to_reload(self) -> bool:
        """Reload the stored matches, and return whether that was possible."""
        try:
            await self._reload()
        except DatabaseError as error:
            self._problems.report("database", str(error))
            return False
        self._problems.report("database", "")
        return True
