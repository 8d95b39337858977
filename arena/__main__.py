"""Entry point of the command line: arena serve, tournament, standings and more."""

import sys
from collections.abc import Sequence

from arena.cli.parser import parse
from take_stones_arena import check_packages

CONTINUED = {"analyse", "class", "serve", "tournament"}  # go on where they were stopped


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status.

    Args:
        argv: The words after the program's name; None takes sys.argv.

    Returns:
        0 on success, 1 if something failed, 2 for an invalid command line or unusable input, found
        before anything starts, 130 if interrupted, 141 if the reader of the output has exited.
    """
    check_packages("arena")
    advice = ""
    try:
        config = parse(argv)
        if config.command in CONTINUED:
            advice = "; run the same command on the same database to continue"
        from arena.cli.execution import run

        return run(config)
    except SystemExit:  # after --help and --version
        raise
    except BaseException as error:
        from arena.cli.execution import report

        return report(error, advice)


if __name__ == "__main__":
    sys.exit(main())
