"""Process of a program in a sandbox, watched until its end: its lifeline, and what it uses.

A lifeline is a pipe; when it closes, the system kills the process group of a program. The end of
this process closes its pipes, however it ends. Bubblewrap has a way of its own. What a program and
its descendants use is read from /proc.
"""

import ctypes
import fcntl
import io
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from arena.sandbox.limits import MEGABYTE, Limits, View
from arena.sandbox.sandbox import Protection, Sandbox
from arena.sandbox.system_calls import open_call_filter
from arena.sandbox.written_files import written_excess

LOWEST = 64  # descriptor in a program, where scripts with descriptors of their own do not close it
IS_SUPPORTED = sys.platform == "linux"
KILOBYTE = 1024
WATCH_INTERVAL = 0.05  # seconds between two measurements
WRITTEN_INTERVAL = 0.5  # seconds between two measurements of the files that it has written
END_SECONDS = 5.0  # timeout of the wait for a process that was killed
SIGNAL_STATUS = 128  # added to the number of a signal in an exit status of bubblewrap
OWN_PROCESSES = 5  # of bubblewrap, which are not the program's
KEYCTL = {"x86_64": 250, "aarch64": 219}  # number of the system call
KEYCTL_JOIN_SESSION_KEYRING = 1
UNKNOWN_CALL = -1  # which the system refuses
# A new process holds copies of all open files until it runs its program, and a program that is open
# for writing cannot be run: no process is started while one is copied.
COPYING = threading.Lock()


def kill_at_end(pipe: int, group: int) -> None:
    """Let the system kill a process group when the other end of a pipe is closed.

    Args:
        pipe: The end to read of the pipe; it works while any process has this descriptor.
        group: The group.
    """
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -group)
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


class Lifeline:
    """Pipe from this process to a program, which inherits its end and need not know of it."""

    def __init__(self) -> None:
        """Open the pipe."""
        low, held = os.pipe()
        inherited = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, LOWEST)
        os.close(low)
        self._inherited, self._held = io.FileIO(inherited), io.FileIO(held, "w")

    @property
    def inherited(self) -> int:
        """The descriptor that the program is to inherit."""
        return self._inherited.fileno()

    def attach(self, group: int) -> None:
        """Kill a process group, which has the descriptor, with this process or at `close`."""
        kill_at_end(self.inherited, group)
        self._inherited.close()

    def close(self) -> None:
        """Kill what is left of the group; from any thread, also more than once."""
        self._inherited.close()
        self._held.close()


class Usage(NamedTuple):
    """Use of a process and its descendants.

    Attributes:
        processes: Their number.
        memory: Their memory, without files that the system could read again. Bytes.
    """

    processes: int
    memory: int


def descendants(pid: int) -> list[int]:
    """Return a process and all that it has started, directly or not, the oldest first.

    An orphan is found if it is in the same process namespace, which gives it a new parent in there.
    """
    found = [pid]
    for parent in found:
        found.extend(_children(parent))
    return found


def usage(pid: int) -> Usage:
    """Return the number and the memory of a process and its descendants."""
    found = descendants(pid)
    return Usage(len(found), sum(map(_memory, found)))


def _children(pid: int) -> Iterator[int]:
    with suppress(OSError):  # it has ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                yield from map(int, (thread / "children").read_text().split())


def _memory(pid: int) -> int:
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        sizes = (
            line.split() for line in lines if line.startswith(("RssAnon:", "RssShmem:", "VmSwap:"))
        )
        return sum(int(size) for _, size, _ in sizes) * KILOBYTE
    return 0


_running: "set[SandboxedProcess]" = set()


def _join_new_keyring() -> None:
    """Leave the session's keyring for an empty one, which the thread's children inherit."""
    number = KEYCTL.get(platform.machine(), UNKNOWN_CALL)
    ctypes.CDLL(None).syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


# Bubblewrap ends a program when the thread ends that started it: one thread starts them all.
_starter = ThreadPoolExecutor(1, "sandbox", _join_new_keyring)


