"""Strategies of hypothesis for frames, messages and requests, valid, nearly valid and invalid."""

import json
import types
from typing import Any, NamedTuple, get_args

import msgspec
from hypothesis import assume
from hypothesis import strategies as st

from arena.model.results import Termination
from arena.protocol.player import FromBot
from arena.protocol.spectator import FromSpectator
from arena.server.server import MAX_FRAME
from arena.teaching import VARIANTS
from tests.support.servers.raw_socket import (
    BINARY,
    CLOSE,
    CONTINUATION,
    END,
    PING,
    PONG,
    TEXT,
    UPGRADE,
)

NUMBERS = st.one_of(
    st.sampled_from([0, 1, 2, -1, 3, 7, 20, 50, 63, 64, 100, 101, 1000, 1001, 10_000, 10_001]),
    st.sampled_from([100_000, 100_001, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, -(2**63), 10**400]),
    st.integers(),
)
TEXTS = st.one_of(st.sampled_from(["", "one", "evil", "1", "2", "x" * 65, "\0"]), st.text())
GAMES = st.sampled_from(["take_stones", "isolation", "", "nim", "TAKE_STONES"])
SETUPS = st.one_of(
    st.builds(lambda stones: {"stones": stones}, NUMBERS),
    st.just({}),
    st.dictionaries(TEXTS, NUMBERS, max_size=3),
)
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.floats(), TEXTS),
    lambda each: st.one_of(st.lists(each, max_size=3), st.dictionaries(TEXTS, each, max_size=3)),
    max_leaves=5,
)
MOVE_LISTS = st.one_of(
    st.lists(st.integers(0, 64), max_size=5),
    st.lists(NUMBERS, max_size=5),
    st.builds(lambda move, times: [move] * times, NUMBERS, st.sampled_from([100, 3000, 30_000])),
)
TREES = st.one_of(
    st.sampled_from(["((3 5) (2 9))", "max A(1 B(2 3)=4)", "[[1, 2], [3]]", "a\n  1\n  2"]),
    st.text('()[]{}=,:"-.e0123456789 \nmaxinAB', max_size=40),
    TEXTS,
)
SEARCHES = st.fixed_dictionaries(
    {
        "game": st.one_of(st.none(), GAMES),
        "setup": SETUPS,
        "moves": MOVE_LISTS,
        "tree": st.one_of(st.none(), TREES),
        "depth": st.one_of(st.integers(0, 4), NUMBERS),
        "variant": st.one_of(st.sampled_from([*VARIANTS]), TEXTS),
    }
)


def _names(union: types.UnionType) -> tuple[str, ...]:
    """Return the types of messages."""
    return tuple(str(kind.__struct_config__.tag) for kind in get_args(union))


MATCHES = st.integers(0, 9)
# Values by the names of fields; those of all other fields are numbers.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "protocol": st.one_of(st.just(1), NUMBERS),
    "name": st.one_of(st.sampled_from(["evil 1", "evil 2", "evil 3"]), TEXTS),
    "games": st.one_of(st.just(["take_stones", "isolation"]), st.lists(GAMES, max_size=3)),
    "matches": st.one_of(st.just(1), NUMBERS),
    **dict.fromkeys(("session", "token", "log", "failure", "challenge", "bot", "opponent"), TEXTS),
    **dict.fromkeys(("casual", "hints", "accept"), st.booleans()),
    "match": st.one_of(MATCHES, NUMBERS),
    "ply": st.one_of(st.integers(-1, 9), NUMBERS),
    "info": ANYTHING,
    "result": st.one_of(st.sampled_from(["win", "none"]), TEXTS),
    "game": GAMES,
    "setup": SETUPS,
    "moves": MOVE_LISTS,
    "you": st.one_of(st.integers(1, 2), NUMBERS),
    "time": st.one_of(st.sampled_from(["1+1", "0.1/move", "1e9", "-1", "nan"]), TEXTS),
    "limit": st.one_of(st.integers(1, 100), NUMBERS),
    "outcome": st.sampled_from(["won", "lost", "draw"]),
    "ending": st.sampled_from([*Termination]),
    "depth": st.one_of(st.integers(0, 5), st.integers(0, 50), NUMBERS),
    "search": SEARCHES,
    "count": st.one_of(st.integers(1, 500), NUMBERS),
    "branching": st.one_of(st.integers(2, 5), NUMBERS),
    "level": st.one_of(st.integers(1, 3), NUMBERS),
}


