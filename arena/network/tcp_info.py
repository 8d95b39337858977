"""What the kernel knows about a TCP connection: tcp_info of linux/tcp.h, so only on Linux."""

import math
import socket
import sys
from struct import Struct

# Places of tcpi_min_rtt, in microseconds, and of tcpi_bytes_acked. The least round trip is that of
# the last five minutes. The mean has delays in it: a client may acknowledge data up to 40 ms later.
MIN_RTT, BYTES_ACKED = 148, 120
TCP_INFO_SIZE = 192  # bytes, at most, that are asked for
U32, U64 = Struct("@I"), Struct("@Q")


def kernel_round_trip(connected: socket.socket) -> float:
    """Return the least round trip of a TCP connection in seconds; infinite if unknown.

    The kernel measures it, and the client cannot prolong it by itself.
    """
    microseconds = _value(connected, MIN_RTT, U32)
    if microseconds is None or microseconds == 2**32 - 1:
        return math.inf
    return microseconds / 1e6


def acknowledged_bytes(connected: socket.socket) -> int | None:
    """Return how many bytes the client's kernel has acknowledged; None if unknown."""
    return _value(connected, BYTES_ACKED, U64)


def _value(connected: socket.socket, place: int, kind: Struct) -> int | None:
    if sys.platform != "linux":
        return None
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_SIZE)
    except OSError:  # no TCP, or closed
        return None
    if len(info) < place + kind.size:  # of an older Linux
        return None
    (value,) = kind.unpack_from(info, place)
    return int(value)
