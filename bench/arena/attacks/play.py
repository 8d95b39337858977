"""Attacks by frames and messages on /play."""

from bench.arena.attacks.attacker import attack
from bench.arena.attacks.client import Client
from bench.arena.simulated_bots import GAME, PING, PONG, TEXT, frame

CASUAL = ', "casual": true'
CONTINUATION, CLOSE, FINAL = 0, 8, 0x80
CHUNK = 65_536  # bytes to send at once
RESIGN = b'{"type": "resign", "match": "none"}'
BUFFERS_FILLED = 12.0  # seconds until tiny packets have filled the kernel's buffers
MAX_FRAGMENTS = 4096  # in a message


def hello(name: str, more: str = CASUAL, game: str = GAME) -> bytes:
    """Return the frame of a hello, by default of a casual player, which is never paired."""
    text = f'{{"type": "hello", "protocol": 1, "name": "{name}", "games": ["{game}"]{more}}}'
    return frame(TEXT, text.encode())


async def join(client: Client, more: str = CASUAL, headers: str = "") -> None:
    """Open a WebSocket, send a hello, and wait for the answer."""
    await client.open("/play", headers)
    await client.send(hello(f"evil {client.number}", more))
    await client.receive(b"}")


def fragmented(message: bytes, fragments: int, size: int = 0) -> bytes:
    """Return a message after fragments of some bytes, which are spaces."""
    opcodes = [TEXT] + [CONTINUATION] * (fragments - 2)
    return b"".join(fragment(opcode, b" " * size) for opcode in opcodes) + frame(
        CONTINUATION, message
    )


def fragment(opcode: int, payload: bytes) -> bytes:
    """Return a frame that is not the last one of its message."""
    whole = frame(opcode, payload)
    return bytes([whole[0] & ~FINAL]) + whole[1:]


def filled(message: bytes) -> bytes:
    """Return a frame repeated to about CHUNK bytes."""
    return message * (CHUNK // len(message))


@attack(50)
async def fragments(client: Client) -> None:
    """Send useless messages of 4,096 fragments that are empty but for the last."""
    await join(client)
    await client.flood(fragmented(RESIGN, MAX_FRAGMENTS))


@attack(20)
async def fragments_on_20_connections(client: Client) -> None:
    """Do the same on fewer connections."""
    await join(client)
    await client.flood(fragmented(RESIGN, MAX_FRAGMENTS))


@attack(50, addresses=50)
async def fragments_from_50_addresses(client: Client) -> None:
    """Do the same from as many addresses."""
    await join(client)
    await client.flood(fragmented(RESIGN, MAX_FRAGMENTS))


@attack(50)
async def fragments_before_hello(client: Client) -> None:
    """Send empty fragments instead of a hello."""
    await client.open("/play")
    await client.flood(fragmented(RESIGN, MAX_FRAGMENTS))


@attack(50)
async def small_fragments(client: Client) -> None:
    """Send messages in fragments of one byte."""
    await join(client)
    await client.flood(fragmented(RESIGN, MAX_FRAGMENTS, 1))


@attack(50)
async def moves(client: Client) -> None:
    """Send moves in a match that does not exist."""
    await join(client)
    await client.flood(filled(frame(TEXT, b'{"type":"move","match":"1","ply":1,"move":1}')))


@attack(50)
async def repeated_hellos(client: Client) -> None:
    """Send the hello again and again."""
    await join(client)
    await client.flood(filled(hello("evil")))


@attack(50)
async def unreadable_messages(client: Client) -> None:
    """Send messages that are no JSON."""
    await join(client)
    await client.flood(filled(frame(TEXT, b"{")))


@attack(50)
async def large_messages(client: Client) -> None:
    """Send messages of 64 KiB that are valid JSON with many unknown fields."""
    await join(client)
    fields = ",".join(f'"{n}":[{n}]' for n in range(4000))
    message = f'{{"type":"resign","match":"1",{fields}}}'.encode()
    await client.flood(frame(TEXT, message + b" " * (65_535 - len(message))))


@attack(50)
async def pings(client: Client) -> None:
    """Send pings."""
    await join(client)
    await client.flood(filled(frame(PING, b"x" * 125)))


@attack(20, seconds=BUFFERS_FILLED)
async def slow_pings(client: Client) -> None:
    """Send empty pings, each in a packet of its own."""
    await join(client)
    await client.flood(frame(PING, b""))


@attack(50)
async def pongs(client: Client) -> None:
    """Send pongs that answer nothing."""
    await join(client)
    await client.flood(filled(frame(PONG, b"")))


@attack(50)
async def close_frames(client: Client) -> None:
    """Send close frames, and do not close."""
    await client.open("/play")
    client.ignores_close = True
    await client.flood(filled(frame(CLOSE, b"\x03\xe8")))


@attack(50)
async def frames_after_a_close(client: Client) -> None:
    """Send a close frame, and useless messages after it."""
    await join(client)
    client.ignores_close = True
    await client.send(frame(CLOSE, b"\x03\xe8"))
    await client.flood(filled(frame(TEXT, RESIGN)))


@attack(50)
async def frames_after_a_violation(client: Client) -> None:
    """Break the protocol of WebSockets, and send on until the arena gives up."""
    await join(client)
    client.ignores_close = True
    await client.send(frame(CONTINUATION, b""))
    await client.flood(filled(frame(TEXT, RESIGN)))


@attack(20, seconds=BUFFERS_FILLED)
async def tiny_packets(client: Client) -> None:
    """Send a long message byte by byte."""
    await join(client)
    await client.send(frame(TEXT, b" " * 60_000)[:-60_000])
    await client.flood(b" ")


@attack(100)
async def unread_errors(client: Client) -> None:
    """Send messages that are answered with long errors, and never read."""
    await client.open("/play", receive_buffer=2048)
    await client.send(hello(f"evil {client.number}"))
    client.transport.pause_reading()
    match = b"\\u0001" * 64
    await client.flood(filled(frame(TEXT, b'{"type":"resign","match":"%b"}' % match)))


@attack(100)
async def huge_headers(client: Client) -> None:
    """Join with headers of 1 MB, and stay: the library would keep them."""
    await join(client, headers=f"X: {'x' * 8000}\r\n" * 120)
    await client.wait_closed()
