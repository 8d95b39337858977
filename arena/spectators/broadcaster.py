"""Those who watch: their connections, and the answers to their questions.

Nobody who watches may cost the players time. There is one task for all viewers: it tells a few at a
time, lets the event loop go on in between, and rests much longer than it works. Whoever does not
read is passed over until it has; then it gets the latest. What takes long is done in threads of a
low priority.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from types import TracebackType
from typing import Self, TypeVar

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.protocol import State

from arena.protocol.codec import DecodeError, decode_from_spectator, encode
from arena.protocol.errors import RequestError
from arena.protocol.spectator import (
    About,
    Analyse,
    Analysis,
    ErrorReply,
    FindGames,
    FindRecord,
    FromSpectator,
    MatchSnapshot,
    ToSpectator,
    Watch,
)
from arena.spectators.delta import NOWHERE, Cursor, Deltas, Solved
from arena.spectators.live_state import LiveMatch, LiveState
from arena.spectators.queries import Queries

TICK = 0.05  # seconds at least between two rounds
SHARE = 0.05  # of the time, at most, that goes into telling
AT_ONCE = 20  # viewers that are told before others have their turn
UNSENT = 16 * 1024  # bytes that a viewer may have left unread to be told more
UNREADABLE_LIMIT = 10  # messages of one connection
TABLE_SECONDS = 1.0  # at least, between two tables
TABLE_RATE = 20_000  # bytes a second that tables may come to, which with many bots are large
JUDGE_SECONDS = 0.5  # between two times that matches are judged
WAITING = 20  # positions to be analysed; who asks for more is told to come back
NICENESS = 10  # of what is computed for viewers
# Seconds that a thread may keep the interpreter from the event loop, and with it a move: those of
# viewers less than Python's own, which for the one that writes to the database is better.
SWITCH, USUAL_SWITCH = 0.0005, 0.005

T = TypeVar("T")


class Spectator:
    """A connection that watches."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.place = NOWHERE

    @property
    def is_ready(self) -> bool:
        """Whether it has read enough of what it was told to be told more."""
        return self.connection.transport.get_write_buffer_size() <= UNSENT


