"""A cluster on this machine, for one run: a scheduler and workers in processes of their own."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec
from distributed.security import Security

from arena.bulk.cluster.connection import Endpoint
from arena.bulk.executor import WorkersFailed

PROGRAM = "arena.bulk.cluster.local_program"
START_SECONDS = 120.0
END_SECONDS = 30.0
LINE_BYTES = 2**20


class Announcement(msgspec.Struct):
    """The line that the program prints when its workers are connected.

    Attributes:
        address: The scheduler.
        authority: The certificate of the authority; PEM.
        certificate: A certificate of it; PEM.
        key: The key of the certificate; PEM.
    """

    address: str
    authority: str
    certificate: str
    key: str


class LocalCluster:
    """Scheduler and workers on this machine. They accept only this process, and end with it.

    Their connections are encrypted with a key that no other process has: a cluster runs any code
    for anyone who can connect, and on this machine every user can.
    """

    def __init__(self, size: int) -> None:
        """Start nothing yet.

        Args:
            size: The number of workers.
        """
        self._size = size
        self._folder = Path()
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="arena-cluster-"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def locate(self) -> Endpoint:
        """Return the scheduler, which is started if it does not run. Raises WorkersFailed."""
        if self._process is None or self._process.returncode is not None:
            await self._end()
            self._announcement = await self._start()
        line = self._announcement
        security = Security(
            require_encryption=True,
            tls_ca_file=line.authority,
            tls_client_cert=line.certificate,
            tls_client_key=line.key,
        )
        return Endpoint(line.address, security)

    async def _start(self) -> Announcement:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # ignore a folder called arena in the working directory
            "-m",
            PROGRAM,
            str(self._size),
            str(self._folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            process_group=0,  # Ctrl-C is for the arena alone
            limit=LINE_BYTES,
        )
        assert self._process.stdout
        try:
            async with asyncio.timeout(START_SECONDS):
                line = await self._process.stdout.readline()
        except TimeoutError:
            line = b""
        if not line:
            raise WorkersFailed("the local cluster has not started")
        return msgspec.json.decode(line, type=Announcement)

    async def _end(self) -> None:
        """Let the program end its workers, and kill what is left."""
        process = self._process
        if process is None:
            return
        assert process.stdin
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), END_SECONDS)
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
