"""AsyncAPI 3.0 document of the protocol.

Write it with `python -m arena.cli.asyncapi > docs/reference/asyncapi.json`.

The schemas are generated from the message types, and the examples from a match of a referee.
docs/reference/protocol.md describes the meaning of the messages.
"""

from inspect import cleandoc
from typing import Any, get_args

import msgspec

from arena.match.referee import Referee
from arena.model.results import Pairing
from arena.model.time_control import TimeControl
from arena.protocol.player import (
    PROTOCOL_VERSION,
    Accept,
    Challenge,
    Challenged,
    FromArena,
    FromBot,
    Hello,
    Move,
    Resign,
    Started,
    TakeBack,
    Welcome,
)
from core import GAMES

FROM_BOT = get_args(FromBot)
FROM_ARENA = get_args(FromArena)
SCHEMAS = "#/components/schemas/{name}"

Facts = dict[str, Any]

INFO = {
    "title": "An arena for bots",
    "version": str(PROTOCOL_VERSION),
    "description": "Bots connect with a WebSocket, send `hello`, and answer each `turn` with a "
    "`move`. The arena is the application that this document describes: it receives what bots "
    "send. docs/reference/protocol.md describes the messages and the rules of the games.",
}
SERVER = {
    "host": "{host}:{port}",
    "protocol": "ws",
    "description": "The address of `arena serve` or `arena tournament`.",
    "variables": {
        "host": {"default": "127.0.0.1", "description": "the value of --host"},
        "port": {"default": "8765", "description": "the value of --port"},
    },
}
HANDSHAKE = {
    "method": "GET",
    "headers": {
        "type": "object",
        "properties": {
            "Authorization": {
                "type": "string",
                "pattern": "^[Bb]earer ",
                "description": "The token of a bot, unless `hello` contains it.",
            }
        },
    },
    "bindingVersion": "0.1.0",
}


def document() -> Facts:
    """Return the whole AsyncAPI document."""
    both = [_tag(kind) for kind in FROM_BOT + FROM_ARENA]
    return {
        "asyncapi": "3.0.0",
        "info": INFO,
        "defaultContentType": "application/json",
        "servers": {"arena": SERVER},
        "channels": {
            "play": {
                "address": "/play",
                "description": "The connection of a bot. Each message is a text frame.",
                "servers": [{"$ref": "#/servers/arena"}],
                "messages": {tag: {"$ref": f"#/components/messages/{tag}"} for tag in both},
                "bindings": {"ws": HANDSHAKE},
            }
        },
        "operations": {
            "fromBot": _operation("receive", "What a bot sends.", FROM_BOT),
            "fromArena": _operation("send", "What the arena sends.", FROM_ARENA),
        },
        "components": {"schemas": _schemas(), "messages": _messages()},
    }


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _operation(action: str, summary: str, kinds: tuple[Any, ...]) -> Facts:
    messages = [{"$ref": f"#/channels/play/messages/{_tag(kind)}"} for kind in kinds]
    channel = {"$ref": "#/channels/play"}
    return {"action": action, "summary": summary, "channel": channel, "messages": messages}


def _schemas() -> Facts:
    """Return the schema of each type of message by the name of its class."""
    _, schemas = msgspec.json.schema_components([FromBot, FromArena], ref_template=SCHEMAS)
    for schema in schemas.values():
        schema["description"] = cleandoc(schema["description"])
    for kind in FROM_ARENA:  # the arena omits no field, although a decoder would accept it
        schema = schemas[kind.__name__]
        schema["required"] = [*schema["properties"]]
        for about in schema["properties"].values():
            about.pop("default", None)
    return {name: _in_draft_7(schema) for name, schema in schemas.items()}


def _in_draft_7(schema: Any) -> Any:
    """Convert a schema from draft 2020-12 to draft 7, which AsyncAPI uses.

    The drafts differ for tuples: draft 7 does not know `prefixItems`, and then `"items": false`
    forbids all items. Tuples of one type, the only ones here, become arrays.
    """
    if isinstance(schema, list):
        return [_in_draft_7(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: _in_draft_7(part) for key, part in schema.items()}
    if items := parts.pop("prefixItems", None):
        parts["items"] = items[0]
    return parts


def _messages() -> Facts:
    """Return each type of message by its tag, with an example."""
    payloads = {type(example): msgspec.to_builtins(example) for example in _examples()}
    return {
        _tag(kind): {
            "name": _tag(kind),
            "summary": cleandoc(kind.__doc__).splitlines()[0],
            "contentType": "application/json",
            "payload": {"$ref": SCHEMAS.format(name=kind.__name__)},
            "examples": [{"name": f"{_tag(kind)}Example", "payload": payloads[kind]}],
        }
        for kind in FROM_BOT + FROM_ARENA
    }


def _examples() -> list[FromBot | FromArena]:
    """Return one message of each type, from a rated match and a casual one."""
    game = next(iter(GAMES.values()))
    setup = {name: parameter.usual[0] for name, parameter in game.parameters.items()}
    position = game.position(**setup)
    pairing = Pairing(None, ("greedy", "mybot"), game.name, setup)
    match = Referee("1", pairing, TimeControl(5, 0.05), grace=5)

    match.start(0)
    position.play(position.legal_moves()[0])
    [(_, turn)] = match.move(1, Move(match.id, 0, position.moves[0]), 0.001)
    move = Move(match.id, 1, position.legal_moves()[0])
    match.move(2, move, 0.002)
    [(_, error)] = match.move(2, move, 0.003)
    resign = Resign(match.id)
    match.resign(2, resign)

    hello = Hello(PROTOCOL_VERSION, "mybot", [game.name])
    welcome = Welcome(PROTOCOL_VERSION, "mybot", "Wd0eXmRLEcSVPNoZ8gYTSw", 5.0, 0.1)
    finished = match.finished_message(2)

    challenge = Challenge(game.name, setup, 1, time="300+5")
    key = "Zk3vXb0Q"
    casual = Pairing(None, ("ann", "bob"), game.name, setup, casual=True, time=challenge.time)
    match = Referee("2", casual, TimeControl(300, 5), grace=60)
    started = Started(match.id, game.name, setup, 1, "bob")
    match.start(0)
    match.move(1, Move(match.id, 0, position.moves[0]), 0.001)
    take_back = TakeBack(match.id)
    [(_, asked)] = match.take_back(1, 0.002)
    return [
        *(hello, welcome, turn, move, error, resign, finished),
        *(challenge, Challenged(key), Accept(key), started, take_back, asked),
    ]


def text() -> str:
    """Return the document as JSON, the content of docs/reference/asyncapi.json."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=2).decode() + "\n"


if __name__ == "__main__":
    print(text(), end="")
