"""Analysis of positions, against the solver and the search themselves."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.position import (
    MAX_SEARCH_COST,
    MAX_SIZE,
    SolvedLine,
    TooLarge,
    analyse,
    find_position,
)
from arena.protocol.spectator import (
    Analyse,
    Analysis,
    FindPosition,
    OutcomeInfo,
    PositionInfo,
    SearchSummary,
)
from core import GAMES
from core.game import Evaluation, IllegalMove, Outcome, Position
from core.search import deepen, search
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.cases import loop_over
from tests.support.games.defective_games import NimSolver, SoundHeap, broken_heap, sound_game
from tests.support.games.reference import Taken
from tests.support.games.strategies import games, positions
from tests.support.games.toy_games import NIM, TEN_NIM
from tests.support.polling import TEST_TIMEOUT

TAKE_STONES = GAMES["take_stones"]


def solved_line(stones: int, seconds: float = TEST_TIMEOUT) -> SolvedLine:
    return SolvedLine("take_stones", {"stones": stones}, seconds)


def winners(stones: int, moves: Sequence[int]) -> list[int]:
    """Return the winner after 0, 1, 2 ... moves, each solved independently."""
    return [solve(Board(stones, moves[:ply])).winner for ply in range(len(moves) + 1)]


# SolvedLine


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """Draw a number of stones and snapshots of a match's moves, with takebacks."""
    stones = draw(st.integers(1, 60))
    board = Board(stones)
    snapshots = []
    for _ in range(draw(st.integers(1, 6))):
        for _ in range(draw(st.integers(0, len(board.taken)))):
            board.undo()
        for _ in range(draw(st.integers(0, 5))):
            if not board.is_over:
                board.take(draw(st.sampled_from(board.legal_moves())))
        snapshots.append(board.taken)
    return stones, snapshots


@given(histories())
def test_winners_follow_and_changes_are_returned(history: tuple[int, list[list[int]]]) -> None:
    stones, snapshots = history
    line = solved_line(stones)
    for moves in snapshots:
        line.follow(moves)
        assert line.winners == winners(stones, moves)
    copy = line.winners.copy()
    for moves in snapshots:
        ply = line.follow(moves)
        if ply is not None:
            copy[ply:] = line.winners[ply:]
        assert copy == line.winners


def test_lines_have_winners() -> None:
    assert solved_line(7).winners == winners(7, [])
    line = solved_line(7)
    with pytest.raises(IllegalMove, match="illegal move 3: stone 5 is neither"):
        line.follow([3, 6, 5])
    assert line.winners == winners(7, [3, 6])
    assert solved_line(MAX_SIZE).is_solved


@loop_over(
    "before, after, ply",
    ([], [], None),
    ([3, 6], [3, 6], None),
    ([], [3], 1),
    ([3, 6], [3, 6, 1, 4], 3),
    ([3, 6, 1], [3], 2),
    ([3, 6, 1], [3, 6, 2], 3),
    ([3, 6, 1], [1], 1),
)
def test_following_returns_a_ply(before: list[int], after: list[int], ply: int | None) -> None:
    line = solved_line(7)
    line.follow(before)
    assert line.follow(after) == ply


UNSOLVED = [
    (SolvedLine("isolation", {}, TEST_TIMEOUT), [7]),
    (solved_line(MAX_SIZE, seconds=0), [1]),
    (solved_line(MAX_SIZE + 1), [1]),
]


@loop_over(("line", "moves"), UNSOLVED)
def test_unsolved_lines_have_no_winners(line: SolvedLine, moves: list[int]) -> None:
    line.follow(moves)
    assert (line.is_solved, line.winners) == (False, [])
    assert line.follow(moves) is None


def test_the_end_has_the_winner_of_the_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    # In misère Nim a player that cannot move has won.
    monkeypatch.setitem(GAMES, "nim", sound_game())
    line = SolvedLine("nim", {"heap": 6}, TEST_TIMEOUT)
    line.follow([1, 3, 2])
    assert line.winners == [1, 1, 1, 2]
    result = analyse(Analyse(8, "nim", {"heap": 6}, [1, 3, 2]), TEST_TIMEOUT, monotonic)
    assert result.winner == line.winners[-1]


