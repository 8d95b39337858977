"""Journal of a grading: finished submissions are stored, so that a killed grading continues."""

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from io import FileIO
from pathlib import Path
from threading import Lock

import msgspec

from arena.grading.records import SubmissionRecord
from arena.storage.lock import locked_file

VERSION = 1
NAME = "journal.jsonl"
FLAGS = {  # names of the fields of the first line as users know them
    "version": "version",
    "seed": "--seed",
    "seconds": "--timeout",
    "sandbox": "protection by --sandbox",
    "cases": "cases",
}


class JournalMismatch(Exception):
    """A journal that cannot be used for this grading; the text is the reason in one line."""


class Header(msgspec.Struct, frozen=True):
    """First line of a journal: what the runs depend on, without the submissions.

    Attributes:
        seed: The seed of the drawn cases.
        cases: The arguments of each case.
        seconds: The time limit of a case.
        sandbox: The protection of the programs.
        version: The version of the format.
    """

    seed: int
    cases: tuple[tuple[str, ...], ...]
    seconds: float
    sandbox: str
    version: int = VERSION


class Journal:
    """Journal in a file; threads may add records."""

    def __init__(self, path: Path, header: Header) -> None:
        """Open a journal, or create it.

        Args:
            path: The file.
            header: The inputs of this grading.

        Raises:
            JournalMismatch: The file belongs to another grading, is damaged, or is open in
                another process.
            OSError: It cannot be read or written.
        """
        self._records: dict[tuple[str, str], SubmissionRecord] = {}
        self._stack = ExitStack()
        try:
            self._stack.enter_context(locked_file(path.with_name(f"{path.name}.lock"), wait=False))
        except BlockingIOError:
            raise JournalMismatch(f"another arena grade is writing to {path.parent}") from None
        with self._stack.pop_all() as stack:
            self._open(path, header)
            self._stack = stack.pop_all()

    def _open(self, path: Path, header: Header) -> None:
        complete = _complete_lines(path)
        if complete:
            self._read(path, header, complete)
        # Without a buffer: what could not be written is not written again later.
        self._file = path.open("r+b" if path.exists() else "xb", buffering=0)
        self._file.truncate(sum(len(line) for line in complete))
        self._file.seek(0, os.SEEK_END)
        self._path = path
        self._lock = Lock()
        if not complete:
            self._append(header)

    def find(self, name: str, digest: str) -> SubmissionRecord | None:
        """Return the record of a submission that was finished before, unless it has changed."""
        return self._records.get((name, digest))

    def add(self, record: SubmissionRecord) -> None:
        """Store the record of a submission. Raises OSError."""
        self._append(record)

    def close(self) -> None:
        """Close the file, and let others open it."""
        self._file.close()
        self._stack.close()

    def _append(self, value: msgspec.Struct) -> None:
        # Letters outside ASCII are escapes, so that no output can control a terminal.
        line = json.dumps(msgspec.to_builtins(value)).encode()
        with self._lock:
            end = self._file.tell()
            try:
                _write(self._file, line + b"\n")
            except OSError as error:
                self._file.truncate(end)  # the next record begins a line
                self._file.seek(end)
                raise OSError(error.errno, error.strerror, str(self._path)) from None

    def _read(self, path: Path, header: Header, lines: Sequence[bytes]) -> None:
        records: list[SubmissionRecord] = []
        line = lines[0]
        try:
            stored = msgspec.json.decode(line, type=Header)
            for line in lines[1:]:
                records.append(msgspec.json.decode(line, type=SubmissionRecord))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise JournalMismatch(
                f"{path} is damaged in line {1 + lines.index(line)}: {error} (remove the file to"
                " run all submissions again)"
            ) from None
        for name in FLAGS:
            before, now = getattr(stored, name), getattr(header, name)
            if before != now:
                shown = (
                    f": stored {before}, given {now}"
                    if name != "cases"
                    else ": others are stored (--cases, --hardest or the engine differ)"
                )
                raise JournalMismatch(f"{path} belongs to another grading; {FLAGS[name]}{shown}")
        self._records = {(record.name, record.digest): record for record in records}


def _write(file: FileIO, content: bytes) -> None:
    """Write all of a content to the disk, which may need several steps."""
    left = memoryview(content)
    while left:
        left = left[file.write(left) :]
    os.fsync(file.fileno())


def _complete_lines(path: Path) -> list[bytes]:
    """Return the lines of a file; one that a killed grading has not finished is left out."""
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
