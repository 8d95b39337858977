"""Parsing, progress and exit statuses of the games' command lines."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import BinaryIO, NoReturn

from core.search import Progress
from take_stones_arena import CORE, check_packages

BROKEN_PIPE = 141  # exit status where the reader of the output has exited: as of a SIGPIPE


class UsageError(Exception):
    """An error that ends the program with one line on standard error and an exit status."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def shown(argument: str) -> str:
    """Return an argument for a message: quoted, in ASCII, shortened."""
    return ascii(argument if len(argument) <= 40 else argument[:40] + "...")


def number(argument: str, meaning: str, least: int = 0) -> int:
    """Return the value of an argument in decimal digits, `least` or more. Raises UsageError."""
    if not (argument.isascii() and argument.isdigit()):
        what = shown(argument)
        raise UsageError(f"{meaning} must be a whole number in decimal digits, not {what}")
    digits = argument.lstrip("0") or "0"
    if len(digits) > 4000:  # Python refuses to convert much more
        raise UsageError(f"{meaning} {shown(digits)} is too large, it has {len(digits)} digits")
    if int(digits) < least:
        raise UsageError(f"{meaning} must be at least {least}, not {digits}")
    return int(digits)


def split_options(
    arguments: Sequence[str], known: Mapping[str, str], usage: str
) -> tuple[list[str], dict[str, list[str]]]:
    """Split arguments into positional ones and the values of each option. Raises UsageError.

    `known` has the values of each option in words, separated by spaces.
    """
    others: list[str] = []
    options: dict[str, list[str]] = {}
    rest = [*arguments]
    while rest:
        argument = rest.pop(0)
        if not argument.startswith("--"):
            others.append(argument)
            continue
        name, equals, value = argument.partition("=")
        if name not in known:
            raise UsageError(f"there is no option {shown(name)}; usage: {usage}")
        if name in options:
            raise UsageError(f"{name} is there twice")
        count = len(known[name].split())
        options[name] = [value] if equals else rest[:count]
        if len(options[name]) != count:
            raise UsageError(f"{name} needs {known[name] or 'no value'}; usage: {usage}")
        rest = rest if equals else rest[count:]
    return others, options


def json_list(objects: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield a JSON list, piece by piece: a document as a whole, and an object in each line."""
    before = "[\n"
    for item in objects:
        yield before + json.dumps(item)
        before = ",\n"
    yield "\n]\n"


class ProgressLine:
    """The progress of a long search on a terminal: one line, cleared at the end."""

    PATIENCE = 0.5  # seconds before the first line, so that a quick answer stands alone

    def __init__(self, name: Callable[[int], str] = str) -> None:
        self.name = name  # of a move
        self.shown = False

    def __call__(self, progress: Progress) -> None:
        """Show the progress of the search."""
        if progress.seconds < self.PATIENCE:
            return
        rate = progress.nodes_visited / progress.seconds / 1e6
        self.shown = True  # set first, as Ctrl-C may interrupt the write
        sys.stderr.write(
            f"\r\x1b[Kmove {self.name(progress.move)}: {progress.nodes_visited:,} nodes, "
            f"{rate:.1f} million/s, {progress.seconds:.0f} s"
        )
        sys.stderr.flush()

    def wipe(self) -> None:
        """Clear the line, if it is shown."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress_line(name: Callable[[int], str] = str) -> ProgressLine | None:
    """Return a progress line if standard error is a terminal."""
    return ProgressLine(name) if sys.stderr and sys.stderr.isatty() else None


def standard_input() -> BinaryIO:
    """Return the binary standard input. Raises UsageError if it is closed."""
    if not sys.stdin:  # None where the caller has closed it
        raise UsageError("cannot read standard input: it is closed", 1)
    return sys.stdin.buffer


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn the errors of reading into UsageError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}", 1) from None


def read(file: str | None, content: str, longest: int) -> str:
    """Return the text of a file, or of standard input, of at most `longest` bytes.

    Raises UsageError, in which `content` says what the text is about.
    """
    name = "standard input" if file is None else shown(file)
    with reading(name), standard_input() if file is None else open(file, "rb") as source:
        text = source.read(longest + 1) or b""  # None from a pipe that does not wait
    if len(text) > longest:
        raise UsageError(f"{content} in {name} is longer than {longest} bytes")
    return text.decode("utf-8", "replace")


def leave(program: str, message: str, status: int) -> NoReturn:
    """End the program with a line on standard error."""
    if sys.stderr:  # None where the caller has closed it
        try:
            sys.stderr.write(f"{program}: {message}\n")
        except OSError:
            sys.stderr = None  # the status alone has to do
    sys.exit(status)


def main(program: str, run: Callable[[Sequence[str]], str]) -> None:
    """Print the output of `run` for the arguments, or its error in one line, and exit."""
    check_packages(program, CORE)
    if isinstance(sys.stdout, TextIOWrapper):  # else the caller has closed it
        sys.stdout.reconfigure(
            encoding="utf-8"
        )  # as files in other formats are, whatever the locale
    try:
        if output := run(sys.argv[1:]):  # it may have written all by itself
            write(output)
    except UsageError as error:
        leave(program, str(error), error.status)
    except KeyboardInterrupt:
        flush_output()
        leave(program, "interrupted", 130)
    except OSError as error:
        flush_output()
        if isinstance(error, BrokenPipeError):
            sys.exit(BROKEN_PIPE)  # quietly: the reader, such as head, wants no more
        leave(program, f"cannot write the result: {error.strerror}", 1)


def flush_output() -> None:
    """Write what an error has left in the buffer of standard output, if that is possible."""
    if sys.stdout:
        try:
            sys.stdout.flush()
        except OSError:
            sys.stdout = None  # else the interpreter would try, and fail, once more at its end


def write(output: str) -> None:
    """Write to standard output at once. Raises UsageError if it is closed, and OSError."""
    if not sys.stdout:
        raise UsageError("cannot write the result: standard output is closed", 1)
    sys.stdout.write(output)
    sys.stdout.flush()
