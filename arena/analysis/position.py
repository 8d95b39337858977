"""Analysis of positions: perfect play, search and static evaluation. Pure."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import starmap
from urllib.parse import urlencode

from arena.protocol.positions import MatchingInfo, NodeInfo
from arena.protocol.spectator import (
    Analyse,
    Analysis,
    FindMatching,
    FindPosition,
    OutcomeInfo,
    PositionInfo,
    SearchSummary,
)
from core import GAMES, solver_of
from core.game import Game, Position, Solver
from core.registry import UnknownGame, game_of
from core.search import NoEvaluation, SearchResult, deepen

# Largest value of a setup parameter, and largest number of moves. A position of this size takes
# about 5 MB and up to 0.2 s to solve; ten times the size takes 50 MB and 2 s.
MAX_SIZE = 100_000
# Largest product of the setup's parameters and the number of legal moves in a search. It grows as
# the time of a search to depth 1 does, in which each move leads to a position to be evaluated:
# this is 0.2 to 0.4 s in the compiled games.
MAX_SEARCH_COST = 1_000_000_000


class TooLarge(ValueError):
    """A position that would take too long; the message is one line."""


class SolvedLine:
    """Winners under perfect play along the moves of one match, which may still go on.

    A line is unsolved if the game has no solver, if a value of the setup is above MAX_SIZE, if
    solving the start exceeds the time limit or the memory, if the solver fails, or once the
    match ends in a draw, which no solver can express.

    Attributes:
        winners: The winner, 1 or 2, after 0, 1, 2 ... moves; empty for an unsolved line.
    """

    def __init__(self, game: str, setup: Mapping[str, int], seconds: float) -> None:
        """Solve the start of a match within `seconds` seconds.

        Raises:
            KeyError: For an unknown game.
            Exception: Any error that the game raises for the setup.
        """
        self.winners: list[int] = []
        self._moves: list[int] = []
        self._solver: Solver | None = None
        if all(value <= MAX_SIZE for value in setup.values()):
            self._position = GAMES[game].position(**setup)
            with self._unsolved_on_error():
                self._solver = solver_of(self._position, seconds)
            self._append_winner()

    @property
    def is_solved(self) -> bool:
        """Whether the winners are known."""
        return self._solver is not None

    def follow(self, moves: Sequence[int]) -> int | None:
        """Update the winners to the current moves of the match.

        Args:
            moves: All moves from the start of the match.

        Returns:
            The first changed index of `winners`, its former length if it only grew; None without
            a change.

        Raises:
            IllegalMove: For an illegal move; the winners up to it are updated.
        """
        if not self._solver:
            return None
        pairs = zip(self._moves, moves, strict=False)
        shorter = min(len(self._moves), len(moves))
        kept = next((ply for ply, (old, new) in enumerate(pairs) if old != new), shorter)
        if kept == len(self._moves) == len(moves):
            return None
        for _ in self._moves[kept:]:
            self._undo()
        del self._moves[kept:], self.winners[kept + 1 :]
        for move in moves[kept:]:
            self._play(move)
        return kept + 1 if self._solver else 0

    def _undo(self) -> None:
        self._position.undo()
        with self._unsolved_on_error():
            if self._solver:
                self._solver.undo()

    def _play(self, move: int) -> None:
        self._position.play(move)
        self._moves.append(move)
        with self._unsolved_on_error():
            if self._solver:
                self._solver.play(move)
        self._append_winner()

    def _append_winner(self) -> None:
        with self._unsolved_on_error():
            if self._solver:
                self.winners.append(_winner(self._position, self._solver))

    @contextmanager
    def _unsolved_on_error(self) -> Iterator[None]:
        """Leave the line unsolved if its solver fails."""
        try:
            yield
        except Exception:  # a solver may raise anything
            self._solver = None
            self.winners.clear()


def _winner(position: Position, solver: Solver) -> int:
    """Return the winner under perfect play.

    Raises:
        ValueError: If the game has ended in a draw.
    """
    player = position.player_to_move
    if not (outcome := position.outcome):
        return player if solver.winning_moves() else 3 - player
    if outcome.winner is None:
        raise ValueError(f"a game with a solver has ended in a draw: {outcome.reason}")
    return outcome.winner


def analyse(request: Analyse, seconds: float, clock: Callable[[], float]) -> Analysis:
    """Analyse a position.

    Args:
        request: The position, and the depth of the search in plies, if one is wanted.
        seconds: Time limit of the whole analysis. A search that reaches it returns the deepest
            finished iteration; in a game without an evaluation, the best of the moves that it has
            searched to the end of the game. The solver may take half of it if a search is wanted.
        clock: A monotonic clock, in seconds.

    Returns:
        The analysis; values that could not be computed are None.

    Raises:
        TooLarge: For a position that is too large for a search.
        ValueError: For an invalid or too large position; the message is one line.
    """
    deadline = clock() + seconds
    try:
        game = _game(request.game)
        position = _position(game, request.setup, request.moves)
        legal_moves = position.legal_moves()
        if request.depth is not None:
            check_search_cost(request.setup, len(legal_moves))
        value, words, decided = _evaluation(game, position)
        winner, winning_moves = solve(position, seconds / (1 if request.depth is None else 2))
        left = max(0.0, deadline - clock())
        search, search_error = _search(game, position, request.depth, left)
        return Analysis(
            request.request,
            position.player_to_move,
            legal_moves,
            value,
            words,
            winner or decided,
            winning_moves,
            search,
            search_error,
        )
    except MemoryError:
        raise ValueError("the position is too large for this machine's memory") from None


def check_search_cost(setup: Mapping[str, int], moves: int) -> None:
    """Check that a search to depth 1 takes little of the time. Raises TooLarge."""
    cost = math.prod(max(1, value) for value in setup.values()) * moves
    if cost > MAX_SEARCH_COST:
        raise TooLarge(
            "the position is too large to be searched here: the product of its setup and its number"
            f" of legal moves must be at most {MAX_SEARCH_COST}, got {cost} (without a depth it can"
            " be analysed)"
        )


def find_position(request: FindPosition) -> PositionInfo:
    """Return a position with its legal moves, its text and its outcome.

    Raises:
        ValueError: For an invalid or too large position; the message is one line.
    """
    try:
        position = studied_position(request.game, request.setup, request.moves)
        names_in = GAMES[request.game].names_in
        played = names_in(position).played
        for _ in played[len(played) if request.ply is None else request.ply :]:
            position.undo()
        outcome = position.outcome
        return PositionInfo(
            request.request,
            position.player_to_move,
            position.legal_moves(),
            str(position),
            OutcomeInfo(outcome.winner, outcome.reason) if outcome else None,
            played,
            names_in(position).legal,
        )
    except MemoryError:
        raise ValueError("the position is too large for this machine's memory") from None


def studied_position(game: str, setup: Mapping[str, int], moves: Sequence[int]) -> Position:
    """Return the position that a request names.

    Raises:
        ValueError: For an invalid or too large position; the message is one line.
    """
    return _position(_game(game), setup, moves)


def _evaluation(game: Game, position: Position) -> tuple[float | None, str | None, int | None]:
    """Return the static evaluation of a search that begins here, its explanation and the winner.

    The winner is None unless the evaluation decides the game.
    """
    if not game.evaluate:
        return None, None, None
    value, words, is_final = game.evaluate(position, position.player_to_move)
    return value, words, _better_player(value) if is_final else None


def _better_player(value: float) -> int | None:
    """Return the player that a value is better for, None for a draw's."""
    if not value:
        return None
    return 1 if value > 0 else 2


