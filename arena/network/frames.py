"""Frames of the WebSocket protocol: found, compressed once for many clients, written together.

The scanner finds the frames in the bytes of a client before anything decodes them.

A frame begins with a header of 2 to 14 bytes (RFC 6455, 5.2):

    byte 0           FIN (128), 3 reserved bits, opcode (control frames from 8 on)
    byte 1           MASK (128), length: 0 to 125, 126 (2 more bytes), 127 (8 more bytes)
    0, 2 or 8 bytes  length, if it is longer
    0 or 4 bytes     masking key, if MASK is set

Invalid frames are left to the library, which closes the connection at their header. So are all
frames except messages of one frame and less than 64 KiB, which are nearly all.

Compressed messages do not depend on earlier ones (RFC 7692, "no context takeover"), so that clients
need neither a state of their own nor the same messages before.
"""

import asyncio
import zlib
from collections.abc import Sequence
from struct import Struct
from typing import NamedTuple

from websockets.exceptions import NegotiationError
from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]  # or compiled
from websockets.typing import ExtensionParameter

FIN, MASK, LENGTH, OPCODE = 0x80, 0x80, 0x7F, 0x0F
FIRST_CONTROL_OPCODE = 8
MASK_SIZE = 4  # bytes; counted with the payload, so that the library sees a length that is too long
EXTRA_LENGTH = {126: 2, 127: 8}  # bytes of a longer length, by the length in byte 1
TEXT_MESSAGE = FIN | 1  # byte 0 of a message of one text frame
COMPRESSED_TEXT_MESSAGE = TEXT_MESSAGE | 0x40  # the same, compressed (RFC 7692, 6)
LENGTH_16, LENGTH_64 = 126, 127  # in byte 1, before a length of 16 or 64 bits
SHORT_HEADER, LONG_HEADER, LONGEST_HEADER = Struct("!BB"), Struct("!BBH"), Struct("!BBQ")
SMALL_FRAGMENT = 1024  # bytes; shorter fragments but the last one of a message are small
MAX_SMALL_FRAGMENTS = 8  # of a message
LEVEL = 1  # six times smaller; the levels above need more time for a few percent
WINDOW_BITS = 15
END = b"\x00\x00\xff\xff"  # of flushed data, which RFC 7692, 7.2.1, removes


class Scan(NamedTuple):
    """Result of a scan of bytes.

    Attributes:
        size: Number of bytes up to which they may be decoded. The others are to be scanned again
            with the bytes that follow.
        frames: Number of frames that begin in these bytes.
    """

    size: int
    frames: int


def read_text_message(data: bytes) -> tuple[str, int] | None:
    """Return the message of a client at the start of these bytes, and the size of its frame.

    Returns:
        None if they do not begin with a complete, valid text frame that is a whole message of less
        than 64 KiB.
    """
    if len(data) < 2 + MASK_SIZE or data[0] != TEXT_MESSAGE or data[1] < MASK:
        return None
    start, length = 2 + MASK_SIZE, data[1] & LENGTH
    if length == LENGTH_64:
        return None
    if length == LENGTH_16:
        start, length = start + 2, data[2] << 8 | data[3]
    end = start + length
    if len(data) < end:
        return None
    try:
        return apply_mask(data[start:end], data[start - MASK_SIZE : start]).decode(), end
    except UnicodeDecodeError:
        return None


def text_frame(text: str) -> bytes:
    """Return a server's frame with a whole text message."""
    return whole_frame(TEXT_MESSAGE, text.encode())


def whole_frame(first: int, payload: bytes) -> bytes:
    """Return a server's frame with this first byte."""
    length = len(payload)
    if length < LENGTH_16:
        return SHORT_HEADER.pack(first, length) + payload
    if length < 1 << 16:
        return LONG_HEADER.pack(first, LENGTH_16, length) + payload
    return LONGEST_HEADER.pack(first, LENGTH_64, length) + payload


class FrameScanner:
    """Scanner of one connection.

    Attributes:
        is_fragmented: Whether a message has had more than MAX_SMALL_FRAGMENTS small fragments.
    """

    __slots__ = ("_payload_left", "_small_fragments", "is_fragmented")

    def __init__(self) -> None:
        self.is_fragmented = False
        self._payload_left = 0  # bytes of the current frame that are still to come
        self._small_fragments = 0  # of the current message

    @property
    def is_between_frames(self) -> bool:
        """Whether the next bytes begin a frame."""
        return not self._payload_left

    def scan(self, data: bytes, frames: int) -> Scan:
        """Return how much of the next bytes belongs to at most `frames` further frames.

        The scan ends at a fragment that is one too many.
        """
        position, found, size = 0, 0, len(data)
        while True:
            if self._payload_left:
                step = min(self._payload_left, size - position)
                position += step
                self._payload_left -= step
            if found == frames or size - position < 2:
                break
            second = data[position + 1]
            extra = EXTRA_LENGTH.get(second & LENGTH, 0)
            if size - position < 2 + extra:
                break
            length = second & LENGTH
            if extra:
                length = int.from_bytes(data[position + 2 : position + 2 + extra], "big")
            self._count_fragments(data[position], length)
            if self.is_fragmented:
                break
            self._payload_left = length + (MASK_SIZE if second & MASK else 0)
            position += 2 + extra
            found += 1
        return Scan(position, found)

    def _count_fragments(self, first: int, length: int) -> None:
        """Count the small fragments of a message, by the first byte and the length of a frame."""
        if first & OPCODE >= FIRST_CONTROL_OPCODE:
            return
        if first & FIN:
            self._small_fragments = 0
        elif length < SMALL_FRAGMENT:
            self._small_fragments += 1
            self.is_fragmented = self._small_fragments > MAX_SMALL_FRAGMENTS


class SharedDeflate(PerMessageDeflate):
    """Extension of a connection that may be sent compressed frames, and decodes such frames.

    The library sends its own messages as they are.
    """

    def encode(self, frame: Frame) -> Frame:
        """Return the frame as it is."""
        return frame


class SharedDeflateFactory(ServerPerMessageDeflateFactory):
    """Acceptance of the extension, for clients that can read the same frames."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return the accepted parameters and the extension.

        Raises:
            NegotiationError: The client needs frames that others do not.
        """
        accepted, deflate = super().process_request_params(params, accepted_extensions)
        if deflate.local_max_window_bits < WINDOW_BITS:
            raise NegotiationError(f"unsupported server_max_window_bits below {WINDOW_BITS}")
        return accepted, SharedDeflate(True, True, deflate.remote_max_window_bits, WINDOW_BITS)


def compressed_text_frame(text: str) -> bytes:
    """Return a server's frame with a whole text message, compressed."""
    compressor = zlib.compressobj(LEVEL, wbits=-WINDOW_BITS)
    data = compressor.compress(text.encode()) + compressor.flush(zlib.Z_SYNC_FLUSH)
    return whole_frame(COMPRESSED_TEXT_MESSAGE, data.removesuffix(END))


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
