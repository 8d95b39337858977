"""Words of bots: what their processes write to standard error.

The latest are kept in memory; all of them go to a file, if there is a folder for them.
"""

import os
import re
import threading
import time
from collections import deque
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from arena.model.results import MAX_LOG
from arena.model.visible import printable, visible_output

PIECES = 40  # that are kept in memory of each bot
MAX_FILE = 10 * 1024 * 1024  # bytes of a file; then it replaces the one that ends in .1
MAX_NAME = 180  # bytes of a file's name without its suffix
PLAIN = re.compile(r"[\w+=@,# -]", re.ASCII)  # characters that a file's name has as they are
IGNORED = re.compile(r"bots: (ignored output .{1,300})\n")  # as bots.stdio writes it


class BotLog:
    """Words of one bot, from all of its processes.

    Attributes:
        notice: What the operator should know, once; None if there is nothing.
    """

    def __init__(self, name: str, path: Path | None = None) -> None:
        """Start without words.

        Args:
            name: The name of the bot.
            path: The file to append lines to; None keeps the latest words alone.

        Raises:
            OSError: The file cannot be opened.
        """
        self.notice: str | None = None
        self._name = name
        self._path = path
        self._file = path.open("ab", buffering=0) if path else None
        self._latest: deque[tuple[float, str]] = deque(maxlen=PIECES)
        self._has_noticed = False
        self._lock = threading.Lock()  # an old process may end while a new one writes

    def add(self, piece: str) -> None:
        """Add a line, or a part of a long one."""
        with self._lock:
            self._latest.append((time.time(), piece))
            if not self._has_noticed and (found := IGNORED.fullmatch(piece)):
                self._has_noticed = True
                self.notice = f"bot {self._name}: {printable(found[1])}"
            if self._file:
                self._write(self._file, visible_output(piece).encode())

    def since(self, begin: float) -> str:
        """Return the end of the words since a Unix time, of limited length."""
        with self._lock:
            pieces = [piece for at, piece in self._latest if at >= begin]
        return "".join(pieces).strip()[-MAX_LOG:]

    def take_notice(self) -> str | None:
        """Return the notice that was not taken yet."""
        notice, self.notice = self.notice, None
        return notice

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file:
                self._file.close()
            self._file = None

    def _write(self, file: BinaryIO, data: bytes) -> None:
        """Append to the file; without one after the first error, as the bot plays on."""
        assert self._path
        try:
            if file.tell() + len(data) > MAX_FILE:
                os.replace(self._path, f"{self._path}.1")
                file.close()
                file = self._file = self._path.open("ab", buffering=0)
            file.write(data)
        except OSError as error:
            self._file = None
            file.close()
            self.notice = f"cannot write {self._path}: {error.strerror}; no more is written to it"


def open_logs(names: Iterable[str], folder: Path | None) -> dict[str, BotLog]:
    """Return the log of each bot by its name.

    Args:
        names: The names of the bots.
        folder: The folder of the files, which is created; None writes no files.

    Raises:
        OSError: A file cannot be opened.
    """
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    return {name: BotLog(name, folder / file_name(name) if folder else None) for name in names}


def file_name(name: str) -> str:
    """Return the name of a bot's file: other characters than letters and digits become %XX."""
    encoded = "".join(
        character
        if PLAIN.fullmatch(character) or (character == "." and place)
        else "".join(f"%{byte:02X}" for byte in character.encode())
        for place, character in enumerate(name)
    )
    if len(encoded) > MAX_NAME:
        digest = blake2b(name.encode(), digest_size=4).hexdigest()
        encoded = f"{encoded[: MAX_NAME - len(digest) - 1]}~{digest}"
    return f"{encoded}.log"
