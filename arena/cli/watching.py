"""What those who watch an arena see of it: put together for the commands that run one."""

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from arena.protocol.spectator import About, ParameterInfo, GameInfo, TournamentInfo
from arena.spectators.broadcaster import SpectatorEndpoint
from arena.spectators.live_state import RESULTS, LiveState, summary_of
from arena.spectators.queries import Queries
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.schedule import Plan
from core import GAMES

RUN = secrets.token_urlsafe(8)
RUN = secrets.token_urlsafe(8)  # another in each process


Blocks = Callable[[], Sequence[tuple[str, str]]]


def feed_of(path: Path, control: str) -> LiveState:
    """What there is to see, beginning with what is stored. Raises DatabaseError."""
    with DatabaseReader(path) as records:
        results = [summary_of(record, plies) for record, plies in records.latest_matches(RESULTS)]
        return LiveState(control, results, records.tallies(), time.monotonic, time.time)


def viewers_of(
    feed: LiveState,
    store: DatabaseWriter,
    about: Callable[[], About],
    blocks: Blocks = tuple,
    anchor: tuple[str, float] | None = None,
) -> SpectatorEndpoint:
    """Those who watch an arena that writes to a store."""
    return SpectatorEndpoint(feed, Queries(store, anchor), about, blocks)


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
        parameters = {name: ParameterInfo(*about) for name, about in game.parameters.items()}
        known.append(GameInfo(game.name, game.title, parameters, game.solver is not None))
    return About(
        RUN,
        control,
        known,
        offers is not None,
        {bot: [*playable] for bot, playable in (offers or {}).items()},
        tournament_of(plan) if plan else None,
    )


def tournament_of(plan: Plan) -> TournamentInfo:
    """What a tournament is, for those who watch it."""
    return TournamentInfo(
        plan.game, plan.format, [*plan.bots], plan.matches, plan.may_end_early, plan.seed
    )
