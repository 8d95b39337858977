"""Lifeline of a program: when this pipe ends, the system kills the program's process group.

The end of a process closes its pipes, however it ends. Bubblewrap has a way of its own.
"""

import fcntl
import io
import os
import signal
import sys

LOWEST = 64  # descriptor in a program, where scripts with descriptors of their own do not close it
IS_SUPPORTED = sys.platform == "linux"


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
