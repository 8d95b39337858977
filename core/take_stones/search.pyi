from core.search.result import Limits, Report, SearchResult, Window
from core.take_stones.board import Board

def search(board: Board, limits: Limits, report: Report | None) -> SearchResult: ...
def search_subtree(
    board: Board, limits: Limits, report: Report | None, window: Window
) -> SearchResult: ...