class SandboxedProcess:
    """Running program in a sandbox.

    Attributes:
        process: The process that the sandbox consists of.
        excess: The limit that was exceeded, as a clause ("used more than 1024 MB of memory");
            None until one was.
    """

    def __init__(
        self,
        process: "subprocess.Popen[Any]",
        protection: Protection,
        limits: Limits,
        lifeline: Lifeline | None = None,
        writable: Sequence[Path] = (),
    ) -> None:
        """Take a process that `Sandbox.command` has started, the leader of its process group.

        Args:
            process: The process.
            protection: Its protection; without one, no limit is checked.
            limits: Its limits.
            lifeline: What is attached to its group, to be closed after its end.
            writable: The folders of the machine that it can write.
        """
        self.process = process
        self.excess: str | None = None
        self._protection = protection
        self._limits = limits
        self._lifeline = lifeline
        self._writable = writable
        self._next_look = 0.0  # at the written files
        self._has_ended = threading.Event()

    def watch(self) -> None:
        """Check its limits in a separate thread until its end; kill it if it exceeds one."""
        if self._protection is not Protection.NONE:
            threading.Thread(target=self._watch, name="sandbox watch", daemon=True).start()

    def check(self) -> None:
        """Compare what it uses and writes with the limits; kill it if one is exceeded."""
        if self._protection is Protection.NONE or self.excess:
            return
        processes, memory = usage(self.process.pid)
        if memory > self._limits.memory:
            self.kill(f"used more than {self._limits.memory // MEGABYTE} MB of memory")
        elif processes > self._limits.processes + OWN_PROCESSES:
            self.kill(f"started more than {self._limits.processes} processes")
        elif self._writable and time.monotonic() >= self._next_look:
            if excess := written_excess(self._writable, self._limits):
                self.kill(excess)
            self._next_look = time.monotonic() + WRITTEN_INTERVAL

    def kill(self, excess: str | None = None) -> None:
        """Kill it and its children; `excess` is the reason; the first one is kept."""
        self.excess = self.excess or excess
        known = descendants(self.process.pid) if self.process.poll() is None else []
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in known[1:]:  # processes that have left the process group
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Return whether it has ended, or does so within `seconds` seconds."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.returncode is not None

    def wait(self, seconds: float | None = None) -> int:
        """Wait for its end, and return its exit status: below 0 for a signal that ended it.

        Raises:
            subprocess.TimeoutExpired: It has not ended within `seconds` seconds.
        """
        status = self.process.wait(seconds)
        self._has_ended.set()
        _running.discard(self)
        if self._lifeline:
            self._lifeline.close()
        return exit_status(status) if self._protection is Protection.ISOLATED else status

    def end(self) -> int:
        """Kill it and its children, and return its exit status."""
        self.kill()
        return self.wait(END_SECONDS)

    def _watch(self) -> None:
        while not self._has_ended.wait(WATCH_INTERVAL) and self.process.poll() is None:
            self.check()


def start(
    sandbox: Sandbox,
    command: Sequence[str],
    view: View,
    limits: Limits,
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.PIPE,
    stderr: int | None = None,
    shares_session: bool = False,
) -> SandboxedProcess:
    """Start a program in a session of its own, which ends with this process.

    Ctrl-C does not reach it, and it does not reach the terminal: in this process's session, it
    could type commands for the shell.

    Args:
        sandbox: The sandbox.
        command: The program and its arguments.
        view: The files that it may see.
        limits: Its limits.
        stdin: Its standard input, as of subprocess.Popen; pipes are unbuffered.
        stdout: Its standard output.
        stderr: Its standard error; None inherits.
        shares_session: Whether it stays in this process's session, in a process group of its own.

    Raises:
        OSError: It cannot be started.
    """
    is_isolated = sandbox.protection is Protection.ISOLATED
    is_protected = sandbox.protection is not Protection.NONE
    reading = open_call_filter() if is_isolated else nullcontext()
    with reading as call_filter, ExitStack() as stack:
        lifeline = Lifeline() if _needs_lifeline(sandbox) else None
        if lifeline:
            stack.callback(lifeline.close)
        inherited = lifeline.inherited if lifeline else call_filter
        open_process = partial(
            subprocess.Popen,
            sandbox.command(command, view, limits, call_filter),
            bufsize=0,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            # Bubblewrap itself changes the directory, into one that this user may not see.
            cwd=Path("/") if is_isolated else view.folder,
            env=sandbox.environment(view),
            start_new_session=not shares_session,
            process_group=0 if shares_session else None,
            pass_fds=() if inherited is None else (inherited,),
        )
        with COPYING:
            process = _starter.submit(open_process).result() if is_protected else open_process()
        if lifeline:
            lifeline.attach(process.pid)
        stack.pop_all()
    written = [view.sources.get(path, path) for path in view.writable]
    program = SandboxedProcess(process, sandbox.protection, limits, lifeline, written)
    _running.add(program)
    return program


def _needs_lifeline(sandbox: Sandbox) -> bool:
    """Return whether bubblewrap does not end a program with this process."""
    return IS_SUPPORTED and sandbox.protection is not Protection.ISOLATED


def kill_running() -> None:
    """Kill all programs that this process has started and not waited for."""
    for process in [*_running]:
        process.kill()


def exit_status(status: int) -> int:
    """Return an exit status with the number of a signal below 0, which bubblewrap has above 128."""
    number = status - SIGNAL_STATUS
    return -number if 0 < number < signal.NSIG else status


def describe_status(status: int) -> str:
    """Return how a process ended, as a clause."""
    if status >= 0:
        return f"ended with status {status}"
    return f"ended with {signal_name(-status)}"


def signal_name(number: int) -> str:
    """Return the name of a signal, such as "SIGKILL", or its number."""
    try:
        return signal.Signals(number).name
    except ValueError:  # most real-time signals have no name
        return f"signal {number}"
