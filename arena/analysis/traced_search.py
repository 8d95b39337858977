"""Searches that are shown step by step, and exercises of them, as on the printed sheets. Pure."""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import NamedTuple

from arena.analysis.position import TooLarge, check_search_cost, studied_position
from arena.protocol.positions import (
    Exercise,
    ExplainedSteps,
    ExplainSteps,
    FindExercise,
    MinimaxInfo,
    SearchStart,
    StepKind,
    StepValue,
    Trace,
    TracedSearch,
    TraceTotals,
)
from arena.teaching import (
    VARIANTS,
    GameTree,
    Minimax,
    SearchedTree,
    TooManyPositions,
    Variant,
    trace_space,
)
from arena.teaching.events import (
    Cutoff,
    Enter,
    Evaluate,
    Event,
    Generate,
    Move,
    Return,
    Reuse,
    Stop,
    Update,
)
from arena.teaching.names import Names
from arena.teaching.notation import parse_tree
from arena.teaching.practice import NoExercise, Positions, Trees, exercises
from arena.teaching.practice.source import Draws, Task
from arena.teaching.space import Space, space_of
from arena.teaching.wording import Wording, pseudocode
from core import GAMES
from core.game import Position

MAX_STEPS = 60_000
# Characters of all steps, or of all words: a connection with 1 MiB to be sent is closed.
MAX_SIZE = 800_000
TRACE_SHARE = 0.6  # of the time; minimax has the rest
MAX_SETUP = 1000  # largest parameter of a setup, as many positions are drawn

Clock = Callable[[], float]


def trace(request: Trace, seconds: float, clock: Clock) -> TracedSearch:
    """Return the steps of a search, and what minimax would have visited.

    Args:
        request: The start, the depth and the variant.
        seconds: Time limit. The steps are cut when TRACE_SHARE of it has passed.
        clock: A monotonic clock, in seconds.

    Raises:
        TooLarge: For a position that is too large for a search.
        ValueError: For an invalid position or tree; the message is one line.
    """
    began, search = clock(), request.search
    with _one_line_errors():
        start, variant = _start(search), _variant(search)
        recorder = _Recorder(variant)
        space = _TimedSpace(space_of(start, search.depth), began + TRACE_SHARE * seconds, clock)
        recorder.record(trace_space(space, variant))
        found = _minimax(_TimedSpace(space_of(start, search.depth), began + seconds, clock))
    return TracedSearch(
        request.request,
        {name: known.title for name, known in VARIANTS.items()},
        start.root.name if isinstance(start, GameTree) else "",
        recorder.tree.nodes[0].is_max,
        [(line.indentation, line.text) for line in pseudocode(variant).lines],
        [StepKind(kind, lines) for kind, lines in recorder.kinds],
        recorder.steps,
        recorder.stopped,
        _totals(recorder.tree),
        found,
    )


def explain(request: ExplainSteps, seconds: float, clock: Clock) -> ExplainedSteps:
    """Return steps of a search in words; arguments and errors are as for `trace`.

    There are fewer than were asked for where the search ends, after `seconds` seconds, and beyond
    MAX_SIZE characters.
    """
    search, texts, size = request.search, list[str](), 0
    deadline = clock() + seconds
    with _one_line_errors(), suppress(TimeoutError):
        start, variant = _start(search), _variant(search)
        space = _TimedSpace(space_of(start, search.depth), deadline, clock)
        tree, wording = SearchedTree(), Wording(variant, Names.of(start, "{{{}}}".format))
        steps = trace_space(space, variant)
        for number, event in enumerate(
            islice(steps, min(request.first + request.count, MAX_STEPS))
        ):
            if number >= request.first:
                sentence = wording.sentence(event, tree)
                size += len(sentence)
                if size > MAX_SIZE:
                    break
                texts.append(sentence)
            tree.apply(event)
    return ExplainedSteps(request.request, request.first, texts)


@contextmanager
def _one_line_errors() -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise ValueError("the search is too large for this machine's memory") from None
    except TooManyPositions as error:
        raise TooLarge(str(error)) from None


def _start(search: SearchStart) -> Position | GameTree:
    """Return the start of a search. Raises ValueError, and TooLarge."""
    if (search.game is None) == (search.tree is None):
        raise ValueError("expected a game or a tree, and not both")
    if search.tree is not None:
        return parse_tree(search.tree)
    assert search.game is not None
    position = studied_position(search.game, search.setup, search.moves)
    check_search_cost(search.setup, len(position.legal_moves()))
    return position


def _variant(search: SearchStart) -> Variant:
    try:
        return VARIANTS[search.variant]
    except KeyError:
        known = ", ".join(VARIANTS)
        raise ValueError(f"unknown variant {search.variant!r:.60} (choose from {known})") from None


class _TimedSpace:
    """A space where a move raises TimeoutError after a deadline."""

    def __init__(self, space: Space, deadline: float, clock: Clock) -> None:
        self._space = space
        self._deadline = deadline
        self._clock = clock
        self.leaf = space.leaf
        self.moves = space.moves
        self.undo = space.undo
        self.key = space.key

    @property
    def is_max(self) -> bool:
        return self._space.is_max

    def play(self, move: Move) -> None:
        if self._clock() > self._deadline:
            raise TimeoutError
        self._space.play(move)


