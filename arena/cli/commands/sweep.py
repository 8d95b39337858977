"""Command `arena sweep`: measure strength on a grid of depths and setups."""

import asyncio
import sys
from pathlib import Path

from arena.bulk.batch import Executor, WorkersFailed
from arena.bulk.driver import Driver
from arena.bulk.job import Job
from arena.cli.in_process import create_workers
from arena.cli.output import notify
from arena.cli.serving import (
    IN_PROCESS_KINDS,
    check_bots,
    check_programs,
    new_database_path,
    run_until_terminated,
)
from arena.cli.sweep.planning import make_sweep_plan
from arena.cli.sweep.tables import print_sweep, sweep_results, write_sweep
from arena.cli.tournament_configuration import SweepConfig
from arena.cli.tournament_output import create_live_standings, print_unplayed
from arena.model.setups import setup_text
from arena.reports.progress import create_progress
from arena.reports.text import counted, finished_text
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.live_standings import LiveStandings
from arena.tournament.sweep import SweepPlan, SweepSchedule
from bots.specification import read_bots


def run(config: SweepConfig) -> int:
    """Play a sweep, or the rest of one, and return the exit status.

    Raises:
        UsageError: The configuration cannot be used.
        DatabaseError: The database cannot be read or written.
        OSError: A file cannot be written.
    """
    plan = make_sweep_plan(config)
    is_finished = config.db is not None and _is_finished(plan, config.db)
    if not is_finished:
        bots = read_bots(plan.bots)
        check_bots(bots, plan.game, config.bot_files, config.sandbox, IN_PROCESS_KINDS)
        check_programs(bots.values(), config.sandbox)
    if config.dry_run:
        _print_plan(plan)
        return 0
    path = config.db or new_database_path()
    if is_finished and not config.quiet:
        notify(f"{finished_text(plan.matches, plan.matches)} finished")
    try:
        is_complete = is_finished or _play(config, plan, path)
    except (KeyboardInterrupt, asyncio.CancelledError):
        notify(f"stopped{_advice(path)}; arena standings {path} prints the results so far")
        return 130
    if is_complete is None:
        return 1
    with DatabaseReader(path) as records:
        results, perfect = sweep_results(records, plan, config.anchor)
        print_sweep(records, results, perfect, as_json=config.json)
        write_sweep(records, results, perfect, config.output)
    return 0 if is_complete else 1


def _print_plan(plan: SweepPlan) -> None:
    print(f"{plan.game}, sweep, time {plan.time}, seed {plan.seed}")
    print(f"bots: {', '.join(plan.bots)}")
    setups = ", ".join(filter(None, map(setup_text, plan.setups)))
    print(f"setups: {setups or 'one'}; opening plies: {', '.join(map(str, plan.opening_plies))}")
    print(f"matches: {plan.matches}, in {counted(len(plan.cells), 'cell')}", flush=True)


def _advice(path: Path) -> str:
    return f"; the same command with --db {path} continues"


def _is_finished(plan: SweepPlan, path: Path) -> bool:
    """Return whether nothing is left of a sweep, so that it needs no workers."""
    if not path.exists():
        return False
    with DatabaseReader(path) as records:
        return SweepSchedule(plan, records.results()).is_over


def _play(config: SweepConfig, plan: SweepPlan, path: Path) -> bool | None:
    """Play the rest of a sweep.

    Returns:
        Whether all matches could be played; None if the workers have failed, which is printed.

    Raises:
        UsageError: The cluster cannot be used.
    """
    job = Job(plan.bots, plan.time, plan.seed, config.bot_files, config.sandbox)
    workers = create_workers(config.workers, config.cluster, job)
    with DatabaseWriter(path) as writer:
        with DatabaseReader(path) as records:
            is_new = records.plan() is None
            schedule = SweepSchedule(plan, records.results())
        if not config.quiet:
            notify(f"seed {plan.seed}, database {path}")
            _print_start(schedule)
        live_standings = create_live_standings(plan, path, config.anchor)
        sweep = _Sweep(config, schedule, workers, writer, live_standings)
        try:
            return run_until_terminated(sweep.play(is_new))
        except WorkersFailed as error:
            notify(f"{error}{_advice(path)}")
            return None


def _print_start(schedule: SweepSchedule) -> None:
    """Print how much of the sweep is finished."""
    if schedule.finished_count:
        matches = finished_text(schedule.finished_count, schedule.plan.matches)
        notify(f"{matches} finished, continuing")


class _Sweep:
    """A sweep in progress."""

    def __init__(
        self,
        config: SweepConfig,
        schedule: SweepSchedule,
        workers: Executor,
        writer: DatabaseWriter,
        live_standings: LiveStandings,
    ) -> None:
        self._config = config
        self._schedule = schedule
        self._workers = workers
        self._writer = writer
        self._live_standings = live_standings

    async def play(self, is_new: bool) -> bool:
        """Play the remaining matches.

        Args:
            is_new: Whether the plan is not stored yet.

        Returns:
            Whether all matches could be played.
        """
        schedule, config = self._schedule, self._config
        plan = schedule.plan
        progress = create_progress(
            sys.stderr,
            schedule.finished_count,
            plan.matches,
            self._live_standings,
            plain=config.plain,
            quiet=config.quiet,
        )
        async with self._workers as workers:
            if is_new:  # only now: a bad address must not bind the database
                self._writer.save_plan(plan.to_json())
            with progress as output:
                driver = Driver(schedule, workers, self._writer, output, plan.time)
                unplayed = await driver.play()
                print_unplayed(output, unplayed)
        return schedule.is_over and not unplayed
