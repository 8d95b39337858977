"""Output of commands: messages on standard error, and files."""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from io import TextIOBase, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from arena.cli.arguments import UsageError, check_output
from arena.model.visible import visible

MAX_WAITING = 1_000_000  # characters of notices that wait until they are read
LAST_SECONDS = 5.0  # for a reader of the last ones


def notify(text: str) -> None:
    """Print a message for the operator on standard error."""
    print(f"arena: {visible(text)}", file=sys.stderr, flush=True)


def print_document(text: str) -> None:
    """Print a document in UTF-8, in any locale. Raises OSError."""
    sys.stdout.buffer.write(text.encode())


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


class BackgroundStream(TextIOBase):
    """Text stream that a thread writes, so that a paused reader delays nobody else.

    A terminal accepts nothing after Ctrl-S, or when its connection is lost.
    """

    def __init__(self, stream: TextIO) -> None:
        """Start the thread, which writes to `stream`."""
        self._stream = stream
        self._waiting: list[str] = []
        self._size = 0  # characters of it
        self._is_over = False
        self._error: OSError | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write_all, daemon=True)
        self._thread.start()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a stream of text has one
        """The encoding of the stream."""
        return self._stream.encoding

    def fileno(self) -> int:
        """Return the file descriptor of the stream."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._stream.isatty()

    def write(self, text: str) -> int:
        """Let the thread write a text, or leave it out if MAX_WAITING characters wait.

        Raises:
            OSError: The thread could not write an earlier text.
        """
        with self._changed:
            if self._error:
                raise self._error
            if self._size < MAX_WAITING:
                self._waiting.append(text)
                self._size += len(text)
                self._changed.notify()
        return len(text)

    def finish(self) -> None:
        """Wait up to LAST_SECONDS until all is written."""
        with self._changed:
            self._is_over = True
            self._changed.notify()
        self._thread.join(LAST_SECONDS)

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_over)
                if not self._waiting:
                    return
                text = "".join(self._waiting)
                self._waiting.clear()
                self._size = 0
            try:
                self._stream.write(text)
                self._stream.flush()
            except OSError as error:
                self._error = error
                return


@contextmanager
def background_notices() -> Iterator[None]:
    """Write to standard error in another thread meanwhile."""
    stream = BackgroundStream(sys.stderr)
    with redirect_stderr(stream):
        try:
            yield
        finally:
            stream.finish()


def terminal_width() -> int | None:
    """Return the columns that text tables may have; None for any number.

    A terminal has its own number, unless the environment variable COLUMNS sets another one. In a
    file or a pipe there is no limit without COLUMNS.
    """
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal():
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
    if path.exists() and not path.is_file():
        raise UsageError(f"--output {path} is not a file")
    check_output(path, db)
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


@contextmanager
def atomic_text(path: Path, db: Path) -> Iterator[TextIO]:
    """Open a text file in UTF-8; the rest is as in `atomic_file`."""
    with atomic_file(path, db) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()  # flushes; the file is closed by its context
