"""Which match is played when: a tournament's schedule, or whoever happens to be here."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from arena.observer import Observer
from arena.pairing import least_played
from arena.results import MatchRecord, Pairing
from arena.server import Arena
from arena.tournament import Schedule

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
        free = sum(arena.is_free(name) for name in schedule.plan.bots)
        if free < 2 or schedule.is_decided:
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
    played: Counter[tuple[str, str, str]],
    concurrency: int,
) -> None:
    """Pair the bots that are here and free, those first that have met least, until cancelled.

    `setups` holds those of each game; the meetings of a pair go through them in turn. `played`
    counts the matches of each (player 1, player 2, game) so far, and goes on counting. Raises
    StoreError and what the observer raises.
    """

    def choose() -> Pairing | None:
        here = [bot for bot in arena.bots.values() if bot.connection and bot.is_free]
        leg = least_played({bot.name: bot.games for bot in here}, played)
        if leg is None:
            return None
        one, two, game = leg
        setup = setups[game][played[leg] % len(setups[game])]
        played[leg] += 1
        return Pairing(None, (one, two), game, setup)

    await _keep_playing(arena, choose, lambda _: None, concurrency, forever=True)


async def _keep_playing(
    arena: Arena,
    choose: Callable[[], Pairing | None],
    done: Callable[[MatchRecord], None],
    concurrency: int,
    forever: bool,
) -> None:
    running: set[asyncio.Task[MatchRecord]] = set()
    try:
        while True:
            while len(running) < concurrency and (pairing := choose()):
                running.add(arena.start(pairing))
            if not running and not forever:
                return
            await arena.change()
            for task in [task for task in running if task.done()]:
                running.remove(task)
                done(task.result())
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
