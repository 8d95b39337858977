"""The outbox: which frames are written together."""

import asyncio

from arena.network.frames import Outbox


class Written(asyncio.WriteTransport):
    """Transport that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.pieces.append(bytes(data))


def test_a_closed_outbox_writes_at_once() -> None:
    outbox, transport = Outbox(), Written()
    outbox.write(transport, b"one")
    outbox.write(transport, b"two")
    assert transport.pieces == [b"one", b"two"]


def test_an_open_outbox_writes_the_frames_of_each_connection_together() -> None:
    outbox, first, second = Outbox(), Written(), Written()
    outbox.is_open = True
    for transport, frame in ((first, b"one"), (second, b"two"), (first, b"three")):
        outbox.write(transport, frame)
    assert first.pieces == second.pieces == []
    outbox.close()
    assert (first.pieces, second.pieces) == ([b"onethree"], [b"two"])


def test_frames_are_written_once() -> None:
    outbox, transport = Outbox(), Written()
    outbox.is_open = True
    outbox.write(transport, b"one")
    outbox.close()
    outbox.close()
    outbox.write(transport, b"two")
    assert transport.pieces == [b"one", b"two"]
