"""What the kernel knows about a connection."""

import math
import socket
import sys

import pytest

from arena.network import tcp_info
from arena.network.tcp_info import acknowledged_bytes, kernel_round_trip
from tests.support.polling import wait_until


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells nothing")
def test_a_tcp_connection_has_a_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            accepted, _ = server.accept()
            with accepted:
                found = kernel_round_trip(accepted)
                assert 0 < found < 60
                monkeypatch.setattr(tcp_info, "TCP_INFO_SIZE", 104)  # bytes, as in Linux 2.6
                assert kernel_round_trip(accepted) == math.inf
        assert kernel_round_trip(client) == math.inf  # closed


def test_other_sockets_and_systems_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = socket.socketpair()
    with one, two:
        assert kernel_round_trip(one) == math.inf
        monkeypatch.setattr(sys, "platform", "darwin")
        assert kernel_round_trip(one) == math.inf


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells nothing")
def test_bytes_are_acknowledged_that_the_other_kernel_has(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        accepted, _ = server.accept()
        with accepted:
            before = acknowledged_bytes(accepted)
            assert before is not None
            accepted.sendall(bytes(1000))
            client.recv(1000, socket.MSG_WAITALL)
            wait_until(lambda: acknowledged_bytes(accepted) == before + 1000, "the acknowledgement")
            monkeypatch.setattr(tcp_info, "TCP_INFO_SIZE", 127)
            assert acknowledged_bytes(accepted) is None
