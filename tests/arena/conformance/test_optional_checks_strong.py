"""Checks of a strong search: each fails for a game with one defect."""

from collections.abc import Callable
from itertools import count

from arena.conformance.optional_checks import STRONG_CHECKS
from core.game import Game, Outcome
from core.search import Limits, StrongResult
from core.search.generic import search_position
from core.search.result import Report
from tests.support.cases import loop_over
from tests.support.games.defective_games import Check, SoundHeap, broken_heap, sound_game

Change = Callable[[StrongResult, SoundHeap], StrongResult]
CHECKS = STRONG_CHECKS


def strong_game(
    change: Change = lambda found, _: found, board: type[SoundHeap] = SoundHeap
) -> Game:
    """Return the game with a strong search that changes its results."""

    def strong_search(heap: SoundHeap, limits: Limits, report: Report | None) -> StrongResult:
        move, value, visited, _, depth, stopped = search_position(
            sound_game(), heap, limits, report
        )
        return change(StrongResult(move, value, depth, visited, [move], stopped), heap)

    return sound_game(board, strong_search=strong_search)


def careless(found: StrongResult, heap: SoundHeap) -> StrongResult:
    """Play the move that was found."""
    heap.play(found.move)
    return found


def fickle() -> Change:
    """Return another value each time."""
    values = count()
    return lambda found, _: found._replace(value=next(values))


def last(found: StrongResult, heap: SoundHeap) -> StrongResult:
    """Choose the last legal move."""
    move = heap.legal_moves()[-1]
    return found._replace(move=move, variation=[move])


def drawn_outcome(heap: SoundHeap) -> Outcome | None:
    """Return a draw if the last one is taken alone, else what the rules say."""
    is_drawn = heap.is_over and heap.moves[-1] == 1
    return Outcome(None, "alone") if is_drawn else SoundHeap.outcome.__get__(heap)


DEFECTS = [
    (
        23,
        strong_game(lambda found, _: found._replace(nodes_visited=301)),
        "expected at most 300 nodes of a strong search, got 301; heap=6 no moves",
    ),
    (23, strong_game(fickle()), "from the same nodes again, got (1, 1, "),
    (23, strong_game(careless), "expected no change by a strong search, got moves [1"),
    (
        23,
        strong_game(lambda found, _: found._replace(variation=[])),
        "expected a principal variation that begins with the move 1, got []; heap=6 no moves",
    ),
    (
        23,
        strong_game(lambda found, _: found._replace(move=9, variation=[9])),
        "expected legal moves in the principal variation, got 9 of [9]; heap=6 no moves",
    ),
    (24, strong_game(last), "from a strong search, as plain minimax says, got "),
]


def test_a_sound_search_passes(check: Check) -> None:
    assert {report.state for report in check(strong_game()).values()} == {"ok"}
    reports = check(sound_game())
    found = {(reports[number].state, reports[number].detail) for number in (23, 24)}
    assert found == {("skipped", "the game has no strong search")}


@loop_over(("number", "game", "text"), DEFECTS)
def test_a_defect_is_found(number: int, game: Game, text: str, check: Check) -> None:
    report = check(game)[number]
    assert report.state == "FAILED"
    assert text in report.detail


def test_a_draw_is_between_a_win_and_a_loss(check: Check) -> None:
    game = broken_heap(outcome=property(drawn_outcome))
    report = check(game._replace(strong_search=strong_game(last).strong_search))[24]
    assert report.state == "FAILED"
    assert "one of the moves [1, 2] from a strong search, as plain minimax says" in report.detail
