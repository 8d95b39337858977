"""Entry point of the command line: arena serve, tournament, standings and more."""

import errno
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from io import TextIOBase
from typing import NoReturn, TextIO, cast

from arena.cli.parser import parse
from take_stones_arena import check_packages, importing, open_standard_streams


class ClosedOutput(TextIOBase):
    """Standard output that is closed: whatever is printed is an error, as on a full disk."""

    @property
    def buffer(self) -> "ClosedOutput":
        """The stream of bytes."""
        return self

    def write(self, _: object) -> NoReturn:
        """Raise OSError."""
        raise OSError(errno.EBADF, "standard output is closed")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    Args:
        argv: The words after the program's name; None takes sys.argv.

    Returns:
        0 on success, 1 if something failed or could not be printed, 2 for an invalid command line
        or unusable input, found before anything starts, 130 if interrupted, 141 if the reader of
        the output has exited. An interrupt before the command has begun ends the process.
    """
    open_standard_streams()
    check_packages("arena")
    sys.stdout = sys.stdout or cast(TextIO, ClosedOutput())
    command = None
    # An import that is cut short can break those that would report it.
    ends_at_once = argv is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ends_at_once:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        with importing() if argv is None else nullcontext():
            command = parse(argv)
            from arena.cli.execution import run

        if ends_at_once:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return run(command)
    except SystemExit:  # after --help and --version
        raise
    except BaseException as error:
        from arena.cli.execution import report

        return report(error, command)


if __name__ == "__main__":
    sys.exit(main())
