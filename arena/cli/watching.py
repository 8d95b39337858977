"""What those who watch an arena see of it: put together for the commands that run one."""

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from arena.protocol.spectator import About, Parameter, Played, Tournament
from arena.spectators.broadcaster import Viewers
from arena.spectators.live_state import RESULTS, Feed, summary_of
from arena.spectators.queries import Library
from arena.storage.reader import Records
from arena.storage.writer import Store
from arena.tournament.schedule import Plan
from core import GAMES

RUN = secrets.token_urlsafe(8)
RUN = secrets.token_urlsafe(8)  # another in each process


Blocks = Callable[[], Sequence[tuple[str, str]]]


def feed_of(path: Path, control: str) -> Feed:
    """What there is to see, beginning with what is stored. Raises StoreError."""
    with Records(path) as records:
        results = [summary_of(record, plies) for record, plies in records.latest(RESULTS)]
        return Feed(control, results, records.tallies(), time.monotonic, time.time)


def viewers_of(
    feed: Feed,
    store: Store,
    about: Callable[[], About],
    blocks: Blocks = tuple,
    anchor: tuple[str, float] | None = None,
) -> Viewers:
    """Those who watch an arena that writes to a store."""
    return Viewers(feed, Library(store, anchor), about, blocks)


def about_arena(
    games: Collection[str],
    control: str,
    plan: Plan | None = None,
    offers: Mapping[str, Collection[str]] | None = None,
) -> About:
    """What an arena is, from now on.

    `offers` are the bots that it offers, with the games that each plays; None if nobody may come.
    """
    known = []
    for game in map(GAMES.__getitem__, games):
        parameters = {name: Parameter(*about) for name, about in game.parameters.items()}
        known.append(Played(game.name, game.title, parameters, game.solver is not None))
    return About(
        RUN,
        control,
        known,
        offers is not None,
        {bot: [*playable] for bot, playable in (offers or {}).items()},
        tournament_of(plan) if plan else None,
    )


def tournament_of(plan: Plan) -> Tournament:
    """What a tournament is, for those who watch it."""
    return Tournament(
        plan.game, plan.format, [*plan.bots], plan.matches, plan.may_end_early, plan.seed
    )
