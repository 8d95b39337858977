"""Entry point of the command line: arena serve, tournament, standings and more."""

import os
import sys
from collections.abc import Sequence

from arena.cli.parser import parse
from take_stones_arena import check_packages

STANDARD_ERROR = 2  # the highest descriptor of a standard stream


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    Args:
        argv: The words after the program's name; None takes sys.argv.

    Returns:
        0 on success, 1 if something failed, 2 for an invalid command line or unusable input, found
        before anything starts, 130 if interrupted, 141 if the reader of the output has exited.
    """
    _fill_standard_descriptors()
    if sys.stderr is None:  # it is closed, and print would take standard output instead
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    check_packages("arena")
    command = None
    try:
        command = parse(argv)
        from arena.cli.execution import run

        return run(command)
    except SystemExit:  # after --help and --version
        raise
    except BaseException as error:
        from arena.cli.execution import report

        return report(error, command)


def _fill_standard_descriptors() -> None:
    """Open the null device in place of each standard stream that is closed.

    Another file would get its number, and a child process would take that for its own stream.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main())
