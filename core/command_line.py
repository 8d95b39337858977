"""What the games' command lines share; only their __main__ files import it."""

import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from core.search import Progress


class Refused(Exception):
    """Ends the program with a line on standard error and an exit status."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def shown(argument: str) -> str:
    """An argument as a message shows it: quoted, in plain ASCII, of bounded length."""
    return ascii(argument if len(argument) <= 40 else argument[:40] + "...")


def number(argument: str, meaning: str) -> int:
    """The value of an argument in plain decimal digits."""
    if not (argument.isascii() and argument.isdigit()):
        raise Refused(f"{meaning} must be a whole number in decimal digits, not {shown(argument)}")
    digits = argument.lstrip("0") or "0"
    if len(digits) > 4000:  # Python refuses to convert much more
        raise Refused(f"{meaning} {shown(digits)} is too large, it has {len(digits)} digits")
    return int(digits)


class ProgressLine:
    """Shows a long search on a terminal, in one line that is wiped away at the end."""

    PATIENCE = 0.5  # seconds before the first line, so that a quick answer stands alone

    def __init__(self, name: Callable[[int], str] = str) -> None:
        self.name = name  # of a move
        self.shown = False

    def __call__(self, progress: Progress) -> None:
        """Show how far the search is."""
        if progress.seconds < self.PATIENCE:
            return
        rate = progress.nodes_visited / progress.seconds / 1e6
        self.shown = True  # before it is true, as Ctrl-C may come at once
        sys.stderr.write(
            f"\r\x1b[Kmove {self.name(progress.move)}: {progress.nodes_visited:,} nodes, "
            f"{rate:.1f} million/s, {progress.seconds:.0f} s"
        )
        sys.stderr.flush()

    def wipe(self) -> None:
        """Remove the line, if there is one."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress_line(name: Callable[[int], str] = str) -> ProgressLine | None:
    """A line for a search, where there is a terminal to show it."""
    return ProgressLine(name) if sys.stderr and sys.stderr.isatty() else None


def leave(program: str, message: str, status: int) -> NoReturn:
    """End the program with a line on standard error."""
    if sys.stderr:  # None where the caller has closed it
        try:
            sys.stderr.write(f"{program}: {message}\n")
        except OSError:
            sys.stderr = None  # nobody can be told: the status has to do
    sys.exit(status)


def main(program: str, run: Callable[[Sequence[str]], str]) -> None:
    """Print what `run` makes of the arguments, or how it ended in one line on standard error."""
    try:
        if output := run(sys.argv[1:]):  # it may have written all by itself
            write(output)
    except Refused as refused:
        leave(program, str(refused), refused.status)
    except KeyboardInterrupt:
        leave(program, "interrupted", 130)
    except OSError as error:
        # Closing it now keeps the interpreter from trying, and failing, once more at its end.
        sys.stdout = None
        leave(program, f"cannot write the result: {error.strerror}", 1)


def write(output: str) -> None:
    """Write to standard output at once. Raises Refused if it is closed, and OSError."""
    if not sys.stdout:
        raise Refused("cannot write the result: standard output is closed", 1)
    sys.stdout.write(output)
    sys.stdout.flush()
