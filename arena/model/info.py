"""Information that a bot may send with a move: what its search found. It decides nothing."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

MAX_VARIATION = 64  # moves of a principal variation

Evaluation = Annotated[float, Meta(ge=-1e9, le=1e9)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
VariationMove = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Variation = Annotated[tuple[VariationMove, ...], Meta(max_length=MAX_VARIATION)]


class Info(Struct, frozen=True, omit_defaults=True):
    """The search behind a move, as its bot reports it. None of the fields is checked.

    `evaluation` is the value of the position: above 0 it is better for player 1. `depth` is that of
    the search in plies, `nodes` the number of positions visited, and `pv` the principal variation:
    the moves that the bot expects, its own first.
    """

    evaluation: Evaluation | None = None
    depth: Count | None = None
    nodes: Count | None = None
    pv: Variation = ()


NOTHING = Info()


def parse_info(fields: Mapping[str, str | list[str]]) -> Info:
    """Return the information that texts give, by field.

    Raises:
        ValueError: A text is no number, or a number is out of range.
    """
    return msgspec.convert(fields, Info, strict=False)
