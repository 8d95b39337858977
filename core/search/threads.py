"""Alpha-beta search by several threads, with the result and the counts of one.

The top of the tree is walked in Python, in the order of Figure 5.7; the subtrees below are searched
by the threads, in compiled code. The counts of a subtree depend on its position and its window, and
the window on the values before it. A much shallower search guesses the values that are not known
yet, and the walk goes on with the guesses to the subtrees that the other threads search meanwhile.
A subtree counts only where the walk meets it with its very window, once all before it is known.
"""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from threading import Event, current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from core.game import Game, Position
from core.search.leaves import Leaves
from core.search.result import REPORT_SECONDS, Limits, Progress, Report, SearchResult, Window

if TYPE_CHECKING:  # slow, and most searches end before threads help
    from concurrent.futures import Future, ThreadPoolExecutor

MOST_THREADS = 256
QUICK_SECONDS = 0.1  # of a search by one thread, before others help
SUBTREES_PER_THREAD = 16  # positions at the ply from which on threads search, at least
MOST_MOVES = 1000  # of a node that is walked
MOST_PLIES = 8  # that are walked: there may be a single move in each
LEAST_DEPTH = 3  # plies of a subtree
SHALLOWER = 4  # plies by which a guess is shallower at least, if as many are left
GUESS_NODES = 2_000_000


def check_threads(threads: int) -> None:
    """Raise ValueError if a number of threads is out of range."""
    if not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads must be from 1 to {MOST_THREADS}, not {threads}")


class Subtree(NamedTuple):
    """The moves from the root to a subtree, and its window, seen by its player to move."""

    path: tuple[int, ...]
    alpha: float
    beta: float


class Count(NamedTuple):
    """The value of a subtree for its player to move, and its counts as of SearchResult."""

    value: float
    visited: int
    evaluated: int
    depth: int


class _Enough(Exception):
    """As many subtrees are known to be needed as there are threads."""


class _Slow(Exception):
    """A search by one thread takes long."""


class _Cancelled(Exception):
    """The subtree being searched is not needed."""


ROOT = Subtree((), -inf, inf)