def _game(name: str) -> Game:
    try:
        return GAMES[name]
    except UnknownGame as error:
        raise ValueError(str(error)) from None


def _position(game: Game, given: Mapping[str, int], moves: Sequence[int]) -> Position:
    setup = game.completed(given)
    for name, value in setup.items():
        if name not in game.parameters:
            known = ", ".join(game.parameters) or "none"
            raise ValueError(f"unknown setup parameter {name!r:.60} (choose from {known})")
        if limit := game.parameters[name].broken_limit(value):
            raise ValueError(f"{name} must be {limit}, got {value}")
        if value > MAX_SIZE:
            raise ValueError(f"{name} must be at most {MAX_SIZE} here, got {value}")
    for name, parameter in game.parameters.items():
        if name not in setup:
            raise ValueError(f"missing setup parameter {name} ({parameter.meaning})")
    if len(moves) > MAX_SIZE:
        raise ValueError(f"at most {MAX_SIZE} moves are possible here, got {len(moves)}")
    return game.study(**setup, moves=moves)


def solve(position: Position, seconds: float) -> tuple[int | None, list[int] | None]:
    """Return the winner and the winning moves under perfect play, None where unknown."""
    if outcome := position.outcome:
        return outcome.winner, []
    try:
        solver = solver_of(position, seconds)
    except (MemoryError, TimeoutError):
        return None, None
    if not solver:
        return None, None
    moves = solver.winning_moves()
    player = position.player_to_move
    return (player if moves else 3 - player), moves


def _search(
    game: Game, position: Position, depth: int | None, seconds: float
) -> tuple[SearchSummary | None, str | None]:
    """Return the result of the search, if one is wanted, or the reason why not."""
    if depth is None or position.is_over:
        return None, None
    try:
        result = deepen(position, depth, seconds=seconds, finish_first=False)
    except (NoEvaluation, TimeoutError) as error:
        return None, str(error)
    if result.stopped and math.isinf(result.value):  # only without an evaluation
        return None, f"the search to the end of the game finished no move in {seconds:.2g} s"
    summary = SearchSummary(
        depth,
        result.move,
        result.value,
        result.nodes_visited,
        result.nodes_evaluated,
        result.max_depth,
        result.branching_factor,
        result.stopped,
        _proven_winner(game, depth, result),
    )
    return summary, None


def _proven_winner(game: Game, depth: int, result: SearchResult) -> int | None:
    """Return the winner if the search has seen the end of all games, or of all that matter."""
    is_complete = not result.stopped and (not depth or result.max_depth < depth)
    is_won = game.win_value is not None and abs(result.value) >= game.win_value
    return _better_player(result.value) if is_complete or is_won else None


def find_matching(request: FindMatching) -> MatchingInfo:
    """Return the matching that decides a position.

    Raises:
        TooLarge: For a position that is too large to be shown.
        ValueError: For an invalid position, or a game without matchings; the message is one line.
    """
    try:
        position = studied_position(request.game, request.setup, request.moves)
        game = game_of(position)
        if game.matching is None:
            raise ValueError(f"no matching decides {game.name}")
        found = game.matching(position)
    except MemoryError:
        raise ValueError("the position is too large for this machine's memory") from None
    if found is None:
        raise TooLarge("the position is too large for its matching to be shown")
    nodes = [*starmap(NodeInfo, found.nodes)]
    return MatchingInfo(request.request, position.player_to_move, nodes, *found[1:])


def analysis_address(
    game: str, setup: Mapping[str, int], moves: Sequence[int], depth: int = 0
) -> str:
    """Return the address of the analysis of a position, relative to the page's.

    Args:
        game: The name of the game.
        setup: Its setup.
        moves: The moves before the position.
        depth: The depth of the search in plies; 0 for none.
    """
    query = urlencode({"game": game, **setup})
    return f"#/analysis?{query}&moves={','.join(map(str, moves))}&depth={depth or ''}"
