"""Token authentication: create, hash, store and verify secret tokens.

A token is shown once, when it is created; only its SHA-256 hash is stored. That is enough for 256
random bits, which cannot be guessed as a password could.
"""

import hmac
import secrets
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from arena.model.timestamps import format_timestamp
from arena.protocol.codec import RequestError, decode_from_bot, encode
from arena.protocol.names import Name, check_characters
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.storage.access_file import (
    AccessFileError,
    Added,
    WatchedFile,
    changed,
    read_access_file,
)

PREFIX = "tsa_"  # identifies a token to people and to scanners for leaked secrets
RANDOM_BYTES = 32
TOKENS_UNAVAILABLE = "the arena cannot read its list of tokens, try again later"


class TokenEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Entry of a token file.

    Attributes:
        sha256: Hash of the token, in hexadecimal digits.
        added: Time of its creation, in UTC.
    """

    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    added: Added


class _TokenFile(Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    tokens: dict[Name, TokenEntry]


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
        AccessFileError: The file cannot be read, or is no token file.
    """
    return read_access_file(path, "token file", _parse)


def _parse(text: str) -> dict[str, TokenEntry]:
    """Return the entries of a text. Raises ValueError."""
    content = msgspec.json.decode(text, type=_TokenFile)
    for name in content.tokens:
        check_characters(name)  # other rules are newer than files: such a name can be revoked
    return content.tokens


def _encode(entries: dict[str, TokenEntry]) -> bytes:
    return msgspec.json.encode(_TokenFile(1, entries))


def add_token(path: Path, name: str, now: float) -> str:
    """Create a token for a name, and the file if it is missing.

    Args:
        path: The token file.
        name: Name of a bot, which has no token yet.
        now: Unix time in seconds.

    Returns:
        The token, which is not stored anywhere.

    Raises:
        AccessFileError: The name is invalid or has a token, or the file cannot be used.
    """
    try:
        _check_name(name)
    except ValueError as error:
        raise AccessFileError(f"name {name!r}: {error}") from None
    token = generate_token()
    with changed(path, read_tokens, _encode) as entries:
        if name in entries:
            raise AccessFileError(f"{name} already has a token in {path}: revoke it first")
        entries[name] = TokenEntry(hash_token(token), format_timestamp(float(int(now))))
    return token


def revoke_token(path: Path, name: str) -> None:
    """Remove the token of a name.

    Raises:
        AccessFileError: The name has no token, or the file cannot be used.
    """
    with changed(path, read_tokens, _encode) as entries:
        if name not in entries:
            raise AccessFileError(f"{name!r} has no token in {path}")
        del entries[name]


def _check_name(name: str) -> None:
    """Raise ValueError if no bot can have the name."""
    decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))


# Authentication


class TokenAuthenticator:
    """Authenticates bots by the tokens of a file.

    Changes of the file take effect at the next authentication. While the file cannot be used nobody
    is authenticated, as any token may have been revoked.
    """

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Read a token file.

        Args:
            path: The token file.
            warn: Called if other users of the machine can read the file.

        Raises:
            AccessFileError: The file cannot be used.
        """
        self._file = WatchedFile(path, _hashes)
        if path.stat().st_mode & stat.S_IROTH:
            warn(f"every user of this machine can read {path}: chmod o-r it")

    @property
    def revision(self) -> int:
        """A number that changes with the file."""
        return self._file.revision

    @property
    def problem(self) -> str:
        """Why no token can be checked at the moment; empty if the file can be used."""
        return self._file.problem

    def has_token(self, name: str) -> bool:
        """Return whether a name has a token, as far as is known."""
        return name in self._file.latest()

    def is_valid(self, name: str, credential: str) -> bool:
        """Return whether the token that `authenticate` has accepted is still its name's.

        While the file cannot be used, all of them are.
        """
        return self._file.latest().get(name) == credential

    def owners(self, token: str) -> set[str]:
        """Return the names that a token authenticates: none if it is unknown or revoked.

        The token is compared with all hashes in constant time, so that the response time reveals
        neither the names nor a part of a token.
        """
        given = hash_token(token)
        hashes = {} if self.problem else self._file.latest()
        return {name for name in hashes if hmac.compare_digest(hashes[name], given)}

    def authenticate(self, name: str, token: str | None) -> str:
        """Check that a token belongs to a name, and return its credential for `is_valid`.

        Raises:
            RequestError: There is no token, it does not belong to the name, or the file cannot be
                used.
        """
        if not token:
            raise RequestError("token_needed", "this arena requires a token")
        if self.problem:
            raise RequestError("tokens_unavailable", TOKENS_UNAVAILABLE)
        names = self.owners(token)
        if not names:
            raise RequestError("token_unknown", "unknown or revoked token")
        if name not in names:
            raise RequestError("not_your_name", f"the token does not belong to {name}")
        return hash_token(token)


def _hashes(path: Path) -> dict[str, str]:
    return {name: entry.sha256 for name, entry in read_tokens(path).items()}
