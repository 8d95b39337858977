"""Round trip of a TCP connection, as the kernel measures it."""

import math
import socket
import sys
from struct import unpack_from

# Place of tcpi_min_rtt in tcp_info (linux/tcp.h), in microseconds: the least round trip of the last
# five minutes. The mean has delays in it: a client may acknowledge data up to 40 ms later.
MIN_RTT = 148
TCP_INFO_SIZE = 192  # bytes, at most, that are asked for


def kernel_round_trip(connected: socket.socket) -> float:
    """Return the least round trip of a TCP connection in seconds; infinite if unknown.

    The kernel measures it, and the client cannot prolong it by itself.
    """
    if sys.platform != "linux":
        return math.inf
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_SIZE)
    except OSError:  # no TCP, or closed
        return math.inf
    if len(info) < MIN_RTT + 4:  # Linux before 4.6
        return math.inf
    (microseconds,) = unpack_from("@I", info, MIN_RTT)
    return microseconds / 1e6 if microseconds < 2**32 - 1 else math.inf
