from core.search.result import Limits, Report, SearchResult
from core.take_stones.board import Board

def search(board: Board, limits: Limits, report: Report | None) -> SearchResult: ...
