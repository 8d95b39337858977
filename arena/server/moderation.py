"""Moderation: what the operator changes in files takes effect on clients that are connected."""

import asyncio
from typing import Self

from arena.model.problems import Problems
from arena.server.admission import Admission
from arena.server.server import Arena

CHECK_SECONDS = 0.25  # between two looks at the files


class Moderation:
    """Looks at the files of tokens and bans at intervals, from `async with` to its end."""

    def __init__(self, admission: Admission, server: Arena, problems: Problems) -> None:
        """Start nothing yet.

        Args:
            admission: The rules, with the files.
            server: The server, which removes clients.
            problems: Where files are reported that cannot be used.
        """
        self._admission = admission
        self._server = server
        self._problems = problems
        self._revision = admission.revision

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            for part, problem in self._admission.problems().items():
                self._problems.report(part, problem)
            if (revision := self._admission.revision) != self._revision:
                self._revision = revision
                self._server.remove_clients()
