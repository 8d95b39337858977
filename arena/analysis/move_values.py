"""Values of all legal moves of a position: each is searched, within one budget for all. Pure."""

from collections.abc import Callable

from arena.analysis.position import TooLarge, check_search_cost, solve, studied_position
from arena.protocol.positions import FindMoveValues, MoveValue, MoveValues
from core import GAMES
from core.game import Game, Position
from core.search import SearchResult, search
from core.search.leaves import Leaves

MAX_MOVES = 2000  # legal moves; more of them make an answer of several 100 KB
MAX_LINE = 12  # plies of a principal variation


def find_move_values(
    request: FindMoveValues, seconds: float, nodes: int, clock: Callable[[], float]
) -> MoveValues:
    """Search each legal move alone, with a full window; moves that win by perfect play first.

    Args:
        request: The position, and the depth in plies of the search that has these moves at its
            root.
        seconds: Time limit of the whole answer. The solver may take half of it.
        nodes: The most nodes to visit in all searches together.
        clock: A monotonic clock, in seconds.

    Returns:
        The values, by move; a move that a limit has stopped has none.

    Raises:
        TooLarge: For a position that is too large for a search, or has too many moves.
        ValueError: For an invalid or too large position, or a game without an evaluation that is
            not to be searched to its end; the message is one line.
    """
    deadline = clock() + seconds
    try:
        position = studied_position(request.game, request.setup, request.moves)
        legal_moves = position.legal_moves()
        check_search_cost(request.setup, len(legal_moves))
        if len(legal_moves) > MAX_MOVES:
            text = f"at most {MAX_MOVES} legal moves have their values here, got {len(legal_moves)}"
            raise TooLarge(text)
        _, winning = solve(position, seconds / 2)
        searches = _Searches(position.player_to_move, nodes, deadline, clock)
        rows = _Rows(GAMES[request.game], position, request.depth, winning, searches)
        first = {*(winning or ())}
        found = [rows.row(move) for move in sorted(legal_moves, key=lambda move: move not in first)]
    except MemoryError:
        raise ValueError("the position is too large for this machine's memory") from None
    return MoveValues(request.request, sorted(found, key=lambda row: row.move))


class _Stopped(Exception):
    """A limit was reached; its argument is the limit's name."""


class _Searches:
    """Searches within one budget, all seen by the player who moves at the root."""

    def __init__(
        self, player: int, nodes: int, deadline: float, clock: Callable[[], float]
    ) -> None:
        self.player = player
        self._nodes = nodes
        self._deadline = deadline
        self._clock = clock

    def run(self, position: Position, depth: int) -> SearchResult:
        """Search a position where the game is not over. Raises _Stopped."""
        seconds = self.seconds_left()
        if not self._nodes:
            raise _Stopped("nodes")
        result = search(position, depth, nodes=self._nodes, seconds=seconds, player=self.player)
        self._nodes -= result.nodes_visited
        if result.stopped:
            raise _Stopped(result.stopped)
        return result

    def seconds_left(self) -> float:
        """Return the time that is left. Raises _Stopped if it is used up."""
        if (seconds := self._deadline - self._clock()) > 0:
            return seconds
        raise _Stopped("seconds")


class _Rows:
    """The moves of one position, one after another."""

    def __init__(
        self,
        game: Game,
        position: Position,
        depth: int,
        winning: list[int] | None,
        searches: _Searches,
    ) -> None:
        self._evaluate = game.evaluate
        self._leaves = Leaves(game, searches.player, depth)
        self._position = position
        self._depth = depth
        self._winning = winning
        self._searches = searches

    def row(self, move: int) -> MoveValue:
        """Return what is known about a move."""
        wins = None if self._winning is None else move in self._winning
        static = None
        self._position.play(move)
        try:
            self._searches.seconds_left()
            if self._evaluate:
                static = self._evaluate(self._position, self._searches.player).value
            leaf = self._leaves.evaluation(self._position, 1)
            if leaf:
                return MoveValue(move, wins, static, leaf.value, 1, [move])
            found = self._searches.run(self._position, self._below(1))
        except _Stopped as limit:
            return MoveValue(move, wins, static, None, 0, [], str(limit))
        finally:
            self._position.undo()
        line = [move, found.move, *self._rest([move, found.move])]
        return MoveValue(move, wins, static, found.value, found.nodes_visited, line)

    def _rest(self, line: list[int]) -> list[int]:
        """Return the moves that follow a beginning of a principal variation, while there is time.

        Searches to the rest of the depth find them: a child on the line has the value of its node.
        """
        rest: list[int] = []
        for move in line:
            self._position.play(move)
        ply = len(line)
        try:
            while ply < MAX_LINE and not self._leaves.evaluation(self._position, ply):
                move = self._searches.run(self._position, self._below(ply)).move
                self._position.play(move)
                rest.append(move)
                ply += 1
        except _Stopped:
            pass
        for _ in range(ply):
            self._position.undo()
        return rest

    def _below(self, ply: int) -> int:
        """Return the depth that is left for a search `ply` plies below the root."""
        return self._depth and self._depth - ply
