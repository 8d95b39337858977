"""Tournament that is played: over connections, or in process by workers."""

import asyncio
import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from arena.app import Arena
from arena.bulk.batch import Executor, WorkersFailed
from arena.bulk.driver import Driver
from arena.bulk.job import Job
from arena.bulk.pool import ProcessPool
from arena.cli.arguments import UsageError
from arena.cli.openings import check_openings, clock_notice
from arena.cli.output import Notices, notify
from arena.cli.planning import (
    StoredPlan,
    add_entrants,
    bot_folders,
    check_flags,
    check_plan,
    make_plan,
    processors_notice,
    read_plan,
    stored_plan,
    stored_schedule,
)
from arena.cli.results import print_standings
from arena.cli.serving import (
    IN_PROCESS_KINDS,
    STARTED_KINDS,
    admission_for,
    check_bots,
    check_programs,
    continuation,
    database_path,
    page_url,
    run_until_terminated,
)
from arena.cli.tournament_options import SOONEST, TournamentConfig
from arena.cli.tournament_output import (
    BotOutput,
    bot_output,
    import_tables,
    print_overplay,
    print_plan,
    print_unplayed,
    tournament_output,
)
from arena.processors import processors_apart, usable_processors
from arena.reports.text import finished_text
from arena.runner.entrants import Affinity, Entrants, UnexpectedBots
from arena.runner.organiser import play_schedule
from arena.runner.processes import SUPERVISE_INTERVAL
from arena.server.admission import Admission
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseInUse
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import FormatState, format_state
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from bots.specification import Kind, read_bots


class NotPlayed(Exception):
    """Error of a tournament without its bots or workers; the reason has been printed."""


class _Prepared(NamedTuple):
    """Tournament that has passed all checks, before a database is written.

    Attributes:
        plan: The plan; without its final bots if others can join.
        stored: The plan that was in the database; None without one.
        can_join: Whether bots can join until the start.
        at_once: The highest number of simultaneous matches; None if a cluster decides.
        admission: The admission of the arena.
        notices: What the operator should know.
    """

    plan: Plan
    stored: Plan | None
    can_join: bool
    at_once: int | None
    admission: Admission
    notices: list[str]


def play(config: TournamentConfig, *, are_checked: bool = False) -> int:
    """Play a tournament, or the rest of one, and return the exit status.

    Args:
        config: The options.
        are_checked: Whether the programs are known to run in their sandbox.

    Raises:
        UsageError: The configuration cannot be used.
        DatabaseError: The database cannot be read or written.
        OSError: The results cannot be printed.
    """
    prepared = _prepare(config, are_checked=are_checked)
    plan = prepared.plan
    workers = _create_workers(config, plan) if config.in_process else None  # none starts yet
    if config.dry_run:
        _notify_all([*prepared.notices, *clock_notice(plan)])
        print_plan(plan, prepared.at_once, config.db, config.part)
        return 0
    printer = Notices()
    try:
        with (
            bot_output(config, read_bots(plan.bots), printer) as output,
            database_path(config.db) as path,
            DatabaseWriter(path) as writer,
        ):
            is_complete = _play_rest(config, prepared, writer, workers, output, printer)
    except NotPlayed:
        return 1
    if config.events != "-":  # else standard output is for these
        print_standings(path, config.anchor, as_json=config.json)
    if not config.quiet:
        _notify_all(config.final_notices)
    return 0 if is_complete else 1


def _prepare(config: TournamentConfig, *, are_checked: bool) -> _Prepared:
    """Plan a tournament and check all that can fail before anything starts. Raises as `play`."""
    stored = stored_plan(config.db)
    check_flags(config, stored)
    plan = make_plan(config, stored)
    check_plan(config, plan, stored)
    can_join = bool(config.server) and not stored
    if config.dry_run and can_join:
        raise UsageError("--dry-run cannot be combined with --server: the bots are not known")
    kinds = IN_PROCESS_KINDS if config.in_process else STARTED_KINDS
    bots = read_bots(plan.bots)
    folders = bot_folders(plan.settings)
    check_bots(bots, plan.game, config.bot_files, config.sandbox, kinds, folders)
    notices = [] if can_join else check_openings(config, plan, is_new=not stored)
    processes = worker_count(config.workers, config.cluster)
    at_once = processes if config.in_process else config.at_once
    notices += processors_notice(at_once)
    if not are_checked:
        check_programs(bots.values(), config.sandbox)
    return _Prepared(plan, stored, can_join, at_once, admission_for(config.arena), notices)


