"""Attacks before the first WebSocket frame."""

import asyncio
import os
import time

from bench.arena.attacks.attacker import attack
from bench.arena.attacks.client import Client, request

TIMEOUT_SHOWN = 15.0  # seconds: the arena's timeouts of handshake and hello are 10 s
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(193)


@attack(1)
async def nothing(_client: Client) -> None:
    """Do nothing: this row shows the noise."""
    await asyncio.sleep(3600)


@attack(1)
async def busy_core(_client: Client) -> None:
    """Use all time of the attacker's core: this row shows the cost of that alone."""
    while True:
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            pass
        await asyncio.sleep(0)


@attack(2000, seconds=TIMEOUT_SHOWN)
async def dribbled_handshakes(client: Client) -> None:
    """Send a byte of the request each second."""
    await client.connect()
    for byte in request("/play"):
        await client.send(bytes([byte]))
        await asyncio.sleep(1)


@attack(900, seconds=TIMEOUT_SHOWN)
async def silent_sockets(client: Client) -> None:
    """Connect, and send nothing."""
    await client.connect()
    await client.wait_closed()


@attack(900, seconds=TIMEOUT_SHOWN)
async def silent_bots(client: Client) -> None:
    """Open a WebSocket on /play, and send no hello."""
    await client.open("/play")
    await client.wait_closed()


@attack(500, seconds=TIMEOUT_SHOWN)
async def half_open_sockets(client: Client) -> None:
    """Send half a request, close only the sending direction, and stay."""
    await client.connect()
    await client.send(request("/play")[:-2])
    client.transport.write_eof()
    await client.wait_closed()


@attack(50)
async def connect_churn(client: Client) -> None:
    """Connect, and disconnect at once."""
    await client.connect()


@attack(50)
async def reset_churn(client: Client) -> None:
    """Send half a request, and reset the connection."""
    await client.connect()
    await client.send(request("/play")[:-2])


@attack(50)
async def handshake_churn(client: Client) -> None:
    """Open a WebSocket, and disconnect at once."""
    await client.open("/play")


@attack(50, addresses=50)
async def handshake_churn_from_50_addresses(client: Client) -> None:
    """Open a WebSocket, and disconnect at once, with a few connections from each address."""
    await client.open("/play")


@attack(50)
async def extension_offers(client: Client) -> None:
    """Offer compression in hundreds of variants."""
    offers = ", ".join(
        f"permessage-deflate; server_max_window_bits={n % 8 + 8}" for n in range(170)
    )
    await client.open("/play", f"Sec-WebSocket-Extensions: {offers}\r\n")


@attack(50)
async def foreign_origins(client: Client) -> None:
    """Open a WebSocket as a page of another site."""
    await client.open("/play", "Origin: http://evil.example\r\n")


@attack(30)
async def many_headers(client: Client) -> None:
    """Send short headers without an end."""
    await client.connect()
    await client.send(request("/play")[:-2])
    await client.flood(b"X: y\r\n" * 10_000)


@attack(50)
async def no_http(client: Client) -> None:
    """Send random bytes."""
    await client.connect()
    await client.flood(os.urandom(16_384))


@attack(50)
async def tls_hellos(client: Client) -> None:
    """Begin TLS."""
    await client.connect()
    await client.send(TLS_HELLO)
    await client.flood(b"\r\n")


@attack(50)
async def request_bodies(client: Client) -> None:
    """Send a body without an end behind a request that is refused."""
    await client.connect()
    await client.send(request("/elsewhere"))
    await client.flood(bytes(65_536))
