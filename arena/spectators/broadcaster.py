"""Broadcaster of updates to all spectators.

Spectators must not slow down the players. One task sends all updates, in rounds: it sends a batch,
lets the event loop run other tasks, and pauses much longer than a round takes. A spectator with a
full send buffer is skipped until it drains; then it receives the latest state.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice

from arena.network.connection import Connection
from arena.network.frames import compressed_text_frame, text_frame
from arena.network.work_time import work_time
from arena.protocol.codec import RequestError
from arena.protocol.spectator import Watch
from arena.spectators.computations import BackgroundTasks, Computations
from arena.spectators.delta import IDLE, Cursor, Deltas
from arena.spectators.workers.pool import Workers

ROUND_SECONDS = 0.05  # least time between two rounds
TIME_SHARE = 0.05  # largest share of the event loop's processor time for rounds
BATCH_SIZE = 20  # spectators served before other tasks run
BATCH_BYTES = 500_000  # sent before other tasks run, to fewer spectators
SEND_BUFFER_LIMIT = 16 * 1024  # bytes; above it a spectator is skipped
# Characters that a unit of the connection's budget pays for, beside the time of its input: they are
# packed for a worker, or come from one and are sent.
TEXT_LENGTH = 16 * 1024


def charge_text(connection: Connection, length: int) -> None:
    """Charge the budget of a connection for a question or an answer of this many characters."""
    connection.charge(length / TEXT_LENGTH)


class Spectator:
    """A spectator's connection and its cursor."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.cursor = IDLE

    @property
    def is_ready(self) -> bool:
        """Whether the send buffer has room for the next updates."""
        return self.connection.transport.get_write_buffer_size() <= SEND_BUFFER_LIMIT


class Message:
    """Frames to several clients, encoded once in each of the two forms, if it is needed."""

    def __init__(self, frames: Sequence[str]) -> None:
        self._frames = frames

    def send(self, connection: Connection) -> None:
        """Hand the frames to the socket of a connection, without waiting."""
        connection.write_frame(self._compressed if connection.accepts_compressed else self._plain)

    @cached_property
    def _plain(self) -> bytes:
        return b"".join(map(text_frame, self._frames))

    @cached_property
    def _compressed(self) -> bytes:
        return b"".join(map(compressed_text_frame, self._frames))


class Broadcaster:
    """Sender of updates to all spectators, in rounds."""

    def __init__(
        self,
        deltas: Deltas,
        computations: Computations,
        workers: Workers,
        tasks: BackgroundTasks,
    ) -> None:
        self._deltas = deltas
        self._computations = computations
        self._workers = workers
        self._tasks = tasks
        self._spectators: set[Spectator] = set()
        self._wanted = asyncio.Event()  # a round
        self._others = 0.0  # processor time of other tasks during a round, in seconds

    @property
    def is_empty(self) -> bool:
        """Whether no spectator is connected."""
        return not self._spectators

    def add(self, spectator: Spectator) -> None:
        """Include a spectator in the rounds."""
        self._spectators.add(spectator)

    def discard(self, spectator: Spectator) -> None:
        """Exclude a spectator from the rounds."""
        self._spectators.discard(spectator)

    def has_lobby_spectators(self) -> bool:
        """Return whether any spectator follows the lobby."""
        return any(spectator.cursor.follows is None for spectator in self._spectators)

    def request_round(self) -> None:
        """Let a round follow, as there is something new to send."""
        if self._spectators:
            self._wanted.set()

    async def run(self) -> None:
        """Send rounds when they are wanted, until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            # Not the time of the wall, in which other tasks and other programs run too.
            started, self._others = work_time(), 0.0
            await self.send_round()
            took = work_time() - started - self._others
            await asyncio.sleep(max(ROUND_SECONDS, took / TIME_SHARE))

    async def send_round(self) -> None:
        """Send each spectator with room in its send buffer the changes since its cursor."""
        groups: dict[Cursor, list[Spectator]] = {}
        for spectator in self._spectators:
            if spectator.is_ready:
                groups.setdefault(spectator.cursor, []).append(spectator)
            else:
                self._wanted.set()  # try again in the next round
        self._computations.start_missing({one.cursor.follows for one in self._spectators})
        for cursor, spectators in groups.items():
            await self._send_delta(cursor, spectators)

    async def _send_delta(self, cursor: Cursor, group: Sequence[Spectator]) -> None:
        """Send a group at one cursor the changes since it."""
        # A spectator that has made a new choice during this round is served in the next one.
        spectators = [spectator for spectator in group if spectator.cursor == cursor]
        frames, after = self._deltas.since(cursor)
        for spectator in spectators:
            spectator.cursor = after
        length = sum(map(len, frames))
        if not cursor.version:  # the complete state, the answer to `watch`
            for spectator in spectators:
                charge_text(spectator.connection, length)
        size = max(1, min(BATCH_SIZE, BATCH_BYTES // max(1, length)))
        message = Message(frames)
        for batch in _batches(spectators, size) if frames else ():
            for spectator in [each for each in batch if each.cursor == after]:
                message.send(spectator.connection)
            await self._give_way()
        if cursor.follows is not None and cursor != after == IDLE:
            self._tasks.start(self._send_stored_match(spectators, cursor.follows))

    async def _give_way(self) -> None:
        """Let other tasks run."""
        started = work_time()
        await asyncio.sleep(0)
        self._others += work_time() - started

    async def _send_stored_match(self, spectators: Sequence[Spectator], match: int) -> None:
        """Send a match that has finished, and left the live state, since the last round."""
        with suppress(RequestError):
            frame = await self._workers.database.call("answer", Watch(match))
            message = Message([frame])
            for spectator in spectators:
                message.send(spectator.connection)


def _batches(spectators: Sequence[Spectator], size: int) -> Iterator[list[Spectator]]:
    rest = iter(spectators)
    while batch := [*islice(rest, size)]:
        yield batch