def _fields(kind: type[msgspec.Struct]) -> dict[str, st.SearchStrategy[Any]]:
    """Return strategies for the values of all fields of a type of messages."""
    values = VALUES | ({"match": MATCHES.map(str)} if kind in get_args(FromBot) else {})
    return {
        field.name: st.none() | values.get(field.name, NUMBERS)
        if field.default is None
        else values.get(field.name, NUMBERS)
        for field in msgspec.structs.fields(kind)
    }


FIELDS = {
    kind.__struct_config__.tag: _fields(kind)
    for kind in (*get_args(FromBot), *get_args(FromSpectator))
}
OF_BOTS = _names(FromBot)
OF_SPECTATORS = _names(FromSpectator)
OF_QUESTIONS = tuple(name for name in OF_SPECTATORS if name != "watch")


@st.composite
def messages(draw: st.DrawFn, kinds: tuple[str, ...] = (*OF_BOTS, *OF_SPECTATORS)) -> bytes:
    """Draw a message with all its fields, sometimes with another value in one of them."""
    kind = draw(st.sampled_from(kinds))
    message = {"type": kind} | {name: draw(value) for name, value in FIELDS[kind].items()}
    if draw(st.integers(0, 4)) == 0:
        message[draw(st.sampled_from([*message]))] = draw(ANYTHING)
    return json.dumps(message, ensure_ascii=draw(st.booleans())).encode(errors="surrogatepass")


@st.composite
def questions(draw: st.DrawFn, request: int) -> bytes:
    """Draw a question with a number; some of its values may be unreadable."""
    kind = draw(st.sampled_from(OF_QUESTIONS))
    fields = {name: draw(value) for name, value in FIELDS[kind].items()}
    question = json.dumps({"type": kind} | fields | {"request": request}).encode()
    assume(len(question) <= MAX_FRAME)
    return question


@st.composite
def damaged(draw: st.DrawFn, of: st.SearchStrategy[bytes]) -> bytes:
    """Draw bytes in which a slice is replaced."""
    data = draw(of)
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 10)))
    return data[:start] + draw(st.binary(max_size=10)) + data[end:]


PAYLOADS = st.one_of(
    messages(),
    damaged(messages()),
    st.binary(max_size=130),
    st.sampled_from([0, 125, 126, 127, 65_535, 65_536, 65_537]).map(lambda size: b" " * size),
)


class Frame(NamedTuple):
    """A frame of a WebSocket, valid or not.

    Attributes:
        opcode: The opcode, from 0 to 15.
        bits: The final bit and the reserved bits.
        mask: The mask; empty if the frame is not masked.
        payload: The unmasked payload.
        form: The bytes of the extended length: 0, 2 or 8; a longer form than necessary is invalid.
        claim: What is added to the length of the payload to get the length in the header.
    """

    opcode: int
    bits: int
    mask: bytes
    payload: bytes
    form: int
    claim: int

    def encode(self) -> bytes:
        """Return the bytes of the frame."""
        length = max(0, len(self.payload) + self.claim)
        form = max(self.form, 0 if length < 126 else 2 if length < 2**16 else 8)
        code = {0: length, 2: 126, 8: 127}[form]
        header = bytes([self.bits | self.opcode, code | (0x80 if self.mask else 0)])
        extended = length.to_bytes(form, "big") if form else b""
        return header + extended + self.mask + masked(self.payload, self.mask)


