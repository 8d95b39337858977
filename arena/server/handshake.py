"""Which hellos are accepted, whoever says them. Pure."""

from collections.abc import Collection

from arena.protocol.player import PROTOCOL, FromBot, Hello, Refused


def checked(message: FromBot, games: Collection[str], takes_challenges: bool) -> Hello:
    """The hello with which a connection begins, in an arena that plays these games.

    Raises Refused.
    """
    if not isinstance(message, Hello):
        raise Refused("expected_hello", "the first message must be hello")
    if message.protocol != PROTOCOL:
        raise Refused(
            "unknown_protocol", f"protocol {message.protocol} is unknown, known is {PROTOCOL}"
        )
    if message.casual and not takes_challenges:
        raise Refused("no_challenges", "this arena has no matches for casual players")
    if not set(games).intersection(message.games):
        raise Refused("unknown_game", f"this arena plays {', '.join(games)}")
    return message
