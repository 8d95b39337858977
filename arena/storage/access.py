"""Access files: tokens and bans, which commands change while an arena reads them.

A token is shown once, when it is created; only its SHA-256 hash is stored. That is enough for 256
random bits, which cannot be guessed as a password could.
"""

import hmac
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from arena.line_file import read_text
from arena.model.addresses import Network, parsed_address
from arena.model.timestamps import format_timestamp
from arena.protocol.codec import RequestError, decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello, Name, check_characters, check_stored_name
from arena.storage.lock import locked_file

READABLE_BY_OWNER = 0o600

Added = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z\Z")]
"""Time at which an entry was added, in UTC."""

TOKEN_PREFIX = "tsa_"  # identifies a token to people and to scanners for leaked secrets
RANDOM_BYTES = 32
TOKENS_UNAVAILABLE = "the arena cannot read its list of tokens, try again later"
# A mistyped network: no bot has such a name, so that a ban of the name would have no effect.
LIKE_NETWORK = re.compile(r"\d+(\.\d+){3}(/.*)?|[\da-f]*:[\da-f:]*:[\da-f:.]*(/.*)?", re.IGNORECASE)

T = TypeVar("T")


class AccessFileError(Exception):
    """An access file that cannot be used, or a change of it that is not possible."""


def read_access_file(path: Path, kind: str, parse: Callable[[str], T]) -> T:
    """Return the content of a file.

    Args:
        path: The file.
        kind: What the file is, for messages: "token file".
        parse: Returns the content of a text. Raises ValueError.

    Raises:
        AccessFileError: The file cannot be read, or is not of this kind.
    """
    try:
        return parse(read_text(path))
    except OSError as error:
        raise AccessFileError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise AccessFileError(f"{path} is not a {kind}: {error}") from None


@contextmanager
def changed(
    path: Path, read: Callable[[Path], dict[str, T]], encode: Callable[[dict[str, T]], bytes]
) -> Iterator[dict[str, T]]:
    """Yield the entries of a file under a lock, and write them back unless an exception occurs.

    The file keeps its owner, its group and its mode. A new one can be read by its owner alone: the
    user of this process or, for root, the owner of the folder, which is the user of a service.

    Args:
        path: The file; it is created if missing.
        read: Returns the entries of a file. Raises AccessFileError.
        encode: Returns entries as JSON.

    Raises:
        AccessFileError: The file cannot be read or written.
    """
    target = Path(os.path.realpath(path))
    try:
        # The lock is a separate file, because the file itself is replaced by a new one.
        with locked_file(Path(f"{target}.lock"), wait=True):
            entries = read(path) if target.exists() else {}
            yield entries
            _replace(target, msgspec.json.format(encode(entries)) + b"\n")
    except OSError as error:
        raise AccessFileError(f"cannot write {path}: {error.strerror}") from None


def _replace(target: Path, content: bytes) -> None:
    """Replace a file atomically and durably. Raises OSError."""
    beside = Path(f"{target}.new")
    beside.unlink(missing_ok=True)  # left by a process that was killed; the others hold no lock
    try:
        with open(beside, "xb", opener=_private) as file:
            _take_over_rights(file.fileno(), target)
            file.write(content)
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


def _take_over_rights(descriptor: int, target: Path) -> None:
    """Give a new file the owner and the mode of the one that it replaces. Raises OSError."""
    is_new = not target.exists()
    status = (target.parent if is_new else target).stat()
    if not is_new or os.geteuid() == 0:
        os.fchown(descriptor, status.st_uid, status.st_gid)
    if not is_new:
        os.fchmod(descriptor, status.st_mode & 0o777)


class WatchedFile(Generic[T]):
    """Content of an access file, which is read again after each change."""

    def __init__(self, path: Path, read: Callable[[Path], T]) -> None:
        """Read a file.

        Args:
            path: The file.
            read: Returns its content. Raises AccessFileError.

        Raises:
            AccessFileError: The file cannot be used.
        """
        self._problem = ""
        self._revision = 1
        self._path = path
        self._read = read
        self._version = _version(path)
        self._content = read(path)

    @property
    def problem(self) -> str:
        """Why the content of the file is not known at the moment; empty if it is."""
        self.latest()
        return self._problem

    @property
    def revision(self) -> int:
        """The number of different contents so far."""
        self.latest()
        return self._revision

    def latest(self) -> T:
        """Return the content of the file, or of its last good version if there is a problem."""
        version = _version(self._path)
        if version is None or self._problem or version != self._version:
            try:
                content = self._read(self._path)
            except AccessFileError as error:
                self._problem = str(error)
            else:
                self._problem, self._version = "", version
                self._revision += content != self._content
                self._content = content
        return self._content


