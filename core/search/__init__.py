"""Alpha-beta search, exactly as in Figure 5.7 of Russell and Norvig, for every game.

A compiled game brings a search that was compiled for its own types (alpha_beta.pxi); every other
game with an evaluation is searched in Python (generic.py). Both count the same nodes.

A game may bring a strong search too, which is there to win: it prunes and orders as it likes.
"""

from functools import partial
from time import monotonic

from core.game import Game, Position
from core.registry import game_of
from core.search.generic import search_position
from core.search.leaves import NoEvaluation
from core.search.result import CompiledSearch, Limits, Progress, Report, SearchResult, StrongResult
from core.search.threads import check_threads, search_in_threads

__all__ = [
    "Limits",
    "NoEvaluation",
    "Progress",
    "SearchResult",
    "StrongResult",
    "deepen",
    "search",
    "strong_search",
]


def search(
    board: Position,
    depth: int = 0,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Report | None = None,
    compiled: CompiledSearch | None = None,
    threads: int = 1,
    player: int | None = None,
) -> SearchResult:
    """Search a position to a depth, exactly as in Figure 5.7.

    The search of a compiled game releases the GIL. Ctrl-C ends a search in the main thread.

    Several threads find the same result with the same counts. They help with a search that takes
    longer than 0.1 s, unless its first nodes have very many moves. If the time limit ends it, the
    counts cover the finished root moves; progress reports count nodes visited in vain too.

    Args:
        board: The position, of any registered game.
        depth: The depth in plies, 0 for the end of the game.
        nodes: The most nodes to visit.
        seconds: The longest time to search.
        report: Called with a Progress about twenty times a second; an exception ends the search.
        compiled: A compiled search of the game to use instead of its usual one.
        threads: The most threads to search with, from 1 to 256.
        player: The player who began the search that this one is a part of, 1 or 2, by default the
            player to move: an evaluation may depend on that. Only for one thread, and without
            `compiled`.

    Returns:
        The SearchResult; its `stopped` names the limit that ended the search, if one did.

    Raises:
        TypeError: If the board is no position.
        ValueError: If the game is over or a limit is out of range; with several threads, if `nodes`
            or `compiled` is set, or the game cannot be searched by threads.
        NoEvaluation: If the game has no evaluation and the search is not to the end of the game.
        MemoryError: If the search needs more memory than there is.
    """
    game = game_of(board)
    limits = Limits(depth, nodes, seconds)
    _check(board, limits)
    check_threads(threads)
    if threads > 1:
        _check_splits(game, limits, compiled)
        return search_in_threads(game, board, limits, report, threads)
    if player and game.search_for_player:
        return game.search_for_player(board, limits, report, player)
    if compiled := compiled or game.search:
        return compiled(board, limits, report)
    return search_position(game, board, limits, report, player)


def deepen(
    board: Position,
    depth: int = 0,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    report: Report | None = None,
    finish_first: bool = True,
    compiled: CompiledSearch | None = None,
) -> SearchResult:
    """Search to depth 1, 2, 3 ... within a time limit or a number of nodes.

    Args:
        board: The position, of any registered game.
        depth: The largest depth in plies, 0 for the end of the game.
        seconds: The time limit.
        nodes: The most nodes to visit in all searches together, that to depth 1 too.
        report: As for `search`.
        finish_first: Whether the search to depth 1 is finished even after the time, except in a
            game without an evaluation, where the only search is that to the end.
        compiled: As for `search`.

    Returns:
        The SearchResult of the deepest finished search; its `stopped` is set if a deeper one was
        stopped by a limit. The stopped search's own result if the nodes do not suffice for depth 1.

    Raises:
        TypeError, ValueError, NoEvaluation, MemoryError: As `search` does.
        TimeoutError: If the search to depth 1 is stopped by the time limit, without `finish_first`.
    """
    Limits(depth, nodes, seconds).check()
    search_to = partial(search, board, report=report, compiled=compiled)
    if not depth and game_of(board).evaluate is None:
        return search_to(0, nodes=nodes, seconds=seconds)
    deadline = None if seconds is None else monotonic() + seconds
    result = search_to(1, nodes=nodes, seconds=None if finish_first else seconds)
    if result.stopped == "seconds":
        raise TimeoutError(f"the search to depth 1 did not finish in {seconds:.2g} s")
    reached, visited = 1, result.nodes_visited
    # A search that did not meet its depth limit has seen the whole tree: deeper is the same.
    while not result.stopped and reached != depth and result.max_depth == reached:
        if visited == nodes:
            return result._replace(stopped="nodes")
        reached += 1
        left = None if deadline is None else max(0.0, deadline - monotonic())
        rest = None if nodes is None else nodes - visited
        deeper = search_to(reached, nodes=rest, seconds=left)
        if deeper.stopped:
            return result._replace(stopped=deeper.stopped)
        visited += deeper.nodes_visited
        result = deeper
    return result


def strong_search(
    board: Position,
    depth: int = 0,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Report | None = None,
) -> StrongResult:
    """Search a position for the best move with all means, not as in Figure 5.7.

    It deepens by itself. The same nodes find the same move. Otherwise it is used as `search`.

    Args:
        board: The position, of a game with a strong search.
        depth: The largest depth in plies, 0 for the end of the game.
        nodes: The most nodes to visit.
        seconds: The longest time to search; depth 1 is always finished.
        report: As for `search`.

    Returns:
        The StrongResult; its `stopped` names the limit that ended the search, if one did.

    Raises:
        ValueError: If the game is over or has no strong search, or a limit is out of range.
        MemoryError: If the search needs more memory than there is.
    """
    limits = Limits(depth, nodes, seconds)
    _check(board, limits)
    game = game_of(board)
    if not game.strong_search:
        raise ValueError(f"{game.name} has no strong search")
    return game.strong_search(board, limits, report)


def _check(board: Position, limits: Limits) -> None:
    if outcome := board.outcome:
        raise ValueError(f"the game is over: {outcome.reason}")
    limits.check()


def _check_splits(game: Game, limits: Limits, compiled: CompiledSearch | None) -> None:
    """Raise ValueError if a search cannot be split among threads."""
    if limits.nodes is not None:
        raise ValueError("nodes cannot be limited in a search by several threads")
    if compiled or not game.search_subtree:
        raise ValueError(f"this search of {game.name} is for one thread")
