"""Messages of /watch about all moves of a position: the question `find_move_values`, its answer."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from arena.protocol.requests import Depth, RequestId


class FindMoveValues(Struct, frozen=True, tag="find_move_values", tag_field="type"):
    """A request for the values of all legal moves in a search to `depth` plies (0: to the end)."""

    request: RequestId
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int] = ()
    depth: Depth = 0


class MoveValue(Struct, frozen=True, array_like=True):
    """A legal move, and the value for player 1 that the search gives it.

    `wins` says whether the player to move wins with it under perfect play, `static` is the static
    evaluation after it; both are None where unknown. `value` is None for a move that was not
    searched to the end, for the limit in `stopped`. `nodes_visited` is the number of nodes from the
    move on, `line` the principal variation, which begins with the move.
    """

    move: int
    wins: bool | None
    static: float | None
    value: float | None
    nodes_visited: int
    line: Sequence[int]
    stopped: str | None = None


class MoveValues(Struct, frozen=True, tag="move_values", tag_field="type"):
    """The values of all legal moves of a position, ascending by move."""

    request: int
    values: Sequence[MoveValue]
