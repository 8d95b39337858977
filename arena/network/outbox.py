"""Outbox: frames to several clients that are written together."""

import asyncio


class Outbox:
    """Frames to several clients that wait to be written together, in order for each connection.

    A bot with several matches sends many moves at once. The turns that follow from the moves of one
    read often go to the same connection, and are written to it by one system call.

    Attributes:
        is_open: Whether frames wait, instead of being written at once; settable.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._frames: dict[asyncio.WriteTransport, list[bytes]] = {}

    def write(self, transport: asyncio.WriteTransport, frame: bytes) -> None:
        """Write a frame, now or when the outbox is closed."""
        if self.is_open:
            self._frames.setdefault(transport, []).append(frame)
        else:
            transport.write(frame)

    def close(self) -> None:
        """Write the frames that wait."""
        self.is_open = False
        for transport, frames in self._frames.items():
            transport.write(b"".join(frames))
        self._frames.clear()
