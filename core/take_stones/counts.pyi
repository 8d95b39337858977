from typing import Self, final

from core.search.result import Report, SearchResult
from core.take_stones.board import Board

DEFAULT_MEMORY: int
LEAST_MEMORY: int
MOST_THREADS: int

@final
class Counter:
    def __new__(
        cls,
        board: Board,
        seconds: float | None,
        memory: int,
        threads: int,
        report: Report | None,
    ) -> Self: ...
    def stop(self) -> None: ...
    def work(self, number: int) -> SearchResult | None: ...

def processors() -> int: ...
def check(memory: int = ..., threads: int = 1) -> None: ...
def count(
    board: Board,
    *,
    seconds: float | None = None,
    memory: int = ...,
    threads: int | None = None,
    report: Report | None = None,
) -> SearchResult: ...
