"""The bots that the arena starts itself, as processes, which dial in like a stranger's.

One that ends before the tournament does is started again, after a delay that grows.
"""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO

from arena.runner.bot_spec import COMMAND, EXTERNAL, program

STOP_SECONDS = 5.0  # that processes have to end by themselves
TERM_SECONDS = 1.0  # that those that have not have to end when they are told to
READ_SECONDS = 0.1  # for the last words of a process that has ended
FIRST_DELAY, LAST_DELAY = 0.5, 30.0  # seconds before a process is started again: doubled each time
STEADY_SECONDS = 60.0  # a process that has lived for so long starts again after the first delay
TAIL = 20  # pieces of what a process complains of that are kept
PIECE = 1000  # characters of each, and of a complaint
NICENESS = 10  # of bots that play casual matches, beyond the arena's own
MOST_MATCHES = 1000  # at once, that a bot may offer
TOKEN = "ARENA_TOKEN"  # in a bot's environment, as all users can read a command line


class LimitExceeded(Exception):
    """The system does not allow as many files or processes as are needed."""


class Process:
    """One bot's process, again and again. Nothing but `wait` and `end` takes long.

    By its `niceness` it gets less of the processor than the arena.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        niceness: int = 0,
    ) -> None:
        self.name = name
        self._niceness = niceness
        self._command = command
        # A token of the organiser's own is none of a bot's business.
        inherited = {name: value for name, value in os.environ.items() if name != TOKEN}
        self._environment = {**inherited, **environment}
        self._delay = FIRST_DELAY
        self._start()

    def _start(self) -> None:
        self._since = time.monotonic()
        self._ended_at: float | None = None
        self._again_at: float | None = None
        self._tail: deque[str] = deque(maxlen=TAIL)
        self._process: subprocess.Popen[str] | None = None
        try:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C is the arena's, which ends its bots in good order
            )
        except OSError as error:
            self._tail.append(f"cannot start {self._command[0]}: {error.strerror}")
            return
        if self._niceness:
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, self._process.pid, own + self._niceness)
        reading = (self._process.stderr, self._tail)
        self._reader = threading.Thread(target=_read, args=reading, daemon=True)
        self._reader.start()

    @property
    def failure(self) -> str | None:
        """Why the process has ended, in words; None while it runs or may still have last words."""
        if self._process is None:
            return self._tail[-1]
        status = self._process.poll()
        if status is None:
            return None
        if self._ended_at is None:
            self._ended_at = time.monotonic()
            self.send(signal.SIGKILL)  # to what it has left behind, which may hold standard error
        if self._reader.is_alive() and time.monotonic() < self._ended_at + READ_SECONDS:
            return None
        lines = "".join(self._tail.copy()).strip().splitlines()
        if lines:
            return lines[-1].strip().removeprefix("bots: ")[:PIECE]
        if status < 0:
            return f"it was ended by {_signal_name(-status)}"
        return f"it ended with status {status}"

    def tend(self) -> str | None:
        """Start the process again if it has ended and its delay is over; news in words."""
        failure = self.failure
        if failure is None:
            return None
        now = time.monotonic()
        if self._again_at is None:
            if now - self._since >= STEADY_SECONDS:
                self._delay = FIRST_DELAY
            self._again_at = now + self._delay
            news = f"bot {self.name} has left: {failure}; it starts again in {self._delay:g} s"
            self._delay = min(2 * self._delay, LAST_DELAY)
            return news
        if now >= self._again_at:
            self.ask_to_stop()
            self._start()
        return None

    def ask_to_stop(self) -> None:
        """Close its standard input: a bot of ours leaves then."""
        if self._process:
            assert self._process.stdin
            self._process.stdin.close()

    def send(self, means: signal.Signals) -> None:
        """Send a signal to the process and all it has started."""
        if self._process:
            # Nobody may be left, or only somebody who has become another user.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, means)

    def wait(self, seconds: float) -> None:
        """Wait for its end, so long at most."""
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(max(0.0, seconds))

    def end(self) -> None:
        """End the process, and all it has started, by force."""
        self.send(signal.SIGKILL)
        if self._process:
            self._process.wait()
            self._reader.join(READ_SECONDS)


def _read(stderr: TextIO, tail: deque[str]) -> None:
    """Read all, so that its writer need not wait, and keep the end."""
    with stderr:
        while piece := stderr.readline(PIECE):
            tail.append(piece)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most of those for real time have none
        return f"signal {number}"


class Processes:
    """The processes of a tournament, from `with` to its end."""

    def __init__(self) -> None:
        self._running: list[Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            for process in self._running:
                process.ask_to_stop()
            self._wait(STOP_SECONDS)
            for process in self._running:
                process.send(signal.SIGTERM)
            self._wait(TERM_SECONDS)
        finally:  # at once, when Ctrl-C is pressed for a second time
            for process in self._running:
                process.end()

    def _wait(self, seconds: float) -> None:
        """Wait until all have ended, so long at most."""
        deadline = time.monotonic() + seconds
        for process in self._running:
            process.wait(deadline - time.monotonic())

    def launch(
        self,
        name: str,
        what: str,
        url: str,
        seed: int | None,
        matches: int,
        token: str | None = None,
        think: float | None = None,
    ) -> None:
        """Start a bot that plays so many matches at once; only random takes the seed.

        The token, if there is one, is what it has to show the arena. With `think`, the seconds for
        a move, it is one of the arena's own that plays casual matches, and gives way to the others.
        """
        if what.startswith(COMMAND):
            command = program(what)
        else:
            # -P: a folder called bots where the organiser happens to stand is not ours.
            command = [sys.executable, "-P", "-m", "bots", what, "--until-eof"]
            command += ["--url", url, "--name", name]
            command += ["--matches", str(min(matches, MOST_MATCHES))]
            if what == "random" and seed is not None:
                command += ["--seed", str(seed)]
            if think is not None:
                command += ["--casual", "--think", f"{think:g}"]
        environment = {"ARENA_URL": url, "ARENA_NAME": name}
        if token:
            environment[TOKEN] = token
        niceness = 0 if think is None else NICENESS
        self._running.append(Process(name, command, environment, niceness))

    def failures(self) -> dict[str, str]:
        """Why those have ended that do not run, by name."""
        return {process.name: failure for process in self._running if (failure := process.failure)}

    def tend(self) -> list[str]:
        """Start those again that have ended and whose delay is over; news in words."""
        return [news for process in self._running if (news := process.tend())]


def check_limits(bots: Mapping[str, str]) -> None:
    """Raises LimitExceeded if the system allows fewer files or processes than these bots need."""
    launched = sum(not what.startswith(EXTERNAL) for what in bots.values())
    # The arena's own; for each bot a socket, and another when it comes back; two pipes a process.
    files = 40 + 2 * len(bots) + 2 * launched
    for needed, kind, what, flag in (
        (files, resource.RLIMIT_NOFILE, "open files", "-n"),
        (10 + 3 * launched, resource.RLIMIT_NPROC, "processes", "-u"),
    ):
        limit = resource.getrlimit(kind)[0]
        if limit != resource.RLIM_INFINITY and needed > limit:
            raise LimitExceeded(
                f"{len(bots)} bots need {needed} {what}, the limit is {limit} (see ulimit {flag})"
            )
