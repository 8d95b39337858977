"""Messages of /watch about a position: puzzles, values of moves, and matchings of moves."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

MAX_DEPTH = 50  # plies of a requested search

RequestId = Annotated[int, Meta(ge=0)]
Player = Annotated[int, Meta(ge=1, le=2)]
Level = Annotated[int, Meta(ge=1, le=3)]
Depth = Annotated[int, Meta(ge=0, le=MAX_DEPTH)]


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


class FindPuzzle(Struct, frozen=True, tag="find_puzzle", tag_field="type"):
    """A request for a position of a stored match in which few moves win.

    With a `match` the position after `ply` of its moves; else with a `seed` a random one, of a
    `level` if that is given; else the day's.
    """

    request: RequestId
    match: int | None = None
    ply: Annotated[int, Meta(ge=0)] = 0
    seed: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    level: Level | None = None


class PuzzleInfo(Struct, frozen=True, tag="puzzle", tag_field="type"):
    """A puzzle: the position after `moves` of a match, the opening included.

    Attributes:
        request: The number of the question.
        match: The id of the match.
        players: The players of the match.
        game: The name of its game.
        setup: Its setup.
        moves: The moves before the position.
        player: The player to move, 1 or 2.
        legal_moves: The legal moves, ascending.
        winning_moves: The moves that win under perfect play, ascending.
        played: The move of the match in this position.
        plies_left: The number of moves of the match from this position on, `played` included.
        misleads: Whether a shallow alpha-beta search chooses a losing move; None without one.
        level: The difficulty, from 1 to 3.
        day: The day (UTC) of a puzzle of the day, as 2026-11-23; else None.
    """

    request: int
    match: int
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int]
    player: Player
    legal_moves: Sequence[int]
    winning_moves: Sequence[int]
    played: int
    plies_left: int
    misleads: bool | None
    level: Level
    day: str | None = None