class Tree:
    """The top of a tree, and what is known about its subtrees."""

    def __init__(self, game: Game, root: Position, depth: int, plies: int) -> None:
        self._game = game
        self._root = root
        self._depth = depth
        self._plies = plies
        self._leaves = Leaves(game, root.player_to_move, depth)
        self._moves: dict[tuple[int, ...], list[int]] = {}
        self._leaf_counts: dict[tuple[int, ...], Count | None] = {}
        self._guesses: dict[Subtree, float] = {}
        self._known: dict[Subtree, Count] = {}
        self._unknown: list[Subtree] = []
        self.guessed_nodes = 0  # visited for guesses

    def unknown(self, most: int) -> list[Subtree]:
        """Return up to `most` subtrees to search, the first for sure; none at the end."""
        self._unknown = []
        with suppress(_Enough):
            self._count(ROOT, most)
        return self._unknown

    def search(
        self, subtree: Subtree, limits: Limits | None = None, report: Report | None = None
    ) -> Count:
        """Search a subtree, to its end by default."""
        position, (path, alpha, beta) = self._position(subtree.path), subtree
        limits = limits or Limits(self._depth and self._depth - len(path))
        assert self._game.search_subtree, "threads search no other game"
        found = self._game.search_subtree(position, limits, report, Window(alpha, beta))
        value = found.value if position.player_to_move == 1 else -found.value
        return Count(max(value, alpha), *found[2:5])

    def learn(self, subtree: Subtree, count: Count) -> None:
        """Keep what a thread has found."""
        self._known[subtree] = count

    def result(self, stopped: str | None) -> SearchResult:
        """Return the result of the root moves that are finished."""
        moves = self._moves_after(())
        best, alpha, visited, evaluated, depth = moves[0], -inf, 1, 0, 0
        for move in moves:
            count = self._leaf((move,)) or self._known.get(Subtree((move,), -inf, -alpha))
            if not count:
                break
            if -count.value > alpha:
                best, alpha = move, -count.value
            visited += count.visited
            evaluated += count.evaluated
            depth = max(depth, count.depth + 1)
        value = alpha if self._root.player_to_move == 1 else -alpha
        return SearchResult(best, value + 0.0, visited, evaluated, depth, stopped)

    def _count(self, subtree: Subtree, most: int) -> Count:
        """Count a subtree, with guesses where it has unknown ones."""
        if count := self._known.get(subtree):
            return count
        if len(subtree.path) == self._plies:
            self._unknown.append(subtree)
            if len(self._unknown) == most:
                raise _Enough
            return Count(self._guess(subtree), 0, 0, 0)
        before = len(self._unknown)
        count = self._count_children(subtree, most)
        if len(self._unknown) == before:
            self._known[subtree] = count
        return count

    def _count_children(self, subtree: Subtree, most: int) -> Count:
        path, alpha, beta = subtree
        visited, evaluated, depth = 1, 0, 0
        for move in self._moves_after(path):
            child = (*path, move)
            count = self._leaf(child) or self._count(Subtree(child, -beta, -alpha), most)
            visited += count.visited
            evaluated += count.evaluated
            depth = max(depth, count.depth + 1)
            alpha = max(alpha, -count.value)
            if alpha >= beta:
                break
        return Count(alpha, visited, evaluated, depth)

    def _guess(self, subtree: Subtree) -> float:
        """Return what is probably the value of a subtree, as far as its window matters."""
        if subtree not in self._guesses:
            self._guesses[subtree] = self._guessed(subtree)
        return self._guesses[subtree]

    def _guessed(self, subtree: Subtree) -> float:
        if not self._depth:
            return self._solved(subtree)
        value, left = subtree.alpha, self._depth - len(subtree.path)
        # As many plies from the end the same player moves last, and most values are the same.
        for depth in range(2 - left % 2, max(left - SHALLOWER, 2) + 1, 2):
            count = self.search(subtree, Limits(depth, GUESS_NODES))
            self.guessed_nodes += count.visited
            if count.visited == GUESS_NODES:
                break
            value = count.value
        return value

    def _solved(self, subtree: Subtree) -> float:
        position = self._position(subtree.path)
        if not self._game.solver:
            return subtree.alpha
        return 1.0 if self._game.solver(position, None).winning_moves() else -1.0

    def _position(self, path: tuple[int, ...]) -> Position:
        return _after(self._root, path)

    def _moves_after(self, path: tuple[int, ...]) -> list[int]:
        if path not in self._moves:
            self._moves[path] = self._position(path).legal_moves()
        return self._moves[path]

    def _leaf(self, path: tuple[int, ...]) -> Count | None:
        """Return the count of a leaf, None for an inner node."""
        if path not in self._leaf_counts:
            position = self._position(path)
            evaluation = self._leaves.evaluation(position, len(path))
            sign = 1 if position.player_to_move == 1 else -1
            count = Count(sign * evaluation.value, 1, 1, 0) if evaluation else None
            self._leaf_counts[path] = count
        return self._leaf_counts[path]


class _Job:
    """A subtree that a thread searches until its end, `cancel` or the end of all."""

    def __init__(
        self, pool: "ThreadPoolExecutor", tree: Tree, subtree: Subtree, end_of_all: Event
    ) -> None:
        self.visited = 0
        self._is_cancelled = False
        self._end_of_all = end_of_all
        self.future: Future[Count] = pool.submit(tree.search, subtree, None, self._report)

    def _report(self, progress: Progress) -> None:
        self.visited = progress.nodes_visited
        if self._is_cancelled or self._end_of_all.is_set():
            raise _Cancelled

    def cancel(self) -> None:
        """Let the thread end soon."""
        self._is_cancelled = True
        self.future.cancel()


class _Jobs:
    """The subtrees that threads search."""

    def __init__(self, pool: "ThreadPoolExecutor", tree: Tree) -> None:
        self._pool = pool
        self._tree = tree
        self._running: dict[Subtree, _Job] = {}
        self._end = Event()
        self._visited = 0  # in the subtrees that are finished or cancelled

    @property
    def visited(self) -> int:
        """The nodes visited so far, also in vain."""
        return self._visited + sum(job.visited for job in self._running.values())

    def replace(self, subtrees: Sequence[Subtree]) -> None:
        """Search these subtrees, and cancel the others."""
        for subtree in self._running.keys() - set(subtrees):
            job = self._running.pop(subtree)
            job.cancel()
            self._visited += job.visited
        for subtree in subtrees:
            if subtree not in self._running:
                self._running[subtree] = _Job(self._pool, self._tree, subtree, self._end)

    def end(self) -> None:
        """Cancel all searches, also one that an interrupt has kept from `_running`."""
        self._end.set()
        self.replace([])

    def collect(self) -> None:
        """Wait for a subtree, but not for long. Raises what a thread has raised."""
        from concurrent.futures import FIRST_COMPLETED, wait

        futures = {job.future: subtree for subtree, job in self._running.items()}
        for future in wait(futures, REPORT_SECONDS, FIRST_COMPLETED).done:
            count = future.result()
            self._visited += count.visited
            self._tree.learn(futures[future], count)
            del self._running[futures[future]]


