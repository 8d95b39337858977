"""Addresses: what counts as one client, and which are on this machine."""

from ipaddress import ip_network

from arena.model.addresses import AddressLimits, is_loopback, network_of
from tests.support.cases import loop_over


@loop_over(
    "address, network",
    ("192.0.2.7", "192.0.2.7"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("2001:db8:1:2:3::4", "2001:db8:1:2::"),
    ("2001:db8:1:2:5::6", "2001:db8:1:2::"),
    ("fe80::1%eth0", "fe80::"),
    ("::1", "::1"),
    ("unknown", "unknown"),
)
def test_network_of(address: str, network: str) -> None:
    assert network_of(address) == network


@loop_over(
    "address, is_local",
    ("127.0.0.1", True),
    ("127.9.9.9", True),
    ("::1", True),
    ("::ffff:127.0.0.1", True),
    ("0.0.0.0", False),
    ("::", False),
    ("10.0.0.1", False),
    ("fe80::1%1", False),
    ("::5", False),
    ("unknown", False),
)
def test_is_loopback(address: str, is_local: bool) -> None:
    assert is_loopback(address) == is_local


@loop_over(
    "address, limit",
    ("192.0.2.7", 900),
    ("::ffff:192.0.2.7", 900),
    ("192.0.3.7", 90),
    ("2001:db8::7", 9),
    ("198.51.100.7", None),
    ("unknown", None),
)
def test_the_smallest_trusted_network_counts(address: str, limit: int | None) -> None:
    networks = {"192.0.2.0/23": 90, "192.0.2.0/24": 900, "2001:db8::/32": 9}
    trusted = {ip_network(network): limit for network, limit in networks.items()}
    assert AddressLimits(1, trusted).trusted(address) == limit
