"""Organisers: start the matches of a schedule, of matchmaking and of challenges."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice

from arena.lobby.challenges import AgreedMatch, Challenges
from arena.lobby.matchmaking import FreeBot, Matchmaker
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.protocol.player import Error
from arena.server.server import Server
from arena.tournament.schedule import MAX_ATTEMPTS, Schedule

LOOKAHEAD = 1000  # pairings that may wait for busy bots while later ones are played

Setups = Mapping[str, Sequence[Mapping[str, int]]]
"""The setups of each game."""


class _ScheduleRun:
    """State of a schedule that is played: waiting pairings and failed attempts."""

    def __init__(
        self,
        server: Server,
        schedule: Schedule,
        observer: Observer,
        is_ready: Callable[[str], bool],
    ) -> None:
        self.unplayed: list[MatchRecord] = []
        self._sessions = server.sessions
        self._is_ready = is_ready
        self._schedule = schedule
        self._observer = observer
        self._waiting: list[Pairing] = []
        self._failures: Counter[int | None] = Counter()

    def choose(self) -> Pairing | None:
        """Return the next pairing of free bots, if there is one."""
        free = filter(self._is_free, self._schedule.plan.bots)
        if len([*islice(free, 2)]) < 2 or self._schedule.is_decided:
            return None
        for place, pairing in enumerate(self._waiting):
            if self._are_free(pairing):
                return self._waiting.pop(place)
        while len(self._waiting) < LOOKAHEAD and (coming := self._schedule.next_pairing()):
            self._observer.scheduled(coming)
            if self._are_free(coming):
                return coming
            self._waiting.append(coming)
        return None

    @property
    def is_over(self) -> bool:
        """Whether no pairing is left, provided that no match is in progress and none can begin."""
        return all(map(self._is_ready, self._schedule.plan.bots))

    def _are_free(self, pairing: Pairing) -> bool:
        return all(map(self._is_free, pairing.players))

    def _is_free(self, name: str) -> bool:
        return self._sessions.is_free(name) and self._is_ready(name)

    def finish(self, record: MatchRecord) -> None:
        """Report a result to the schedule, or schedule another attempt at an aborted match."""
        pairing = record.pairing
        if not record.result.is_aborted:
            assert pairing.number, "a schedule numbers its pairings"
            self._schedule.add_result(pairing.number, pairing.players, record.result.winner)
            return
        self._failures[pairing.number] += 1
        if self._failures[pairing.number] < MAX_ATTEMPTS:
            self._waiting.insert(0, pairing)
        else:
            self.unplayed.append(record)


async def play_schedule(
    server: Server,
    schedule: Schedule,
    concurrency: int,
    observer: Observer,
    is_ready: Callable[[str], bool] = lambda _: True,
) -> list[MatchRecord]:
    """Play all pairings of a schedule, in order as far as their bots are free.

    After an exception or a cancellation, matches in progress are aborted.

    Args:
        server: The server that the bots are connected to.
        schedule: The schedule.
        concurrency: The highest number of simultaneous matches.
        observer: The observer of scheduled pairings.
        is_ready: Returns whether a bot of this name that is free can begin a match.

    Returns:
        The last attempts at pairings that the arena could not play.

    Raises:
        DatabaseError: A match could not be stored.
        Exception: Any exception of the observer.
    """
    run = _ScheduleRun(server, schedule, observer, is_ready)
    await _run_matches(server, run.choose, run.finish, concurrency, lambda: run.is_over)
    return run.unplayed


async def run_matchmaking(
    server: Server, setups: Setups, matchmaker: Matchmaker, concurrency: int
) -> None:
    """Pair connected bots until cancelled.

    Args:
        server: The server that the bots are connected to.
        setups: The setups of each game; the matches of a pair go through them in turn.
        matchmaker: The matchmaker that chooses the pairs.
        concurrency: The highest number of simultaneous matches.

    Raises:
        DatabaseError: A match could not be stored.
        Exception: Any exception of an observer.
    """
    clock = asyncio.get_running_loop().time

    def choose() -> Pairing | None:
        bots = server.sessions.bots.values()
        free = {
            bot.name: FreeBot(bot.games, bot.address, bot.assigned_matches)
            for bot in bots
            if bot.connection and bot.is_free
        }
        leg = matchmaker.choose(free, clock())
        if leg is None:
            return None
        one, two, game = leg
        setup = setups[game][matchmaker.legs[leg] % len(setups[game])]
        matchmaker.start(leg)
        return Pairing(None, (one, two), game, setup)

    def finish(record: MatchRecord) -> None:
        matchmaker.finish(record, clock())
        matchmaker.forget_absent(server.sessions.bots)

    def timeout() -> float | None:
        retry_at = matchmaker.next_retry(clock())
        return None if retry_at is None else retry_at - clock()

    await _run_matches(server, choose, finish, concurrency, lambda: False, timeout)


async def run_lobby(
    server: Server,
    setups: Setups,
    matchmaker: Matchmaker,
    concurrency: int,
    challenges: Challenges,
    ensure_connected: Callable[[str], Awaitable[object]],
) -> None:
    """Run matchmaking, and the matches agreed between casual players, until cancelled.

    Casual matches start at once; `concurrency` does not count them.

    Args:
        server: The server that bots and casual players are connected to.
        setups: The setups of each game.
        matchmaker: The matchmaker that pairs the bots.
        concurrency: The highest number of simultaneous rated matches.
        challenges: The challenges between casual players.
        ensure_connected: Called with the name of each casual player before its match.

    Raises:
        DatabaseError: A match could not be stored.
        Exception: Any exception of an observer.
    """

    async def play(match: AgreedMatch) -> None:
        pairing = match.pairing
        try:
            for name in pairing.players:
                await ensure_connected(name)
            sessions = server.sessions
            missing = [
                name
                for name in pairing.players
                if not (sessions.has_casual_player(name) or sessions.awaits_casual_player(name))
            ]
            if missing:
                _report_missing(server, pairing, missing[0])
            else:
                await server.start_match(pairing)
        finally:
            challenges.finish(match)

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(run_matchmaking(server, setups, matchmaker, concurrency))
            while True:
                while challenges.agreed:
                    group.create_task(play(challenges.agreed.popleft()))
                await server.wait_for_change()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def _report_missing(server: Server, pairing: Pairing, missing: str) -> None:
    """Send an error to a player without a connected opponent."""
    for name in pairing.players:
        if server.sessions.has_casual_player(name):
            error = Error("opponent_missing", f"{missing} is not connected")
            server.sessions.casual_players[name].send(error)


async def _run_matches(
    server: Server,
    choose: Callable[[], Pairing | None],
    finish: Callable[[MatchRecord], None],
    concurrency: int,
    is_over: Callable[[], bool],
    timeout: Callable[[], float | None] = lambda: None,
) -> None:
    """Start chosen matches, and choose again after each change or timeout.

    Without a match in progress or to start, ask whether all is over.
    """
    running: set[asyncio.Task[MatchRecord]] = set()
    # Handled after the server has released the bots, which it does just after a task ends.
    ended: list[asyncio.Task[MatchRecord]] = []
    try:
        while True:
            while len(running) < concurrency and (pairing := choose()):
                task = server.start_match(pairing)
                task.add_done_callback(ended.append)
                running.add(task)
            if not running and is_over():
                return
            await server.wait_for_change(timeout())
            while ended:
                task = ended.pop(0)
                running.remove(task)
                finish(task.result())
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
