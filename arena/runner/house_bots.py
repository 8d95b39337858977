"""The bots that the arena offers to casual players: processes of its own, which dial in.

Each is started when it is challenged for the first time, and kept until the arena ends.
"""

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from arena.lobby.challenges import MOST_MATCHES
from arena.runner.processes import Processes
from arena.server.admission import Door
from arena.server.server import Arena

JOIN_SECONDS = 10.0  # that a challenger waits for a bot
TEND_SECONDS = 0.2  # between two looks at the processes
THINK_SECONDS = 2.0  # the most for a move, however long the clock lasts


class Offers:
    """The bots that are offered, by name what each is, from `with` to its end.

    Their names are reserved at the door. What goes wrong with them is told by `tell`.
    """

    def __init__(self, bots: Mapping[str, str], door: Door, tell: Callable[[str], None]) -> None:
        self._bots = bots
        self._tokens = {name: door.reserve(name) for name in bots}
        self._tell = tell
        self._processes = Processes()
        self._started: set[str] = set()
        self._tending: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._processes.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._tending:
            self._tending.cancel()
        self._processes.__exit__(kind, error, trace)

    async def bring(self, name: str, arena: Arena, url: str) -> None:
        """Wait until a bot is in the arena, which listens there, but not for ever.

        It is started if it has not been. Of who is not offered nothing is expected.
        """
        if name not in self._bots:
            return
        if name not in self._started:
            self._start(name, url)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + JOIN_SECONDS
        while not arena.has_guest(name) and (left := deadline - loop.time()) > 0:
            await arena.change(within=left)

    def _start(self, name: str, url: str) -> None:
        self._started.add(name)
        what, token = self._bots[name], self._tokens[name]
        self._processes.launch(name, what, url, None, MOST_MATCHES, token, THINK_SECONDS)
        if not self._tending:
            self._tend()

    def _tend(self) -> None:
        """Look after the processes, now and from time to time."""
        for news in self._processes.tend():
            self._tell(news)
        self._tending = asyncio.get_running_loop().call_later(TEND_SECONDS, self._tend)
