"""Which match is played when: a tournament's schedule, or whoever happens to be here."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from arena.pairing import least_played
from arena.results import MatchRecord, Pairing
from arena.server import Arena

LOOKAHEAD = 1000  # pairings that may wait for their bots while later ones are played


class Observer(Protocol):
    """Who wants to know what is being played."""

    def started(self, pairing: Pairing) -> None:
        """A match has begun."""

    def finished(self, record: MatchRecord) -> None:
        """A match has ended and is stored."""


async def play_schedule(
    arena: Arena, schedule: Iterable[Pairing], concurrency: int, observer: Observer
) -> None:
    """Play all pairings, so many at once, in order as far as their bots are free.

    Raises StoreError. Then, or when cancelled, what is in progress is aborted.
    """
    ahead = iter(schedule)
    waiting: list[Pairing] = []

    def choose() -> Pairing | None:
        for pairing in _waiting_then_ahead(waiting, ahead):
            if all(arena.is_free(name) for name in pairing.players):
                waiting.remove(pairing)
                return pairing
        return None

    await _keep_playing(arena, choose, concurrency, observer, forever=False)


async def play_whoever_is_here(
    arena: Arena,
    setups: Mapping[str, Sequence[Mapping[str, int]]],
    played: Counter[tuple[str, str, str]],
    concurrency: int,
    observer: Observer,
) -> None:
    """Pair the bots that are here and free, those first that have met least, until cancelled.

    `setups` holds those of each game; the meetings of a pair go through them in turn. `played`
    counts the matches of each (player 1, player 2, game) so far, and goes on counting. Raises
    StoreError.
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

    await _keep_playing(arena, choose, concurrency, observer, forever=True)


def _waiting_then_ahead(waiting: list[Pairing], ahead: Iterator[Pairing]) -> Iterator[Pairing]:
    """The pairings that wait, then new ones from the schedule, which wait from then on."""
    yield from [*waiting]
    while len(waiting) < LOOKAHEAD and (pairing := next(ahead, None)):
        waiting.append(pairing)
        yield pairing


async def _keep_playing(
    arena: Arena,
    choose: Callable[[], Pairing | None],
    concurrency: int,
    observer: Observer,
    forever: bool,
) -> None:
    running: set[asyncio.Task[MatchRecord]] = set()
    try:
        while True:
            while len(running) < concurrency and (pairing := choose()):
                observer.started(pairing)
                running.add(arena.start(pairing))
            if not running and not forever:
                return
            await arena.change()
            for task in [task for task in running if task.done()]:
                running.remove(task)
                observer.finished(task.result())
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
