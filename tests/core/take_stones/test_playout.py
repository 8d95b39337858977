"""Playouts of Take-Stones, against exact chances and against the rules."""

import signal
import sys
import threading
from itertools import product

import pytest

from core.playout import PLAYERS, Playouts
from core.take_stones import Board
from core.take_stones.playout import playouts
from tests.support.cases import loop_over
from tests.support.games.exact_play import assert_agree, chances, choices
from tests.support.games.programs import memory_error
from tests.support.polling import join

GAMES = 20_000
PAIRS = [*product(PLAYERS, repeat=2)]

# Late positions of games on boards of several words: all games from there can be enumerated.
LATE = [
    (65, "7 63 9 3 1 22 2 14 28 56 4 60 12 24 48 16 64 32"),
    (
        100,
        "19 95 1 4 52 2 10 50 25 75 3 78 39 13 91 7 84 42 6 90 9 54 18 36 72 12 60 30 15 45 5 70",
    ),
    (
        129,
        "13 91 1 111 3 9 90 5 125 25 75 15 60 30 6 54 2 40 4 24 72 18 126 7 105 35 70 14 42 84 28 "
        "56 8 120 10",
    ),
    (
        200,
        "17 1 180 2 174 3 33 66 132 44 88 176 16 160 10 190 95 19 114 6 12 48 144 4 56 28 112 7 14 "
        "126 63 9 45 15 135 5 125 25 150 30 90 18 36 72 8 192 64 128 32",
    ),
]


def late(n: int, taken: str) -> Board:
    return Board(n, map(int, taken.split()))


@pytest.mark.untraced
@loop_over("players", PAIRS)
@loop_over(
    "board",
    [
        *(Board(n) for n in (3, 7, 10, 13, 16)),
        *(Board(17, taken) for taken in ([3], [3, 6], [1, 17], [5, 15, 3, 12])),
        *(late(*position) for position in LATE),
    ],
)
def test_chances(board: Board, players: tuple[str, str]) -> None:
    assert_agree(playouts(board, GAMES, 1, players), chances(board, players))


def greedy_game(board: Board) -> list[int]:
    """The moves of a game between two greedy players, with those before."""
    board = board.copy()
    while not board.is_over:
        board.take(*choices(board, "greedy"))
    return board.taken


@loop_over("n", [20, 64, 65, 300])
def test_greedy_players_play_one_game(n: int) -> None:
    length = len(greedy_game(Board(n)))
    found = playouts(Board(n), 10, 1, ("greedy", "greedy"))
    assert found == Playouts(10, 10 * (length % 2), 10 * length)


@loop_over("board", [Board(1), Board(2), Board(100, [1, 97]), Board(7, [3, 6, 2, 4, 1, 7])])
def test_a_finished_game_has_no_plies(board: Board) -> None:
    assert playouts(board, 5, 1) == Playouts(5, 5 * (board.winner == 1), 0)


@loop_over("board", [Board(20), Board(100)])
def test_the_seed_decides(board: Board) -> None:
    assert playouts(board, 1000, 1) == playouts(board, 1000, 1)
    assert playouts(board, 1000, 1) != playouts(board, 1000, 2)


@loop_over("board", [Board(20, [3, 6]), late(*LATE[1])])
def test_the_board_does_not_change(board: Board) -> None:
    before = board.copy()
    playouts(board, 100, 1)
    assert (board, board.taken) == (before, before.taken)


@loop_over("seed", [0, -1, 2**70])
def test_any_integer_is_a_seed(seed: int) -> None:
    assert playouts(Board(20), 10, seed).games == 10


@loop_over("games", [0, -1, 2**48])
def test_impossible_numbers_of_games(games: int) -> None:
    with pytest.raises(ValueError, match=f"games must be from 1 to .*, not {games}"):
        playouts(Board(20), games, 1)


@loop_over("players", [("spec", "random"), ("random", "spec")])
def test_unknown_players(players: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="unknown player 'spec'"):
        playouts(Board(20), 1, 1, players)


@loop_over("memory", [0, 100, 200, 10**5])  # bytes, for a stone or two, or to begin
@loop_over("taken", [[], [1]])
def test_too_many_stones(memory: int, taken: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(10**5, taken)
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 2, "SC_PHYS_PAGES": memory}.get)
    with pytest.raises(MemoryError):
        playouts(board, 10**6, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system limits the memory")
def test_too_many_stones_to_copy() -> None:
    imports = "from core.take_stones import Board\nfrom core.take_stones.playout import playouts"
    preparation = f"{imports}\nboard = Board(10**8)"
    assert memory_error(preparation, "playouts(board, 1, 1)").startswith("MemoryError")


@pytest.mark.untraced
@loop_over("n", [20, 100])
def test_threads_do_not_disturb_each_other(n: int) -> None:
    board = Board(n)
    alone = [playouts(board, 20_000, seed) for seed in range(4)]
    beside: dict[int, Playouts] = {}

    def play(seed: int) -> None:
        beside[seed] = playouts(board, 20_000, seed)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        join(thread)
    assert [beside[seed] for seed in range(4)] == alone


class Interrupted(Exception):
    pass


@pytest.mark.untraced
@loop_over("n", [20, 1000])
def test_signals_interrupt(n: int) -> None:
    """Interrupt after some time at work, however busy the machine is."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
        with pytest.raises(Interrupted):
            playouts(Board(n), 2**40, 1)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
