"""The arena's command line: arena tournament, serve, standings and more."""

import asyncio
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword

from arena.cli.arguments import Refused
from arena.cli.parser import parse
from arena.storage.schema import StoreError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status."""
    try:
        arguments = parse(argv)
        # Only the one that is wanted: most need modules that take long to import.
        name = arguments.command + "_" * iskeyword(arguments.command)
        command = import_module(f"arena.cli.commands.{name}")
        status: int = command.run(arguments)
    except Refused as error:
        return _leave(str(error), 2)
    except StoreError as error:
        return _leave(str(error), 1)
    except OSError as error:
        sys.stdout = None  # or the interpreter tries, and fails, to flush it once more at its end
        return _leave(f"cannot write: {error.strerror}", 1)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return _leave("stopped; the same command on the same database goes on", 130)
    return status


def _leave(message: str, status: int) -> int:
    print(f"arena: {message}", file=sys.stderr, flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