@contextmanager
def _jobs(threads: int, tree: Tree) -> Iterator[_Jobs]:
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    jobs = _Jobs(pool, tree)
    try:
        yield jobs
    finally:
        with deferred_interrupts():
            jobs.end()
            pool.shutdown()


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Let the handler of SIGINT run at the end of a `with` block.

    An exception of it within a lock of `concurrent.futures` would leave that locked for ever, and a
    thread waiting for it. Other threads than the main one hear no signal.
    """
    handler = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handler):
        yield
        return
    heard: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *signals: heard.append(signals))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if heard:
            handler(*heard[0])


def search_in_threads(
    game: Game, root: Position, limits: Limits, report: Report | None, threads: int
) -> SearchResult:
    """Search a position of a game with a `search_subtree`, by several threads if it takes long.

    Takes the arguments of `core.search.search`, without a limit of nodes.
    """
    assert game.search, "the game is compiled"
    started = monotonic()
    with suppress(_Slow):
        return game.search(root, limits, _until_slow(report))
    plies = plies_to_walk(game, root, limits.depth, threads)
    if limits.seconds is not None:
        limits = limits._replace(seconds=max(0.0, started + limits.seconds - monotonic()))
    if not plies:
        return game.search(root, limits, report)
    return search_below(game, root, limits, report, threads, plies)


def search_below(
    game: Game, root: Position, limits: Limits, report: Report | None, threads: int, plies: int
) -> SearchResult:
    """Search with the threads' subtrees some plies below the root."""
    started = monotonic()
    deadline = started + (inf if limits.seconds is None else limits.seconds)
    tree = Tree(game, root, limits.depth, plies)
    with _jobs(threads, tree) as jobs:
        while subtrees := tree.unknown(threads):
            with deferred_interrupts():
                jobs.replace(subtrees)
                jobs.collect()
            seconds = monotonic() - started
            if started + seconds >= deadline:
                return tree.result("seconds")
            if report:
                report(Progress(subtrees[0].path[0], jobs.visited, seconds))
    return tree.result(None)


def plies_to_walk(game: Game, root: Position, depth: int, threads: int) -> int:
    """Return from which ply on threads search; 0 if they should not, as nodes are few or wide."""
    leaves = Leaves(game, root.player_to_move, depth)
    enough = SUBTREES_PER_THREAD * threads
    last = min(MOST_PLIES, depth - LEAST_DEPTH) if depth else MOST_PLIES
    positions = [root]
    for ply in range(1, last + 1):
        if not all(_is_walked(game, position) for position in positions):
            return 0
        inner = (child for child in _children(positions) if not leaves.evaluation(child, ply))
        positions = [*islice(inner, enough)]
        if len(positions) == enough:
            return ply
    return last if len(positions) > threads else 0


def _children(positions: Sequence[Position]) -> Iterator[Position]:
    for position in positions:
        for move in position.legal_moves():
            yield _after(position, [move])


def _is_walked(game: Game, position: Position) -> bool:
    """Return whether a position has few enough moves; they are not listed for this."""
    assert game.search, "the game is compiled"
    return not game.search(position, Limits(1, MOST_MOVES + 1), None).stopped


def _after(root: Position, path: Sequence[int]) -> Position:
    position = root.copy()
    for move in path:
        position.play(move)
    return position


def _until_slow(report: Report | None) -> Report:
    """Return a report that ends a search which takes long."""

    def report_quick(progress: Progress) -> None:
        if progress.seconds > QUICK_SECONDS:
            raise _Slow
        if report:
            report(progress)

    return report_quick
