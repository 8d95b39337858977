"""What runs in a worker of a cluster: runs, and the processes in which their batches are played.

A worker knows a run from `open_run` on. A run whose driver does not renew it is closed.
"""

import asyncio
import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

from arena.bulk.batch import Batch, LostBatch
from arena.bulk.cluster.bot_files import BotFiles, unpack
from arena.bulk.job import Job
from arena.bulk.match_process import MatchProcess
from arena.bulk.programs import Programs

PROTOCOL = 4  # of the functions here, and of the data that they take and return
LEASE = 60.0  # seconds without a sign of the driver after which its run is closed


class UnknownRun(Exception):
    """A run that this worker does not know, as its process has been replaced."""


class Opened(NamedTuple):
    """Answer of a worker that was to open a run.

    Attributes:
        refusal: Why it cannot play; None if it can.
        notice: What the user should know; None if there is nothing.
    """

    refusal: str | None = None
    notice: str | None = None


class DaskWorker(Protocol):
    """The worker of Dask, which passes itself to functions that it runs."""

    local_directory: str


class _Run:
    """A run in this worker: a process for each batch that is played at a time."""

    def __init__(self, job: Job, folder: Path | None, lease: asyncio.TimerHandle) -> None:
        self._job = job
        self._folder = folder
        self._lock = Lock()
        self._processes: list[MatchProcess] = []
        self._idle: list[MatchProcess] = []
        self._is_closed = False
        self.lease = lease

    def play(self, batch: Batch) -> bytes | LostBatch:
        process = self._take_process()
        try:
            return process.play(batch)
        finally:
            self._idle.append(process)

    def _take_process(self) -> MatchProcess:
        with self._lock:
            if self._is_closed:
                raise UnknownRun("the run has been closed")
            if self._idle:
                return self._idle.pop()
            self._processes.append(MatchProcess(self._job))
            return self._processes[-1]

    def close(self) -> None:
        self.lease.cancel()
        with self._lock:
            self._is_closed = True
        for process in self._processes:
            process.close()
        if self._folder:
            shutil.rmtree(self._folder.parent, ignore_errors=True)


_runs: dict[str, _Run] = {}


def open_run(
    protocol: int, name: str, job: Job, files: BotFiles | None, dask_worker: DaskWorker
) -> Opened:
    """Make a run known; end what it was playing here. In the event loop.

    Args:
        protocol: The `PROTOCOL` of the driver.
        name: The name of the run.
        job: Its job.
        files: The users' modules and programs; they replace the folder of the job.
        dask_worker: The worker; Dask passes it.
    """
    if protocol != PROTOCOL:
        return Opened(f"the protocol of batches is {PROTOCOL} there and {protocol} here")
    close_run(name)
    folder = None
    if files:
        try:
            folder = unpack(files, Path(dask_worker.local_directory))
        except (OSError, ValueError) as error:
            return Opened(f"the bot files cannot be unpacked there: {error}")
    job = replace(job, bot_files=folder or job.bot_files)
    run = _Run(job, folder, _new_lease(name))
    programs = Programs(job)
    if problem := programs.problem():
        run.close()
        return Opened(problem)
    _runs[name] = run
    return Opened(notice=programs.notice())


def renew_run(name: str) -> None:
    """Put off the time at which a run is closed, if it is known. In the event loop."""
    if run := _runs.get(name):
        run.lease.cancel()
        run.lease = _new_lease(name)


def _new_lease(name: str) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(LEASE, close_run, name)


def close_run(name: str) -> None:
    """Kill the processes of a run and remove its files, if it is known. In the event loop."""
    if run := _runs.pop(name, None):
        run.close()


def play(name: str, data: bytes) -> bytes | LostBatch:
    """Play a batch of a run. In a thread of the worker.

    Args:
        name: The name of the run.
        data: The batch, pickled: the scheduler unpickles arguments, and need not do more.

    Returns:
        The encoded records, or how the batch was lost.

    Raises:
        UnknownRun: The run is not open.
    """
    run = _runs.get(name)
    if run is None:
        raise UnknownRun(f"run {name} is not open")
    return run.play(pickle.loads(data))
