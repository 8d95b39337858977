"""arena serve: let bots join, and pair those that are here."""

import argparse
import sys

from arena.arguments import Refused, check_numbers, setups_of, time_control
from arena.commands.serving import listen, new_database, run_until_terminated, say
from arena.ladder import Ladder
from arena.organiser import play_whoever_is_here
from arena.progress import Lines
from arena.records import Records
from arena.server import Arena
from arena.store import Store


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, which goes on as an exception."""
    check_numbers(arguments)
    setups = setups_of(arguments.game, arguments)
    control = time_control(arguments)
    path = arguments.db or new_database()

    async def serve(store: Store, ladder: Ladder) -> None:
        shown = Lines(sys.stderr, ladder.legs.total(), None)
        async with Arena(store, setups, control, arguments.grace, shown) as arena:
            url = await listen(arena, arguments)
            say(f"bots can join at {url} to play {', '.join(setups)}")
            say(f"database {path}, Ctrl-C ends it")
            await play_whoever_is_here(arena, setups, ladder, arguments.concurrency)

    with Store(path) as store:
        with Records(path) as records:
            if records.plan() is not None:
                raise Refused(f"{path} holds a tournament, choose another database")
            ladder = Ladder(records.matches())
        run_until_terminated(serve(store, ladder))
    raise AssertionError("serving ends by an exception")
