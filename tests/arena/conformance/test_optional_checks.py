"""Checks of an evaluation, a search and a solver: each fails for a game with one defect."""

from math import inf, nan
from typing import Any

from arena.conformance.optional_checks import ENGINE_CHECKS
from core.game import Evaluation, Game, Outcome
from core.search import Limits, SearchResult
from core.search.generic import search_position
from core.search.result import Report
from tests.support.cases import loop_over
from tests.support.games.defective_games import (
    Check,
    NimSolver,
    SoundHeap,
    broken_heap,
    evaluate,
    sound_game,
)

CHECKS = ENGINE_CHECKS


def evaluation(**changed: Any) -> Game:
    """Return the game with an evaluation of which some fields are replaced."""
    return sound_game(evaluate=lambda heap, player: evaluate(heap, player)._replace(**changed))


def greedy(heap: SoundHeap, player: int) -> Evaluation:
    """Return a large value while the game goes on."""
    return evaluate(heap, player) if heap.is_over else Evaluation(9.0, "hopeful")


def careless(heap: SoundHeap, player: int) -> Evaluation:
    """Play a move."""
    if not heap.is_over:
        heap.play(1)
    return evaluate(heap, player)


def search_last(heap: SoundHeap, limits: Limits, report: Report | None) -> SearchResult:
    """Return the last legal move."""
    found = search_position(sound_game(), heap, limits, report)
    return found._replace(move=heap.legal_moves()[-1])


def search_illegally(heap: SoundHeap, limits: Limits, report: Report | None) -> SearchResult:
    """Return an illegal move."""
    return search_position(sound_game(), heap, limits, report)._replace(move=9)


def search_more(heap: SoundHeap, limits: Limits, report: Report | None) -> SearchResult:
    """Count a node too many."""
    found = search_position(sound_game(), heap, limits, report)
    return found._replace(nodes_visited=found.nodes_visited + 1)


def search_carelessly(heap: SoundHeap, limits: Limits, report: Report | None) -> SearchResult:
    """Play the move that it found."""
    found = search_position(sound_game(), heap, limits, report)
    heap.play(found.move)
    return found


def solver(**members: Any) -> Game:
    """Return the game with a solver of which some members are replaced."""
    return sound_game(solver=type("BrokenSolver", (NimSolver,), members))


PESSIMIST = solver(winning_moves=lambda _: [])
DEAF = solver(play=lambda *_: None, undo=lambda _: 0)
AMNESIAC = solver(undo=lambda solver: NimSolver.undo(solver) and 0)
SLOPPY = solver(undo=lambda solver: solver.heap.moves[-1])
GULLIBLE = solver(
    play=lambda solver, move: move in solver.heap.legal_moves() and solver.heap.play(move)
)


class Intruder(NimSolver):
    """A solver that changes the position that it was given."""

    def __init__(self, heap: SoundHeap, seconds: float | None) -> None:
        super().__init__(heap, seconds)
        heap.play(1)


DRAWN = broken_heap(
    outcome=property(lambda heap: None if heap.left else Outcome(None, "the heap is empty"))
)


def half_drawn_outcome(heap: SoundHeap) -> Outcome | None:
    """Return a draw if the last three are taken at once, else what the rules say."""
    is_drawn = heap.is_over and heap.moves[-1] == 3
    return Outcome(None, "three at once") if is_drawn else SoundHeap.outcome.__get__(heap)


DEFECTS = [
    (15, evaluation(value=nan), "expected a finite evaluation, got nan; heap=6 no moves"),
    (15, evaluation(value=inf), "expected a finite evaluation, got inf; heap=6 no moves"),
    (15, evaluation(words=""), "expected an evaluation explained in words, got ''; heap=6 no move"),
    (15, evaluation(is_final=True), "is_final only at the end without decides_early, got is_final"),
    (
        15,
        evaluation(value=9.0)._replace(win_value=9.0),
        "a value between -9.0 and 9.0 (win_value) before the game is decided, got 9.0; heap=6",
    ),
    (15, sound_game(evaluate=careless), "expected no change by evaluate(), got moves [1] instead"),
    (
        16,
        evaluation(value=1.0),
        "expected an evaluation below 0, as player 2 has won, got 1.0; hea",
    ),
    (16, evaluation(value=-1.0), "an evaluation above 0, as player 1 has won, got -1.0; heap=6 mo"),
    (16, evaluation(value=0.0), "0, as player 2 has won, got 0.0; heap=1 moves 1"),
    (
        16,
        sound_game(evaluate=greedy),
        "no better evaluation for player 1 than 1.0 for the win, got",
    ),
    (16, DRAWN, "expected an evaluation of 0 for a draw, got -1.0; heap=1 moves 1"),
    (
        17,
        sound_game(search=search_last),
        "expected the search to depth 1 to find move 1 with its evaluation 0.0, got move 3",
    ),
    (18, sound_game(search=search_illegally), "expected a legal move from the search, got 9; heap"),
    (
        18,
        sound_game(search=search_carelessly),
        "expected no change by a search, got moves [1] inst",
    ),
    (
        19,
        sound_game(search=search_more),
        "expected (1, 0.0, 4, 3, 1, None) from the search to depth 1, as in Python, got (1, 0.0,",
    ),
    (
        20,
        PESSIMIST,
        "the winning moves to be [1], as plain minimax says, got []",
    ),
    (20, DEAF, "the winning moves after move 1 to be []"),
    (20, AMNESIAC, "undo() of the solver to return the move 1, got 0; heap=6"),
    (20, SLOPPY, "the winning moves after move 1 is undone to be [1], as"),
    (
        20,
        GULLIBLE,
        "expected an IllegalMove for move -1 from the solver, got no",
    ),
    (20, sound_game(solver=Intruder), "expected no change by a solver, got moves [1] instead of"),
    (
        20,
        broken_heap(outcome=property(half_drawn_outcome)),
        "expected no draw, as the game has a solver, got 'three at once' after the moves [1, 1, 1,",
    ),
]


def test_a_sound_game_passes_and_every_check_finds_a_defect(check: Check) -> None:
    assert {report.state for report in check(sound_game()).values()} == {"ok"}
    assert {number for number, *_ in DEFECTS} == {check.number for check in ENGINE_CHECKS}


@loop_over(("number", "game", "text"), DEFECTS)
def test_a_defect_is_found(number: int, game: Game, text: str, check: Check) -> None:
    report = check(game, number)[number]
    assert report.state == "FAILED"
    assert text in report.detail


def test_draws_and_early_evaluations_pass(check: Check) -> None:
    game = DRAWN._replace(evaluate=lambda *_: Evaluation(0.0, "drawn"), search=None, solver=None)
    reports = check(game)
    assert [reports[number].state for number in (16, 20)] == ["ok", "skipped"]
    game = evaluation(is_final=True)._replace(decides_early=True)
    assert check(game)[15].state == "ok"


@loop_over(
    "part, numbers, detail",
    ("evaluate", [15, 16, 17], "the game has no evaluation"),
    ("search", [19], "the game has no compiled search"),
    ("solver", [20], "the game has no solver"),
)
def test_parts_may_be_missing(part: str, numbers: list[int], detail: str, check: Check) -> None:
    without: dict[str, Any] = {"search": None, part: None}
    reports = check(sound_game()._replace(**without))
    assert [(reports[number].state, reports[number].detail) for number in numbers] == [
        ("skipped", detail)
    ] * len(numbers)
    assert reports[18].state == "ok"
