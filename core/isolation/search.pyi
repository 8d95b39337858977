from core.isolation.board import Board
from core.search.result import Limits, Report, SearchResult

def search(board: Board, limits: Limits, report: Report | None) -> SearchResult: ...
