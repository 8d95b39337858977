"""Whose name is whose: secret tokens, the file that keeps their hashes, and who shows which.

A token is shown once, when it is made. What is kept is its SHA-256 and nothing slower: that is
enough for 256 random bits, which nobody can guess, as one could a password.
"""

import fcntl
import hmac
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.errors import RequestError
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.storage.lexer import time_text

PREFIX = "tsa_"  # by which people, and programs that look for leaked secrets, know a token
RANDOM_BYTES = 32
READABLE_BY_OWNER = 0o600


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept of a token: the hash of it, in hexadecimal digits, and when it was made."""

    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    added: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z\Z")]


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    tokens: dict[str, Entry]


class TokensError(Exception):
    """The file of tokens is not one, or does not allow what is wanted; the text says why."""


def new_token() -> str:
    """A token that nobody has seen."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def hash_of(token: str) -> str:
    """What is kept of a token, or of anything that claims to be one."""
    return sha256(token.encode()).hexdigest()


# The file


def read(path: Path) -> dict[str, Entry]:
    """The entries of a file of tokens by name, oldest first. Raises TokensError."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep its reader waiting
            raise TokensError(f"{path} is not a file")
        content = msgspec.json.decode(path.read_bytes(), type=_Content)
        for name in content.tokens:
            _check_name(name)
    except OSError as error:
        raise TokensError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise TokensError(f"{path} is not a file of tokens: {error}") from None
    return content.tokens


def add(path: Path, name: str, now: float) -> str:
    """Make a token for a name at a Unix time, and a file if there is none. Returns the token.

    Raises TokensError, also if the name has a token already.
    """
    try:
        _check_name(name)
    except ValueError as error:
        raise TokensError(f"name {name!r}: {error}") from None
    token = new_token()
    with _changed(path) as entries:
        if name in entries:
            raise TokensError(f"{name} has a token already in {path}: revoke it first")
        entries[name] = Entry(hash_of(token), time_text(float(int(now))))
    return token


def revoke(path: Path, name: str) -> None:
    """Forget the token of a name. Raises TokensError."""
    with _changed(path) as entries:
        if name not in entries:
            raise TokensError(f"{name!r} has no token in {path}")
        del entries[name]


def _check_name(name: str) -> None:
    """Raises ValueError if no bot can have that name."""
    decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))


@contextmanager
def _changed(path: Path) -> Iterator[dict[str, Entry]]:
    """The entries of a file, which are written back unless an exception says otherwise.

    Nobody else changes them meanwhile. Raises TokensError.
    """
    target = Path(os.path.realpath(path))
    try:
        # Not the file itself is locked: it is replaced by another.
        with open(f"{target}.lock", "w", opener=_private) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            entries = read(path) if target.exists() else {}
            yield entries
            _replace(target, msgspec.json.encode(_Content(1, entries)))
    except OSError as error:
        raise TokensError(f"cannot write {path}: {error.strerror}") from None


def _replace(target: Path, content: bytes) -> None:
    """Put a new file in a file's place, all at once, also if the power fails. Raises OSError."""
    beside = Path(f"{target}.new")
    beside.unlink(missing_ok=True)  # of somebody who was killed here; others wait for the lock
    try:
        with open(beside, "xb", opener=_private) as file:
            file.write(msgspec.json.format(content) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or what was revoked could be back
    finally:
        os.close(folder)


def _private(path: str, flags: int) -> int:
    # Where others may write, a link could lead to what must not be written.
    return os.open(path, flags | os.O_NOFOLLOW, READABLE_BY_OWNER)


# Who is who


class Identities:
    """Who is who by the tokens of a file, which may change, and of those that were issued here.

    Raises TokensError if the file cannot be used. What goes wrong with it later is told by `tell`,
    once, and the tokens known before stay valid.
    """

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self._path = path
        self._issued: dict[str, str] = {}
        self._version = _version(path)
        self._kept = _hashes(path)

    def issue(self, name: str) -> str:
        """A token for a name, valid as long as this lives; any other token of the name is void."""
        token = new_token()
        self._issued[name] = hash_of(token)
        return token

    def has_token(self, name: str) -> bool:
        """Whether anybody can come under a name."""
        return name in self._hashes()

    def names(self, token: str) -> set[str]:
        """The names that a token is good for: none if it is unknown or revoked.

        It is compared with all of them, each in constant time: how long it takes tells nobody
        which names there are or how much of a guess was right.
        """
        shown = hash_of(token)
        hashes = self._hashes()
        return {name for name in hashes if hmac.compare_digest(hashes[name], shown)}

    def check(self, name: str, token: str | None) -> None:
        """Raises RequestError if a token does not allow a name."""
        if not token:
            raise RequestError("token_needed", "this arena lets nobody in without a token")
        names = self.names(token)
        if not names:
            raise RequestError("token_unknown", "the token is unknown, or revoked")
        if name not in names:
            raise RequestError("not_your_name", f"the token is not that of {name}")

    def _hashes(self) -> Mapping[str, str]:
        """The hash by name, of the file as it is now."""
        version = _version(self._path)
        if version != self._version:
            self._version = version
            try:
                self._kept = _hashes(self._path)
            except TokensError as error:
                self.tell(f"{error}; the tokens known before stay valid")
        return {**self._kept, **self._issued}


def _version(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file does; None if there is no file."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_ino, facts.st_size


def _hashes(path: Path) -> dict[str, str]:
    return {name: entry.sha256 for name, entry in read(path).items()}
