"""Messages of /play, between the arena and a bot, and the rules for the names of players.

A message is a JSON object in a text frame, tagged by `type`; docs/reference/protocol.md describes
each one for authors of bots. Unknown fields are ignored, so that the protocol can be extended. By
the rules, two names that look alike are the same name.
"""

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from arena.model.results import MAX_LOG, Info

PROTOCOL_VERSION = 1
HELLO_TIMEOUT = 10.0  # seconds after the handshake
MAX_OPENING = 1000  # moves of a challenge
MAX_LENGTH = 64  # characters of a name
# Characters of a spelling that is normalised: time grows with the square of its combining marks.
MAX_SPELLING = 2 * MAX_LENGTH
Name = Annotated[str, Meta(min_length=1, max_length=MAX_LENGTH)]

# Characters that are shown as nothing: those with the property Default_Ignorable_Code_Point of
# Unicode that Python calls printable, and the blank pattern of Braille.
VARIATION_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
INVISIBLE = VARIATION_SELECTORS.union(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
JOINER = "\u200d"
LEFT_OUT = VARIATION_SELECTORS | {JOINER}  # of the closest spelling


def check_characters(name: str) -> None:
    """Check that a name can be shown in one line.

    Control characters, changes of the direction of text, and all spaces but the usual one are not
    printable.

    Raises:
        ValueError: The name has a character that is not printable, or a space at an end.
    """
    if not name.isprintable() or name != name.strip():
        raise ValueError("expected printable characters without surrounding spaces")


def closest_name(name: str) -> str:
    """Return the spelling of a name that `check_name` accepts, if it accepts any.

    An emoji of several parts becomes these parts, as where it is not joined. A name that is much
    too long stays as it is.
    """
    shown = "".join(character for character in name if character not in LEFT_OUT)
    if len(shown) > MAX_SPELLING:
        return name
    return unicodedata.normalize("NFKC", shown).strip()


def name_problem(name: str) -> str | None:
    """Return why a new player cannot use a name, in words; None if it can."""
    try:
        _check_length(name)
        check_name(name)
    except ValueError as error:
        return str(error)
    return None


def check_stored_name(name: str) -> None:
    """Check a name that may be older than the rules of `check_name`.

    Raises:
        ValueError: No arena has ever admitted a bot of this name.
    """
    _check_length(name)
    check_characters(name)


def _check_length(name: str) -> None:
    if not 0 < len(name) <= MAX_LENGTH:
        raise ValueError(f"expected 1 to {MAX_LENGTH} characters, got {len(name)}")


def check_name(name: str) -> None:
    """Check that a name can be shown, and has only one spelling.

    The normal form NFKC unites characters that look alike or equal: letters with separate accents,
    full-width and half-width ones, ligatures (Unicode Standard Annex 15).

    Raises:
        ValueError: The name breaks a rule; the message says which, and the normal form.
    """
    if JOINER in name:
        raise ValueError(
            "the name has a joiner (U+200D), as an emoji of several parts: leave it out"
        )
    check_characters(name)
    if invisible := INVISIBLE.intersection(name):
        raise ValueError(f"the name has an invisible character, U+{ord(min(invisible)):04X}")
    normal = unicodedata.normalize("NFKC", name)
    if name != normal:
        raise ValueError(f"the name {name!a} is not in the normal form NFKC: use {normal!r}")
    for before, character in zip(f" {name}", name, strict=False):
        if before == " " and unicodedata.category(character).startswith("M"):
            raise ValueError(f"the combining mark U+{ord(character):04X} follows no letter")


MatchLimit = Annotated[int, Meta(ge=1, le=1000)]
Reason = Annotated[str, Meta(min_length=1, max_length=200)]
Opening = Annotated[tuple[int, ...], Meta(max_length=MAX_OPENING)]
Log = Annotated[str, Meta(max_length=MAX_LOG)]


class Hello(Struct, frozen=True, tag="hello", tag_field="type"):
    """The first message of a bot: its name, its games, and its limit of simultaneous matches.

    `session` is the session key of an earlier `welcome`, to resume after a lost connection. `token`
    authenticates the name, where the arena requires that. A `casual` bot plays only unrated
    matches, which are arranged by challenges.
    """

    protocol: int
    name: Name
    games: list[str]
    matches: MatchLimit = 1
    session: str | None = None
    token: str | None = None
    casual: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)


class Move(Struct, frozen=True, tag="move", tag_field="type", omit_defaults=True):
    """The move of a bot, with the match and the ply that it answers.

    `log` is the last output of a program that chose it, which is stored if the move is illegal.
    `info` is what its search found, which is stored if the move is legal. An invalid `info` is
    rejected alone: the move counts without it.
    """

    match: str
    ply: int
    move: int
    log: Log | None = None
    info: Info | None = None


