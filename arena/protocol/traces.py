"""Messages of /watch about searches that are shown step by step, and exercises of them."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from arena.protocol.positions import Depth, RequestId

MAX_TREE = 12_000  # characters of a written tree
MAX_EXERCISE_DEPTH = 5  # plies of an exercise
MAX_STEPS = 500  # of a search whose words are sent in one answer


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
