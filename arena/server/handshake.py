"""Validation of the hello message. Pure."""

from collections.abc import Collection

from arena.protocol.codec import RequestError
from arena.protocol.player import PROTOCOL_VERSION, FromBot, Hello


def check_hello(message: FromBot, games: Collection[str], takes_challenges: bool) -> Hello:
    """Return a connection's first message, if it is an acceptable hello.

    Args:
        message: The first message of the connection.
        games: Names of the games that the arena plays.
        takes_challenges: Whether the arena admits casual players.

    Returns:
        The message.

    Raises:
        RequestError: The message is no hello, or this arena cannot serve its sender.
    """
    if not isinstance(message, Hello):
        raise RequestError("expected_hello", "the first message must be hello")
    if message.protocol != PROTOCOL_VERSION:
        raise RequestError(
            "unknown_protocol",
            f"unsupported protocol version {message.protocol} (supported: {PROTOCOL_VERSION})",
        )
    if message.casual and not takes_challenges:
        raise RequestError("no_challenges", "this arena has no matches for casual players")
    if not set(games).intersection(message.games):
        raise RequestError("unknown_game", f"this arena plays {', '.join(games)}")
    return message
