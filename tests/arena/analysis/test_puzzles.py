"""Puzzles of matches, against the solver and the search."""

import pytest

from arena.analysis.puzzles import MAX_MOVES, Puzzle, may_have_puzzles, puzzles_of
from arena.model.results import MatchRecord, Pairing, PlayedMove
from core import GAMES
from core.search import deepen
from core.take_stones import Board
from core.take_stones.solver import winning_moves
from tests.support.cases import loop_over
from tests.support.games.defective_games import sound_game
from tests.support.page.sites import random_game
from tests.support.tournaments.records import make_record

STONES = "take_stones"


def played_record(pairing: Pairing, moves: list[int]) -> MatchRecord:
    """Return a match in which the opening of the pairing was played, and then these moves."""
    plies = enumerate(moves, len(pairing.opening))
    played = tuple(PlayedMove(ply, move, 0.0, 0.0, 0.0, 0.0) for ply, move in plies)
    return make_record(pairing, moves=played)


def heap_record(size: int, moves: list[int]) -> MatchRecord:
    return played_record(Pairing(None, ("ann", "bob"), "nim", {"heap": size}), moves)


@loop_over("seed", range(10))
@loop_over(("stones", "opening"), [(20, 0), (30, 2), (60, 3)])
def test_puzzles_are_positions_of_few_winning_moves(stones: int, opening: int, seed: int) -> None:
    moves = random_game(STONES, {"stones": stones}, seed)
    pairing = Pairing(None, ("a", "b"), STONES, {"stones": stones}, tuple(moves[:opening]))
    found = [*puzzles_of(played_record(pairing, moves[opening:]), 1.0)]
    expected = []
    for ply in range(opening, len(moves)):
        board = Board(stones, moves[:ply])
        legal, winning = board.legal_moves(), winning_moves(board)
        if 1 <= len(winning) <= min(3, len(legal) // 3) and len(legal) <= 24:
            misleads = deepen(board, 3, nodes=2000).move not in winning
            place = moves[:ply], 1 + ply % 2, legal, winning
            expected.append(Puzzle(*place, moves[ply], len(moves) - ply, misleads))
    assert found == expected


def test_some_wins_are_missed_and_some_searches_misled() -> None:
    matches = (random_game(STONES, {"stones": 30}, seed) for seed in range(30))
    pairing = Pairing(None, ("a", "b"), STONES, {"stones": 30})
    found = [puzzle for moves in matches for puzzle in puzzles_of(played_record(pairing, moves), 1)]
    assert {(puzzle.is_missed, puzzle.misleads) for puzzle in found} == {
        (missed, misled) for missed in (False, True) for misled in (False, True)
    }
    assert {puzzle.level for puzzle in found} == {1, 2, 3}


@loop_over(
    "legal, plies, misleads, level",
    *((3, 3, None, 1), (5, 10, False, 1), (6, 10, False, 2), (5, 11, False, 2)),
    *((5, 10, True, 2), (6, 11, False, 3), (6, 11, True, 3)),
)
def test_levels(legal: int, plies: int, misleads: bool | None, level: int) -> None:
    assert Puzzle([], 1, [*range(legal)], [1], 1, plies, misleads).level == level


def test_a_game_without_an_evaluation_has_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", sound_game(evaluate=None))
    [puzzle, *_] = puzzles_of(heap_record(6, [2, 1, 1, 1, 1]), 1.0)
    assert puzzle == Puzzle([], 1, [1, 2, 3], [1], 2, 5, None)
    assert puzzle.is_missed


def test_long_matches_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", sound_game(evaluate=None))
    assert [*puzzles_of(heap_record(MAX_MOVES, [1] * MAX_MOVES), 1.0)]
    assert not [*puzzles_of(heap_record(MAX_MOVES + 1, [1] * (MAX_MOVES + 1)), 1.0)]


@loop_over(
    "game, setup, expected",
    (STONES, {"stones": 200}, True),
    (STONES, {"stones": 201}, False),
    ("isolation", {}, False),  # it has no solver
    ("chess", {}, False),
)
def test_solved_games_have_puzzles(game: str, setup: dict[str, int], expected: bool) -> None:
    assert may_have_puzzles(Pairing(None, ("a", "b"), game, setup)) == expected
