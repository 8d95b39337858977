"""arena tournament: play a tournament, or the rest of one."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime

from arena.cli.arguments import UsageError, anchor
from arena.cli.commands.standings import format_blocks, print_standings
from arena.cli.dry_run import print_plan
from arena.cli.planning import check, is_open, plan_of, with_bots
from arena.cli.serving import (
    door,
    listen,
    new_database,
    page_of,
    run_until_terminated,
    say,
)
from arena.cli.watching import about_arena, feed_of, viewers_of
from arena.model.clock import TimeControl
from arena.model.observer import Observer, CompositeObserver
from arena.model.results import Tally
from arena.protocol.spectator import About
from arena.reports.event_stream import Events
from arena.reports.progress import Shown, progress
from arena.runner.bot_spec import EXTERNAL, is_own
from arena.runner.organiser import play_schedule
from arena.runner.processes import Processes
from arena.server import static as site
from arena.server.admission import Door
from arena.server.server import Arena
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.leaderboard import Scoreboard
from arena.tournament.schedule import Plan, Schedule

JOIN_SECONDS = 10.0  # that the tournament waits for the bots it has started itself
TEND_SECONDS = 0.2  # between two looks at them


def run(arguments: argparse.Namespace) -> int:
    """Play a tournament, or the rest of one. Returns the exit status."""
    plan = plan_of(arguments)
    check(arguments, plan)
    open_to_all = is_open(arguments)
    if arguments.dry_run:
        if open_to_all:
            raise UsageError("--dry-run cannot tell who will be here: the tournament has --server")
        print_plan(plan, arguments.concurrency, arguments.db)
        return 0
    entrance = door(arguments)
    path = arguments.db or new_database()
    with DatabaseWriter(path) as store:
        with DatabaseReader(path) as records:
            is_new = records.plan() is None
            schedule = None if open_to_all else Schedule(plan, records.results())
        if not arguments.quiet:
            say(f"seed {plan.seed}, database {path}")
            if schedule and schedule.finished:
                of = "" if plan.may_end_early else f" of {plan.matches}"
                say(f"{schedule.finished}{of} matches are finished, going on")
        is_complete = True
        if open_to_all or (schedule and not schedule.is_over):
            tournament = _Tournament(arguments, entrance, store, plan, is_new)
            is_complete = run_until_terminated(tournament.play(schedule))
    if arguments.events != "-":
        print_standings(path, arguments)
    return 0 if is_complete else 1


def _events(path: str, scoreboard: Scoreboard) -> Events:
    """The stream of events. Raises UsageError."""
    try:
        return Events(path, scoreboard)
    except OSError as error:
        raise UsageError(f"cannot write --events {path}: {error.strerror}") from None


class _Tournament:
    """A tournament that is played."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        entrance: Door,
        store: DatabaseWriter,
        plan: Plan,
        is_new: bool,
    ) -> None:
        self._arguments = arguments
        self._door = entrance
        self._store = store
        self._plan = plan
        self._is_new = is_new
        self._observers: list[Observer] = []
        self._processes = Processes()
        self._failed: set[str] = set()  # those that have ended at some time

    async def play(self, schedule: Schedule | None) -> bool:
        """Play all that is left to play; without a schedule, with whoever is here by then.

        Returns whether all of it could be played.
        """
        plan, grace = self._plan, self._arguments.grace
        control, observer = TimeControl.parse(plan.time), CompositeObserver(self._observers)
        feed = feed_of(self._store.path, plan.time)
        tally = feed.tallies.get(plan.game, Tally()).copy()  # which is counted on for the terminal
        self._observers.append(feed)
        self._schedule = schedule
        anchored = anchor(self._arguments)
        viewers = viewers_of(feed, self._store, self._about, self._blocks, anchored)
        with self._processes:
            async with (
                Arena(
                    self._store,
                    [plan.game],
                    control,
                    grace,
                    observer,
                    self._door,
                    site.routes(),
                    viewers.serve,
                ) as arena,
                viewers,
            ):
                url = await listen(arena, self._arguments)
                if not self._arguments.quiet:
                    say(f"people can watch at {page_of(url)}")
                self._launch(url)
                await self._join(arena)
                if not schedule:
                    self._plan = await self._gather(arena, url)
                    schedule = self._schedule = Schedule(self._plan, [])
                if self._is_new:  # only now, so that a misspelt bot does not bind the database
                    self._store.save_plan(self._plan.to_json())
                is_complete = await self._play(arena, schedule, tally)
                await viewers.tell_last()
                return is_complete

    def _about(self) -> About:
        return about_arena([self._plan.game], self._plan.time, plan=self._plan)

    def _blocks(self) -> Sequence[tuple[str, str]]:
        return format_blocks(self._schedule) if self._schedule else ()

    def _launch(self, url: str) -> None:
        identities = self._door.identities
        for place, (name, what) in enumerate(self._plan.bots.items()):
            if what.startswith(EXTERNAL):
                say(f"waiting for {name} to join at {url}")
                if identities and not identities.has_token(name):
                    say(f"{name} has no token in {self._arguments.tokens} yet")
            else:
                seed, matches = self._plan.seed + place, self._arguments.concurrency
                token = identities.issue(name) if identities else None
                self._processes.launch(name, what, url, seed, matches, token)

    async def _join(self, arena: Arena) -> None:
        """Wait for those that dial in by themselves and, not for ever, for the others.

        Raises UsageError if one of our own bots cannot play here.
        """
        bots = self._plan.bots
        deadline = asyncio.get_running_loop().time() + JOIN_SECONDS
        while missing := [name for name in arena.expect(bots) if name not in self._failed]:
            for name, failure in self._processes.failures().items():
                if is_own(bots[name]):
                    raise UsageError(f"bot {name} has left: {failure}")
            self._tell_news(say)
            is_late = asyncio.get_running_loop().time() >= deadline
            if is_late and not any(bots[name].startswith(EXTERNAL) for name in missing):
                say(f"not here after {JOIN_SECONDS:g} s, going on without {', '.join(missing)}")
                return
            await arena.change(within=TEND_SECONDS)

    async def _gather(self, arena: Arena, url: str) -> Plan:
        """Wait until the tournament is to begin and two bots are here. Returns the plan with all.

        Raises UsageError if the plan does not suit so many bots.
        """
        at = self._arguments.at
        say(f"bots can join at {url}" + (f" until {at:%Y-%m-%d %H:%M:%S}" if at else ""))
        while True:
            here = [name for name, bot in sorted(arena.bots.items()) if bot.connection]
            bots = {**self._plan.bots}
            for name in here:
                bots.setdefault(name, EXTERNAL + name)
            if len(bots) > 1 and (not at or datetime.now() >= at):
                plan = with_bots(self._arguments, self._plan, bots)
                arena.expect(bots)
                return plan
            self._tell_news(say)
            await arena.change(within=TEND_SECONDS)

    async def _play(self, arena: Arena, schedule: Schedule, tally: Tally) -> bool:
        arguments, plan = self._arguments, self._plan
        scoreboard = Scoreboard(tuple(plan.bots), tally, anchor(arguments))
        with ExitStack() as stack:
            shown = stack.enter_context(
                progress(
                    sys.stderr,
                    schedule.finished,
                    None if plan.may_end_early else plan.matches,
                    scoreboard,
                    # Events that go to the same terminal would be written into the live table.
                    plain=arguments.plain or (arguments.events == "-" and sys.stdout.isatty()),
                    quiet=arguments.quiet,
                )
            )
            self._observers += [scoreboard, shown]
            if arguments.events:
                self._observers.append(stack.enter_context(_events(arguments.events, scoreboard)))
            if self._door.identities:
                self._door.identities.tell = shown.tell
            self._tend(shown)
            try:
                left = await play_schedule(
                    arena, schedule, arguments.concurrency, CompositeObserver(self._observers)
                )
            finally:
                self._tending.cancel()
                for name, failure in self._processes.failures().items():
                    shown.tell(f"bot {name} has left: {failure}")
            for record in left:
                number, cause = record.pairing.number, record.result.reason
                shown.tell(f"match {number} could not be played: {cause}")
            return schedule.is_over and not left

    def _tend(self, shown: Shown) -> None:
        """Look after the processes, now and from time to time."""
        self._tell_news(shown.tell)
        loop = asyncio.get_running_loop()
        self._tending = loop.call_later(TEND_SECONDS, self._tend, shown)

    def _tell_news(self, tell: Callable[[str], None]) -> None:
        self._failed.update(self._processes.failures())
        for news in self._processes.tend():
            tell(news)
