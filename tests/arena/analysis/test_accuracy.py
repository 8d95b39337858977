"""How well games were played."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.accuracy import Accuracy, accuracies, judge
from arena.model.results import MatchRecord, Pairing, PlayedMove
from core.take_stones import Board
from core.take_stones.solver import winning_moves
from tests.support.records import a_record
from tests.support.reference import Taken
from tests.support.strategies import games


def a_game(
    stones: int, moves: Taken, opening: int = 0, players: tuple[str, str] = ("anna", "bert")
) -> MatchRecord:
    """A match with these moves, of which some are the opening."""
    pairing = Pairing(1, players, "take_stones", {"stones": stones}, moves[:opening])
    played = tuple(
        PlayedMove(ply, move, 0.0, 0.0, 0.0, 0.0)
        for ply, move in enumerate(moves[opening:], opening)
    )
    return a_record(pairing, moves=played)


# With 7 stones the first player has lost with 1 and with 3.
@pytest.mark.parametrize(
    ("stones", "moves", "verdicts"),
    [
        (7, (3, 6, 2, 4, 1, 5), "lklkfk"),
        (7, (3, 1, 5), "lbk"),
        (7, (), ""),
        (3, (1, 2), "fk"),
    ],
)
def test_verdicts(stones: int, moves: Taken, verdicts: str) -> None:
    assert judge(a_game(stones, moves)) == verdicts


def expected(stones: int, moves: Taken) -> str:
    board = Board(stones)
    letters = ""
    for move in moves:
        winning = winning_moves(board)
        if len(board.legal_moves()) == 1:
            letters += "f"
        elif not winning:
            letters += "l"
        else:
            letters += "k" if move in winning else "b"
        board.take(move)
    return letters


lawful = games(st.integers(3, 60), st.integers(0, 40)).filter(
    lambda game: not game[1] or (game[1][0] % 2 == 1 and 2 * game[1][0] < game[0])
)


@given(lawful)
def test_verdicts_are_those_of_the_solver_at_each_move(game: tuple[int, Taken]) -> None:
    assert judge(a_game(*game)) == expected(*game)


@given(lawful, st.integers(0, 10))
def test_nobody_is_judged_for_the_opening(game: tuple[int, Taken], plies: int) -> None:
    assert judge(a_game(*game, opening=plies)) == expected(*game)[plies:]


def test_moves_of_both_players_are_told_apart() -> None:
    assert accuracies([(a_game(7, ()), "kbklbb")]) == {
        "anna": Accuracy(games=1, kept=2, blunders=1),
        "bert": Accuracy(games=1, kept=0, blunders=2),
    }


@pytest.mark.parametrize("opening", [1, 3])
def test_after_an_odd_opening_player_2_moves_first(opening: int) -> None:
    found = accuracies([(a_game(7, (3, 6, 2), opening=opening), "kb")])
    assert (found["bert"].kept, found["anna"].blunders) == (1, 1)


def test_after_an_even_opening_player_1_moves_first() -> None:
    found = accuracies([(a_game(7, (3, 6), opening=2), "kb")])
    assert (found["anna"].kept, found["bert"].blunders) == (1, 1)


def test_games_add_up() -> None:
    back = a_game(7, (), players=("bert", "anna"))
    found = accuracies([(a_game(7, ()), "kb"), (back, "bk")])
    assert found["anna"] == Accuracy(games=2, kept=2, blunders=0)


def test_a_game_without_a_move_is_a_game() -> None:
    assert accuracies([(a_game(7, ()), "")])["bert"] == Accuracy(games=1, kept=0, blunders=0)


def test_nothing_is_known_of_no_games() -> None:
    assert accuracies([]) == {}


def test_a_game_without_a_solver_cannot_be_judged() -> None:
    record = a_record(Pairing(1, ("anna", "bert"), "isolation", {}))
    with pytest.raises(AssertionError, match="isolation has no solver"):
        judge(record)


@pytest.mark.parametrize(
    ("accuracy", "share", "per_game"),
    [(Accuracy(4, 9, 3), 0.75, 0.75), (Accuracy(2, 0, 0), None, 0.0), (Accuracy(1, 0, 5), 0, 5)],
)
def test_shares(accuracy: Accuracy, share: float | None, per_game: float) -> None:
    assert (accuracy.share, accuracy.blunders_per_game) == (share, per_game)
