"""Frames, compared with those that the library serializes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from arena.network.frames import (
    MAX_SMALL_FRAGMENTS,
    SMALL_FRAGMENT,
    FrameScanner,
    Scan,
    read_text_message,
    text_frame,
)
from tests.support.cases import loop_over
from tests.support.servers.raw_socket import BINARY, CONTINUATION, PING, RESERVED, TEXT, frame

SIZES = st.sampled_from([0, 1, 125, 126, 127, 1000, 65535, 65536])
FRAMES = st.builds(
    lambda size, mask: Frame(Opcode.BINARY, bytes(size)).serialize(mask=mask), SIZES, st.booleans()
)


@given(st.lists(FRAMES, max_size=6))
def test_all_frames_are_found(sent: list[bytes]) -> None:
    assert FrameScanner().scan(b"".join(sent), 10) == Scan(sum(map(len, sent)), len(sent))


@given(st.lists(FRAMES, min_size=1, max_size=6), st.integers(0, 5))
def test_the_scan_ends_after_the_allowed_frames(sent: list[bytes], allowed: int) -> None:
    allowed = min(allowed, len(sent))
    size = sum(map(len, sent[:allowed]))
    assert FrameScanner().scan(b"".join(sent), allowed) == Scan(size, allowed)


@given(st.lists(FRAMES, max_size=4), st.lists(st.integers(0, 300_000), max_size=6))
def test_any_pieces_have_the_same_frames(sent: list[bytes], cuts: list[int]) -> None:
    data = b"".join(sent)
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    scanner, held, passed, found = FrameScanner(), b"", 0, 0
    for begin, end in pairwise(places):
        held += data[begin:end]
        scan = scanner.scan(held, 10)
        held = held[scan.size :]
        passed += scan.size
        found += scan.frames
    assert (held, passed, found) == (b"", len(data), len(sent))


@loop_over("size", range(4))
def test_an_incomplete_length_is_kept(size: int) -> None:
    data = frame(bytes(500))[:size]
    assert FrameScanner().scan(data, 1) == Scan(0, 0)


def test_a_length_without_the_mask_is_found() -> None:
    too_long = b"\x81\xff" + (2**62).to_bytes(8, "big")
    assert FrameScanner().scan(too_long, 1) == Scan(10, 1)


def fragments(size: int, number: int) -> bytes:
    """Return fragments of one message, without its last one."""
    first = frame(bytes(size), TEXT, bits=0)
    return first + frame(bytes(size), CONTINUATION, bits=0) * (number - 1)


@loop_over("size", [0, SMALL_FRAGMENT - 1])
def test_small_fragments_are_limited(size: int) -> None:
    scanner = FrameScanner()
    allowed = fragments(size, MAX_SMALL_FRAGMENTS)
    assert scanner.scan(allowed, 100).size == len(allowed)
    assert not scanner.is_fragmented
    assert scanner.scan(frame(b"", PING), 100).frames == 1
    assert scanner.scan(frame(bytes(size), CONTINUATION, bits=0), 100) == Scan(0, 0)
    assert scanner.is_fragmented


def test_only_small_fragments_of_one_message_are_limited() -> None:
    scanner = FrameScanner()
    message = fragments(1, MAX_SMALL_FRAGMENTS) + frame(b"", CONTINUATION)
    assert scanner.scan(message * 5, 100).size == len(message) * 5
    assert not scanner.is_fragmented
    scanner = FrameScanner()
    scanner.scan(fragments(SMALL_FRAGMENT, 60), 100)
    assert not scanner.is_fragmented


def test_the_scanner_knows_whether_it_is_between_frames() -> None:
    scanner, data = FrameScanner(), frame(b"moves")
    assert scanner.is_between_frames
    scanner.scan(data[:-1], 1)
    assert not scanner.is_between_frames
    scanner.scan(data[-1:], 1)
    assert scanner.is_between_frames


# Text messages

TEXTS = st.text(max_size=50) | st.builds(str.__mul__, st.just("a"), SIZES)


@given(TEXTS.filter(lambda text: len(text.encode()) < 2**16), st.binary(max_size=9))
def test_a_text_message_of_a_client_is_read(text: str, following: bytes) -> None:
    data = Frame(Opcode.TEXT, text.encode()).serialize(mask=True)
    assert read_text_message(data + following) == (text, len(data))


@loop_over("size", [0, 5, 300])
def test_an_incomplete_message_is_not_read(size: int) -> None:
    data = frame(bytes(size))
    assert [read_text_message(data[:end]) for end in range(len(data))] == [None] * len(data)


@loop_over(
    "data",
    frame(b"{}", BINARY),
    frame(b"{}", PING),
    frame(b"{}", CONTINUATION),
    frame(b"{}", bits=0),
    frame(b"{}", bits=0x80 | RESERVED),
    frame(b"{} unmasked", mask=False),
    frame(b"\xff"),
    frame(bytes(2**16)),
)
def test_other_frames_are_left_to_the_library(data: bytes) -> None:
    assert read_text_message(data) is None


@given(TEXTS)
def test_the_frame_of_a_text_is_that_of_the_library(text: str) -> None:
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
