from core.isolation.board import Board
from core.search.result import Limits, Report, StrongResult

def strong_search(board: Board, limits: Limits, report: Report | None) -> StrongResult: ...
