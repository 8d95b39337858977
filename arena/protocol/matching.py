"""The answer to `find_matching` of /watch: perfect play as a matching of moves."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from arena.protocol.requests import Player

Edge = tuple[int, int]


class NodeInfo(Struct, frozen=True, array_like=True):
    """A move as a node of a matching, encoded as an array: there may be hundreds.

    `kind` is a key of the matching's `kinds`; `row` is for drawings, from 0 at the top; `reason`
    says in words why the move is legal now, and is None if it is not.
    """

    move: int
    kind: str
    row: int
    reason: str | None


class MatchingInfo(Struct, frozen=True, tag="matching", tag_field="type"):
    """The maximum matching that decides a position; core.game.Matching describes the fields."""

    request: int
    player: Player
    nodes: Sequence[NodeInfo]
    edges: Sequence[Edge]
    pairs: Sequence[Edge]
    kinds: Mapping[str, str]
    last: int | None
    winning_moves: Sequence[int]
    answer: int | None
    sentences: Sequence[str]
