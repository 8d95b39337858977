"""arena serve: let bots join, and pair those that are here."""

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from arena.cli.arguments import UsageError, check_numbers, setups_of, time_control
from arena.cli.serving import (
    door,
    listen,
    new_database,
    page_of,
    run_until_terminated,
    say,
)
from arena.cli.watching import about_arena, feed_of, viewers_of
from arena.lobby.challenges import Challenges
from arena.lobby.matchmaking import Matchmaker
from arena.model.observer import Observer, CompositeObserver
from arena.reports.progress import Lines
from arena.runner.bot_spec import offered, playable
from arena.runner.house_bots import Offers
from arena.runner.organiser import play_all_comers
from arena.server import static as site
from arena.server.json_log import Log
from arena.server.metrics import Metrics
from arena.server.server import Arena
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which goes on as an exception."""
    check_numbers(arguments)
    setups = setups_of(arguments.game, arguments)
    control = time_control(arguments)
    entrance = door(arguments)
    try:
        bots = offered(arguments.offer, setups)
    except ValueError as error:
        raise UsageError(f"--offer: {error}") from None
    path = arguments.db or new_database()

    async def serve(store: DatabaseWriter, matchmaker: Matchmaker, log: Log | None) -> None:
        is_quiet = arguments.log == "-"  # where only JSON is wanted
        offered_games = {name: playable(what, setups) for name, what in bots.items()}
        feed = feed_of(path, str(control))
        about = about_arena(setups, str(control), offers=offered_games)
        observers: list[Observer] = [feed, *([log] if log else [])]
        if not is_quiet:
            observers.append(Lines(sys.stderr, matchmaker.legs.total(), None))
        challenges = Challenges(offered_games)
        viewers = viewers_of(feed, store, lambda: about)
        offers = Offers(bots, entrance, (lambda _: None) if is_quiet else say)
        with offers:
            async with (
                Metrics(store) as metrics,
                Arena(
                    store,
                    setups,
                    control,
                    arguments.grace,
                    CompositeObserver([metrics, *observers]),
                    entrance,
                    {**metrics.routes(), **site.routes()},
                    viewers.serve,
                    challenges,
                ) as arena,
                viewers,
            ):
                url = await listen(arena, arguments)
                if log:
                    log.begun(url, str(path))
                if not is_quiet:
                    say(f"bots can join at {url} to play {', '.join(setups)}")
                    say(f"people can watch and play at {page_of(url)}")
                    say(f"database {path}, Ctrl-C ends it")
                bring = partial(offers.bring, arena=arena, url=url)
                await play_all_comers(
                    arena, setups, matchmaker, arguments.concurrency, challenges, bring
                )

    with DatabaseWriter(path) as store, ExitStack() as stack:
        matchmaker = _matchmaker(path)
        log = stack.enter_context(_log(arguments.log)) if arguments.log else None
        run_until_terminated(serve(store, matchmaker, log))
    raise AssertionError("serving ends by an exception")


def _matchmaker(path: Path) -> Matchmaker:
    """Who has met whom so far. Raises UsageError."""
    with DatabaseReader(path) as records:
        if records.plan() is not None:
            raise UsageError(f"{path} holds a tournament, choose another database")
        return Matchmaker(records.matches())


def _log(path: str) -> Log:
    """The log. Raises UsageError."""
    try:
        return Log(path)
    except OSError as error:
        raise UsageError(f"cannot write --log {path}: {error.strerror}") from None
