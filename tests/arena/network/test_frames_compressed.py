"""Compressed messages: for clients that ask for them, and read the same frames."""

import zlib

import pytest
from websockets.exceptions import NegotiationError
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

from arena.network.frames import SharedDeflateFactory, compressed_text_frame, text_frame
from tests.support.cases import loop_over
from tests.support.servers.raw_socket import frames

TEXT = "take stones " * 1000


def negotiated(*parameters: tuple[str, str | None]) -> PerMessageDeflate:
    return SharedDeflateFactory().process_request_params(parameters, [])[1]


@loop_over("text", "", "a", TEXT)
def test_a_compressed_frame_has_the_text(text: str) -> None:
    frame = compressed_text_frame(text)
    [(opcode, data)] = frames(frame)
    assert (opcode, frame[0]) == (1, 0xC1)
    inflated = zlib.decompressobj(-15).decompress(data + b"\x00\x00\xff\xff")
    assert inflated.decode() == text


def test_compressed_frames_are_shorter_and_independent() -> None:
    assert len(compressed_text_frame(TEXT)) < len(text_frame(TEXT)) / 10
    [accepted, _] = SharedDeflateFactory().process_request_params([], [])
    assert {*accepted} == {
        ("server_no_context_takeover", None),
        ("client_no_context_takeover", None),
    }


def test_other_messages_are_sent_as_they_are() -> None:
    frame = Frame(Opcode.TEXT, TEXT.encode())
    assert negotiated().encode(frame) is frame


def test_the_compressed_messages_of_a_client_are_read() -> None:
    theirs = PerMessageDeflate(True, True, 15, 9)
    frame = Frame(Opcode.TEXT, TEXT.encode())
    ours = negotiated(("client_max_window_bits", "9"))
    assert bytes(ours.decode(theirs.encode(frame)).data) == TEXT.encode()


def test_a_client_with_a_smaller_window_gets_no_compression() -> None:
    with pytest.raises(NegotiationError, match="server_max_window_bits below 15"):
        negotiated(("server_max_window_bits", "14"))
