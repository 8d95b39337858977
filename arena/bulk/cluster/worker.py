"""What runs in the processes of a cluster: runs, and the processes that play their batches."""

import asyncio
import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from threading import get_ident

from distributed import Scheduler, Worker, get_worker
from distributed.diagnostics.plugin import SchedulerPlugin, WorkerPlugin

from arena.bulk.batch import Batch, LostBatch
from arena.bulk.cluster.bot_files import unpack
from arena.bulk.job import Job
from arena.bulk.match_process import MatchProcess
from arena.bulk.players import Programs


class CannotPlay(Exception):
    """A batch that has not begun a match. Dask tries it again."""


class Run(WorkerPlugin):  # type: ignore[misc]
    """A run in a worker: a process for each thread."""

    def __init__(self, job: Job, folder: Path | None) -> None:
        """Start nothing yet; the folder is removed at the end."""
        self._job = job
        self._folder = folder
        self._processes: dict[int, MatchProcess] = {}  # by thread
        self._is_closed = False

    def play(self, batch: Batch) -> bytes | LostBatch:
        """Play a batch, in a thread of the worker. Raises CannotPlay."""
        process = self._processes.setdefault(get_ident(), MatchProcess(self._job))
        if self._is_closed:  # perhaps without this process
            raise CannotPlay("the run has been closed")
        played = process.play(batch)
        if isinstance(played, LostBatch) and (played.match == 0 or self._is_closed):
            raise CannotPlay(played.cause)
        return played

    def teardown(self, worker: Worker | None = None) -> None:  # noqa: ARG002
        """Kill the processes and remove the files. In the event loop of the worker."""
        self._is_closed = True
        for process in [*self._processes.values()]:
            process.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


async def open_run(name: str, job: Job, files: bytes | None, dask_worker: Worker) -> str | None:
    """Open a run in a worker, and offer its threads to the tasks of the run.

    The plugin is added here, after a check of versions, and not by `Client.register_plugin`: then a
    worker that joins and cannot import this module would not start.

    Args:
        name: The name of the run.
        job: Its job.
        files: The users' modules and programs, packed; they replace the folder of the job.
        dask_worker: The worker; Dask passes it.

    Returns:
        What the user should know, or None.

    Raises:
        ValueError: The worker cannot play.
    """
    folder = unpack(files, Path(dask_worker.local_directory)) if files else None
    job = replace(job, bot_files=folder or job.bot_files)
    run = Run(job, folder and folder.parent)
    programs = Programs(job)
    if problem := programs.problem():
        run.teardown()
        raise ValueError(problem)
    await dask_worker.plugin_add(run, name)
    await dask_worker.set_resources(**{name: dask_worker.state.nthreads})
    return programs.notice()


def play(name: str, data: bytes) -> bytes | LostBatch:
    """Play a batch of a run. In a thread of the worker.

    Args:
        name: The name of the run.
        data: The batch, pickled: the scheduler unpickles arguments, and need not do more.

    Returns:
        The encoded records, or how the batch was lost.

    Raises:
        CannotPlay: No match has begun.
    """
    run = get_worker().plugins.get(name)
    if not isinstance(run, Run):
        raise CannotPlay("the run is not open")
    return run.play(pickle.loads(data))


class RunWatch(SchedulerPlugin):  # type: ignore[misc]
    """Plugin of the scheduler that closes a run when its driver has gone, however that ended.

    Dask itself drops the tasks of a client that has gone, but not what it has set up on workers. As
    long as the driver is there, events with the name of the run tell it that workers have changed.
    """

    def __init__(self, run: str, client: str) -> None:
        """Watch the client of Dask with an id."""
        self.name = run
        self._client = client

    def add_worker(self, scheduler: Scheduler, worker: str) -> None:
        """Tell the driver."""
        scheduler.log_event(self.name, worker)

    def remove_worker(self, scheduler: Scheduler, worker: str, **_: object) -> None:
        """Tell the driver."""
        scheduler.log_event(self.name, worker)

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """Close the run if the client is its driver's."""
        if client == self._client:
            self._closing = asyncio.create_task(self._close(scheduler))

    async def _close(self, scheduler: Scheduler) -> None:
        await scheduler.broadcast(msg={"op": "plugin-remove", "name": self.name}, on_error="ignore")
        scheduler.remove_plugin(self.name)
