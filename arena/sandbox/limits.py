"""Protection that a user asks for, limits of a program, and its view of the machine.

Values without I/O, apart from the sandbox: most bots need nothing else of the package.
"""

from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath

MEGABYTE = 1024 * 1024
# Of programs of the assignment, which print numbers: in other languages, Java prints 1,0.
LANGUAGE = {"LC_ALL": "C.UTF-8"}


class Policy(StrEnum):
    """Protection that a user asks for."""

    AUTO = "auto"  # bubblewrap where it works, else limits alone
    REQUIRE = "require"  # bubblewrap, or an error
    OFF = "off"  # none


def parse_policy(text: str) -> Policy:
    """Return the policy that an argument names.

    Raises:
        ArgumentTypeError: There is no such policy.
    """
    try:
        return Policy(text)
    except ValueError:
        known = ", ".join(Policy)
        raise ArgumentTypeError(f"unknown policy {text!r} (choose from {known})") from None


@dataclass(frozen=True)
class Limits:
    """Limits of a program with all its children.

    Attributes:
        memory: Memory of all processes together. Bytes.
        processes: Processes and threads at the same time; a Java machine starts about 30.
        open_files: Open files of each process.
        file_size: Size of each file that is written. Bytes.
        scratch: Size of the private folder /tmp, and of /dev/shm. Bytes.
        written_files: Files and folders in the machine's folders that it can write.
        written_bytes: Size of all of them. Bytes.
        processor: Processor time of each process, in seconds; None for no limit.
    """

    memory: int = 1024 * MEGABYTE
    processes: int = 256
    open_files: int = 256
    file_size: int = 64 * MEGABYTE
    scratch: int = 64 * MEGABYTE
    written_files: int = 10_000
    written_bytes: int = 256 * MEGABYTE
    processor: int | None = None


@dataclass(frozen=True)
class View:
    """Files, network and environment of a program.

    Attributes:
        folder: The working directory, an absolute path. It exists in the sandbox, but is empty
            unless it is listed below.
        read_only: Files and folders to read, absolute paths.
        writable: Folders to write, absolute paths.
        network: Whether the program can use the network of the machine, its own servers included.
        environment: Variables to add to PATH, HOME, LANG and the like.
        copied: A folder to read, and to write in a copy that `run` removes at the end.
        sources: The folders of the machine that are seen in the place of others.
    """

    folder: Path
    read_only: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    network: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    copied: Path | None = None
    sources: Mapping[Path, Path] = field(default_factory=dict)


def program_view(folder: Path, inner: PurePosixPath) -> View:
    """Return the view of a program of the assignment, which runs in its own files.

    Args:
        folder: The folder of its files.
        inner: The folder in it that the program runs in.
    """
    return View(folder / inner, copied=folder, environment=LANGUAGE)
