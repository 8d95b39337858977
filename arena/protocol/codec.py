"""Encoding and decoding of messages as JSON text frames, one object per frame.

No other module encodes or decodes a message. The messages themselves are in `player` (/play) and
`spectator` (/watch).
"""

from typing import TypeVar

import msgspec
from msgspec import Struct

from arena.protocol.player import FromArena, FromBot, Log, Move
from arena.protocol.spectator import FromSpectator, ToSpectator

T = TypeVar("T")

INFO_PATH = " - at `$.info"  # in the text of an error: where it is

_encoder = msgspec.json.Encoder()


class _MoveAlone(Struct, tag="move", tag_field="type"):
    """A move; its `info` is ignored."""

    match: str
    ply: int
    move: int
    log: Log | None = None


_from_bot: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_from_arena: msgspec.json.Decoder[FromArena] = msgspec.json.Decoder(FromArena)
_move_alone = msgspec.json.Decoder(_MoveAlone)
_from_spectator: msgspec.json.Decoder[FromSpectator] = msgspec.json.Decoder(FromSpectator)


class DecodeError(ValueError):
    """A frame that does not hold a valid message."""


class InvalidInfo(DecodeError):
    """A move that is valid except for its `info`.

    Attributes:
        move: The move without it.
    """

    def __init__(self, text: str, move: Move) -> None:
        super().__init__(text)
        self.move = move


def encode(message: FromBot | FromArena | FromSpectator | ToSpectator) -> str:
    """Return the text frame of a message."""
    return _encoder.encode(message).decode()


def decode_from_bot(frame: str | bytes) -> FromBot:
    """Decode a frame that a bot sent.

    Raises:
        InvalidInfo: The frame is a move, and only its `info` is invalid.
        DecodeError: The frame is binary, not JSON, or not a message of a bot.
    """
    try:
        return _decode(_from_bot, frame)
    except DecodeError as error:
        if INFO_PATH not in str(error):
            raise
        alone = _decode(_move_alone, frame)
        move = Move(alone.match, alone.ply, alone.move, alone.log)
        raise InvalidInfo(str(error), move) from None


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
