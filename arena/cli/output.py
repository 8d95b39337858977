"""Output of commands: messages on standard error, and files."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.cli.arguments import UsageError
from arena.model.visible import visible


def notify(text: str) -> None:
    """Print a message for the operator on standard error."""
    print(f"arena: {visible(text)}", file=sys.stderr, flush=True)


class Notices:
    """Printer of notices: on standard error, or above a display of the progress."""

    def __init__(self) -> None:
        self._print: Callable[[str], None] = notify

    def __call__(self, text: str) -> None:
        """Print a notice."""
        self._print(text)

    @contextmanager
    def above(self, print_notice: Callable[[str], None]) -> Iterator[None]:
        """Let a display print the notices meanwhile."""
        self._print = print_notice
        try:
            yield
        finally:
            self._print = notify


def terminal_width() -> int | None:
    """Return the columns that text tables may have; None for any number.

    A terminal has its own number, unless the environment variable COLUMNS sets another one. In a
    file or a pipe there is no limit without COLUMNS.
    """
    if (sys.stdout and sys.stdout.isatty()) or os.environ.get("COLUMNS", "").isdecimal():
        return shutil.get_terminal_size().columns
    return None


@contextmanager
def atomic_file(path: Path, db: Path) -> Iterator[BinaryIO]:
    """Open a file that gets its name only when it is complete.

    Args:
        path: The name of the file.
        db: The database, which the file must not replace.

    Raises:
        UsageError: The name belongs to the database, or to something that is not a file.
        OSError: The file cannot be written.
    """
    if path.exists() and (not path.is_file() or path.samefile(db)):
        reason = "the database itself" if path.is_file() else "not a file"
        raise UsageError(f"--output {path} is {reason}")
    target = path.resolve()
    temporary = Path(f"{target}.{os.getpid()}")
    try:
        with temporary.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
