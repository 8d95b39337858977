"""Compression of messages to many clients, each compressed once for all of them (RFC 7692).

No message depends on an earlier one ("no context takeover"), so that clients need neither a state
of their own nor the same messages before.
"""

import zlib
from collections.abc import Sequence

from websockets.exceptions import NegotiationError
from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame
from websockets.typing import ExtensionParameter

from arena.network.frame_scanner import COMPRESSED_TEXT_MESSAGE, whole_frame

LEVEL = 1  # six times smaller; the levels above need more time for a few percent
WINDOW_BITS = 15
END = b"\x00\x00\xff\xff"  # of flushed data, which RFC 7692, 7.2.1, removes


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
