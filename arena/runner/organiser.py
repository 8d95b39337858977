"""Which match is played when: a tournament's schedule, whoever happens to be here, challenges."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice

from arena.lobby.challenges import Challenges
from arena.lobby.matchmaking import Matchmaker
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.protocol.player import Error
from arena.server.server import Arena
from arena.tournament.schedule import Schedule

LOOKAHEAD = 1000  # pairings that may wait for their bots while later ones are played
MAX_ATTEMPTS = 4  # at one pairing, before it is left: only the arena itself can be at fault


async def play_schedule(
    arena: Arena, schedule: Schedule, concurrency: int, observer: Observer
) -> list[MatchRecord]:
    """Play all pairings, so many at once, in order as far as their bots are free.

    Returns the last attempts at those that the arena could not play. Raises DatabaseError and what
    the observer raises. Then, or when cancelled, what is in progress is aborted.
    """
    waiting: list[Pairing] = []
    failed: Counter[int | None] = Counter()
    left: list[MatchRecord] = []

    def choose() -> Pairing | None:
        free = filter(arena.sessions.is_free, schedule.plan.bots)
        if len([*islice(free, 2)]) < 2 or schedule.is_decided:
            return None
        for place, pairing in enumerate(waiting):
            if all(arena.sessions.is_free(name) for name in pairing.players):
                return waiting.pop(place)
        while len(waiting) < LOOKAHEAD and (coming := schedule.next_pairing()):
            observer.scheduled(coming)
            if all(arena.sessions.is_free(name) for name in coming.players):
                return coming
            waiting.append(coming)
        return None

    def done(record: MatchRecord) -> None:
        pairing = record.pairing
        if record.result.winner:
            assert pairing.number, "a schedule numbers its pairings"
            schedule.add_result(pairing.number, pairing.players, record.result.winner)
            return
        failed[pairing.number] += 1
        if failed[pairing.number] < MAX_ATTEMPTS:
            waiting.insert(0, pairing)
        else:
            left.append(record)

    await _keep_playing(arena, choose, done, concurrency, forever=False)
    return left


async def run_matchmaking(
    arena: Arena,
    setups: Mapping[str, Sequence[Mapping[str, int]]],
    matchmaker: Matchmaker,
    concurrency: int,
) -> None:
    """Pair the bots that are here and free, as the matchmaker says, until cancelled.

    `setups` holds those of each game; the meetings of a pair go through them in turn. Raises
    DatabaseError and what the observer raises.
    """
    clock = asyncio.get_running_loop().time

    def choose() -> Pairing | None:
        here = [bot for bot in arena.sessions.bots.values() if bot.connection and bot.is_free]
        leg = matchmaker.choose({bot.name: bot.games for bot in here}, clock())
        if leg is None:
            return None
        one, two, game = leg
        setup = setups[game][matchmaker.legs[leg] % len(setups[game])]
        matchmaker.start(leg)
        return Pairing(None, (one, two), game, setup)

    def done(record: MatchRecord) -> None:
        matchmaker.finish(record, clock())

    def wait() -> float | None:
        until = matchmaker.next_retry(clock())
        return None if until is None else until - clock()

    await _keep_playing(arena, choose, done, concurrency, forever=True, wait=wait)


async def run_lobby(
    arena: Arena,
    setups: Mapping[str, Sequence[Mapping[str, int]]],
    matchmaker: Matchmaker,
    concurrency: int,
    challenges: Challenges,
    bring: Callable[[str], Awaitable[object]],
) -> None:
    """Pair as run_matchmaking, and play what casual players agree on besides.

    That is begun at once, whatever else is played, but waits until `bring` has done with each of
    the players. Raises DatabaseError and what the observer raises.
    """

    async def play(pairing: Pairing) -> None:
        try:
            for name in pairing.players:
                await bring(name)
            if absent := [
                name for name in pairing.players if not arena.sessions.has_casual_player(name)
            ]:
                _tell_absent(arena, pairing, absent[0])
            else:
                await arena.start_match(pairing)
        finally:
            challenges.finish(pairing)

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(run_matchmaking(arena, setups, matchmaker, concurrency))
            while True:
                while challenges.agreed:
                    group.create_task(play(challenges.agreed.popleft()))
                await arena.wait_for_change()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def _tell_absent(arena: Arena, pairing: Pairing, absent: str) -> None:
    for name in pairing.players:
        if arena.sessions.has_casual_player(name):
            arena.sessions.casual_players[name].send(
                Error("opponent_missing", f"{absent} is not here")
            )


async def _keep_playing(
    arena: Arena,
    choose: Callable[[], Pairing | None],
    done: Callable[[MatchRecord], None],
    concurrency: int,
    forever: bool,
    wait: Callable[[], float | None] = lambda: None,
) -> None:
    """Play what is chosen, and choose again when something has changed or after the wait."""
    running: set[asyncio.Task[MatchRecord]] = set()
    # Told after the arena has freed the bots: a task is done a moment before that.
    ended: list[asyncio.Task[MatchRecord]] = []
    try:
        while True:
            while len(running) < concurrency and (pairing := choose()):
                task = arena.start_match(pairing)
                task.add_done_callback(ended.append)
                running.add(task)
            if not running and not forever:
                return
            await arena.wait_for_change(wait())
            while ended:
                task = ended.pop(0)
                running.remove(task)
                done(task.result())
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
