"""Addresses of clients, and the networks that count as one client. Pure."""

from ipaddress import IPv6Address, IPv6Network, ip_address


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


def is_loopback(address: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    try:
        return ip_address(network_of(address)).is_loopback
    except ValueError:
        return False
