"""Document of both protocols: channels, operations, messages and their schemas.

docs/reference/protocol.md and docs/reference/spectators.md describe the meaning of the messages.
"""

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any, NamedTuple, get_args

import msgspec
from websockets.frames import CloseCode

from arena.protocol.player import PROTOCOL_VERSION, FromArena, FromBot
from arena.protocol.spectator import FromSpectator, ToSpectator
from tools.asyncapi.examples import player_examples, spectator_examples
from tools.asyncapi.schemas import SCHEMAS, Facts, schemas

INFO = {
    "title": "An arena for bots",
    "version": str(PROTOCOL_VERSION),
    "description": "Bots connect with a WebSocket to /play, send `hello`, and answer each `turn` "
    "with a `move`. Spectators connect to /watch. The arena is the application that this document "
    "describes: it receives what bots and spectators send. docs/reference/protocol.md and "
    "docs/reference/spectators.md describe the messages, and the rules of the games.",
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


CLOSE_CODES = {
    CloseCode.NORMAL_CLOSURE: "the arena is done",
    CloseCode.PROTOCOL_ERROR: "the client violated the WebSocket protocol",
    CloseCode.INVALID_DATA: "a message of the client was not UTF-8",
    CloseCode.POLICY_VIOLATION: "the client was refused; the reason is an error code",
    CloseCode.MESSAGE_TOO_BIG: "a message of the client was too long",
    CloseCode.INTERNAL_ERROR: "the client did not answer a ping, or the arena had an error",
    CloseCode.SERVICE_RESTART: "the arena is being stopped or restarted: reconnect",
}


class Channel(NamedTuple):
    """A path of the arena, and the messages on it.

    Attributes:
        name: Name of the channel; its address is the path of that name.
        description: The purpose of the channel.
        bindings: The headers and parameters of the handshake.
        prefix: Prefix of the messages' names among all messages of the document.
        received: Types of the messages that the arena receives.
        sent: Types of the messages that the arena sends.
        operations: Names and summaries of both directions.
    """

    name: str
    description: str
    bindings: Facts
    prefix: str
    received: tuple[Any, ...]
    sent: tuple[Any, ...]
    operations: tuple[tuple[str, str], tuple[str, str]]

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types of all messages."""
        return self.received + self.sent


CHANNELS = [
    Channel(
        "play",
        "The connection of a bot. Each message is a text frame.",
        {"bindings": {"ws": HANDSHAKE}},
        "",
        get_args(FromBot),
        get_args(FromArena),
        (("fromBot", "Messages of a bot."), ("fromArena", "Messages of the arena.")),
    ),
    Channel(
        "watch",
        "The connection of a spectator. Each message is a text frame.",
        {},
        "watch.",
        get_args(FromSpectator),
        get_args(ToSpectator),
        (
            ("fromSpectator", "Messages of a spectator."),
            ("toSpectator", "Messages of the arena to a spectator."),
        ),
    ),
]


def document() -> Facts:
    """Return the whole AsyncAPI document."""
    examples = [*player_examples(), *spectator_examples()]
    return {
        "asyncapi": "3.0.0",
        "info": INFO,
        "defaultContentType": "application/json",
        "servers": {"arena": SERVER},
        "channels": {channel.name: _channel(channel) for channel in CHANNELS},
        "operations": {
            name: operation for channel in CHANNELS for name, operation in _operations(channel)
        },
        "components": {
            "schemas": schemas(),
            "messages": {
                channel.prefix + tag(kind): _message(kind, examples)
                for channel in CHANNELS
                for kind in channel.kinds
            },
        },
    }


def tag(kind: Any) -> str:
    """Return the `type` of a type of message."""
    return str(kind.__struct_config__.tag)


def _channel(channel: Channel) -> Facts:
    return {
        "address": f"/{channel.name}",
        "description": channel.description,
        "servers": [{"$ref": "#/servers/arena"}],
        "messages": {
            tag(kind): {"$ref": f"#/components/messages/{channel.prefix}{tag(kind)}"}
            for kind in channel.kinds
        },
        **channel.bindings,
        "x-close-codes": {str(int(code)): meaning for code, meaning in CLOSE_CODES.items()},
    }


def _operations(channel: Channel) -> list[tuple[str, Facts]]:
    """Return the two operations of a channel, by name."""
    ways = zip(
        channel.operations,
        ("receive", "send"),
        (channel.received, channel.sent),
        strict=True,
    )
    return [
        (
            name,
            {
                "action": action,
                "summary": summary,
                "channel": {"$ref": f"#/channels/{channel.name}"},
                "messages": [
                    {"$ref": f"#/channels/{channel.name}/messages/{tag(kind)}"} for kind in kinds
                ],
            },
        )
        for (name, summary), action, kinds in ways
    ]


def _message(kind: Any, examples: Sequence[Any]) -> Facts:
    """Return a type of message, with an example."""
    [example] = [example for example in examples if type(example) is kind]
    return {
        "name": tag(kind),
        "summary": cleandoc(kind.__doc__).splitlines()[0],
        "contentType": "application/json",
        "payload": {"$ref": SCHEMAS.format(name=kind.__name__)},
        "examples": [{"name": f"{tag(kind)}Example", "payload": msgspec.to_builtins(example)}],
    }


def text() -> str:
    """Return the document as JSON, the content of docs/reference/asyncapi.json."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=2).decode() + "\n"