class _Recorder:
    """The steps of a search as arrays, up to the limits.

    Attributes:
        tree: The tree after the recorded steps.
        kinds: The kinds of steps, each with its lines of pseudocode, in the order of their places.
        steps: The arrays.
        stopped: The limit that was met: "steps", "size" or "seconds"; None without one.
    """

    def __init__(self, variant: Variant) -> None:
        self.tree = SearchedTree()
        self.kinds: dict[tuple[str, tuple[int, ...]], int] = {}
        self.steps: list[tuple[StepValue, ...]] = []
        self.stopped: str | None = None
        self._code = pseudocode(variant)
        self._size = 0

    def record(self, events: Iterable[Event]) -> None:
        """Record events until their end or a limit."""
        try:
            for event in events:
                assert not isinstance(event, Stop)
                self.stopped = self._limit_before(step := self._step(event))
                if self.stopped:
                    return
                self.steps.append(step)
                self.tree.apply(event)
        except TimeoutError:
            self.stopped = "seconds"

    def _limit_before(self, step: tuple[StepValue, ...]) -> str | None:
        """Return the limit that one more step would exceed."""
        self._size += len(repr(step))
        if len(self.steps) == MAX_STEPS:
            return "steps"
        return "size" if self._size > MAX_SIZE else None

    def _step(self, event: Event) -> tuple[StepValue, ...]:
        assert not isinstance(event, Stop)
        lines = tuple(number - 1 for number in self._code.lines_of(event, self.tree))
        key = type(event).__name__.lower(), lines
        return self.kinds.setdefault(key, len(self.kinds)), event.node, *_values(event)


def _values(event: Event) -> tuple[StepValue, ...]:
    """Return what a step changes at its node."""
    match event:
        case Enter(alpha=alpha, beta=beta):
            return _finite(alpha), _finite(beta)
        case Generate(moves=moves, first=first, value=value):
            return first, _finite(value), moves
        case Evaluate(value=value):
            return (_finite(value),)
        case Reuse(same_as=same_as, value=value, bound=bound):
            return same_as, _finite(value), bound
        case Update(child=child, value=value, alpha=alpha, beta=beta):
            return child, _finite(value), _finite(alpha), _finite(beta)
        case Cutoff(bound=bound):
            return (_finite(bound),)
        case Return(value=value):
            return (_finite(value),)
    raise AssertionError("only a trace with a limit stops")


def _finite(value: float) -> float | None:
    """Return a value as JSON has it: whole numbers without a point, None for an infinite one."""
    if not math.isfinite(value):
        return None
    return int(value) if abs(value) < 2**53 and value == int(value) else value


def _minimax(space: Space) -> MinimaxInfo | None:
    """Return the root of a space under minimax, None if that takes too much time or memory."""
    try:
        root = Minimax(space).current()
    except (TimeoutError, MemoryError, TooManyPositions):
        return None
    return MinimaxInfo(root.value, root.visited, root.evaluated)


def _totals(tree: SearchedTree) -> TraceTotals:
    totals = tree.totals
    value = None if totals.value is None else _finite(totals.value)
    return TraceTotals(
        totals.move,
        value,
        totals.nodes_visited,
        totals.nodes_evaluated,
        totals.max_depth,
        totals.branching_factor,
    )


class _Limited(NamedTuple):
    """A source of exercises that is used for a limited time."""

    source: Trees | Positions
    seconds: float
    clock: Callable[[], float]
    deadline: float

    def draw(self, draws: Draws) -> Task | None:
        """Return a random one, as the source does. Raises ValueError after the deadline."""
        if self.clock() > self.deadline:
            raise ValueError(f"found no exercise within {self.seconds:g} s")
        return self.source.draw(draws)


def find_exercise(request: FindExercise, seconds: float, clock: Callable[[], float]) -> Exercise:
    """Return the first exercise of a seed.

    Args:
        request: The question.
        seconds: The time in which it is looked for.
        clock: Returns the time in seconds.

    Raises:
        ValueError: If none was found in this time; the message is one line.
    """

    def written(source: Trees | Positions) -> str:
        limited = _Limited(source, seconds, clock, clock() + seconds)
        try:
            [exercise] = exercises(limited, 1, request.seed)
        except NoExercise as error:
            raise ValueError(str(error)) from None
        return exercise.task.source

    if request.game is None:
        trees = Trees(request.depth, (2, request.branching))
        return Exercise(request.request, SearchStart(tree=written(trees)))
    studied_position(request.game, request.setup, [])  # checks both
    for name, value in request.setup.items():
        if value > MAX_SETUP:
            raise ValueError(f"{name} must be at most {MAX_SETUP} in an exercise, got {value}")
    positions = Positions(GAMES[request.game], request.setup, depth=request.depth)
    moves = [int(move) for move in written(positions).split()]
    search = SearchStart(request.game, request.setup, moves, depth=request.depth)
    return Exercise(request.request, search)
