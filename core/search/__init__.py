"""Alpha-beta search, exactly as in Figure 5.7 of Russell and Norvig, for every game.

A compiled game brings a search that was compiled for its own types (alpha_beta.pxi); every other
game with an evaluation is searched in Python (generic.py). Both count the same nodes.
"""

from time import monotonic

from core.game import Position
from core.registry import game_of
from core.search.generic import search_position
from core.search.leaves import NoEvaluation
from core.search.result import Limits, Progress, Report, SearchResult

__all__ = ["Limits", "NoEvaluation", "Progress", "SearchResult", "deepen", "search"]


def search(
    board: Position,
    depth: int = 0,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    report: Report | None = None,
) -> SearchResult:
    """Search a position to a depth, exactly as in Figure 5.7.

    The search of a compiled game releases the GIL. Ctrl-C ends a search in the main thread.

    Args:
        board: The position, of any registered game.
        depth: The depth in plies, 0 for the end of the game.
        nodes: The most nodes to visit.
        seconds: The longest time to search.
        report: Called with a Progress about twenty times a second; an exception ends the search.

    Returns:
        The SearchResult; its `stopped` names the limit that ended the search, if one did.

    Raises:
        ValueError: If the game is over or a limit is out of range.
        NoEvaluation: If the game has no evaluation and the search is not to the end of the game.
        MemoryError: If the search needs more memory than there is.
    """
    if outcome := board.outcome:
        raise ValueError(f"the game is over: {outcome.reason}")
    limits = Limits(depth, nodes, seconds)
    limits.check()
    game = game_of(board)
    if game.search:
        return game.search(board, limits, report)
    return search_position(game, board, limits, report)


def deepen(
    board: Position,
    depth: int = 0,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    report: Report | None = None,
    finish_first: bool = True,
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

    Returns:
        The SearchResult of the deepest finished search; its `stopped` is set if a deeper one was
        stopped by a limit. If the nodes do not suffice for depth 1, that of the stopped search.

    Raises:
        ValueError, NoEvaluation, MemoryError: As `search` does.
        TimeoutError: If the search to depth 1 is stopped by the time limit, without `finish_first`.
    """
    Limits(depth, nodes, seconds).check()
    if not depth and game_of(board).evaluate is None:
        return search(board, nodes=nodes, seconds=seconds, report=report)
    deadline = None if seconds is None else monotonic() + seconds
    result = search(board, 1, nodes=nodes, seconds=None if finish_first else seconds, report=report)
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
        deeper = search(board, reached, nodes=rest, seconds=left, report=report)
        if deeper.stopped:
            return result._replace(stopped=deeper.stopped)
        visited += deeper.nodes_visited
        result = deeper
    return result
