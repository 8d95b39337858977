"""Entry point of the command line: arena serve, tournament, standings and more."""

import sys
from collections.abc import Sequence

from arena.cli.parser import parse
from take_stones_arena import check_packages, open_standard_streams


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    Args:
        argv: The words after the program's name; None takes sys.argv.

    Returns:
        0 on success, 1 if something failed, 2 for an invalid command line or unusable input, found
        before anything starts, 130 if interrupted, 141 if the reader of the output has exited.
    """
    open_standard_streams()
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


if __name__ == "__main__":
    sys.exit(main())
