"""Command `arena tournament`: play a tournament, or the rest of one."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime

from arena.app import App, ArenaConfig
from arena.cli.arguments import UsageError
from arena.cli.commands.standings import format_blocks, print_standings
from arena.cli.configuration import StandingsConfig, TournamentConfig
from arena.cli.dry_run import print_plan
from arena.cli.output import notify
from arena.cli.planning import add_entrants, check_plan, is_open, make_plan
from arena.cli.serving import admission_for, new_database_path, page_url, run_until_terminated
from arena.model.results import Tally
from arena.reports.event_stream import EventWriter
from arena.reports.progress import ProgressOutput, create_progress
from arena.runner.bot_spec import EXTERNAL, is_builtin
from arena.runner.organiser import play_schedule
from arena.runner.processes import Processes
from arena.server.admission import Admission
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.live_standings import LiveStandings
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule

JOIN_SECONDS = 10.0  # timeout of the wait for the bots that the tournament starts
SUPERVISE_INTERVAL = 0.2  # seconds between two checks of their processes


def run(config: TournamentConfig) -> int:
    """Play a tournament, or the rest of one, and return the exit status.

    Raises:
        UsageError: The configuration cannot be used.
        DatabaseError: The database cannot be read or written.
    """
    plan = make_plan(config)
    check_plan(config, plan)
    can_join = is_open(config)
    if config.dry_run:
        if can_join:
            raise UsageError("--dry-run cannot be combined with --server: the bots are not known")
        print_plan(plan, config.concurrency, config.db)
        return 0
    admission = admission_for(config.admission, config.address)
    path = config.db or new_database_path()
    with DatabaseWriter(path) as writer:
        with DatabaseReader(path) as records:
            is_new = records.plan() is None
            schedule = None if can_join else Schedule(plan, records.results())
        if not config.quiet:
            notify(f"seed {plan.seed}, database {path}")
            if schedule and schedule.finished_count:
                total = "" if plan.may_end_early else f" of {plan.matches}"
                notify(f"{schedule.finished_count}{total} matches are finished, continuing")
        is_complete = True
        if schedule is None or not schedule.is_over:
            tournament = _Tournament(config, admission, writer, plan, is_new)
            is_complete = run_until_terminated(tournament.play(schedule))
    if config.events != "-":
        print_standings(StandingsConfig(path, config.anchor, config.json, config.los))
    return 0 if is_complete else 1


def _open_events(path: str, live_standings: LiveStandings) -> EventWriter:
    """Open the event stream. Raises UsageError."""
    try:
        return EventWriter(path, live_standings)
    except OSError as error:
        raise UsageError(f"cannot write --events {path}: {error.strerror}") from None


class _Tournament:
    """A tournament in progress: its arena, and the processes of its bots."""

    def __init__(
        self,
        config: TournamentConfig,
        admission: Admission,
        writer: DatabaseWriter,
        plan: Plan,
        is_new: bool,
    ) -> None:
        self._config = config
        self._writer = writer
        self._plan = plan
        self._is_new = is_new
        self._schedule: Schedule | None = None
        self._processes = Processes()
        self._exited: set[str] = set()  # bots whose process has ended at least once
        self._admission = admission

    async def play(self, schedule: Schedule | None) -> bool:
        """Play the remaining matches.

        Args:
            schedule: The schedule; None waits for bots to join, and plans with those.

        Returns:
            Whether all matches could be played.
        """
        self._schedule = schedule
        with self._processes:
            async with App(
                self._arena_config(), self._writer, admission=self._admission, blocks=self._blocks
            ) as app:
                with DatabaseReader(self._writer.path) as records:
                    tally = records.tallies().get(self._plan.game, Tally())
                if not self._config.quiet:
                    notify(f"people can watch at {page_url(app.url)}")
                self._launch_bots(app.url)
                await self._wait_for_bots(app)
                if not schedule:
                    app.plan = self._plan = await self._gather_entrants(app)
                    schedule = self._schedule = Schedule(self._plan, [])
                if self._is_new:  # only now: a misspelt bot must not bind the database
                    self._writer.save_plan(self._plan.to_json())
                is_complete = await self._play(app, schedule, tally)
                await app.spectators.send_final_state()
                return is_complete

    def _arena_config(self) -> ArenaConfig:
        return ArenaConfig(
            games=(self._plan.game,),
            time=self._config.time,
            grace=self._config.grace,
            host=self._config.address.host,
            port=self._config.address.port,
            has_page=True,
            plan=self._plan,
            anchor=self._config.anchor,
        )

    def _blocks(self) -> Sequence[tuple[str, str]]:
        return format_blocks(self._schedule) if self._schedule else ()

    def _launch_bots(self, url: str) -> None:
        authenticator = self._admission.authenticator
        for place, (name, spec) in enumerate(self._plan.bots.items()):
            if spec.startswith(EXTERNAL):
                notify(f"waiting for {name} to join at {url}")
                if authenticator and not authenticator.has_token(name):
                    notify(f"{name} has no token in {self._config.admission.tokens} yet")
            else:
                seed, matches = self._plan.seed + place, self._config.concurrency
                token = authenticator.issue(name) if authenticator else None
                self._processes.launch(name, spec, url, seed, matches, token)

    async def _wait_for_bots(self, app: App) -> None:
        """Wait for external bots without a timeout, and for launched bots with one.

        Raises UsageError if a built-in bot cannot play here.
        """
        bots = self._plan.bots
        deadline = asyncio.get_running_loop().time() + JOIN_SECONDS
        while missing := [
            name for name in app.server.sessions.expect(bots) if name not in self._exited
        ]:
            for name, failure in self._processes.failures().items():
                if is_builtin(bots[name]):
                    raise UsageError(f"bot {name} has left: {failure}")
            self._restart_bots(notify)
            is_late = asyncio.get_running_loop().time() >= deadline
            if is_late and not any(bots[name].startswith(EXTERNAL) for name in missing):
                names = ", ".join(missing)
                notify(f"not connected after {JOIN_SECONDS:g} s, continuing without {names}")
                return
            await app.server.wait_for_change(timeout=SUPERVISE_INTERVAL)

    async def _gather_entrants(self, app: App) -> Plan:
        """Wait for the start time and two bots, and return the plan with all connected bots.

        Raises UsageError if the plan is not possible with this number of bots.
        """
        at = self._config.at
        notify(f"bots can join at {app.url}" + (f" until {at:%Y-%m-%d %H:%M:%S}" if at else ""))
        while True:
            connected = [
                name for name, bot in sorted(app.server.sessions.bots.items()) if bot.connection
            ]
            bots = {**self._plan.bots}
            for name in connected:
                bots.setdefault(name, EXTERNAL + name)
            if len(bots) > 1 and (not at or datetime.now() >= at):
                plan = add_entrants(self._config, self._plan, bots)
                app.server.sessions.expect(bots)
                return plan
            self._restart_bots(notify)
            await app.server.wait_for_change(timeout=SUPERVISE_INTERVAL)

    async def _play(self, app: App, schedule: Schedule, tally: Tally) -> bool:
        config = self._config
        live_standings = LiveStandings(tuple(self._plan.bots), tally, config.anchor)
        with ExitStack() as stack:
            output = stack.enter_context(self._progress(schedule, live_standings))
            app.observers += [live_standings, output]
            if config.events:
                app.observers.append(
                    stack.enter_context(_open_events(config.events, live_standings))
                )
            if self._admission.authenticator:
                self._admission.authenticator.warn = output.print_notice
            self._supervise(output.print_notice)
            try:
                unplayed = await play_schedule(
                    app.server, schedule, config.concurrency, app.observer
                )
            finally:
                self._supervision.cancel()
                for name, failure in self._processes.failures().items():
                    output.print_notice(f"bot {name} has left: {failure}")
            for record in unplayed:
                number, cause = record.pairing.number, record.result.reason
                output.print_notice(f"match {number} could not be played: {cause}")
            return schedule.is_over and not unplayed

    def _progress(self, schedule: Schedule, live_standings: LiveStandings) -> ProgressOutput:
        config, plan = self._config, self._plan
        return create_progress(
            sys.stderr,
            schedule.finished_count,
            None if plan.may_end_early else plan.matches,
            live_standings,
            # Events that go to the same terminal would be written into the live table.
            plain=config.plain or (config.events == "-" and sys.stdout.isatty()),
            quiet=config.quiet,
        )

    def _supervise(self, report: Callable[[str], None]) -> None:
        """Restart processes that have ended, now and at intervals."""
        self._restart_bots(report)
        loop = asyncio.get_running_loop()
        self._supervision = loop.call_later(SUPERVISE_INTERVAL, self._supervise, report)

    def _restart_bots(self, report: Callable[[str], None]) -> None:
        self._exited.update(self._processes.failures())
        for message in self._processes.supervise():
            report(message)
