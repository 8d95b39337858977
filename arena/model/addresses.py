"""Addresses of clients: the networks that count as one client, and limits. Pure."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from types import MappingProxyType

Network = IPv4Network | IPv6Network

CONNECTIONS_PER_ADDRESS = 50
REMEMBERED = 1024  # addresses with their networks: parsing costs more than a refusal does
NO_NETWORKS: Mapping[Network, int] = MappingProxyType({})


def parsed_address(address: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a text is, the one of IPv4 where IPv6 maps it.

    None stands for any other text: a proxy may send anything.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


@lru_cache(REMEMBERED)
def network_of(address: str) -> str:
    """Return the network that counts as one address: for IPv6 the /64 of a subscriber."""
    parsed = parsed_address(address)
    if isinstance(parsed, IPv6Address) and not parsed.is_loopback:
        return str(IPv6Network((int(parsed), 64), strict=False).network_address)
    return str(parsed or address)


@lru_cache(REMEMBERED)
def is_loopback(address: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    parsed = parsed_address(address)
    return parsed is not None and parsed.is_loopback


class AddressLimits:
    """Numbers of connections that an address may have at once."""

    def __init__(
        self,
        connections: int = CONNECTIONS_PER_ADDRESS,
        trusted: Mapping[Network, int] = NO_NETWORKS,
    ) -> None:
        """Set the limits.

        Args:
            connections: The limit of an address.
            trusted: The limits of the addresses in some networks; the smallest network counts.
        """
        self.connections = connections
        self._trusted = sorted(trusted.items(), key=lambda each: -each[0].prefixlen)

    def trusted(self, address: str) -> int | None:
        """Return the limit of an address in a trusted network; None for all others."""
        if not self._trusted or not (parsed := parsed_address(address)):
            return None
        return next((limit for network, limit in self._trusted if parsed in network), None)
