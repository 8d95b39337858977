"""Messages between processes of the arena: bytes behind their length, on a stream."""

import pickle
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

HEADER = struct.Struct("!Q")  # the length of a message in bytes
# Environment of a process that computes in one thread: numpy would take one for each processor
# otherwise, and memory for each of them.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def frame(body: bytes) -> bytes:
    """Return a message with its length in front."""
    return HEADER.pack(len(body)) + body


def pack(message: object) -> bytes:
    """Return an object as a message: a pickle with its length in front."""
    return frame(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def read_bodies(stream: BinaryIO) -> Iterator[bytes]:
    """Yield messages up to the end of a stream, without one that is cut off."""
    while len(header := stream.read(HEADER.size)) == HEADER.size:
        (length,) = HEADER.unpack(header)
        body = stream.read(length)
        if len(body) < length:
            return
        yield body


def read_messages(stream: BinaryIO) -> Iterator[Any]:
    """Yield the objects that `pack` has packed; only from a trusted process, as pickles are."""
    return map(pickle.loads, read_bodies(stream))
