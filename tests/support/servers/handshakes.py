"""WebSocket handshakes that an arena may refuse."""

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response


async def failed_handshake(url: str, headers: Mapping[str, str]) -> Response:
    """Return the response to a handshake that fails."""
    with pytest.raises(InvalidStatus) as refusal:
        await connect(url, proxy=None, additional_headers=headers)
    return refusal.value.response


async def handshake_status(url: str, *headers: str, target: str = "/play") -> str:
    """Return the status of a handshake with these headers."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = [
        f"GET {target} HTTP/1.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *headers,
    ]
    writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
    status = (await reader.readline()).decode().split()[1]
    writer.close()
    await writer.wait_closed()
    return status
