"""Processes of bots that the arena starts; they connect to it like any other bot.

A process that ends too early is restarted after a delay that doubles each time.
"""

import os
import resource
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from types import MappingProxyType
from typing import Self, TextIO

from arena.runner.bot_log import BotLog
from arena.runner.bot_settings import USUAL, ProcessSettings
from arena.runner.named_bots import Bots, bot_words, command_sandbox, game_words
from arena.sandbox.limits import Limits, Policy
from arena.sandbox.process import SandboxedProcess, signal_name, start
from arena.sandbox.sandbox import UNPROTECTED, Sandbox
from bots.specification import PROGRAMS, USERS_CODE, BotSpec, Kind

JOIN_SECONDS = 10.0  # timeout for a process to connect after its start
SUPERVISE_INTERVAL = 0.2  # seconds between two checks of the processes
STOP_SECONDS = 5.0  # timeout for processes to end by themselves
TERM_SECONDS = 1.0  # timeout for processes to end after SIGTERM
RENEW_SECONDS = 1.0  # timeout for the end of a process that another one replaces
READ_SECONDS = 0.1  # timeout for the last output of a process that has ended
FIRST_DELAY, LAST_DELAY = 0.5, 30.0  # seconds before a restart: doubled each time
STABLE_SECONDS = 60.0  # lifetime of a process after which the delay starts anew
TAIL = 20  # pieces of standard error that are kept
PIECE = 1000  # characters of a piece, and of a message about a failure
NICENESS = 10  # of bots that play casual matches, relative to the arena
MAX_MATCHES = 1000  # simultaneous matches that a bot may accept
TOKEN = "ARENA_TOKEN"  # in a bot's environment, as all users can read a command line


class LimitExceeded(Exception):
    """A limit of the system on files or processes that is too low for the bots."""


