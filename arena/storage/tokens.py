"""Token authentication: create, hash, store and verify secret tokens.

A token is shown once, when it is created; only its SHA-256 hash is stored. That is enough for 256
random bits, which cannot be guessed as a password could.
"""

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

from arena.model.timestamps import format_timestamp
from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.errors import RequestError
from arena.protocol.names import Name, check_characters
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.storage.input_file import read_text
from arena.storage.lock import locked_file

PREFIX = "tsa_"  # identifies a token to people and to scanners for leaked secrets
RANDOM_BYTES = 32
READABLE_BY_OWNER = 0o600


class TokenEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Entry of a token file.

    Attributes:
        sha256: Hash of the token, in hexadecimal digits.
        added: Time of its creation, in UTC.
    """

    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    added: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z\Z")]


class _TokenFile(Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    tokens: dict[Name, TokenEntry]


class TokensError(Exception):
    """A token file that cannot be used, or a change of it that is not possible."""


def generate_token() -> str:
    """Return a new random token."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(token.encode()).hexdigest()


# The file


def read_tokens(path: Path) -> dict[str, TokenEntry]:
    """Return the entries of a token file by name, oldest first.

    Raises:
        TokensError: The file cannot be read, or is no token file.
    """
    try:
        content = msgspec.json.decode(read_text(path), type=_TokenFile)
        for name in content.tokens:
            check_characters(name)  # other rules are newer than files: such a name can be revoked
    except OSError as error:
        raise TokensError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise TokensError(f"{path} is not a token file: {error}") from None
    return content.tokens


def add_token(path: Path, name: str, now: float) -> str:
    """Create a token for a name, and the file if there is none.

    Args:
        path: The token file.
        name: Name of a bot, which has no token yet.
        now: Unix time in seconds.

    Returns:
        The token, which is not stored anywhere.

    Raises:
        TokensError: The name is invalid or has a token, or the file cannot be used.
    """
    try:
        _check_name(name)
    except ValueError as error:
        raise TokensError(f"name {name!r}: {error}") from None
    token = generate_token()
    with _changed(path) as entries:
        if name in entries:
            raise TokensError(f"{name} already has a token in {path}: revoke it first")
        entries[name] = TokenEntry(hash_token(token), format_timestamp(float(int(now))))
    return token


def revoke_token(path: Path, name: str) -> None:
    """Remove the token of a name.

    Raises:
        TokensError: The name has no token, or the file cannot be used.
    """
    with _changed(path) as entries:
        if name not in entries:
            raise TokensError(f"{name!r} has no token in {path}")
        del entries[name]


def _check_name(name: str) -> None:
    """Raise ValueError if no bot can have the name."""
    decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))


@contextmanager
def _changed(path: Path) -> Iterator[dict[str, TokenEntry]]:
    """Yield the entries of a file under a lock, and write them back unless an exception occurs."""
    target = Path(os.path.realpath(path))
    try:
        # The lock is a separate file, because the token file itself is replaced by a new one.
        with locked_file(Path(f"{target}.lock"), wait=True):
            entries = read_tokens(path) if target.exists() else {}
            yield entries
            _replace(target, msgspec.json.encode(_TokenFile(1, entries)))
    except OSError as error:
        raise TokensError(f"cannot write {path}: {error.strerror}") from None


def _replace(target: Path, content: bytes) -> None:
    """Replace a file atomically and durably. Raises OSError."""
    beside = Path(f"{target}.new")
    beside.unlink(missing_ok=True)  # left by a process that was killed; the others hold no lock
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
        os.fsync(folder)  # or a power failure could restore a revoked token
    finally:
        os.close(folder)


def _private(path: str, flags: int) -> int:
    # In a folder that others can write, a symbolic link could lead to any file.
    return os.open(path, flags | os.O_NOFOLLOW, READABLE_BY_OWNER)


# Authentication


class TokenAuthenticator:
    """Authenticates bots by the tokens of a file.

    Changes of the file take effect at the next authentication.
    """

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Read a token file.

        Args:
            path: The token file.
            warn: Called if other users of the machine can read the file, and once with each later
                problem of it; the tokens known before stay valid then.

        Raises:
            TokensError: The file cannot be used.
        """
        self.warn = warn
        self._path = path
        self._file_version = _file_version(path)
        self._stored = _hashes(path)
        if path.stat().st_mode & stat.S_IROTH:
            warn(f"every user of this machine can read {path}: chmod o-r it")

    def has_token(self, name: str) -> bool:
        """Return whether a name has a token."""
        return name in self._current_hashes()

    def owners(self, token: str) -> set[str]:
        """Return the names that a token authenticates: none if it is unknown or revoked.

        The token is compared with all hashes in constant time, so that the response time reveals
        neither the names nor a part of a token.
        """
        given = hash_token(token)
        hashes = self._current_hashes()
        return {name for name in hashes if hmac.compare_digest(hashes[name], given)}

    def authenticate(self, name: str, token: str | None) -> None:
        """Check that a token belongs to a name.

        Raises:
            RequestError: There is no token, or it does not belong to the name.
        """
        if not token:
            raise RequestError("token_needed", "this arena requires a token")
        names = self.owners(token)
        if not names:
            raise RequestError("token_unknown", "unknown or revoked token")
        if name not in names:
            raise RequestError("not_your_name", f"the token does not belong to {name}")

    def _current_hashes(self) -> Mapping[str, str]:
        """Return the hashes by name, after reading the file again if it has changed."""
        version = _file_version(self._path)
        if version != self._file_version:
            self._file_version = version
            try:
                self._stored = _hashes(self._path)
            except TokensError as error:
                self.warn(f"{error}; the tokens known before stay valid")
        return self._stored


def _file_version(path: Path) -> tuple[int, int, int] | None:
    """Return a value that differs after each change of a file; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size


def _hashes(path: Path) -> dict[str, str]:
    return {name: entry.sha256 for name, entry in read_tokens(path).items()}
