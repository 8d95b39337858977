"""Isolation: two queens on 8 by 8 squares or fewer; each square that a queen leaves is filled."""

from pathlib import Path

from core.game import Encoding, Game, Parameter
from core.isolation.board import LARGEST_SIZE, LEAST_SIZE, Board, name
from core.isolation.explanation import LOSS, evaluate, plain_evaluate
from core.isolation.observation import observe
from core.isolation.search import search, search_for_player
from core.isolation.strong.search import strong_search

__all__ = ["GAME", "Board"]

SIZE = Parameter(
    "size of the board",
    minimum=LEAST_SIZE,
    usual=(LARGEST_SIZE,),
    maximum=LARGEST_SIZE,
    default=LARGEST_SIZE,
)


def _moves(*, size: int) -> range:
    return range(9 * (size - 1) + 1)  # up to the last square of the diagonal


def _length(*, size: int) -> int:
    return size * size - 2


def _shape(*, size: int) -> tuple[int, ...]:
    return 3, size, size


def _position_svg(board: Board) -> str:
    from core.isolation.picture import position_svg  # rarely used, as the next

    return position_svg(board)


def _read_board(text: str, player: int) -> Board:
    from core.isolation.board_text import parse_board

    return parse_board(text, player)


GAME = Game(
    name="isolation",
    title="Isolation",
    parameters={"size": SIZE},
    position=Board,
    board=Board,
    study=Board,
    evaluate=evaluate,
    decides_early=True,
    search=search,
    search_for_player=search_for_player,
    strong_search=strong_search,
    page=Path(__file__).parent / "web",
    move_name=name,
    win_value=LOSS,
    position_svg=_position_svg,
    encoding=Encoding(_moves, _length, _shape, observe),
    plain_evaluate=plain_evaluate,
    read_board=_read_board,
)
