"""arena tournament: play a tournament, or the rest of one."""

import argparse
import asyncio
import sys
from contextlib import ExitStack

from arena.arguments import Refused, anchor
from arena.clock import TimeControl
from arena.commands.dry_run import print_plan
from arena.commands.planning import check, plan_of
from arena.commands.serving import listen, new_database, run_until_terminated, say
from arena.commands.standings import print_standings
from arena.entrants import EXTERNAL, is_own
from arena.events import Events
from arena.launch import Processes
from arena.observer import Observer, Observers
from arena.organiser import play_schedule
from arena.progress import Shown, progress
from arena.records import Records
from arena.results import Tally
from arena.scoreboard import Scoreboard
from arena.server import Arena
from arena.store import Store
from arena.tournament import Schedule

JOIN_SECONDS = 10.0  # that the tournament waits for the bots it has started itself
TEND_SECONDS = 0.2  # between two looks at them


def run(arguments: argparse.Namespace) -> int:
    """Play a tournament, or the rest of one. Returns the exit status."""
    plan = plan_of(arguments)
    check(arguments, plan)
    if arguments.dry_run:
        print_plan(plan, arguments.concurrency, arguments.db)
        return 0
    path = arguments.db or new_database()
    with Store(path) as store:
        with Records(path) as records:
            schedule = Schedule(plan, records.finished())
            tally = records.tallies().get(plan.game, Tally())
            is_new = records.plan() is None
        if not arguments.quiet:
            say(f"seed {plan.seed}, database {path}")
            if schedule.finished:
                of = "" if plan.may_end_early else f" of {plan.matches}"
                say(f"{schedule.finished}{of} matches are finished, going on")
        is_complete = True
        if not schedule.is_over:
            scoreboard = Scoreboard(tuple(plan.bots), tally, anchor(arguments))
            is_complete = _play(arguments, store, schedule, scoreboard, is_new)
    if arguments.events != "-":
        print_standings(path, arguments)
    return 0 if is_complete else 1


def _play(
    arguments: argparse.Namespace,
    store: Store,
    schedule: Schedule,
    scoreboard: Scoreboard,
    is_new: bool,
) -> bool:
    """Play what is left to play. Returns whether all of it could be played."""
    total = None if schedule.plan.may_end_early else schedule.plan.matches
    with ExitStack() as stack:
        shown = stack.enter_context(
            progress(
                sys.stderr,
                schedule.finished,
                total,
                scoreboard,
                # Events that go to the same terminal would be written into the live table.
                plain=arguments.plain or (arguments.events == "-" and sys.stdout.isatty()),
                quiet=arguments.quiet,
            )
        )
        observers: list[Observer] = [scoreboard, shown]
        if arguments.events:
            observers.append(stack.enter_context(_events(arguments.events, scoreboard)))
        tournament = _Tournament(arguments, store, schedule, Observers(observers), shown)
        return run_until_terminated(tournament.play(is_new))


def _events(path: str, scoreboard: Scoreboard) -> Events:
    """The stream of events. Raises Refused."""
    try:
        return Events(path, scoreboard)
    except OSError as error:
        raise Refused(f"cannot write --events {path}: {error.strerror}") from None


class _Tournament:
    """A tournament that is played."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        store: Store,
        schedule: Schedule,
        observer: Observer,
        shown: Shown,
    ) -> None:
        self._arguments = arguments
        self._store = store
        self._schedule = schedule
        self._observer = observer
        self._shown = shown
        self._bots = schedule.plan.bots
        self._processes = Processes()
        self._failed: set[str] = set()  # those that have ended at some time

    async def play(self, is_new: bool) -> bool:
        """Play all that is left to play; a new plan is stored.

        Returns whether all of it could be played.
        """
        plan = self._schedule.plan
        control, grace = TimeControl.parse(plan.time), self._arguments.grace
        with self._processes:
            async with Arena(self._store, [plan.game], control, grace, self._observer) as arena:
                self._launch(await listen(arena, self._arguments))
                await self._join(arena)
                if is_new:  # only now, so that a misspelt bot does not bind the database
                    self._store.save_plan(plan.to_json())
                self._tend()
                try:
                    left = await play_schedule(
                        arena, self._schedule, self._arguments.concurrency, self._observer
                    )
                finally:
                    self._tending.cancel()
                    for name, failure in self._processes.failures().items():
                        self._shown.tell(f"bot {name} has left: {failure}")
                for record in left:
                    number, cause = record.pairing.number, record.result.reason
                    self._shown.tell(f"match {number} could not be played: {cause}")
                return not left

    def _launch(self, url: str) -> None:
        for place, (name, what) in enumerate(self._bots.items()):
            if what.startswith(EXTERNAL):
                self._shown.tell(f"waiting for {name} to join at {url}")
            else:
                seed = self._schedule.plan.seed + place
                self._processes.launch(name, what, url, seed, self._arguments.concurrency)

    async def _join(self, arena: Arena) -> None:
        """Wait for those that dial in by themselves and, not for ever, for the others.

        Raises Refused if one of our own bots cannot play here.
        """
        deadline = asyncio.get_running_loop().time() + JOIN_SECONDS
        while missing := [name for name in arena.expect(self._bots) if name not in self._failed]:
            for name, failure in self._processes.failures().items():
                if is_own(self._bots[name]):
                    raise Refused(f"bot {name} has left: {failure}")
            self._tell_news()
            is_late = asyncio.get_running_loop().time() >= deadline
            if is_late and not any(self._bots[name].startswith(EXTERNAL) for name in missing):
                names = ", ".join(missing)
                self._shown.tell(f"not here after {JOIN_SECONDS:g} s, going on without {names}")
                return
            await arena.change(within=TEND_SECONDS)

    def _tend(self) -> None:
        """Look after the processes, now and from time to time."""
        self._tell_news()
        self._tending = asyncio.get_running_loop().call_later(TEND_SECONDS, self._tend)

    def _tell_news(self) -> None:
        self._failed.update(self._processes.failures())
        for news in self._processes.tend():
            self._shown.tell(news)