def _version(path: Path) -> tuple[int, ...] | None:
    """Return a value that differs after each change of a file, its mode included; None without one.

    A change of the mode counts, as a file that can be read no more may hold anything later.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size


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
    return TOKEN_PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(token.encode()).hexdigest()


# The file


def read_tokens(path: Path) -> dict[str, TokenEntry]:
    """Return the entries of a token file by name, oldest first.

    Raises:
        AccessFileError: The file cannot be read, or is no token file.
    """
    return read_access_file(path, "token file", _parse_tokens)


def _parse_tokens(text: str) -> dict[str, TokenEntry]:
    """Return the entries of a text. Raises ValueError."""
    content = msgspec.json.decode(text, type=_TokenFile)
    for name in content.tokens:
        check_characters(name)  # other rules are newer than files: such a name can be revoked
    return content.tokens


def _encode_tokens(entries: dict[str, TokenEntry]) -> bytes:
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
    with changed(path, read_tokens, _encode_tokens) as entries:
        if name in entries:
            raise AccessFileError(f"{name} already has a token in {path}: revoke it first")
        entries[name] = TokenEntry(hash_token(token), format_timestamp(float(int(now))))
    return token


def revoke_token(path: Path, name: str) -> None:
    """Remove the token of a name.

    Raises:
        AccessFileError: The name has no token, or the file cannot be used.
    """
    with changed(path, read_tokens, _encode_tokens) as entries:
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


class BanEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Entry of a file of bans, with the time of its creation in UTC."""

    added: Added


class _BansFile(Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    bans: dict[Name, BanEntry]  # by name or network


@dataclass(frozen=True)
class Bans:
    """Names of players, and networks, that are not admitted."""

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def has_address(self, address: str) -> bool:
        """Return whether an address is in a banned network."""
        if not self.networks or not (parsed := parsed_address(address)):
            return False
        return any(parsed in network for network in self.networks)


def read_bans(path: Path) -> dict[str, BanEntry]:
    """Return the entries of a file of bans by name or network, oldest first.

    Raises:
        AccessFileError: The file cannot be read, or is no file of bans.
    """
    return read_access_file(path, "file of bans", _parse_bans)


def _parse_bans(text: str) -> dict[str, BanEntry]:
    """Return the entries of a text. Raises ValueError."""
    content = msgspec.json.decode(text, type=_BansFile)
    for entry in content.bans:
        check_stored_name(entry)
    return content.bans


def _encode_bans(entries: dict[str, BanEntry]) -> bytes:
    return msgspec.json.encode(_BansFile(1, entries))


def load_bans(path: Path) -> Bans:
    """Return the bans of a file; none if there is no file.

    Raises:
        AccessFileError: The file cannot be read, or is no file of bans.
    """
    if not path.exists():
        return Bans()
    entries = {entry: _network(entry) for entry in read_bans(path)}
    return Bans(
        frozenset(entry for entry, network in entries.items() if not network),
        tuple(network for network in entries.values() if network),
    )


def add_ban(path: Path, entry: str, now: float) -> None:
    """Ban a name or a network.

    Args:
        path: The file of bans; it is created if missing.
        entry: A name, an address, or a network such as "192.0.2.0/24".
        now: Unix time in seconds.

    Raises:
        AccessFileError: The entry is invalid or banned already, or the file cannot be used.
    """
    entry = _normalised(entry)
    if LIKE_NETWORK.fullmatch(entry) and not _network(entry):
        raise AccessFileError(f"{entry} is neither an address nor a network")
    with changed(path, read_bans, _encode_bans) as entries:
        if entry in entries:
            raise AccessFileError(f"{entry} is banned already in {path}")
        entries[entry] = BanEntry(format_timestamp(float(int(now))))


def remove_ban(path: Path, entry: str) -> None:
    """Remove the ban of a name or a network.

    Raises:
        AccessFileError: It is not banned, or the file cannot be used.
    """
    entry = _normalised(entry)
    with changed(path, read_bans, _encode_bans) as entries:
        if entry not in entries:
            raise AccessFileError(f"{entry} is not banned in {path}")
        del entries[entry]


def _normalised(entry: str) -> str:
    """Return an entry as it is stored. Raises AccessFileError."""
    if network := _network(entry):
        return str(network)
    try:
        check_stored_name(entry)
    except ValueError as error:
        raise AccessFileError(f"name {entry!r:.80}: {error}") from None
    return entry


def _network(entry: str) -> Network | None:
    """Return the network that an entry is; None for a name."""
    try:
        return ip_network(entry, strict=False)
    except ValueError:
        return None
