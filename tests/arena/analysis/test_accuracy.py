"""Accuracy of players, against the solver."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.accuracy import Accuracy, accuracies_by_bot, judge_moves
from arena.model.results import MatchRecord, Pairing, PlayedMove
from core.take_stones import Board
from core.take_stones.solver import winning_moves
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.games.strategies import games
from tests.support.tournaments.records import make_record


def match_record(
    stones: int, moves: Taken, opening: int = 0, players: tuple[str, str] = ("anna", "bert")
) -> MatchRecord:
    """Return a match whose first `opening` moves are the opening."""
    pairing = Pairing(1, players, "take_stones", {"stones": stones}, moves[:opening])
    played = tuple(
        PlayedMove(ply, move, 0.0, 0.0, 0.0, 0.0)
        for ply, move in enumerate(moves[opening:], opening)
    )
    return make_record(pairing, moves=played)


# With 7 stones player 1 loses after 1 and after 3.
@loop_over(
    "stones, moves, verdicts",
    [(7, (3, 6, 2, 4, 1, 5), "lklkfk"), (7, (3, 1, 5), "lbk"), (7, (), ""), (3, (1, 2), "fk")],
)
def test_verdicts(stones: int, moves: Taken, verdicts: str) -> None:
    assert judge_moves(match_record(stones, moves)) == verdicts


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


legal_games = games(st.integers(3, 60), st.integers(0, 40)).filter(
    lambda game: not game[1] or (game[1][0] % 2 == 1 and 2 * game[1][0] < game[0])
)


@given(legal_games)
def test_verdicts_match_the_solver(game: tuple[int, Taken]) -> None:
    assert judge_moves(match_record(*game)) == expected(*game)


@given(legal_games, st.integers(0, 10))
def test_opening_moves_are_not_judged(game: tuple[int, Taken], plies: int) -> None:
    assert judge_moves(match_record(*game, opening=plies)) == expected(*game)[plies:]


def test_verdicts_alternate_between_the_players() -> None:
    assert accuracies_by_bot([(match_record(7, ()), "kbklbb")]) == {
        "anna": Accuracy(games=1, kept=2, blunders=1),
        "bert": Accuracy(games=1, kept=0, blunders=2),
    }
    accuracies = accuracies_by_bot([(match_record(7, (3, 6), opening=2), "kb")])
    assert (accuracies["anna"].kept, accuracies["bert"].blunders) == (1, 1)
    second = match_record(7, (), players=("bert", "anna"))
    accuracies = accuracies_by_bot([(match_record(7, ()), "kb"), (second, "bk")])
    assert accuracies["anna"] == Accuracy(games=2, kept=2, blunders=0)


@loop_over("opening", [1, 3])
def test_player_2_moves_first_after_an_odd_opening(opening: int) -> None:
    accuracies = accuracies_by_bot([(match_record(7, (3, 6, 2), opening=opening), "kb")])
    assert (accuracies["bert"].kept, accuracies["anna"].blunders) == (1, 1)


def test_games_without_moves_or_a_solver() -> None:
    assert accuracies_by_bot([(match_record(7, ()), "")])["bert"] == Accuracy(
        games=1, kept=0, blunders=0
    )
    assert accuracies_by_bot([]) == {}
    record = make_record(Pairing(1, ("anna", "bert"), "isolation", {}))
    with pytest.raises(AssertionError, match="isolation has no solver"):
        judge_moves(record)


@loop_over(
    "accuracy, share, per_game",
    [(Accuracy(4, 9, 3), 0.75, 0.75), (Accuracy(2, 0, 0), None, 0.0), (Accuracy(1, 0, 5), 0, 5)],
)
def test_share_and_blunders(accuracy: Accuracy, share: float | None, per_game: float) -> None:
    assert (accuracy.share, accuracy.blunders_per_game) == (share, per_game)
