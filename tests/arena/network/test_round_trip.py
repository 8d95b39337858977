"""Round trips as the kernel measures them."""

import math
import socket
import sys

import pytest

from arena.network import round_trip
from arena.network.round_trip import kernel_round_trip


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells no round trip")
def test_a_tcp_connection_has_a_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            accepted, _ = server.accept()
            with accepted:
                found = kernel_round_trip(accepted)
                assert 0 < found < 60
                monkeypatch.setattr(round_trip, "TCP_INFO_SIZE", 104)  # bytes, as in Linux 2.6
                assert kernel_round_trip(accepted) == math.inf
        assert kernel_round_trip(client) == math.inf  # closed


def test_other_sockets_and_systems_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = socket.socketpair()
    with one, two:
        assert kernel_round_trip(one) == math.inf
        monkeypatch.setattr(sys, "platform", "darwin")
        assert kernel_round_trip(one) == math.inf
