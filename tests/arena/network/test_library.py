"""What the arena uses of `websockets` that the library does not document.

Such parts may change with any minor version, to which pyproject.toml therefore pins the library.
"""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import websockets.frames
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from arena.network import connection, frames
from arena.server import server

INTERNAL = {
    "all_connections": "a shutdown closes connections before their handshake too",
    "available_extensions": "spectators are offered compressed frames",
    "close_timeout": "a client that does not close the connection is disconnected",
    "connection_exc": "its traceback refers to the connection",
    "create_server": "the listener of the arena accepts the connections",
    "current_size": "a message that begins in the middle of another is left to the library",
    "eof_sent": "nothing behind an answered request is read",
    "extensions": "frames are compressed for clients that can read them",
    "handshake": "the end of the handshake drops tracebacks too",
    "parser_exc": "its traceback refers to the connection, on CPython 3.12",
    "process_event": "messages of several frames are delivered without a task",
    "reader": "a request that ends early gets no answer",
    "recv_messages": "the queue of messages that nothing has received yet",
    "send_data": "a client that does not read is disconnected",
    "start_keepalive": "the bytes behind a request are decoded after the handshake",
}
"""What each undocumented attribute of a connection, its protocol or its server is used for."""
QUEUE = {
    "frames": "messages behind a hello are processed before those that come later",
    "pause": "a full queue and a used up budget stop the reading together",
    "resume": "the end of `pause`",
}
"""The same for those of `recv_messages`."""
INTERNAL_NAMES = {"apply_mask": "the compiled function, sixteen times as fast for 60 KB"}
"""The same for names that a module of the library does not export."""
# The references "ServerConnection", "Server" and "ServerProtocol" of the library's documentation.
DOCUMENTED = {
    *("close", "close_code", "close_reason", "connections", "is_serving", "latency", "protocol"),
    *("recv", "remote_address", "request", "respond", "sockets", "state", "transport"),
    *("wait_closed", "data_to_send", "fail", "handshake_exc", "send_response", "loop", "server"),
    *("connection_lost", "connection_made", "data_received", "eof_received"),  # of asyncio
    *("pause_writing", "resume_writing"),
    "discard",  # of sets
}
MODULES = (connection, frames, server)


def trees() -> Iterator[ast.Module]:
    for module in MODULES:
        assert module.__file__
        yield ast.parse(Path(module.__file__).read_text())


async def attributes() -> set[str]:
    """Return the attributes of a connection of the library, of its protocol and of its server."""
    found: set[str] = set()

    async def handle(of_library: ServerConnection) -> None:
        for each in (of_library, of_library.protocol, of_library.server):
            found.update(name for name in dir(each) if not name.startswith("_"))
        assert {*QUEUE} <= {*dir(of_library.recv_messages)}

    async with serve(handle, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", proxy=None) as client:
            await client.wait_closed()
    return found


async def test_undocumented_attributes_are_listed() -> None:
    nodes = [node for tree in trees() for node in ast.walk(tree)]
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    overridden = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    used |= overridden & {*dir(ServerConnection)}
    assert used & await attributes() - DOCUMENTED == {*INTERNAL}
    of_queue = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "recv_messages"
    }
    assert of_queue == {*QUEUE}


def test_undocumented_names_are_listed() -> None:
    imported = {
        (node.module, alias.name)
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("websockets")
        for alias in node.names
    }
    hidden = {name for module, name in imported if name not in import_module(module or "").__all__}
    assert hidden == {*INTERNAL_NAMES}
    assert callable(vars(websockets.frames)["apply_mask"])