class Process:
    """Process of one bot, which can be restarted; only `wait` and `end` block."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        niceness: int = 0,
        sandbox: Sandbox = UNPROTECTED,
        log: BotLog | None = None,
        folder: Path | None = None,
        stdout: int = subprocess.DEVNULL,
    ) -> None:
        """Start the process.

        Args:
            name: The name of the bot.
            command: The words of its command line.
            environment: Variables to add to the inherited ones.
            niceness: Its niceness relative to this process.
            sandbox: The sandbox that it runs in, which leaves it the network.
            log: Receives its standard error, if there is one.
            folder: Its working directory, an absolute path; None is the one of this process.
            stdout: Its standard output, as of subprocess.Popen.
        """
        self.name = name
        self._stdout = stdout
        self._log = log
        self._niceness = niceness
        self._command = command
        self._sandbox = sandbox
        view = sandbox.view_of(command, folder, network=True)
        self._view = replace(view, environment=environment)
        self._delay = FIRST_DELAY
        self._renewed_by: float | None = None  # when the process is killed that makes room
        self._start()

    def _start(self) -> None:
        self._since = time.monotonic()
        self._ended_at: float | None = None
        self._restart_at: float | None = None
        self._tail: deque[str] = deque(maxlen=TAIL)
        self._sandboxed: SandboxedProcess | None = None
        try:
            self._sandboxed = start(
                self._sandbox,
                self._command,
                self._view,
                Limits(),
                stdin=subprocess.PIPE,
                stdout=self._stdout,
                stderr=subprocess.PIPE,
                # Of a session of its own Linux would not compare the niceness with the arena's
                # (autogroup in sched(7)).
                shares_session=self._niceness != 0,
            )
        except OSError as error:
            self._tail.append(f"cannot start {self._command[0]}: {error.strerror}")
            return
        process = self._sandboxed.process
        if self._niceness:
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process.pid, own + self._niceness)
        self._sandboxed.watch()
        assert isinstance(process.stderr, FileIO)
        stream = TextIOWrapper(BufferedReader(process.stderr), encoding="utf-8", errors="replace")
        arguments = (stream, self._tail, self._log)
        self._reader = threading.Thread(target=_read, args=arguments, daemon=True)
        self._reader.start()

    @property
    def _process(self) -> "subprocess.Popen[bytes] | None":
        return self._sandboxed.process if self._sandboxed else None

    @property
    def pid(self) -> int | None:
        """Its process id; None if it could not be started."""
        return self._process.pid if self._process else None

    @property
    def is_renewing(self) -> bool:
        """Whether the process is to end, and another one takes its place."""
        return self._renewed_by is not None

    @property
    def status(self) -> int | None:
        """Exit status, None if it runs or could not be started."""
        return self._process.poll() if self._process else None

    @property
    def failure(self) -> str | None:
        """Reason why the process has ended; None while it runs or its output is still read.

        None also if its end was requested by `renew`.
        """
        if self.is_renewing:
            return None
        if self._sandboxed is None:
            return self._tail[-1]
        status = self.status
        if status is None:
            return None
        if self._ended_at is None:
            self._ended_at = time.monotonic()
            self.send_signal(signal.SIGKILL)  # to its children, which may keep standard error open
            self._sandboxed.wait()
        if self._reader.is_alive() and time.monotonic() < self._ended_at + READ_SECONDS:
            return None
        if excess := self._sandboxed.excess:
            return excess
        lines = "".join(self._tail.copy()).strip().splitlines()
        if lines:
            return lines[-1].strip().removeprefix("bots: ")[:PIECE]
        if status < 0:
            return f"killed by {signal_name(-status)}"
        return f"exited with status {status}"

    def supervise(self) -> str | None:
        """Restart the process if it has ended and its delay is over.

        Returns:
            A message when an end is noticed for the first time, else None.
        """
        if self._renewed_by is not None:
            self._renew(self._renewed_by)
            return None
        failure = self.failure
        if failure is None:
            return None
        now = time.monotonic()
        if self._restart_at is None:
            if now - self._since >= STABLE_SECONDS:
                self._delay = FIRST_DELAY
            self._restart_at = now + self._delay
            message = f"bot {self.name} has left: {failure}; restarting it in {self._delay:g} s"
            self._delay = min(2 * self._delay, LAST_DELAY)
            return message
        if now >= self._restart_at:
            self.request_stop()
            self._start()
        return None

    def renew(self) -> None:
        """Ask the process to end; `supervise` starts another one as soon as it has."""
        self._renewed_by = time.monotonic() + RENEW_SECONDS
        self.request_stop()

    def _renew(self, deadline: float) -> None:
        if self.status is None and time.monotonic() < deadline:
            return
        self.end()
        self._renewed_by = None
        self._start()

    def request_stop(self) -> None:
        """Close its standard input, which ends a built-in bot."""
        if self._process:
            assert self._process.stdin
            self._process.stdin.close()

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and its children."""
        if self._process:
            # All may have ended, or run as another user.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def wait(self, seconds: float) -> None:
        """Wait up to `seconds` seconds for its end."""
        if self._sandboxed:
            self._sandboxed.has_ended(max(0.0, seconds))

    def end(self) -> None:
        """Kill the process and its children, and wait for its end."""
        self.send_signal(signal.SIGKILL)
        self.request_stop()
        if self._sandboxed:
            self._sandboxed.wait()
            self._reader.join(READ_SECONDS)


def _read(stderr: TextIO, tail: deque[str], log: BotLog | None) -> None:
    """Read all output, so that its writer never blocks, and keep the end."""
    with stderr:
        while piece := stderr.readline(PIECE):
            tail.append(piece)
            if log:
                log.add(piece)


