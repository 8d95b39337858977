"""Worker process, as seen from the event loop: calls of the methods of an object in it."""

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from arena.ipc import HEADER, ONE_THREAD, pack
from arena.model.observer import Report, no_report
from arena.protocol.codec import RequestError
from arena.spectators.workers.program import Assignment
from core import GAMES

PROGRAM = "arena.spectators.workers.program"
CLOSING = "the arena is closing"
CALL_SECONDS = 10.0  # of processor time, far more than a call with a time limit of its own takes
IDLE_SECONDS = 30.0  # without a call, after which a process is ended: it has 20 to 300 MB
MEMORY = 1024**3  # bytes of data, more than ten times the need of the largest position


class WorkerProcess:
    """Process of lowest priority that calls the methods of one object, one after another.

    It starts with the first call, ends when there has been none for a while, and starts again with
    the first one after its end. It is no child of
    `multiprocessing`, which would import the arena's main module. In a process group of its own it
    does not receive Ctrl-C. It stays in the session, in which Linux compares the niceness
    of processes (see autogroup in sched(7)). Of the games of families it finds only what the arena
    has found before.
    """

    def __init__(
        self,
        factory: Callable[[], object],
        seconds: float = CALL_SECONDS,
        memory: int = MEMORY,
        report: Report = no_report,
    ) -> None:
        """Start nothing yet.

        Args:
            factory: Makes the object in the process; it can be pickled, as a class or a partial.
            seconds: The processor time of one call, after which the process is ended.
            memory: The bytes of data that the process may have; beyond them it gets MemoryError.
            report: Receives whether the process works.
        """
        self._assignment = Assignment(factory, seconds, memory)
        self._report = report
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Task[asyncio.subprocess.Process] | None = None
        self._is_closed = False
        self._idle_timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a process, which may have something to forget."""
        return self._process is not None

    async def call(self, method: str, *arguments: object) -> Any:
        """Call a method of the object, after all earlier calls.

        A call that is cancelled while it runs ends the process.

        Args:
            method: The name of the method.
            *arguments: Its arguments, which can be pickled, as the result can.

        Returns:
            The result of the method.

        Raises:
            RequestError: Raised by the method; or, with the code `failed`, the method raised
                something unexpected or the process has ended; or, with `closing`, after `close`.
            DatabaseError: Raised by the method.
        """
        async with self._lock:
            if self._is_closed:
                raise RequestError("closing", CLOSING)
            self._stop_idling()
            try:
                process = await self._running_process()
                result, error = await _exchange(process, pack((method, arguments)))
            except (asyncio.IncompleteReadError, ConnectionError):
                raise await self._failure() from None
            except BaseException:  # cancelled: the answer must not be taken for the next one's
                await self._end()
                raise
            loop = asyncio.get_running_loop()
            self._idle_timer = loop.call_later(IDLE_SECONDS, self._end_idle)
            self._report("")
        if error:
            raise error
        return result

    async def restart(self) -> None:
        """End the process after the calls so far; the next call finds a new one."""
        async with self._lock:
            await self._end()

    async def close(self) -> None:
        """End the process at once, also during a call; later calls are refused."""
        self._is_closed = True
        self._stop_idling()
        await self._end()

    def _stop_idling(self) -> None:
        if self._idle_timer:
            self._idle_timer.cancel()
        if self._ending:
            self._ending.cancel()

    def _end_idle(self) -> None:
        """End the process, unless the next call begins before and cancels this."""
        self._ending = asyncio.create_task(self.restart())

    async def _running_process(self) -> asyncio.subprocess.Process:
        """Return the process, which is started where needed. Raises RequestError."""
        if self._process and self._process.returncode is None:
            return self._process
        self._starting = asyncio.create_task(_start())
        try:
            # A caller that is cancelled meanwhile must leave no process behind.
            process = await asyncio.shield(self._starting)
        except OSError as error:
            text = f"no process can be started for the question: {error.strerror}"
            self._report(text)
            raise RequestError("failed", text) from None
        assert process.stdin
        found = tuple(game.name for game in GAMES.families.games())
        process.stdin.write(pack(self._assignment._replace(family_games=found)))
        self._process, self._starting = process, None
        return process

    async def _failure(self) -> RequestError:
        """Return the error for a call during which the process has ended."""
        process = self._process
        await self._end()
        if self._is_closed:
            return RequestError("closing", CLOSING)
        assert process
        if process.returncode == -signal.SIGPROF:
            seconds = self._assignment.seconds
            text = f"the question took more than {seconds:g} s of processor time"
            return RequestError("failed", text)
        text = "the process that answers questions has ended"
        self._report(f"{text} with status {process.returncode}")
        return RequestError("failed", f"{text}, ask again")

    async def _end(self) -> None:
        """Kill the process, if there is one, and wait for its end."""
        if self._starting:
            with suppress(OSError):
                self._process = await self._starting
            self._starting = None
        process = self._process
        if process and process.returncode is None:
            # Not process.kill(): if the process has just ended, that takes its status from asyncio.
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            await process.wait()
        self._process = None  # only now: if this is cancelled, `close` has to wait


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # ignore a folder called arena in the working directory
        "-m",
        PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **ONE_THREAD},
        process_group=0,
    )


async def _exchange(process: asyncio.subprocess.Process, message: bytes) -> Any:
    """Send a message and return the answer."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(message)
    await process.stdin.drain()
    (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
    return pickle.loads(await process.stdout.readexactly(length))
