"""arena view: show a database in the browser."""

import argparse
import asyncio
from typing import NoReturn

from arena.cli.arguments import anchor
from arena.cli.commands.standings import format_blocks
from arena.cli.serving import is_only_here, listen, page_of, run_until_terminated, say
from arena.cli.watching import about_arena, feed_of, viewers_of
from arena.model.clock import TimeControl
from arena.server import static as site
from arena.server.admission import Door
from arena.server.server import Arena
from arena.storage.reader import Records
from arena.storage.writer import Store
from arena.tournament.schedule import Plan, Schedule
from core import GAMES

UNPLAYED = "1"  # a time control, which nobody plays with


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C or SIGTERM, which goes on as an exception. Bots find nothing."""
    with Records(arguments.db) as records:
        text = records.plan()
        plan = Plan.from_json(text) if text else None
        schedule = Schedule(plan, records.finished()) if plan else None
        games = [plan.game] if plan else [game for game in records.tallies() if game in GAMES]
    control, anchored = plan.time if plan else UNPLAYED, anchor(arguments)
    blocks = format_blocks(schedule) if schedule else []

    async def serve(store: Store) -> NoReturn:
        feed, about = feed_of(arguments.db, control), about_arena(games, control, plan=plan)
        viewers = viewers_of(feed, store, lambda: about, lambda: blocks, anchored)
        async with (
            Arena(
                store,
                (),
                TimeControl.parse(control),
                0.0,
                feed,
                Door(any_name=not is_only_here(arguments)),
                routes=site.routes(),
                watch=viewers.serve,
            ) as arena,
            viewers,
        ):
            say(f"{arguments.db} is at {page_of(await listen(arena, arguments))}, Ctrl-C ends it")
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    with Store(arguments.db) as store:
        run_until_terminated(serve(store))
    raise AssertionError("serving ends by an exception")
