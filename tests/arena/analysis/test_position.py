"""What is said of positions, against the solver and the search themselves."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.position import LARGEST, Line, answer
from arena.protocol.spectator import Analyse, Analysis, SearchSummary
from core import GAMES
from core.game import IllegalMove, Position
from core.search import deepen, search
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.arena_server import TEST_TIMEOUT
from tests.support.reference import Taken
from tests.support.strategies import games, positions


def line_of(stones: int, seconds: float = TEST_TIMEOUT) -> Line:
    return Line("take_stones", {"stones": stones}, seconds)


def winners(stones: int, moves: Sequence[int]) -> list[int]:
    """Who wins after 0, 1, 2 ... of the moves, each solved anew."""
    return [solve(Board(stones, moves[:ply])).winner for ply in range(len(moves) + 1)]


# Line


@st.composite
def wanderings(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """A number of stones, and the moves of a match from time to time, some taken back."""
    stones = draw(st.integers(1, 60))
    board = Board(stones)
    seen = []
    for _ in range(draw(st.integers(1, 6))):
        for _ in range(draw(st.integers(0, len(board.taken)))):
            board.undo()
        for _ in range(draw(st.integers(0, 5))):
            if not board.is_over:
                board.take(draw(st.sampled_from(board.legal_moves())))
        seen.append(board.taken)
    return stones, seen


@given(wanderings())
def test_a_line_knows_who_wins_wherever_the_match_is(
    wandering: tuple[int, list[list[int]]],
) -> None:
    stones, seen = wandering
    line = line_of(stones)
    for moves in seen:
        line.follow(moves)
        assert line.winners == winners(stones, moves)


@given(wanderings())
def test_what_a_viewer_is_told_makes_up_all_the_winners(
    wandering: tuple[int, list[list[int]]],
) -> None:
    stones, seen = wandering
    line = line_of(stones)
    told = line.winners.copy()
    for moves in seen:
        ply = line.follow(moves)
        if ply is not None:
            told[ply:] = line.winners[ply:]
        assert told == line.winners


def test_a_line_begins_before_the_first_move() -> None:
    assert line_of(7).winners == winners(7, [])


@pytest.mark.parametrize(
    ("before", "after", "ply"),
    [
        pytest.param([], [], None, id="still at the start"),
        pytest.param([3, 6], [3, 6], None, id="the same"),
        pytest.param([], [3], 1, id="the first move"),
        pytest.param([3, 6], [3, 6, 1, 4], 3, id="two more"),
        pytest.param([3, 6, 1], [3], 2, id="two fewer"),
        pytest.param([3, 6, 1], [3, 6, 2], 3, id="another move"),
        pytest.param([3, 6, 1], [1], 1, id="another beginning"),
    ],
)
def test_a_line_tells_from_which_ply_on_it_has_changed(
    before: list[int], after: list[int], ply: int | None
) -> None:
    line = line_of(7)
    line.follow(before)
    assert line.follow(after) == ply


def test_a_line_keeps_what_comes_before_an_illegal_move() -> None:
    line = line_of(7)
    with pytest.raises(IllegalMove, match="illegal move 3: stone 5 is neither"):
        line.follow([3, 6, 5])
    assert line.winners == winners(7, [3, 6])


UNSOLVED = [
    pytest.param(Line("isolation", {}, TEST_TIMEOUT), [7], id="no solver"),
    pytest.param(line_of(LARGEST, seconds=0), [1], id="no time"),
    pytest.param(line_of(LARGEST + 1), [1], id="too large"),
]


@pytest.mark.parametrize(("line", "moves"), UNSOLVED)
def test_an_unsolved_line_has_no_winners(line: Line, moves: list[int]) -> None:
    line.follow(moves)
    assert (line.is_solved, line.winners) == (False, [])


@pytest.mark.parametrize(("line", "moves"), UNSOLVED)
def test_an_unsolved_line_never_changes(line: Line, moves: list[int]) -> None:
    assert line.follow(moves) is None


def test_the_largest_line_is_solved() -> None:
    assert line_of(LARGEST).is_solved


# answer


def analysis(
    stones: int, moves: Sequence[int], depth: int | None = None, seconds: float = TEST_TIMEOUT
) -> Analysis:
    return answer(Analyse(8, "take_stones", {"stones": stones}, moves, depth), seconds)


def of_isolation(moves: Sequence[int] = (), depth: int | None = None) -> Analysis:
    return answer(Analyse(8, "isolation", {}, moves, depth), TEST_TIMEOUT)


some_games = games(st.integers(1, 60), st.integers(0, 12))
some_positions = positions(st.integers(3, 60), st.integers(0, 12))


@given(some_games)
def test_an_analysis_tells_of_the_position(game: tuple[int, Taken]) -> None:
    board, told = Board(*game, any_first=True), analysis(*game)
    assert (told.request, told.player, told.legal_moves) == (
        8,
        board.player_to_move,
        board.legal_moves(),
    )


@given(some_games)
def test_an_analysis_explains_the_value(game: tuple[int, Taken]) -> None:
    told = analysis(*game)
    explained = GAMES["take_stones"].explain(Board(*game, any_first=True))
    assert (told.value, told.explanation) == explained


@given(some_games)
def test_an_analysis_tells_who_wins_and_how(game: tuple[int, Taken]) -> None:
    solution, told = solve(Board(*game, any_first=True)), analysis(*game)
    assert (told.winner, told.winning_moves) == (solution.winner, solution.winning_moves)


@given(some_positions, st.integers(1, 4))
def test_an_analysis_searches_like_the_command_line(game: tuple[int, Taken], depth: int) -> None:
    result = search(Board(*game, any_first=True), depth)
    assert analysis(*game, depth).search == SearchSummary(
        depth, *result[:5], result.branching_factor, None
    )


def test_depth_0_is_the_end_of_the_game() -> None:
    result = search(Board(7, [1, 4, 2]))
    assert analysis(7, [1, 4, 2], 0).search == SearchSummary(0, *result[:5], 1.0, None)


def test_a_search_that_is_stopped_tells_the_deepest_that_was_finished() -> None:
    result = deepen(Board(40), 3, seconds=0)
    assert analysis(40, [], 3, seconds=0).search == SearchSummary(
        3, *result[:5], result.branching_factor, "seconds"
    )
    assert result.max_depth == 1


def test_without_a_depth_nothing_is_searched() -> None:
    assert analysis(7, []).search is None


def test_a_game_that_is_over_is_not_searched() -> None:
    told = analysis(7, [1, 7], 3)
    assert (told.winner, told.winning_moves, told.search) == (2, [], None)


def test_a_game_without_a_solver_has_no_verdict() -> None:
    told = of_isolation()
    assert (told.winner, told.winning_moves) == (None, None)


@given(st.data())
def test_who_has_won_a_game_without_a_solver(data: st.DataObject) -> None:
    position: Position = GAMES["isolation"].position()
    while not position.is_over:
        position.take(data.draw(st.sampled_from(position.legal_moves())))
    told = of_isolation(position.taken, 2)
    assert (told.winner, told.winning_moves, told.search) == (position.winner, [], None)


def test_what_cannot_be_solved_in_time_has_no_verdict() -> None:
    told = analysis(LARGEST, [], seconds=0)
    assert (told.winner, told.winning_moves) == (None, None)


# Questions without an answer


@pytest.mark.parametrize(
    ("game", "setup", "moves", "why"),
    [
        pytest.param("go", {}, [], "no game 'go', but take_stones, isolation", id="game"),
        pytest.param(99 * "g", {}, [], f"no game '{59 * 'g'}, but", id="long name of a game"),
        pytest.param(
            "take_stones",
            {},
            [],
            "setup of take_stones lacks stones, the number of stones",
            id="missing",
        ),
        pytest.param(
            "take_stones",
            {"stones": 7, "a\nb": 7},
            [],
            r"set up by stones, not by 'a\nb'",
            id="another parameter",
        ),
        pytest.param(
            "isolation", {"stones": 7}, [], "isolation is set up by nothing, not by", id="none"
        ),
        pytest.param(
            "take_stones", {"stones": 0}, [], "stones must be at least 1, not 0", id="too small"
        ),
        pytest.param(
            "take_stones",
            {"stones": LARGEST + 1},
            [],
            "stones must be at most 100000 to be analysed, not 100001",
            id="too large",
        ),
        pytest.param(
            "take_stones",
            {"stones": 7},
            [3, 5],
            "illegal move 2: stone 5 is neither a factor nor a multiple of the last stone, 3",
            id="illegal move",
        ),
        pytest.param(
            "take_stones", {"stones": 7}, [2**70], "does not exist, the stones are 1 to 7", id="big"
        ),
        pytest.param("isolation", {}, [64], "illegal move 1: square 64", id="square"),
        pytest.param(
            "isolation",
            {},
            range(LARGEST + 1),
            "100001 moves are too many to be analysed, at most 100000",
            id="too many moves",
        ),
    ],
)
def test_a_question_that_makes_no_sense_is_told_so_in_one_line(
    game: str, setup: Mapping[str, int], moves: Sequence[int], why: str
) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
        answer(Analyse(8, game, setup, moves), TEST_TIMEOUT)
    assert why in str(caught.value)


def out_of_memory(**setup: int) -> Position:
    raise MemoryError(setup)


def test_a_position_without_the_memory_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    vast = GAMES["take_stones"]._replace(study=out_of_memory)
    monkeypatch.setitem(GAMES, "vast", vast)
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        answer(Analyse(8, "vast", {"stones": 7}), TEST_TIMEOUT)
