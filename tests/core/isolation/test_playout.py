"""Playouts of Isolation, against exact chances."""

from itertools import product

import pytest

from core.isolation import Board
from core.isolation.playout import playouts
from core.playout import PLAYERS, Playouts
from tests.support.cases import loop_over
from tests.support.games.exact_play import assert_agree, chances, choices

GAMES = 20_000
PAIRS = [*product(PLAYERS, repeat=2)]

# Few squares are free: all games can be enumerated.
SMALL = [
    "x--*****----****---o********************************************",
    "*********x--*****---******-o************************************",
    "*********************************************-x-*****--*****o---",
]


def board(squares: str, player: int) -> Board:
    return Board.from_rows([squares[start : start + 8] for start in range(0, 64, 8)], player)


@pytest.mark.untraced
@loop_over("players", PAIRS)
@loop_over("first", [1, 2])
@loop_over("squares", SMALL)
def test_chances(squares: str, first: int, players: tuple[str, str]) -> None:
    position = board(squares, first)
    assert_agree(playouts(position, GAMES, 1, players), chances(position, players))


def test_seeds_decide_all_games_but_those_of_greedy_players() -> None:
    position = Board()
    while not position.is_over:
        position.play(*choices(position, "greedy"))
    length = len(position.moves)
    found = playouts(Board(), 10, 1, ("greedy", "greedy"))
    assert found == Playouts(10, 10 * (length % 2), 10 * length)
    assert playouts(Board(), 100, 1) == playouts(Board(), 100, 1)
    assert playouts(Board(), 100, 1) != playouts(Board(), 100, 2)
    assert playouts(board("x*" + "*" * 61 + "o", 2), 5, 1) == Playouts(5, 5, 0)


@loop_over("games", [0, 2**48])
def test_impossible_numbers_of_games(games: int) -> None:
    with pytest.raises(ValueError, match=f"games must be from 1 to .*, not {games}"):
        playouts(Board(), games, 1)