def _play_rest(
    config: TournamentConfig,
    prepared: _Prepared,
    writer: DatabaseWriter,
    workers: Executor | None,
    output: BotOutput,
    printer: Notices,
) -> bool:
    """Play what the database lacks, and return whether all matches could be played.

    Raises:
        NotPlayed: The bots or the workers are not there, or have failed.
        DatabaseInUse: Another arena has stored a plan since the checks.
    """
    plan = prepared.plan
    with DatabaseReader(writer.path) as records:
        if read_plan(records) != prepared.stored:  # which was read without the lock
            raise DatabaseInUse(f"another arena has changed {writer.path}: run the command again")
        kept = StoredPlan(writer, records.plan())
        schedule = None
        if not prepared.can_join:
            schedule = stored_schedule(records, plan, config.part, config.tag)
    if not config.quiet:
        _print_start(plan, schedule, writer.path)
        _notify_all(prepared.notices)
    is_complete = True
    if workers and schedule and not schedule.is_over:
        in_process = _InProcessTournament(config, workers, writer, kept)
        is_complete = run_until_terminated(in_process.play(schedule))
    elif schedule is None or not schedule.is_over:
        tournament = _Tournament(config, prepared.admission, writer, plan, kept, output, printer)
        is_complete = run_until_terminated(tournament.play(schedule))
    else:
        kept.save(plan)  # no match of this part is left to play, but others may extend the plan
    if is_complete and schedule and schedule.lacks_openings:
        notify("no distinct openings are left, and the sequential test is undecided")
    return is_complete


def _print_start(plan: Plan, schedule: Schedule | None, db: Path) -> None:
    """Print the database, the number of finished matches, and whether any are left."""
    notify(f"seed {plan.seed}, database {db}")
    if schedule and schedule.finished_count:
        total = None if plan.may_end_early else schedule.matches
        rest = "nothing left to play" if schedule.is_over else "continuing"
        notify(f"{finished_text(schedule.finished_count, total)} finished, {rest}")


def _notify_all(notices: Iterable[str]) -> None:
    for notice in notices:
        notify(notice)


class _Tournament:
    """A tournament in progress: its arena, and the processes of its bots."""

    def __init__(
        self,
        config: TournamentConfig,
        admission: Admission,
        writer: DatabaseWriter,
        plan: Plan,
        stored: StoredPlan,
        output: BotOutput,
        notices: Notices,
    ) -> None:
        self._config = config
        self._writer = writer
        self._plan = plan
        self._stored = stored
        self._schedule: Schedule | None = None
        self._admission = admission
        self._bots = read_bots(plan.bots)
        self._entrants = Entrants(
            self._bots, admission, notices, config.sandbox, output.logs, plan.settings, [plan.game]
        )
        self._trace = output.trace
        self._notices = notices
        self._unexpected = UnexpectedBots(plan.bots, notices)

    async def play(self, schedule: Schedule | None) -> bool:
        """Play the remaining matches, and return whether all could be played.

        Args:
            schedule: The schedule; None waits for bots to join, and plans with those.

        Raises:
            NotPlayed: Bots have not connected in time.
            InvalidEntrant: A built-in bot cannot play here.
        """
        self._schedule = schedule
        if not schedule:
            self._unexpected.expected = None
        with self._entrants:
            async with Arena(
                replace(self._config.arena, plan=self._plan),
                self._writer,
                admission=self._admission,
                observers=[self._unexpected],
                format_state=self._format_state,
                report=self._notices,
                trace=self._trace,
                output_tail=self._entrants.output_tail,
            ) as arena:
                if not self._config.quiet:
                    _notify_all(self._config.page_notices(page_url(arena.url)))
                self._announce_bots(arena.url)
                config = self._config
                self._entrants.launch(arena.url, self._plan.seed, config.at_once, config.bot_files)
                import_tables(config)  # while the bots start, and no clock runs
                if not await self._entrants.wait(arena.server, self._config.wait):
                    raise NotPlayed
                if not schedule:
                    plan = self._plan = await self._gather_entrants(arena)
                    arena.show_plan(plan)
                    tags = self._config.tag
                    schedule = self._schedule = Schedule(plan, [], self._config.part, tags)
                is_complete = await self._play(arena, schedule)
                await arena.spectators.send_final_state()
                return is_complete

    def _format_state(self) -> FormatState:
        schedule = self._schedule
        return format_state(schedule.plan, schedule.scores) if schedule else FormatState()

    def _announce_bots(self, url: str) -> None:
        """Print where external bots can join, and which of them lack a token."""
        authenticator = self._admission.authenticator
        for name, spec in self._bots.items():
            if spec.kind is Kind.EXTERNAL:
                notify(f"waiting for {name} to join at {url}")
                if authenticator and not authenticator.has_token(name):
                    notify(f"{name} has no token in {self._config.tokens} yet")

    async def _gather_entrants(self, arena: Arena) -> Plan:
        """Wait for the start time and two bots, and return the plan with all connected bots.

        Raises:
            NotPlayed: There are fewer than two after the time of --wait.
            UsageError: The plan is not possible with this number of bots.
        """
        at, wait = self._config.server or SOONEST, self._config.wait
        deadline = asyncio.get_running_loop().time() + (math.inf if wait is None else wait)
        until = f" until {at:%Y-%m-%d %H:%M:%S}" if at > SOONEST else ""
        notify(f"bots can join at {arena.url}{until}")
        while True:
            connected = [
                name for name, bot in sorted(arena.server.sessions.bots.items()) if bot.connection
            ]
            bots = {**self._plan.bots}
            for name in connected:
                bots.setdefault(name, f"{Kind.EXTERNAL}:{name}")
            has_begun = datetime.now() >= at
            if len(bots) > 1 and has_begun:
                plan = add_entrants(self._config, self._plan, bots)
                _notify_all(check_openings(self._config, plan, is_new=True))
                arena.server.sessions.expect(bots)
                self._unexpected.expected = bots
                return plan
            if has_begun and asyncio.get_running_loop().time() >= deadline:
                notify(f"a tournament needs at least 2 bots, not {len(bots)}")
                raise NotPlayed
            self._entrants.supervise()
            await arena.server.wait_for_change(timeout=SUPERVISE_INTERVAL)

    async def _play(self, arena: Arena, schedule: Schedule) -> bool:
        with (
            tournament_output(self._config, arena, schedule, self._writer.path) as output,
            self._notices.above(output.print_notice),
        ):
            self._stored.save(schedule.plan)  # only now: what fails before leaves nothing
            self._supervise()
            restarts = self._entrants.restarts(arena.server)
            arena.observers.append(restarts)
            if self._config.affinity:
                arena.observers.append(Affinity(self._entrants.processes, processors_apart()))
            try:
                unplayed = await play_schedule(
                    arena.server,
                    schedule,
                    self._config.at_once,
                    arena.observer,
                    restarts.is_ready,
                )
            finally:
                self._supervision.cancel()
                self._entrants.report_finally()
            print_unplayed(output, unplayed)
            return schedule.is_over and not unplayed

    def _supervise(self) -> None:
        """Restart processes that have ended, now and at intervals."""
        self._entrants.supervise()
        loop = asyncio.get_running_loop()
        self._supervision = loop.call_later(SUPERVISE_INTERVAL, self._supervise)


