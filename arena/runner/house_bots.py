"""House bots: opponents for casual players, run by the arena as processes that connect to it.

Each is started when it is challenged for the first time, and runs until the arena ends.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Self

from arena.lobby.challenges import MAX_CASUAL_MATCHES
from arena.runner.named_bots import Bots
from arena.runner.processes import JOIN_SECONDS, SUPERVISE_INTERVAL, Processes
from arena.sandbox.limits import Policy
from arena.server.admission import Admission
from arena.server.server import Server

THINK_SECONDS = 2.0  # for a move at most, also if the clock allows more


class HouseBots:
    """The processes of the house bots, from `with` to its end."""

    def __init__(
        self,
        bots: Bots,
        admission: Admission,
        report: Callable[[str], None],
        sandbox: Policy | None = None,
        games: Sequence[str] = (),
    ) -> None:
        """Reserve the names of the bots.

        Args:
            bots: The specification of each bot, by name.
            admission: The admission, which reserves the names.
            report: Receives messages about processes that have ended.
            sandbox: The sandbox of users' programs; None isolates only program: bots.
            games: The names of the games that the arena plays; none for all registered ones.
        """
        self._bots = bots
        self._tokens = {name: admission.casual_names.reserve(name) for name in bots}
        self._report = report
        self._processes = Processes(sandbox, games=games)
        self._started: set[str] = set()
        self._supervision: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._processes.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._supervision:
            self._supervision.cancel()
        self._processes.__exit__(*error)

    async def ensure_connected(self, name: str, server: Server, url: str) -> None:
        """Start a house bot unless it runs, and wait until it is connected or a timeout.

        Args:
            name: The name of a casual player; nothing happens if it is not a house bot.
            server: The server.
            url: The URL of the server for bots.
        """
        if name not in self._bots:
            return
        if name not in self._started:
            self._start(name, url)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + JOIN_SECONDS
        while not server.sessions.has_casual_player(name) and (left := deadline - loop.time()) > 0:
            await server.wait_for_change(timeout=left)

    def _start(self, name: str, url: str) -> None:
        self._started.add(name)
        spec, token = self._bots[name], self._tokens[name]
        self._processes.launch(name, spec, url, None, MAX_CASUAL_MATCHES, token, THINK_SECONDS)
        if not self._supervision:
            self._supervise()

    def _supervise(self) -> None:
        """Restart processes that have ended, now and at intervals."""
        for message in self._processes.supervise():
            self._report(message)
        loop = asyncio.get_running_loop()
        self._supervision = loop.call_later(SUPERVISE_INTERVAL, self._supervise)
