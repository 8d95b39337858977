"""Restarts of bots that get a new process for each match."""

import asyncio
from collections.abc import Collection

from websockets.frames import CloseCode

from arena.model.observer import Observer
from arena.model.results import MatchRecord
from arena.runner.processes import Processes
from arena.server.server import Server

CONNECT_SECONDS = 10.0  # after which a bot's next match begins without its new process


class Restarts(Observer):
    """Replaces the process of a bot after each match; until the new one connects, the bot waits.

    The bot plays one match at a time. Its old process gets the end of its connection, as at the end
    of a tournament, and has a second to exit.
    """

    def __init__(self, names: Collection[str], processes: Processes, server: Server) -> None:
        """Restart nothing yet.

        Args:
            names: The bots that get a new process for each match.
            processes: The processes of all bots.
            server: The server that they are connected to.
        """
        self._names = frozenset(names)
        self._processes = processes
        self._server = server
        self._waiting: dict[str, asyncio.TimerHandle] = {}  # the end of the wait, by name
        self._closing: set[asyncio.Task[None]] = set()

    def is_ready(self, name: str) -> bool:
        """Return whether a bot can begin a match."""
        if name not in self._names:
            return True
        is_idle = not self._server.sessions.get_or_create(name).assigned_matches
        return is_idle and name not in self._waiting

    def finished(self, record: MatchRecord) -> None:
        """Renew the processes of both players, once they have received the end of the match."""
        loop = asyncio.get_running_loop()
        for name in self._names.intersection(record.pairing.players):
            self._waiting[name] = loop.call_later(CONNECT_SECONDS, self._end_wait, name)
            loop.call_soon(self._renew, name)

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002
        """End the wait for a bot: its new process has connected."""
        process = self._processes.find(name)
        if name in self._waiting and process and not process.is_renewing:
            self._end_wait(name)

    def _renew(self, name: str) -> None:
        if connection := self._server.sessions.get_or_create(name).connection:
            task = asyncio.create_task(connection.close(CloseCode.NORMAL_CLOSURE))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        process = self._processes.find(name)
        assert process, "the arena has started it"
        process.renew()

    def _end_wait(self, name: str) -> None:
        self._waiting.pop(name).cancel()
        self._server.announce_change()
