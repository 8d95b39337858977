"""Addresses of clients: the networks that count as one client, limits, and fair shares. Pure."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from types import MappingProxyType

Network = IPv4Network | IPv6Network

CONNECTIONS_PER_ADDRESS = 50
REMEMBERED = 1024  # addresses with their networks: parsing costs more than a refusal does
NO_NETWORKS: Mapping[Network, int] = MappingProxyType({})


@lru_cache(REMEMBERED)
def network_of(address: str) -> str:
    """Return the network that counts as one address: for IPv6 the /64 of a subscriber."""
    try:
        parsed = ip_address(address)
    except ValueError:  # a proxy may send anything
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(IPv6Network((int(parsed), 64), strict=False).network_address)
    return str(parsed)


@lru_cache(REMEMBERED)
def is_loopback(address: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    try:
        return ip_address(network_of(address)).is_loopback
    except ValueError:
        return False


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
        if not self._trusted:
            return None
        try:
            parsed = ip_address(address)
        except ValueError:  # a proxy may send anything
            return None
        parsed = getattr(parsed, "ipv4_mapped", None) or parsed
        return next((limit for network, limit in self._trusted if parsed in network), None)


def fair_share(limit: int, places: int, taken: int) -> int:
    """Return how many places one client may have.

    That is its limit while at least half of the places are free, and less in proportion to what is
    free after that: an attack on all places needs many times as many addresses, and as long as a
    place is free, a new client gets one.

    Args:
        limit: The highest number of places of one client.
        places: The number of all places.
        taken: The number of places that all clients have.
    """
    free = max(0, places - taken)
    return min(limit, -(-2 * limit * free // places))