class Processes:
    """Processes of several bots, from `with` to its end."""

    def __init__(
        self,
        sandbox: Policy | None = None,
        logs: Mapping[str, BotLog] = MappingProxyType({}),
        games: Sequence[str] = (),
    ) -> None:
        """Prepare to start processes.

        Args:
            sandbox: The sandbox of users' programs; None isolates only program: bots.
            logs: The logs of bots by name, which receive their standard error.
            games: The names of the games that the arena plays; none for all registered ones.
        """
        self._policy = sandbox
        self._games = games
        self._logs = logs
        self._running: list[Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            for process in self._running:
                process.request_stop()
            self._wait(STOP_SECONDS)
            for process in self._running:
                process.send_signal(signal.SIGTERM)
            self._wait(TERM_SECONDS)
        finally:  # also at a second Ctrl-C, which ends the wait
            for process in self._running:
                process.end()

    def _wait(self, seconds: float) -> None:
        """Wait up to `seconds` seconds until all have ended."""
        deadline = time.monotonic() + seconds
        for process in self._running:
            process.wait(deadline - time.monotonic())

    def launch(
        self,
        name: str,
        spec: BotSpec,
        url: str,
        seed: int | None,
        matches: int,
        token: str | None = None,
        think: float | None = None,
        bot_files: Path | None = None,
        settings: ProcessSettings = USUAL,
    ) -> None:
        """Start the process of a bot.

        Args:
            name: The name of the bot.
            spec: Its specification.
            url: The URL to connect to.
            seed: The seed of bots that draw their moves and of Python bots.
            matches: The highest number of its simultaneous matches.
            token: Its token, if it needs one. A program gets it in the query of ARENA_URL too,
                where it need not know of tokens.
            think: The seconds for a move of a house bot, which plays casual matches at a lower
                priority; None for other bots.
            bot_files: The folder of the module of a Python bot, or that a program runs in; None is
                the working directory.
            settings: Its own settings; its folder replaces the other bots' folder.
        """
        folder = settings.folder.absolute() if settings.folder else None
        if spec.kind is Kind.CMD:
            spec.check_program(folder)
            command = [*spec.command]
        else:
            command = [*bot_words(spec, self._policy), "--url", url, "--name", name]
            command += ["--matches", str(min(matches, MAX_MATCHES))]
            command += game_words(spec, self._games)
            if (spec.is_drawn_by_seed or spec.kind is Kind.PYTHON) and seed is not None:
                command += ["--seed", str(seed)]
            if spec.kind is Kind.STDIO and name in self._logs:
                command.append("--show-ignored")
            command += _users_words(spec, folder or bot_files, settings)
            if think is not None:
                command += ["--casual", "--think", f"{think:g}"]
        environment = {**settings.environment, "ARENA_URL": url, "ARENA_NAME": name}
        if token:
            environment[TOKEN] = token
            if spec.kind is Kind.CMD:
                environment["ARENA_URL"] = f"{url}?token={token}"
        niceness = 0 if think is None else NICENESS
        sandbox = command_sandbox(spec, self._policy)
        log = self._logs.get(name)
        own_folder = folder if spec.kind is Kind.CMD else None
        self._running.append(
            Process(name, command, environment, niceness, sandbox, log, own_folder)
        )

    def find(self, name: str) -> Process | None:
        """Return the process of a bot; None if the bot connects by itself."""
        return next((process for process in self._running if process.name == name), None)

    def failures(self) -> dict[str, str]:
        """Return the reasons of the processes that have ended, by the name of the bot."""
        return {process.name: failure for process in self._running if (failure := process.failure)}

    def supervise(self) -> list[str]:
        """Restart ended processes after their delay.

        Returns:
            A message for each end that is noticed for the first time, and the notices of logs.
        """
        messages = [message for process in self._running if (message := process.supervise())]
        return messages + self.notices()

    def notices(self) -> list[str]:
        """Return the notices of logs that were not returned before."""
        return [notice for log in self._logs.values() if (notice := log.take_notice())]


def _users_words(spec: BotSpec, folder: Path | None, settings: ProcessSettings) -> list[str]:
    """Return the words on the folder and the environment of a user's bot."""
    words = ["--bot-files", str(folder)] if folder and spec.kind in USERS_CODE else []
    if settings.environment and spec.kind in PROGRAMS:
        words += ["--pass-env", *settings.environment]
    return words


def check_limits(bots: Bots, *, has_logs: bool = False) -> None:
    """Check the limits of the system on files and processes.

    Args:
        bots: The specification of each bot, by name.
        has_logs: Whether each process has a file for its standard error.

    Raises:
        LimitExceeded: A limit is too low for these bots.
    """
    launched = sum(spec.kind is not Kind.EXTERNAL for spec in bots.values())
    # The arena's own; for each bot a socket, and another to reconnect; three pipes a process.
    files = 40 + 2 * len(bots) + (4 if has_logs else 3) * launched
    for needed, kind, unit, flag in (
        (files, resource.RLIMIT_NOFILE, "open files", "-Hn"),
        (10 + 3 * launched, resource.RLIMIT_NPROC, "processes", "-u"),
    ):
        limit = resource.getrlimit(kind)[0]
        if limit != resource.RLIM_INFINITY and needed > limit:
            raise LimitExceeded(
                f"{len(bots)} bots need {needed} {unit}, the limit is {limit} (see ulimit {flag})"
            )
