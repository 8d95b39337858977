"""Tournament in process: workers play the matches, no bot connects."""

from dataclasses import replace
from typing import TYPE_CHECKING

from arena.app import Arena
from arena.bulk.batch import Executor, WorkersFailed
from arena.bulk.driver import Driver
from arena.bulk.job import Job
from arena.bulk.pool import ProcessPool
from arena.cli.arguments import UsageError
from arena.cli.output import notify
from arena.cli.serving import page_url
from arena.cli.stored_plan import StoredPlan
from arena.cli.tournament_configuration import TournamentConfig
from arena.cli.tournament_output import print_unplayed, tournament_output
from arena.processors import usable_processors
from arena.reports.text import counted
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import format_state
from arena.tournament.schedule import Schedule

if TYPE_CHECKING:
    from arena.reports.progress import ProgressOutput


def create_workers(workers: int | None, cluster: str | None, job: Job) -> Executor:
    """Return the workers of a run, which are not started yet.

    Args:
        workers: The number of workers; None takes the usable processors.
        cluster: The address of a cluster, "local" for one on this machine; None for processes.
        job: The job that they receive.

    Raises:
        UsageError: The cluster cannot be used.
    """
    if cluster is None:
        return ProcessPool(job, workers or usable_processors())
    from arena.bulk.cluster.start import connect  # the cluster is rarely used

    try:
        return connect(cluster, job, workers)
    except ValueError as error:
        raise UsageError(str(error)) from None


def worker_count(workers: int | None, cluster: str | None) -> int | None:
    """Return the number of workers; None if a cluster has workers of its own."""
    if cluster not in (None, "local"):
        return None
    return workers or usable_processors()


class InProcessTournament:
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

    async def play(self, schedule: Schedule) -> bool | None:
        """Play the remaining matches.

        Returns:
            Whether all matches could be played; None if the workers have failed, which is printed.
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
                    self._stored.save(plan)  # only now: a bad address must not bind the database
                    return await self._play(arena, schedule, workers)
            except WorkersFailed as error:
                advice = "; run the same command on the same database to continue"
                notify(f"{error}{'' if self._stored.is_missing else advice}")
                return None
            finally:
                await arena.spectators.send_final_state()

    async def _play(self, arena: Arena, schedule: Schedule, workers: Executor) -> bool:
        time_control = schedule.plan.time
        with tournament_output(self._config, arena, schedule, self._writer.path) as output:
            driver = Driver(schedule, workers, self._writer, arena.observer, time_control)
            unplayed = await driver.play()
            print_unplayed(output, unplayed)
            print_overplay(output, driver.overplay)
            return schedule.is_over and not unplayed


def print_overplay(output: "ProgressOutput", matches: int) -> None:
    """Print how many matches the decided sequential test does not count, if any."""
    if matches:
        words = counted(matches, "match was", "matches were")
        output.print_notice(f"{words} finished beyond the decision of the sequential test")