class SpectatorEndpoint:
    """Everybody who watches an arena, from `async with` to its end, which is before the arena's.

    `about` tells what the arena is, `blocks` what a tournament's format has to show by now.
    """

    def __init__(
        self,
        feed: LiveState,
        library: Queries,
        about: Callable[[], About],
        blocks: Callable[[], Sequence[tuple[str, str]]],
    ) -> None:
        self._changed = asyncio.Event()
        self._news = Deltas(feed, time.monotonic)  # which is what the event loop reads
        self._feed = feed
        feed.changed = self._hear
        self._library = library
        self._about = about
        self._blocks = blocks
        self._viewers: set[Spectator] = set()
        self._tables_stamp = -1
        self._tables_at = -TABLE_SECONDS
        self._at_work: set[asyncio.Task[None]] = set()
        self._solving: set[int] = set()
        self._asked: set[asyncio.Future[Analysis]] = set()  # what is being searched for
        # Two, so that who wins is not told late because somebody has asked for a long search.
        self._reading = _thread("viewers")
        self._searching = _thread("searches")

    async def __aenter__(self) -> Self:
        self._pump = asyncio.create_task(self._keep_telling())
        self._judge = asyncio.create_task(self._keep_judging())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        tasks = [self._pump, self._judge, *self._at_work]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for answer in [*self._asked]:  # a search ends by itself: nobody has to wait for it
            answer.cancel()
        self._searching.shutdown(wait=False, cancel_futures=True)
        self._reading.submit(self._library.close)
        self._reading.shutdown()

    def _hear(self) -> None:
        """There is news in the feed."""
        if self._viewers:
            self._changed.set()

    async def tell_last(self) -> None:
        """Tell everybody at once what there is by now, before the arena closes."""
        await self._make_tables()
        await self._tell_all()

    # One viewer

    async def serve(self, connection: ServerConnection) -> None:
        """Serve a connection to its end."""
        viewer = Spectator(connection)
        self._viewers.add(viewer)
        sys.setswitchinterval(SWITCH)
        unreadable = 0
        try:
            await connection.send(encode(self._about()))
            async for frame in connection:
                try:
                    reply = await self._reply(viewer, decode_from_spectator(frame))
                except DecodeError as error:
                    reply = ErrorReply("unreadable", str(error))
                    unreadable += 1
                if reply:
                    await connection.send(encode(reply))
                if unreadable == UNREADABLE_LIMIT:
                    await connection.close(CloseCode.POLICY_VIOLATION, "unreadable")
        except ConnectionClosed:
            pass
        finally:
            self._viewers.discard(viewer)
            if not self._viewers:
                sys.setswitchinterval(USUAL_SWITCH)

    async def _reply(self, viewer: Spectator, message: FromSpectator) -> ToSpectator | None:
        """The answer to a message; None if it is news that answers."""
        request = None if isinstance(message, Watch) else message.request
        try:
            match message:
                case Watch(match):
                    return await self._follow(viewer, match)
                case FindGames():
                    return await self._read(self._library.games, message)
                case FindRecord():
                    return await self._read(self._library.record, message)
                case _:
                    return await self._analyse(message)
        except RequestError as error:
            return ErrorReply(error.code, str(error), request)

    async def _analyse(self, question: Analyse) -> Analysis:
        if len(self._asked) >= WAITING:
            raise RequestError("busy", "the arena has many positions to analyse, ask again")
        answer = asyncio.ensure_future(_in(self._searching, self._library.analysis, question))
        self._asked.add(answer)
        try:
            return await answer
        except asyncio.CancelledError:
            raise RequestError("closing", "the arena is closing") from None
        finally:
            self._asked.discard(answer)

    async def _follow(self, viewer: Spectator, match: int | None) -> MatchSnapshot | None:
        viewer.place = Cursor(match)
        if match is None or self._feed.find(match):
            self._changed.set()
            return None
        viewer.place = NOWHERE
        return await self._read(self._library.match, match)

    async def _read(self, function: Callable[..., T], *arguments: object) -> T:
        return await _in(self._reading, function, *arguments)

    # All viewers

    async def _keep_telling(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await self._changed.wait()
            self._changed.clear()
            begun = clock()
            await self._tell_all()
            await asyncio.sleep(max(TICK, (clock() - begun) / SHARE))

    async def _tell_all(self) -> None:
        places: dict[Cursor, list[Spectator]] = {}
        for viewer in self._viewers:
            if viewer.is_ready:
                places.setdefault(viewer.place, []).append(viewer)
            else:
                self._changed.set()  # it is its turn when it has read
        self._compute({viewer.place.follows for viewer in self._viewers})
        for place, grouped in places.items():
            # A viewer that has asked for something else meanwhile has its turn in the next round.
            viewers = [viewer for viewer in grouped if viewer.place == place]
            frames, after = self._news.after(place)
            for viewer in viewers:
                viewer.place = after
            for some in _batches(viewers, AT_ONCE) if frames else ():
                open_ones = [
                    one for one in some if one.place == after and one.connection.state is State.OPEN
                ]
                for frame in frames:
                    broadcast([one.connection for one in open_ones], frame)
                await asyncio.sleep(0)
            if place.follows is not None and place != after == NOWHERE:
                for viewer in viewers:
                    self._begin(self._tell_of_past(viewer, place.follows))

    async def _tell_of_past(self, viewer: Spectator, match: int) -> None:
        """Tell a viewer of a match that has ended since it was told the last time."""
        with suppress(ConnectionClosed, RequestError):
            await viewer.connection.send(encode(await self._read(self._library.match, match)))

    # What is computed in threads

    def _compute(self, followed: Collection[int | None]) -> None:
        """Begin what the viewers need that is not there yet."""
        now = asyncio.get_running_loop().time()
        stamp = self._feed.results_stamp
        if None in followed and self._tables_stamp != stamp:
            if now >= self._tables_at + max(TABLE_SECONDS, len(self._news.tables) / TABLE_RATE):
                self._tables_stamp, self._tables_at = stamp, now
                self._begin(self._make_tables())
            else:
                self._changed.set()
        for match in followed:
            shown = self._feed.find(match) if match is not None else None
            if shown and match not in self._solving and self._news.is_unsolved(shown):
                self._solving.add(shown.facts.match)
                self._begin(self._solve(shown))
        for match in self._news.forget_all_but(followed):
            self._reading.submit(self._library.forget, match)

    def _begin(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.create_task(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def _solve(self, shown: LiveMatch) -> None:
        facts, moves = shown.facts, [*shown.moves]
        winners = await self._read(
            self._library.winners, facts.match, facts.game, facts.setup, moves
        )
        self._news.keep_winners(facts.match, Solved(moves, winners))
        self._solving.discard(facts.match)
        self._changed.set()

    async def _make_tables(self) -> None:
        tallies = {game: tally.copy() for game, tally in self._feed.tallies.items()}
        blocks, tournament = self._blocks(), self._about().tournament

        def make() -> str:
            return encode(self._library.tables(tallies, tournament, blocks))

        self._news.keep_tables(await self._read(make))
        self._changed.set()

    async def _keep_judging(self) -> None:
        """Judge matches that have ended, a few at a time, while somebody looks at the tables."""
        while True:
            await asyncio.sleep(JUDGE_SECONDS)
            if any(viewer.place.follows is None for viewer in self._viewers):
                horizon = self._feed.oldest_running
                if await self._read(self._library.judge, horizon):
                    self._tables_stamp = -1
                    self._changed.set()


def _thread(name: str) -> ThreadPoolExecutor:
    """A thread of a low priority, which does one thing after another."""

    def be_nice() -> None:
        # On Linux a priority is a thread's own, not a process's.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

    return ThreadPoolExecutor(1, name, be_nice)


async def _in(thread: ThreadPoolExecutor, function: Callable[..., T], *arguments: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(thread, partial(function, *arguments))


def _batches(viewers: Sequence[Spectator], size: int) -> Iterator[list[Spectator]]:
    rest = iter(viewers)
    while some := [*islice(rest, size)]:
        yield some
