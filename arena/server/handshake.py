"""Which hellos are accepted, whoever says them. Pure."""

from collections.abc import Collection

from arena.protocol.errors import RequestError
from arena.protocol.player import PROTOCOL_VERSION, FromBot, Hello


def checked(message: FromBot, games: Collection[str], takes_challenges: bool) -> Hello:
    """The hello with which a connection begins, in an arena that plays these games.

    Raises RequestError.
    """
    if not isinstance(message, Hello):
        raise RequestError("expected_hello", "the first message must be hello")
    if message.protocol != PROTOCOL_VERSION:
        raise RequestError(
            "unknown_protocol",
            f"protocol {message.protocol} is unknown, known is {PROTOCOL_VERSION}",
        )
    if message.casual and not takes_challenges:
        raise RequestError("no_challenges", "this arena has no matches for casual players")
    if not set(games).intersection(message.games):
        raise RequestError("unknown_game", f"this arena plays {', '.join(games)}")
    return message
