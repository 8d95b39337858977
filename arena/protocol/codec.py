"""Encoding and decoding of messages as JSON text frames, one object per frame.

No other module encodes or decodes a message. The messages themselves are in `player` (/play) and
`spectator` (/watch).
"""

from typing import TypeVar

import msgspec

from arena.protocol.player import FromArena, FromBot
from arena.protocol.spectator import FromSpectator, ToSpectator

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_from_arena: msgspec.json.Decoder[FromArena] = msgspec.json.Decoder(FromArena)
_from_spectator: msgspec.json.Decoder[FromSpectator] = msgspec.json.Decoder(FromSpectator)


class DecodeError(ValueError):
    """A frame that does not hold a valid message."""


def encode(message: FromBot | FromArena | FromSpectator | ToSpectator) -> str:
    """Return the text frame of a message."""
    return _encoder.encode(message).decode()


def decode_from_bot(frame: str | bytes) -> FromBot:
    """Decode a frame that a bot sent.

    Raises:
        DecodeError: The frame is binary, not JSON, or not a message of a bot.
    """
    return _decode(_from_bot, frame)


def decode_from_arena(frame: str | bytes) -> FromArena:
    """Decode a frame that the arena sent to a bot.

    Raises:
        DecodeError: The frame is binary, not JSON, or not a message to a bot.
    """
    return _decode(_from_arena, frame)


def decode_from_spectator(frame: str | bytes) -> FromSpectator:
    """Decode a frame that a spectator sent.

    Raises:
        DecodeError: The frame is binary, not JSON, or not a message of a spectator.
    """
    return _decode(_from_spectator, frame)


def _decode(decoder: msgspec.json.Decoder[T], frame: str | bytes) -> T:
    if isinstance(frame, bytes):
        raise DecodeError("expected a text frame, got a binary frame")
    try:
        return decoder.decode(frame)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DecodeError(str(error)) from None
