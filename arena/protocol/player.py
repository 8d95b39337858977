"""Every message on the wire, and the only place that encodes or decodes one.

A message is a JSON object in a text frame, tagged by `type`; docs/reference/protocol.md
tells a stranger what each one means. Unknown fields are ignored, so that the protocol can grow.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

PROTOCOL_VERSION = 1

Count = Annotated[int, Meta(ge=1, le=1000)]


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """A bot introduces itself: its name, what it plays, how many matches at once.

    `session` is the key from an earlier `welcome`, to take over from a dead connection. `token`
    proves that the name is the bot's own, where the arena asks for that. Who is `casual` plays only
    matches that somebody has asked for with a challenge, which count for nobody.
    """

    protocol: int
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    games: list[str]
    matches: Count = 1
    session: str | None = None
    token: str | None = None
    casual: bool = False

    def __post_init__(self) -> None:
        if not self.name.isprintable() or self.name != self.name.strip():
            raise ValueError("a name has printable characters and no space around them")


class Move(Struct, frozen=True, tag="move", tag_field="type"):
    """A bot's move, with the match and the ply that it answers."""

    match: str
    ply: int
    move: int


class Resign(Struct, frozen=True, tag="resign", tag_field="type"):
    """A bot gives a match up."""

    match: str


class Challenge(Struct, frozen=True, tag="challenge", tag_field="type"):
    """A casual player asks for a match, as player 1 or 2.

    The opponent is a bot that the arena offers or, if it is None, whoever accepts. `time` is a time
    control as text; None is without a clock.
    """

    game: str
    setup: Mapping[str, int]
    you: Annotated[int, Meta(ge=1, le=2)]
    opponent: str | None = None
    time: str | None = None


class Accept(Struct, frozen=True, tag="accept", tag_field="type"):
    """A casual player takes up somebody's challenge."""

    challenge: str


class TakeBack(Struct, frozen=True, tag="take_back", tag_field="type"):
    """A player of a casual match wants its last move back, with what was played since.

    A bot that the arena offers lets it; another player has to send the same.
    """

    match: str


class Welcome(Struct, frozen=True, tag="welcome", tag_field="type"):
    """The arena's answer to `hello`."""

    protocol: int
    name: str
    session: str


class Turn(Struct, frozen=True, tag="turn", tag_field="type"):
    """All that a bot needs to choose a move. Clocks are in milliseconds, player 1's first.

    With `per_move` they are filled anew for every move.
    """

    match: str
    game: str
    setup: Mapping[str, int]
    moves: list[int]
    ply: int
    you: int
    clocks_ms: tuple[int, int]
    increment_ms: int
    opponent: str
    per_move: bool = False


class Finished(Struct, frozen=True, tag="finished", tag_field="type"):
    """A match is over, and stored."""

    match: str
    you: int
    winner: int | None
    termination: str
    reason: str
    moves: list[int]


class Challenged(Struct, frozen=True, tag="challenged", tag_field="type"):
    """The arena's answer to a challenge without an opponent: who accepts it plays.

    It lasts as long as the connection, or until the player makes another.
    """

    challenge: str


class Started(Struct, frozen=True, tag="started", tag_field="type"):
    """A match has begun: told to casual players alone, as they have asked for it."""

    match: str
    game: str
    setup: Mapping[str, int]
    you: int
    opponent: str


class TakeBackAsked(Struct, frozen=True, tag="take_back_asked", tag_field="type"):
    """The opponent wants its last move back: send the same to let it, or play on."""

    match: str


class Error(Struct, frozen=True, tag="error", tag_field="type"):
    """Something that a bot sent was not accepted. `match` is None if it concerns none."""

    code: str
    message: str
    match: str | None = None


FromBot = Hello | Move | Resign | Challenge | Accept | TakeBack
FromArena = Welcome | Turn | Finished | Error | Challenged | Started | TakeBackAsked
