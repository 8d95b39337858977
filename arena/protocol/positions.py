"""Messages of /watch about a position: puzzles, values of moves, matchings, and traced searches."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

MAX_DEPTH = 50  # plies of a requested search
MAX_TREE = 12_000  # characters of a written tree
MAX_EXERCISE_DEPTH = 5  # plies of an exercise
MAX_STEPS = 500  # of a search, in the words of one answer

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


class SearchStart(Struct, frozen=True):
    """A search that is shown step by step: of a position of a game, or of a written tree.

    `depth` is in plies (0: to the end); `variant` is one of `arena.teaching.VARIANTS`.
    """

    game: str | None = None
    setup: Mapping[str, int] = {}
    moves: Sequence[int] = ()
    tree: Annotated[str, Meta(max_length=MAX_TREE)] | None = None
    depth: Depth = 0
    variant: str = "alpha-beta"


class Trace(Struct, frozen=True, tag="trace", tag_field="type"):
    """A request for the steps of a search."""

    request: RequestId
    search: SearchStart


class ExplainSteps(Struct, frozen=True, tag="explain_steps", tag_field="type"):
    """A request for `count` steps of a search in words, from the step `first` on."""

    request: RequestId
    search: SearchStart
    first: Annotated[int, Meta(ge=0)]
    count: Annotated[int, Meta(ge=1, le=MAX_STEPS)]


class FindExercise(Struct, frozen=True, tag="find_exercise", tag_field="type"):
    """A request for a random search to practise with: of a written tree, or of a game.

    The same `seed` and fields give the same exercise. Nodes of a tree have up to `branching`
    children.
    """

    request: RequestId
    seed: Annotated[int, Meta(ge=0, lt=2**53)]
    depth: Annotated[int, Meta(ge=1, le=MAX_EXERCISE_DEPTH)] = 3
    branching: Annotated[int, Meta(ge=2, le=5)] = 3
    game: str | None = None
    setup: Mapping[str, int] = {}


StepValue = int | float | str | Sequence[int | str] | None


class StepKind(Struct, frozen=True, array_like=True):
    """A kind of step, with the lines of the pseudocode that it belongs to, counted from 0."""

    kind: str
    lines: Sequence[int]


class TraceTotals(Struct, frozen=True):
    """The numbers of a traced search; `move` and `value` are None if it was cut too early."""

    move: int | str | None
    value: float | None
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int
    branching_factor: float


class MinimaxInfo(Struct, frozen=True):
    """What minimax finds and visits from the same start."""

    value: float
    nodes_visited: int
    nodes_evaluated: int


class TracedSearch(Struct, frozen=True, tag="traced_search", tag_field="type"):
    """The steps of a search.

    `variants` are the titles of all variants by name; `root` is the name of the root of a written
    tree, else empty; `is_max` says whether Max moves there; `pseudocode` has the indentation and
    the text of each line. Each element of `steps` is an array: a place in `kinds`, a node, and the
    values of that kind, which docs/reference/spectators.md lists. Infinite values are None.
    `stopped` is the limit that cut the steps, None if they are complete; `minimax` is None if it
    would visit too many nodes.
    """

    request: int
    variants: Mapping[str, str]
    root: str
    is_max: bool
    pseudocode: Sequence[tuple[int, str]]
    kinds: Sequence[StepKind]
    steps: Sequence[Sequence[StepValue]]
    stopped: str | None
    totals: TraceTotals
    minimax: MinimaxInfo | None


class ExplainedSteps(Struct, frozen=True, tag="explained_steps", tag_field="type"):
    """Steps of a search in words, from the step `first` on.

    Moves of a game are in braces, such as {12}, to be replaced by those in the game's notation.
    """

    request: int
    first: int
    texts: Sequence[str]


class Exercise(Struct, frozen=True, tag="exercise", tag_field="type"):
    """A random search, as a start of `trace`."""

    request: int
    search: SearchStart
