"""Bans: a file of names and networks that an arena does not admit."""

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from arena.model.timestamps import format_timestamp
from arena.protocol.names import Name, check_stored_name
from arena.storage.access_file import AccessFileError, Added, changed, read_access_file

Network = IPv4Network | IPv6Network


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
        if not self.networks:
            return False
        try:
            parsed = ip_address(address)
        except ValueError:  # a proxy may send anything
            return False
        parsed = getattr(parsed, "ipv4_mapped", None) or parsed
        return any(parsed in network for network in self.networks)


def read_bans(path: Path) -> dict[str, BanEntry]:
    """Return the entries of a file of bans by name or network, oldest first.

    Raises:
        AccessFileError: The file cannot be read, or is no file of bans.
    """
    return read_access_file(path, "file of bans", _parse)


def _parse(text: str) -> dict[str, BanEntry]:
    """Return the entries of a text. Raises ValueError."""
    content = msgspec.json.decode(text, type=_BansFile)
    for entry in content.bans:
        check_stored_name(entry)
    return content.bans


def _encode(entries: dict[str, BanEntry]) -> bytes:
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
    with changed(path, read_bans, _encode) as entries:
        if entry in entries:
            raise AccessFileError(f"{entry} is banned already in {path}")
        entries[entry] = BanEntry(format_timestamp(float(int(now))))


def remove_ban(path: Path, entry: str) -> None:
    """Remove the ban of a name or a network.

    Raises:
        AccessFileError: There is none, or the file cannot be used.
    """
    entry = _normalised(entry)
    with changed(path, read_bans, _encode) as entries:
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
