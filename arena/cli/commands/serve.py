"""arena serve: let bots join, and pair those that are here."""

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from arena.cli.arguments import Refused, check_numbers, setups_of, time_control
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
from arena.lobby.matchmaking import Ladder
from arena.model.observer import Observer, Observers
from arena.reports.progress import Lines
from arena.runner.bot_spec import offered, playable
from arena.runner.house_bots import Offers
from arena.runner.organiser import play_all_comers
from arena.server import static as site
from arena.server.json_log import Log
from arena.server.metrics import Metrics
from arena.server.server import Arena
from arena.storage.reader import Records
from arena.storage.writer import Store


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which goes on as an exception."""
    check_numbers(arguments)
    setups = setups_of(arguments.game, arguments)
    control = time_control(arguments)
    entrance = door(arguments)
    try:
        bots = offered(arguments.offer, setups)
    except ValueError as error:
        raise Refused(f"--offer: {error}") from None
    path = arguments.db or new_database()

    async def serve(store: Store, ladder: Ladder, log: Log | None) -> None:
        is_quiet = arguments.log == "-"  # where only JSON is wanted
        offered_games = {name: playable(what, setups) for name, what in bots.items()}
        feed = feed_of(path, str(control))
        about = about_arena(setups, str(control), offers=offered_games)
        observers: list[Observer] = [feed, *([log] if log else [])]
        if not is_quiet:
            observers.append(Lines(sys.stderr, ladder.legs.total(), None))
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
                    Observers([metrics, *observers]),
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
                    arena, setups, ladder, arguments.concurrency, challenges, bring
                )

    with Store(path) as store, ExitStack() as stack:
        ladder = _ladder(path)
        log = stack.enter_context(_log(arguments.log)) if arguments.log else None
        run_until_terminated(serve(store, ladder, log))
    raise AssertionError("serving ends by an exception")


def _ladder(path: Path) -> Ladder:
    """Who has met whom so far. Raises Refused."""
    with Records(path) as records:
        if records.plan() is not None:
            raise Refused(f"{path} holds a tournament, choose another database")
        return Ladder(records.matches())


def _log(path: str) -> Log:
    """The log. Raises Refused."""
    try:
        return Log(path)
    except OSError as error:
        raise Refused(f"cannot write --log {path}: {error.strerror}") from None
