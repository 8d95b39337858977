"""Monte Carlo tree search in positions of the arena."""

from pathlib import Path
from random import Random

import pytest

from arena.integrations.openspiel_family import names
from arena.integrations.tree_search import best_move
from arena.storage.reader import DatabaseReader
from core import GAMES, solver_of
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.toy_games import DRAWN_NIM
from tests.support.servers.arena_command import Run


@loop_over(
    "name, setup",
    ("take_stones", {"stones": 100}),
    ("isolation", {"size": 5}),
    ("openspiel:connect_four", {}),
    ("openspiel:hex(board_size=4)", {}),
)
def test_the_source_of_randomness_decides_the_move(name: str, setup: dict[str, int]) -> None:
    position = GAMES[name].position(**setup)
    found = [best_move(position, 50, Random(seed))[0] for seed in (1, 1, *range(20))]
    assert {*found} <= {*position.legal_moves()}
    assert found[0] == found[1]
    assert len({*found}) > 1
    assert position.moves == []


@loop_over("moves", [[5, 1], [5, 10]])
def test_a_winning_move_is_found(moves: list[int]) -> None:
    board = Board(12, moves)
    solver = solver_of(board)
    assert solver
    assert solver.winning_moves()
    assert best_move(board, 3000, Random(1))[0] in solver.winning_moves()


@loop_over(("moves", "best"), [([0, 3, 1, 4], 2), ([0, 1, 3], 6), ([8, 0, 7, 1, 5], 2)])
def test_the_only_good_move_of_a_game_of_the_library_is_found(moves: list[int], best: int) -> None:
    position = GAMES["openspiel:tic_tac_toe"].position(moves=moves)
    assert best_move(position, 2000, Random(1))[0] == best


@loop_over(
    "name, setup, moves",
    [("take_stones", {"stones": 12}, [5, 10]), ("openspiel:tic_tac_toe", {}, [0, 3, 1, 4])],
)
def test_a_proof_ends_the_search(name: str, setup: dict[str, int], moves: list[int]) -> None:
    position = GAMES[name].position(**setup, moves=moves)
    _, made = best_move(position, 1000, Random(1))
    assert 1 < made < 1000
    _, made = best_move(GAMES[name].position(**setup), 20, Random(1))
    assert made == 20


def test_a_win_is_better_than_a_draw() -> None:
    position = DRAWN_NIM.position(heap=4, moves=[1])  # 3 would draw, and 1 lose
    assert best_move(position, 500, Random(1))[0] == 2


@loop_over("name", names())
def test_every_game_of_the_library_is_searched(name: str) -> None:
    position = GAMES[f"openspiel:{name}"].position()
    for seed in range(3):
        position.play(best_move(position, 3, Random(seed))[0])


@pytest.mark.slow
@loop_over("flags", [[], ["--workers"]])
@loop_over("game", ["take_stones", "openspiel:connect_four"])
def test_seeds_decide_all_games(game: str, flags: list[str], tmp_path: Path, arena: Run) -> None:
    def play(seed: int, name: str) -> list[list[int]]:
        bots = ["--bots", "greedy", "openspiel:mcts:20", "--rounds", 2, "--opening-plies", 0]
        words = [*bots, "--seed", seed, "--time", "600", "--quiet", "--db", tmp_path / name]
        stones = ["--stones", 20] if game == "take_stones" else []
        assert arena("tournament", *flags, "--game", game, *stones, *words).status == 0
        with DatabaseReader(tmp_path / name) as reader:
            matches = reader.matches(moves=True)
            return sorted([played.move for played in match.moves] for match in matches)

    first = play(1, "first.db")
    assert play(1, "again.db") == first
    assert play(2, "other.db") != first
