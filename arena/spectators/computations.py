"""Background computation of leaderboards, winners and accuracies that spectators follow."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress

from arena.protocol.codec import RequestError
from arena.protocol.spectator import About
from arena.spectators.delta import Deltas, KnownWinners
from arena.spectators.live_match import LiveMatch
from arena.spectators.live_state import LiveState
from arena.spectators.workers.pool import Workers
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import FormatState

LEADERBOARD_SECONDS = 1.0  # least time between two computations of the leaderboards
LEADERBOARD_RATE = 20_000  # bytes per second of leaderboards, which are large with many bots
RETRY_SECONDS = 10.0  # until leaderboards that could not be computed are tried again
JUDGE_SECONDS = 0.5  # between two batches of judged matches
JUDGE_STARTS = 2  # of the process that judges, if it ends while it does


class BackgroundTasks:
    """Tasks that run until they are done or all are cancelled."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[object, None, None]) -> None:
        """Run a coroutine as a task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def cancel(self) -> None:
        """Cancel all tasks and wait for their end."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Computations:
    """Leaderboards and winners, computed by the workers and stored in the deltas.

    Attributes:
        on_result: Called when there is something new to send; settable.
    """

    def __init__(
        self,
        state: LiveState,
        deltas: Deltas,
        writer: DatabaseWriter,
        workers: Workers,
        tasks: BackgroundTasks,
        describe: Callable[[], About],
        format_state: Callable[[], FormatState],
    ) -> None:
        self.on_result: Callable[[], None] = lambda: None
        self._state = state
        self._deltas = deltas
        self._writer = writer
        self._workers = workers
        self._tasks = tasks
        self._describe = describe
        self._format_state = format_state
        self._computed_version = -1  # of the results in the leaderboards
        self._computed_at = -LEADERBOARD_SECONDS
        self._solving: set[int] = set()

    def start_missing(self, followed: Collection[int | None]) -> None:
        """Start the missing computations for the followed matches and the lobby (None)."""
        if None in followed and self._computed_version != self._state.results_version:
            self._start_leaderboards()
        for match_id in followed:
            match = self._state.find(match_id) if match_id is not None else None
            if match and match_id not in self._solving and self._deltas.lacks_winners(match):
                self._solving.add(match.info.match)
                self._tasks.start(self._compute_winners(match))
        for match_id in self._deltas.discard_winners(followed):
            if self._workers.database.is_running:  # else it would be started for this
                self._tasks.start(self._discard_line(match_id))

    async def compute_leaderboards(self) -> None:
        """Compute the leaderboards from the results stored so far."""
        tournament, state = self._describe().tournament, self._format_state()
        try:
            frame = await self._workers.leaderboards.call("compute", tournament, state)
            self._deltas.set_leaderboards(frame)
        except RequestError:  # the process has ended, or could not be started
            self._computed_version = -1
            self._computed_at = asyncio.get_running_loop().time() + RETRY_SECONDS
        self.on_result()

    async def judge_matches(self, has_lobby_spectators: Callable[[], bool]) -> None:
        """Judge finished matches in small batches while spectators see the leaderboards.

        The process is started again once if it ends, but not again: a match that it cannot judge
        would end it each time.
        """
        for _ in range(JUDGE_STARTS):
            with suppress(RequestError):
                while True:
                    await asyncio.sleep(JUDGE_SECONDS)
                    if has_lobby_spectators():
                        await self._judge_batch()

    async def _judge_batch(self) -> None:
        call = self._workers.leaderboards.call("judge_matches", self._state.oldest_running)
        has_found, judged = await call
        if has_found:
            stored = [self._writer.save_verdicts(match, verdicts) for match, verdicts in judged]
            await asyncio.gather(*map(asyncio.wrap_future, stored), return_exceptions=True)
            self._computed_version = -1
            self.on_result()

    def _start_leaderboards(self) -> None:
        now = asyncio.get_running_loop().time()
        pause = max(LEADERBOARD_SECONDS, len(self._deltas.leaderboards) / LEADERBOARD_RATE)
        if now >= self._computed_at + pause:
            self._computed_version, self._computed_at = self._state.results_version, now
            self._tasks.start(self.compute_leaderboards())
        else:
            self.on_result()  # check again in the next round

    async def _compute_winners(self, match: LiveMatch) -> None:
        info, moves = match.info, [*match.moves]
        try:
            winners = await self._workers.database.call(
                "winners", info.match, info.game, info.setup, moves
            )
        except RequestError:  # the process has ended: it must not do so again for each move
            winners = None
        finally:
            self._solving.discard(info.match)
        self._deltas.set_winners(info.match, KnownWinners(moves, winners))
        self.on_result()

    async def _discard_line(self, match: int) -> None:
        with suppress(RequestError):  # a process that has ended has nothing to discard
            await self._workers.database.call("discard_line", match)
