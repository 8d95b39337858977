"""Encoding and decoding of messages as JSON text frames, one object per frame.

The messages themselves are in `player` (/play) and `spectator` (/watch), which decodes its own: a
bot does not import it.
"""

from typing import Self, TypeVar

import msgspec
from msgspec import Struct

from arena.protocol.player import FromArena, FromBot, Log, Move

# In the order of docs/reference/protocol.md and docs/reference/spectators.md, which explain them.
PLAYER_CODES = (
    "expected_hello",
    "unknown_protocol",
    "unknown_game",
    "name_taken",
    "token_needed",
    "token_unknown",
    "tokens_unavailable",
    "not_your_name",
    "no_challenges",
    "name_reserved",
    "banned",
    "wrong_ply",
    "not_your_turn",
    "unknown_match",
    "unexpected",
    "bad_info",
    "unreadable",
    "not_casual",
    "bad_challenge",
    "unknown_challenge",
    "busy",
    "arena_full",
    "opponent_missing",
    "nothing_to_take_back",
    "nothing_to_claim",
)
SPECTATOR_CODES = (
    "unknown_match",
    "unknown_challenge",
    "bad_position",
    "no_puzzle",
    "unknown_game",
    "too_large",
    "game_failed",
    "busy",
    "failed",
    "closing",
    "damaged",
    "unreadable",
)


UNREADABLE_LIMIT = 10  # unreadable messages on one connection, which close it
MAX_ERROR_TEXT = 200  # characters of an unexpected exception


class RequestError(Exception):
    """A request that the arena rejects. It is answered with an `error` message.

    Attributes:
        code: The machine-readable error code, such as "name_taken".
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    @classmethod
    def unexpected(cls, code: str, context: str, error: Exception) -> Self:
        """Return the rejection of a request that raised an unexpected exception, in one line."""
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return cls(code, f"{context}: {text:.{MAX_ERROR_TEXT}}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """Pickle both arguments: the default would call the class with the text alone."""
        return type(self), (self.code, str(self))


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


def encode(message: Struct) -> str:
    """Return the text frame of a message."""
    return _encoder.encode(message).decode()


def decode_from_bot(frame: str | bytes) -> FromBot:
    """Decode a frame that a bot sent.

    Raises:
        InvalidInfo: The frame is a move, and only its `info` is invalid.
        DecodeError: The frame is binary, not JSON, or not a message of a bot.
    """
    try:
        return decode(_from_bot, frame)
    except DecodeError as error:
        if INFO_PATH not in str(error):
            raise
        alone = decode(_move_alone, frame)
        move = Move(alone.match, alone.ply, alone.move, alone.log)
        raise InvalidInfo(str(error), move) from None


def decode_from_arena(frame: str | bytes) -> FromArena:
    """Decode a frame that the arena sent to a bot.

    Raises:
        DecodeError: The frame is binary, not JSON, or not a message to a bot.
    """
    return decode(_from_arena, frame)


def decode(decoder: msgspec.json.Decoder[T], frame: str | bytes) -> T:
    """Decode a frame by the decoder of its messages; raise DecodeError."""
    if isinstance(frame, bytes):
        raise DecodeError("expected a text frame, got a binary frame")
    try:
        return decoder.decode(frame)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DecodeError(str(error)) from None
