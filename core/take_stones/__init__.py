"""Take-Stones: stones 1 to n; take a factor or a multiple of the last stone taken."""

from collections.abc import Sequence
from pathlib import Path

from core.game import Encoding, Game, Parameter, ProgramFormat
from core.take_stones.board import Board
from core.take_stones.board_vector import BoardVector
from core.take_stones.explanation import evaluate
from core.take_stones.observation import observe
from core.take_stones.partners import find_partners
from core.take_stones.search import search, search_subtree
from core.take_stones.six_lines import arguments, parse_answer
from core.take_stones.solver import Solver

__all__ = ["GAME", "Board", "Solver"]


def _position(*, stones: int, moves: Sequence[int] = ()) -> Board:
    return Board(stones, moves)


def _study(*, stones: int, moves: Sequence[int] = ()) -> Board:
    return Board(stones, moves, any_first=True)


def _moves(*, stones: int) -> range:
    return range(1, stones + 1)


def _length(*, stones: int) -> int:
    return stones


def _shape(*, stones: int) -> tuple[int, ...]:
    return 2, stones


def _position_svg(board: Board) -> str:
    from core.take_stones.picture import position_svg  # rarely used

    return position_svg(board)


GAME = Game(
    name="take_stones",
    title="Take-Stones",
    parameters={"stones": Parameter("number of stones", minimum=1, usual=(20, 30, 50))},
    position=_position,
    board=Board,
    study=_study,
    evaluate=evaluate,
    search=search,
    search_subtree=search_subtree,
    solver=Solver,
    program=ProgramFormat(arguments, parse_answer),
    page=Path(__file__).parent / "web",
    matching=find_partners,
    position_svg=_position_svg,
    encoding=Encoding(_moves, _length, _shape, observe, BoardVector),
)
