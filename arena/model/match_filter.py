"""Filter of finished matches: all conditions that are given must hold."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from arena.model.results import Termination

Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Parameter = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Outcome = Literal["won", "lost", "draw"]
MAX_PARAMETERS = 20  # of a setup: each is a condition, of which SQLite takes about a thousand


class MatchFilter(Struct, frozen=True, kw_only=True):
    """Conditions on a finished match; None stands for any.

    Attributes:
        bot: A name; if nobody has it, the beginning of names, in upper or lower case.
        opponent: The same for the other player.
        game: The name of a game.
        setup: Values of parameters of the game, by name; others may have any value.
        outcome: The result of `bot`, or of player 1 if neither player is given.
        ending: How the match ended.
        max_blunders: Maximum number of blunders of both players; only analysed matches have one.
        min_plies: Minimum number of moves, the opening included.
        max_plies: Maximum number of moves, the opening included.
        since: Unix time from which on the match ended.
        until: Unix time before which the match ended.
    """

    bot: str | None = None
    opponent: str | None = None
    game: str | None = None
    setup: Annotated[Mapping[str, Parameter], Meta(max_length=MAX_PARAMETERS)] = {}
    outcome: Outcome | None = None
    ending: Termination | None = None
    max_blunders: Count | None = None
    min_plies: Count | None = None
    max_plies: Count | None = None
    since: float | None = None
    until: float | None = None