def masked(payload: bytes, mask: bytes) -> bytes:
    """Return the payload as it is sent: each byte combined with one of the mask (XOR)."""
    key = (mask * (len(payload) // 4 + 1))[: len(payload)]
    number = int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")
    return number.to_bytes(len(payload), "big")


MASKS = st.one_of(st.just(bytes(4)), st.binary(min_size=4, max_size=4))


def mostly(usual: Any, others: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy that draws one value in most cases."""
    return st.integers(0, 9).flatmap(lambda number: others if number == 9 else st.just(usual))


FRAMES = st.builds(
    Frame,
    opcode=st.one_of(
        st.sampled_from([TEXT, TEXT, TEXT, CONTINUATION, BINARY, CLOSE, PING, PONG]),
        st.integers(0, 15),
    ),
    bits=mostly(END, st.sampled_from([0, 0x10, 0x20, 0x40, END | 0x10, END | 0x20, END | 0x40])),
    mask=st.one_of(MASKS, MASKS, MASKS, st.just(b"")),
    payload=PAYLOADS,
    form=mostly(0, st.sampled_from([2, 8])),
    claim=mostly(0, st.sampled_from([-1, 1, 100, 2**16, 2**31, 2**62])),
).map(Frame.encode)


@st.composite
def fragmented(draw: st.DrawFn, of: st.SearchStrategy[bytes]) -> bytes:
    """Draw the valid frames of a message, in fragments with control frames between them."""
    data, sent, opcode = draw(of), b"", TEXT
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=4)))
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        bits = END if end == len(data) and start == (cuts[-1] if cuts else 0) else 0
        sent += Frame(opcode, bits, draw(MASKS), data[start:end], 0, 0).encode()
        opcode = CONTINUATION
        if not bits and draw(st.booleans()):
            control = draw(st.sampled_from([PING, PONG]))
            sent += Frame(control, END, draw(MASKS), draw(st.binary(max_size=125)), 0, 0).encode()
        if bits:
            break
    return sent


PATHS = st.sampled_from(
    [
        "/",
        "/play",
        "/watch",
        "/metrics",
        "/healthz",
        "/page.css",
        "/boards/isolation/board.js",
        "*",
        "",
        "/../play",
        "/%70lay",
        "/play?x=1",
        "http://localhost/play",
        "/\xff",
    ]
)
HEADERS = st.one_of(
    st.sampled_from(
        [
            *UPGRADE.split("\r\n"),
            "Host: localhost",
            "Host: localhost:1",
            "Host: [::1",
            "Origin: http://localhost",
            "Origin: http://evil@localhost",
            "Origin: null",
            "Connection: close",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            "Authorization: Bearer x",
            "Accept-Encoding: gzip",
            "Expect: 100-continue",
            ": no name",
            "Folded: a\r\n b",
            "Sec-WebSocket-Version: 8",
            "Sec-WebSocket-Key: x",
            "Sec-WebSocket-Protocol: chat",
            "Sec-WebSocket-Extensions: permessage-deflate",
            "Upgrade: h2c",
            "Long: " + "x" * 8000,
            "Too-Long: " + "x" * 9000,
        ]
    ),
    st.text(st.characters(max_codepoint=255), max_size=30),
)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Draw an HTTP request, valid or not."""
    method = draw(
        st.sampled_from(["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "get", "", "G\0"])
    )
    version = draw(mostly("HTTP/1.1", st.sampled_from(["HTTP/1.0", "HTTP/2", "HTTP/0.9", ""])))
    headers = UPGRADE if draw(st.booleans()) else ""
    headers += "".join(f"{header}\r\n" for header in draw(st.lists(HEADERS, max_size=5)))
    body = draw(mostly("", st.sampled_from(["hello", "0\r\n\r\n", "x" * 5000, "x" * 50_000])))
    return f"{method} {draw(PATHS)} {version}\r\n{headers}\r\n{body}".encode("latin-1")