def _create_workers(config: TournamentConfig, plan: Plan) -> Executor:
    """Return the workers of a run, which are not started yet. Raises UsageError."""
    job = Job(plan.bots, plan.time, plan.seed, config.bot_files, config.sandbox)
    if config.cluster is None:
        return ProcessPool(job, config.workers or usable_processors())
    from arena.bulk.cluster.start import connect  # the cluster is rarely used

    try:
        return connect(config.cluster, job, config.workers)
    except ValueError as error:
        raise UsageError(str(error)) from None


def worker_count(workers: int | None, cluster: str | None) -> int | None:
    """Return the number of workers; None if a cluster has workers of its own."""
    if cluster not in (None, "local"):
        return None
    return workers or usable_processors()


class _InProcessTournament:
    """A tournament in progress: its workers, and an arena for spectators alone."""

    def __init__(
        self,
        config: TournamentConfig,
        workers: Executor,
        writer: DatabaseWriter,
        stored: StoredPlan,
    ) -> None:
        self._config = config
        self._workers = workers
        self._writer = writer
        self._stored = stored

    async def play(self, schedule: Schedule) -> bool:
        """Play the remaining matches, and return whether all could be played.

        Raises:
            NotPlayed: The workers have failed.
        """
        config = self._config
        plan = schedule.plan
        only_spectators = replace(config.arena, accepts_bots=False, plan=plan)

        async with Arena(
            only_spectators,
            self._writer,
            format_state=lambda: format_state(plan, schedule.scores),
        ) as arena:
            if not config.quiet:
                notify(f"people can watch at {page_url(arena.url)}")
            try:
                async with self._workers as workers:
                    return await self._play(arena, schedule, workers)
            except WorkersFailed as error:
                advice = f"; {continuation(self._writer.path)}"
                notify(f"{error}{'' if self._stored.is_missing else advice}")
                raise NotPlayed from None
            finally:
                await arena.spectators.send_final_state()

    async def _play(self, arena: Arena, schedule: Schedule, workers: Executor) -> bool:
        time_control = schedule.plan.time
        with tournament_output(self._config, arena, schedule, self._writer.path) as output:
            self._stored.save(schedule.plan)  # only now: what fails before leaves nothing
            driver = Driver(schedule, workers, self._writer, arena.observer, time_control)
            unplayed = await driver.play()
            print_unplayed(output, unplayed)
            print_overplay(output, driver.overplay)
            return schedule.is_over and not unplayed
