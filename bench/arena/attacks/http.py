"""Attacks by plain HTTP: thirty parallel clients that request again after each response."""

from bench.arena.attacks.attacker import attack
from bench.arena.attacks.client import Client, request

HOST = "Host: localhost\r\n"


async def get(client: Client, path: str, headers: str = HOST, method: str = "GET") -> str:
    """Request a path, read the whole response, and return its status."""
    await client.connect()
    await client.send(request(path, headers, method))
    status = await client.status()
    try:
        await client.wait_closed()
    except ConnectionError:
        return str(status)
    raise AssertionError("the arena closes each connection")


@attack(30)
async def metrics(client: Client) -> str:
    """Request the metrics."""
    return await get(client, "/metrics")


@attack(30)
async def health(client: Client) -> str:
    """Request the health."""
    return await get(client, "/healthz")


@attack(30)
async def static_files(client: Client) -> str:
    """Request the files of the page."""
    return await get(client, ("/", "/style.css", "/app.js")[client.number % 3])


@attack(30, addresses=30)
async def static_files_from_30_addresses(client: Client) -> str:
    """Request the files of the page, each client from an address of its own."""
    return await get(client, ("/", "/style.css", "/app.js")[client.number % 3])


@attack(30)
async def unknown_paths(client: Client) -> str:
    """Request a path that does not exist."""
    return await get(client, f"/{'x' * 4000}")


@attack(30)
async def posts(client: Client) -> str:
    """Send a body with the request."""
    return await get(client, "/", f"{HOST}Content-Length: 65536\r\n", "POST")


@attack(200, seconds=8.0)
async def unread_files(client: Client) -> None:
    """Request a file, and never read it."""
    await client.connect(receive_buffer=2048)
    client.transport.pause_reading()
    await client.send(request("/style.css", HOST))
    await client.flood(b"X")
