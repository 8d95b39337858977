"""Admission of a cluster's workers to a run: their versions are checked, then they get the job."""

import logging
from dataclasses import dataclass, field
from uuid import uuid4

from arena.bulk.cluster import worker
from arena.bulk.cluster.bot_files import BotFiles
from arena.bulk.cluster.connection import Connection, TaskFailed
from arena.bulk.cluster.versions import difference, installed_versions, required_packages
from arena.bulk.job import Job

LOGGER = logging.getLogger("arena.cluster")


class Refused(Exception):
    """A process of the cluster that cannot take part. The text names it and the reason."""


@dataclass(frozen=True)
class Admission:
    """What each worker of a run receives once.

    Attributes:
        job: The job.
        files: The users' modules and programs.
        run: The name of the run.
    """

    job: Job
    files: BotFiles | None
    run: str = field(default_factory=lambda: uuid4().hex)

    async def check_scheduler(self, connection: Connection) -> None:
        """Compare the versions of the scheduler, which unpickles tasks, with those here.

        Raises:
            Refused: They differ.
            ConnectionLost: The scheduler is lost.
        """
        packages = required_packages()
        there = await connection.scheduler_versions(packages)
        if reason := difference(installed_versions(packages), there):
            raise Refused(f"the scheduler is refused: {reason}")

    async def admit(self, connection: Connection, address: str) -> None:
        """Check a worker and open the run in it.

        Raises:
            Refused: Its versions differ, or it cannot open the run or run its programs.
            ConnectionLost: The scheduler or the worker is lost, or does not answer.
        """
        packages = required_packages()
        there = await connection.worker_versions(packages, address)
        if reason := difference(installed_versions(packages), there):
            raise Refused(f"worker {address} is refused: {reason}")
        arguments = worker.PROTOCOL, self.run, self.job, self.files
        try:
            opened: worker.Opened = await connection.run(address, worker.open_run, *arguments)
        except TaskFailed as error:
            opened = worker.Opened(refusal=str(error))
        if opened.refusal:
            raise Refused(f"worker {address} is refused: {opened.refusal}")
        if opened.notice:
            LOGGER.warning("worker %s: %s", address, opened.notice)
