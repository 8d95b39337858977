"""Variants of the search, as data."""

from typing import Literal, NamedTuple

Order = Literal["given", "best", "worst"]


class Variant(NamedTuple):
    """A variant of alpha-beta.

    Attributes:
        title: Its name for people.
        prunes: Whether alpha and beta are used; minimax does not.
        is_fail_hard: Whether v starts at alpha (Max) or beta (Min) and a cutoff returns the bound
            itself, so that no value leaves the interval from alpha to beta.
        order: The order of children: as the game gives them, or by their minimax values, best or
            worst first for the player to move. Best first usually prunes the most, worst first the
            least; neither is the extreme in every tree.
        has_transpositions: Whether a node whose position was searched before, to the same depth,
            uses its value.
    """

    title: str
    prunes: bool = True
    is_fail_hard: bool = False
    order: Order = "given"
    has_transpositions: bool = False


FIGURE_5_7 = Variant("alpha-beta (Figure 5.7, fail-soft)")
MINIMAX = Variant("minimax", prunes=False)

VARIANTS = {
    "alpha-beta": FIGURE_5_7,
    "minimax": MINIMAX,
    "fail-hard": Variant("alpha-beta, fail-hard", is_fail_hard=True),
    "best-first": Variant("alpha-beta, best children first", order="best"),
    "worst-first": Variant("alpha-beta, worst children first", order="worst"),
    "transpositions": Variant("alpha-beta with transpositions", has_transpositions=True),
}
"""By the name in commands and messages."""