class Failure(Struct, frozen=True):
    """The failure of a program that a bot runs.

    `reason` is one line. `log` is the last output of the program, which is stored.
    """

    termination: Literal["disconnect", "malformed", "timeout"]
    reason: Reason
    log: Log = ""

    def __post_init__(self) -> None:
        if not self.reason.isprintable():
            raise ValueError("reason contains non-printable characters")


class Resign(Struct, frozen=True, tag="resign", tag_field="type", omit_defaults=True):
    """The resignation of a match.

    With a `failure` the match ends as the failure says: the program that chooses the moves has
    crashed (disconnect), has printed no move (malformed), or has taken too long (timeout).
    """

    match: str
    failure: Failure | None = None


class Challenge(Struct, frozen=True, tag="challenge", tag_field="type"):
    """A casual player's request for a match, as player 1 or 2 (`you`).

    `opponent` is a bot that the arena offers, or the casual player of the last match for a rematch;
    None makes an open challenge, which any casual player can accept. `time` is a time control as
    text; None is an hour for each move. `moves` are made before the players move. With
    `hints` people may see hints while they play each other.
    """

    game: str
    setup: Mapping[str, int]
    you: Annotated[int, Meta(ge=1, le=2)]
    opponent: str | None = None
    time: str | None = None
    moves: Opening = ()
    hints: bool = False


class Accept(Struct, frozen=True, tag="accept", tag_field="type"):
    """The acceptance of an open challenge."""

    challenge: str


class TakeBack(Struct, frozen=True, tag="take_back", tag_field="type"):
    """A request to take back the sender's last move and the moves since, in a casual match.

    A bot that the arena offers grants it; another player grants it by the same message, or declines
    it with `accept` false.
    """

    match: str
    accept: bool = True


class Claim(Struct, frozen=True, tag="claim", tag_field="type"):
    """The end of a casual match after a long disconnection of the opponent.

    The sender wins, or the match is called off and has no winner.
    """

    match: str
    result: Literal["win", "none"]


class Welcome(Struct, frozen=True, tag="welcome", tag_field="type"):
    """The arena's answer to `hello`, with the key of the session.

    In the player's matches it may be disconnected for `grace` seconds, and exceed its time by
    `margin` seconds. An arena of version 0.1 sends neither.
    """

    protocol: int
    name: str
    session: str
    grace: float = 0.0
    margin: float = 0.0


class Turn(Struct, frozen=True, tag="turn", tag_field="type"):
    """A request for a move, with all that a bot needs to choose it.

    `clocks_ms` are the clocks of players 1 and 2 in milliseconds. With `per_move` yours is reset
    for each move. The opponent may have another time control; an arena of version 0.1 sends neither
    `opponent_increment_ms` nor `opponent_per_move`, as all bots have the same.
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
    opponent_increment_ms: int | None = None
    opponent_per_move: bool | None = None


class Finished(Struct, frozen=True, tag="finished", tag_field="type"):
    """The end of a match, sent after the result is stored."""

    match: str
    you: int
    winner: int | None
    termination: str
    reason: str
    moves: list[int]


class Challenged(Struct, frozen=True, tag="challenged", tag_field="type"):
    """The arena's answer to an open challenge, with its id.

    The challenge is open until the player disconnects or makes another one.
    """

    challenge: str


class ChallengeReceived(Struct, frozen=True, tag="challenge_received", tag_field="type"):
    """The opponent of the last match asks for another one: send `accept` with the id to agree."""

    challenge: str
    player: str


class Started(Struct, frozen=True, tag="started", tag_field="type"):
    """The start of a match, sent to casual players only."""

    match: str
    game: str
    setup: Mapping[str, int]
    you: int
    opponent: str


class TakeBackAsked(Struct, frozen=True, tag="take_back_asked", tag_field="type"):
    """The opponent's takeback request: answer `take_back`, which may decline it, or a move."""

    match: str


class TakeBackDeclined(Struct, frozen=True, tag="take_back_declined", tag_field="type"):
    """The opponent's refusal of a takeback request."""

    match: str


class OpponentLeft(Struct, frozen=True, tag="opponent_left", tag_field="type"):
    """The disconnection of the opponent, in a casual match.

    After `claim_ms` milliseconds the player can `claim` a result, after `grace_ms` it wins.
    """

    match: str
    claim_ms: int
    grace_ms: int


class OpponentBack(Struct, frozen=True, tag="opponent_back", tag_field="type"):
    """The reconnection of the opponent, in a casual match."""

    match: str


class Error(Struct, frozen=True, tag="error", tag_field="type"):
    """The rejection of a message of the bot. `match` is None if it concerns no match."""

    code: str
    message: str
    match: str | None = None


FromBot = Hello | Move | Resign | Challenge | Accept | TakeBack | Claim
FromArena = (
    Welcome
    | Turn
    | Finished
    | Error
    | Challenged
    | ChallengeReceived
    | Started
    | TakeBackAsked
    | TakeBackDeclined
    | OpponentLeft
    | OpponentBack
)