def test_line_that_ends_in_a_draw_is_unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = property(lambda heap: None if heap.left else Outcome(None, "the heap is empty"))
    monkeypatch.setitem(GAMES, "nim", broken_heap(outcome=drawn))
    line = SolvedLine("nim", {"heap": 6}, TEST_TIMEOUT)
    line.follow([1, 3])
    assert line.is_solved
    line.follow([1, 3, 2])
    assert (line.is_solved, line.winners) == (False, [])


class FailingSolver(NimSolver):
    """A solver that fails from a number of calls on."""

    calls = 0

    def __init__(self, heap: SoundHeap, seconds: float | None) -> None:
        super().__init__(heap, seconds)
        self.count_call()

    def winning_moves(self) -> list[int]:
        self.count_call()
        return super().winning_moves()

    def play(self, move: int) -> None:
        self.count_call()
        super().play(move)

    def undo(self) -> int:
        self.count_call()
        return super().undo()

    @classmethod
    def count_call(cls) -> None:
        cls.calls -= 1
        if not cls.calls:
            raise RuntimeError("out of order")


@loop_over("calls", range(1, 8))
def test_line_whose_solver_fails_is_unsolved(calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", sound_game(solver=FailingSolver))
    monkeypatch.setattr(FailingSolver, "calls", calls)
    line = SolvedLine("nim", {"heap": 6}, TEST_TIMEOUT)
    line.follow([1, 2])
    line.follow([])
    assert (line.is_solved, line.winners) == (False, [])


# analyse


def analysis(
    stones: int, moves: Sequence[int], depth: int | None = None, seconds: float = TEST_TIMEOUT
) -> Analysis:
    return analyse(Analyse(8, "take_stones", {"stones": stones}, moves, depth), seconds, monotonic)


def isolation_analysis(moves: Sequence[int] = (), depth: int | None = None) -> Analysis:
    return analyse(Analyse(8, "isolation", {}, moves, depth), TEST_TIMEOUT, monotonic)


some_games = games(st.integers(1, 60), st.integers(0, 12))
some_positions = positions(st.integers(3, 60), st.integers(0, 12))


@given(some_games)
def test_analysis_describes_and_explains_the_position(game: tuple[int, Taken]) -> None:
    board, result = Board(*game, any_first=True), analysis(*game)
    place = 8, board.player_to_move, board.legal_moves()
    assert (result.request, result.player, result.legal_moves) == place
    assert TAKE_STONES.evaluate
    evaluation = TAKE_STONES.evaluate(board, board.player_to_move)
    assert (result.value, result.explanation) == (evaluation.value, evaluation.words)
    solution = solve(board)
    assert (result.winner, result.winning_moves) == (solution.winner, solution.winning_moves)
    stones, moves = game
    info = find_position(FindPosition(8, "take_stones", {"stones": stones}, moves))
    assert (info.request, info.player, info.legal_moves, info.text) == (*place, str(board))
    assert (info.outcome is None) is not board.is_over


@given(some_positions, st.integers(1, 4))
def test_analysis_searches_like_search(game: tuple[int, Taken], depth: int) -> None:
    result = search(Board(*game, any_first=True), depth)
    is_complete = result.max_depth < depth
    winner = (1 if result.value > 0 else 2) if is_complete else None
    assert analysis(*game, depth).search == SearchSummary(
        depth, *result[:5], result.branching_factor, None, winner
    )


def test_depth_0_searches_to_the_end() -> None:
    result = search(Board(7, [1, 4, 2]))
    assert analysis(7, [1, 4, 2], 0).search == SearchSummary(0, *result[:5], 1.0, None, 1)


def test_a_stopped_search_returns_the_last_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    result = deepen(Board(40), 3, seconds=0)
    monkeypatch.setattr("core.search.monotonic", iter([0.0, 1e9]).__next__)  # after depth 1
    assert analysis(40, [], 3).search == SearchSummary(
        3, *result[:5], result.branching_factor, "seconds"
    )
    assert result.max_depth == 1


def test_time_is_shared_by_solver_and_search() -> None:
    result = analysis(1000, [], 3, seconds=0)
    assert result.search is None
    assert result.search_error == "the search to depth 1 did not finish in 0 s"
    times = iter([100.0, 102.5])  # at the start, and after the solver
    result = analyse(Analyse(8, "take_stones", {"stones": 1000}, [], 3), 2.0, lambda: next(times))
    assert result.search_error == "the search to depth 1 did not finish in 0 s"
    result = analysis(MAX_SIZE, [], seconds=0)
    assert (result.winner, result.winning_moves) == (None, None)


@loop_over(("moves", "legal"), [([], 25_000), ([1], 99_999)])
def test_large_position_is_searched_by_moves(moves: Sequence[int], legal: int) -> None:
    large = Analyse(8, "take_stones", {"stones": MAX_SIZE}, moves, 50)
    with pytest.raises(TooLarge, match=rf"must be at most {MAX_SEARCH_COST}, got {legal}00000 "):
        analyse(large, TEST_TIMEOUT, monotonic)
    assert len(analysis(MAX_SIZE, moves).legal_moves) == legal
    few = analysis(MAX_SIZE, [MAX_SIZE // 2 - 1], 1)
    assert len(few.legal_moves) * MAX_SIZE <= MAX_SEARCH_COST
    assert few.search


def test_positions_without_a_search_or_a_solver() -> None:
    assert analysis(7, []).search is None
    result = analysis(7, [1, 7], 3)
    assert (result.winner, result.winning_moves, result.search) == (2, [], None)
    result = isolation_analysis()
    assert (result.winner, result.winning_moves) == (None, None)


def test_a_search_may_see_the_winner_without_a_solver() -> None:
    winners: set[int | None] = set()
    for moves in endings_of_isolation():
        result = isolation_analysis(moves, 2)
        assert result.search
        is_won = abs(result.search.value) == GAMES["isolation"].win_value
        winner = (1 if result.search.value > 0 else 2) if is_won else None
        assert result.search.winner == winner
        assert result.winner in (winner, None)
        winners.add(winner)
    assert winners == {1, 2, None}


def test_a_complete_search_may_see_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = sound_game(evaluate=lambda _heap, _player: Evaluation(0.0, "even"), solver=None)
    monkeypatch.setitem(GAMES, "nim", drawn)
    result = analyse(Analyse(8, "nim", {"heap": 6}, depth=0), TEST_TIMEOUT, monotonic)
    assert result.search
    assert (result.search.value, result.search.winner, result.winner) == (0.0, None, None)


def endings_of_isolation() -> Iterator[list[int]]:
    """Yield the moves before the last 1 to 25 moves of some random games."""
    for seed in range(4):
        position, draw = GAMES["isolation"].position(), random.Random(seed)
        while not position.is_over:
            position.play(draw.choice(position.legal_moves()))
        for plies in range(1, 26):
            yield position.moves[:-plies]


@given(st.data())
def test_finished_game_without_a_solver_has_a_winner(data: st.DataObject) -> None:
    position: Position = GAMES["isolation"].position()
    while not position.is_over:
        position.play(data.draw(st.sampled_from(position.legal_moves())))
    result, outcome = isolation_analysis(position.moves, 2), position.outcome
    assert outcome
    assert (result.winner, result.winning_moves, result.search) == (outcome.winner, [], None)


# find_position


@loop_over(
    "moves, info",
    ([3], PositionInfo(8, 2, [1, 2], "2 left", None, ["3"], ["1", "2"])),
    (
        [3, 2],
        PositionInfo(
            8, 1, [], "0 left", OutcomeInfo(1, "player 2 has taken the last one"), ["3", "2"], []
        ),
    ),
)
def test_position_may_have_an_outcome(
    monkeypatch: pytest.MonkeyPatch, moves: Sequence[int], info: PositionInfo
) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert find_position(FindPosition(8, NIM.name, {"heap": 5}, moves)) == info


def test_a_position_before_the_last_move_comes_with_the_names_of_all_moves() -> None:
    info = find_position(FindPosition(8, "take_stones", {"stones": 7}, [3, 6, 2], 1))
    assert (info.player, info.text) == (2, str(Board(7, [3])))
    assert info.played_names == ["3", "6", "2"]
    assert info.legal_names == ["1", "6"]


# Invalid requests


@loop_over(
    "game, setup, moves, message",
    ("go", {}, [], "unknown game 'go' (choose from take_stones, isolation)"),
    (99 * "g", {}, [], f"unknown game '{59 * 'g'} (choose"),
    ("take_stones", {}, [], "missing setup parameter stones (number of stones)"),
    (
        "take_stones",
        {"stones": 7, "a\nb": 7},
        [],
        r"unknown setup parameter 'a\nb' (choose from stones)",
    ),
    ("isolation", {"size": 5}, [5], "is outside the 5 by 5 board"),
    ("take_stones", {"stones": 0}, [], "stones must be at least 1, got 0"),
    ("take_stones", {"stones": MAX_SIZE + 1}, [], "stones must be at most 100000 here, got 100001"),
    ("take_stones", {"stones": 7}, [2**70], "does not exist, the stones are 1 to 7"),
    ("isolation", {}, [64], "illegal move 1: square 64"),
    ("isolation", {}, range(MAX_SIZE + 1), "at most 100000 moves are possible here, got 100001"),
)
def test_invalid_request_is_refused_with_one_line(
    game: str, setup: Mapping[str, int], moves: Sequence[int], message: str
) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
        analyse(Analyse(8, game, setup, moves), TEST_TIMEOUT, monotonic)
    assert message in str(caught.value)
    with pytest.raises(ValueError, match=re.escape(str(caught.value))):
        find_position(FindPosition(8, game, setup, moves))


def test_a_game_may_have_no_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, TEN_NIM.name, TEN_NIM)
    with pytest.raises(ValueError, match=r"unknown setup parameter 'n' \(choose from none\)"):
        find_position(FindPosition(8, TEN_NIM.name, {"n": 7}, []))


def test_game_without_an_evaluation_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    analysis = analyse(Analyse(8, NIM.name, {"heap": 5}, depth=2), TEST_TIMEOUT, monotonic)
    assert (analysis.value, analysis.explanation, analysis.search) == (None, None, None)
    assert analysis.legal_moves == [1, 2, 3]
    reason = "misere_nim has no evaluation, so that it can only be searched to the end (depth 0)"
    assert analysis.search_error == reason


def test_games_without_evaluation_are_searched_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    analysis = analyse(Analyse(8, NIM.name, {"heap": 7}, depth=0), TEST_TIMEOUT, monotonic)
    assert analysis.search
    assert (analysis.search.move, analysis.search.value) == (2, 1.0)
    assert analysis.search_error is None
    analysis = analyse(Analyse(8, NIM.name, {"heap": 7}, depth=0), 0, monotonic)
    assert analysis.search is None
    reason = "the search to the end of the game finished no move in 0 s"
    assert analysis.search_error == reason


def out_of_memory(**setup: int) -> Position:
    raise MemoryError(setup)


def test_too_little_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    vast = GAMES["take_stones"]._replace(study=out_of_memory)
    monkeypatch.setitem(GAMES, "vast", vast)
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        analyse(Analyse(8, "vast", {"stones": 7}), TEST_TIMEOUT, monotonic)
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        find_position(FindPosition(8, "vast", {"stones": 7}))


def test_refusal_of_a_large_board_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def study(*, heap: int, moves: Sequence[int]) -> Position:
        raise ValueError(f"heap must be at most 9, not {heap} ({len(moves)} moves)")

    monkeypatch.setitem(GAMES, "nim", sound_game(study=study))
    refusal = f"^heap must be at most 9, not {MAX_SIZE} "
    with pytest.raises(ValueError, match=refusal):
        find_position(FindPosition(8, "nim", {"heap": MAX_SIZE}))
    with pytest.raises(ValueError, match=refusal):
        analyse(Analyse(8, "nim", {"heap": MAX_SIZE}), TEST_TIMEOUT, monotonic)
