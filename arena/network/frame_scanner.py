"""Frames of the WebSocket protocol: a scanner that finds them, and text frames. Pure.

The scanner finds the frames in the bytes of a client before anything decodes them.

A frame begins with a header of 2 to 14 bytes (RFC 6455, 5.2):

    byte 0           FIN (128), 3 reserved bits, opcode (control frames from 8 on)
    byte 1           MASK (128), length: 0 to 125, 126 (2 more bytes), 127 (8 more bytes)
    0, 2 or 8 bytes  length, if it is longer
    0 or 4 bytes     masking key, if MASK is set

Invalid frames are left to the library, which closes the connection at their header. So are all
frames except messages of one frame and less than 64 KiB, which are nearly all.
"""

from struct import Struct
from typing import NamedTuple

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, if possible

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
