"""Which match is played when: a tournament's schedule, whoever happens to be here, challenges."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice

from arena.lobby.challenges import Challenges
from arena.lobby.matchmaking import Ladder
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.protocol.player import Error
from arena.server.server import Arena
from arena.tournament.schedule import Schedule

LOOKAHEAD = 1000  # pairings that may wait for their bots while later ones are played
ATTEMPTS = 4  # at one pairing, before it is left: only the arena itself can be at fault


async def play_schedule(
    arena: Arena, schedule: Schedule, concurrency: int, observer: Observer
) -> list[MatchRecord]:
    """Play all pairings, so many at once, in order as far as their bots are free.

    Returns the last attempts at those that the arena could not play. Raises StoreError and what
    the observer raises. Then, or when cancelled, what is in progress is aborted.
    """
    waiting: list[Pairing] = []
    failed: Counter[int | None] = Counter()
    left: list[MatchRecord] = []

    def choose() -> Pairing | None:
        free = filter(arena.is_free, schedule.plan.bots)
        if len([*islice(free, 2)]) < 2 or schedule.is_decided:
            return None
        for place, pairing in enumerate(waiting):
            if all(arena.is_free(name) for name in pairing.players):
                return waiting.pop(place)
        while len(waiting) < LOOKAHEAD and (coming := schedule.next()):
            observer.scheduled(coming)
            if all(arena.is_free(name) for name in coming.players):
                return coming
            waiting.append(coming)
        return None

    def done(record: MatchRecord) -> None:
        pairing = record.pairing
        if record.result.winner:
            assert pairing.number, "a schedule numbers its pairings"
            schedule.finish(pairing.number, pairing.players, record.result.winner)
            return
        failed[pairing.number] += 1
        if failed[pairing.number] < ATTEMPTS:
            waiting.insert(0, pairing)
        else:
            left.append(record)

    await _keep_playing(arena, choose, done, concurrency, forever=False)
    return left


async def play_whoever_is_here(
    arena: Arena,
    setups: Mapping[str, Sequence[Mapping[str, int]]],
    ladder: Ladder,
    concurrency: int,
) -> None:
    """Pair the bots that are here and free, as the ladder says, until cancelled.

    `setups` holds those of each game; the meetings of a pair go through them in turn. Raises
    StoreError and what the observer raises.
    """
    clock = asyncio.get_running_loop().time

    def choose() -> Pairing | None:
        here = [bot for bot in arena.bots.values() if bot.connection and bot.is_free]
        leg = ladder.choose({bot.name: bot.games for bot in here}, clock())
        if leg is None:
            return None
        one, two, game = leg
        setup = setups[game][ladder.legs[leg] % len(setups[game])]
        ladder.begin(leg)
        return Pairing(None, (one, two), game, setup)

    def done(record: MatchRecord) -> None:
        ladder.end(record, clock())

    def wait() -> float | None:
        until = ladder.rests_until(clock())
        return None if until is None else until - clock()

    await _keep_playing(arena, choose, done, concurrency, forever=True, wait=wait)


async def play_all_comers(
    arena: Arena,
    setups: Mapping[str, Sequence[Mapping[str, int]]],
    ladder: Ladder,
    concurrency: int,
    challenges: Challenges,
    bring: Callable[[str], Awaitable[object]],
) -> None:
    """Pair as play_whoever_is_here, and play what casual players agree on besides.

    That is begun at once, whatever else is played, but waits until `bring` has done with each of
    the players. Raises StoreError and what the observer raises.
    """

    async def play(pairing: Pairing) -> None:
        try:
            for name in pairing.players:
                await bring(name)
            if absent := [name for name in pairing.players if not arena.has_guest(name)]:
                _tell_absent(arena, pairing, absent[0])
            else:
                await arena.start(pairing)
        finally:
            challenges.over(pairing)

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(play_whoever_is_here(arena, setups, ladder, concurrency))
            while True:
                while challenges.agreed:
                    group.create_task(play(challenges.agreed.popleft()))
                await arena.change()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def _tell_absent(arena: Arena, pairing: Pairing, absent: str) -> None:
    for name in pairing.players:
        if arena.has_guest(name):
            arena.guests[name].send(Error("opponent_missing", f"{absent} is not here"))


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
                task = arena.start(pairing)
                task.add_done_callback(ended.append)
                running.add(task)
            if not running and not forever:
                return
            await arena.change(wait())
            while ended:
                task = ended.pop(0)
                running.remove(task)
                done(task.result())
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
