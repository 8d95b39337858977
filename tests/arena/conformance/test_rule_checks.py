"""Checks of a game's rules: each fails for a game with one defect, and says what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from arena.conformance.rule_checks import RULE_CHECKS
from core import GAMES
from core.game import Game, IllegalMove, Outcome, Parameter
from tests.support.cases import loop_over
from tests.support.games.defective_games import Check, SoundHeap, broken_heap, sound_game
from tests.support.games.toy_games import Heap


class Lenient(SoundHeap):
    """A heap of any size."""

    def __init__(self, size: int, moves: Any = ()) -> None:
        super().__init__(max(1, size), moves)


class Terse(SoundHeap):
    """A heap that does not name a size that is too small."""

    def __init__(self, size: int, moves: Any = ()) -> None:
        if size < 1:
            raise ValueError("too small")
        super().__init__(size, moves)


class Endless(SoundHeap):
    """A heap that is never empty."""

    def play(self, move: int) -> None:
        super().play(move)
        self._left += move


class Stubborn(SoundHeap):
    """A heap from which one cannot take what is said to be legal."""

    def play(self, move: int) -> None:
        raise IllegalMove(move, 1, "not today")


class Aliasing(SoundHeap):
    """A heap that keeps the list of moves that it was given."""

    def __init__(self, size: int, moves: Any = ()) -> None:
        super().__init__(size, moves)
        self._moves = moves if isinstance(moves, list) else self._moves


class Unchecked(SoundHeap):
    """A heap that takes any move."""

    def play(self, move: int) -> None:
        self._left -= move
        self._moves.append(move)


class Changing(SoundHeap):
    """A heap that counts illegal moves."""

    def play(self, move: int) -> None:
        try:
            super().play(move)
        except IllegalMove:
            self._moves.append(move)
            raise


class Trusting(SoundHeap):
    """A heap that does not check the moves that it begins with."""

    def __init__(self, size: int, moves: Any = ()) -> None:
        super().__init__(size)
        for move in moves:
            self._left -= move
            self._moves.append(move)


def parameter(*fields: Any) -> Game:
    """Return the game with another description of its parameter."""
    return sound_game(parameters={"heap": Parameter(*fields)})


def defaulted(position: Any) -> Game:
    """Return the game with a default of 6, and another function that starts it."""
    parameters = {"heap": Parameter("size", 1, (6,), default=6)}
    return sound_game(parameters=parameters, position=position)


def outcome(*fields: Any) -> Game:
    """Return the game with another outcome when the heap is empty."""
    found = property(lambda heap: None if heap.left else Outcome(*fields))
    return broken_heap(outcome=found)


def legal_moves(change: Any) -> Game:
    """Return the game with other legal moves."""
    return broken_heap(legal_moves=lambda heap: change(SoundHeap.legal_moves(heap)))


def equality(equals: Any) -> Game:
    """Return the game with another equality of positions."""
    return broken_heap(__eq__=equals, __hash__=SoundHeap.__hash__)


def refusing(first: int, rule: str) -> Game:
    """Return the game with illegal moves that are numbered from `first` and break this rule."""

    def play(heap: SoundHeap, move: int) -> None:
        if move not in heap.legal_moves():
            raise IllegalMove(move, len(heap.moves) + first, rule)
        SoundHeap.play(heap, move)

    return broken_heap(play=play)


def undoing(undo: Any) -> Game:
    """Return the game with another undo."""
    return broken_heap(undo=undo)


STARTED = broken_heap(moves=property(lambda heap: [1, *heap._moves]))
SHARING = broken_heap(moves=property(lambda heap: heap._moves))
FORGETFUL = undoing(
    lambda heap: heap._moves.pop() if len(heap._moves) > 1 else SoundHeap.undo(heap)
)
BOTTOMLESS = undoing(lambda heap: SoundHeap.undo(heap) if heap._moves else 0)
UNEQUAL = equality(lambda heap, other: heap is other)

DEFECTS = [
    (1, sound_game(title="Nim\n2"), r"expected a title of one line, got 'Nim\n2'"),
    (1, parameter("", 1, (9,)), "expected the meaning of heap in one line, got ''"),
    (
        1,
        parameter("size", 5, (9, 4)),
        "expected usual values of heap within its limits, got (9, 4)",
    ),
    (1, parameter("size", 1, (9,), 8), "expected usual values of heap within its limits, got (9,)"),
    (1, parameter("size", 2, (9,), 9, 1), "expected a default of heap within its limits, got 1"),
    (1, parameter("size", 1, ()), "expected usual values of heap within its limits, got ()"),
    (1, sound_game(page=Path("x")), "expected board.js in the folder of the page, got none in x"),
    (
        2,
        sound_game(position=lambda *, heap, moves=(): Heap(heap, moves)),
        "expected a position of SoundHeap, got Heap",
    ),
    (2, STARTED, "expected no moves at the start, got [1]; heap=6 no moves"),
    (
        2,
        broken_heap(player_to_move=property(lambda heap: 2 - len(heap.moves) % 2)),
        "expected player 1 to move at the start, got player 2",
    ),
    (
        2,
        defaulted(lambda *, heap=5, moves=(): SoundHeap(heap, moves)),
        "expected heap 6 by default, got 5 left, not 6 left",
    ),
    (2, broken_heap(is_over=True), "expected a move at the start of a usual setup, got a finished"),
    (
        2,
        sound_game(position=lambda: None),
        "TypeError: <lambda>() got an unexpected keyword argument",
    ),
    (3, sound_game(Lenient), "names the value 0 of heap, got no error; heap=6 no moves"),
    (3, parameter("size", 1, (6,), 9), "names the value 10 of heap, got no error; heap=6 no moves"),
    (3, sound_game(Terse), "names the value 0 of heap, got 'too small'; heap=6 no moves"),
    (4, sound_game(Endless), "expected an end of a random game within 10000 moves, got none; heap"),
    (4, sound_game(Stubborn), "IllegalMove: illegal move 1: not today; heap=6 moves"),
    (5, legal_moves(lambda legal: legal[::-1]), "ascending legal moves, each once, got [3, 2, 1]"),
    (5, legal_moves(lambda legal: legal + legal), "each once, got [1, 2, 3, 1, 2, 3]; heap=6 no"),
    (5, broken_heap(is_over=False), "game is over, got is_over False with the legal moves []"),
    (5, SHARING, "that the caller may change, got moves [-1] instead of []"),
    (6, broken_heap(outcome=None), "when the game is over, got is_over True with the outcome None"),
    (6, outcome(0, "player 1 wins"), "expected a winner of 1, 2 or None, got 0; heap=1 moves 1"),
    (6, outcome(1, ""), "expected a reason of one line, got ''"),
    (6, outcome(1, "Ann wins"), "a reason that names player 1 or player 2, got 'Ann wins'"),
    (6, outcome(1, "player 1 wins", "mate"), "of no_legal_move or game_over, got 'mate'"),
    (
        6,
        outcome(None, "nobody wins", "no_legal_move"),
        "expected player 2, who has no legal move, to lose, got the winner None",
    ),
    (
        7,
        broken_heap(player_to_move=property(lambda heap: 1 + (len(heap.moves) in {1, 2}))),
        "expected player 1 to move, got 2",
    ),
    (8, undoing(lambda heap: SoundHeap.undo(heap) + 1), "expected undo() to return the"),
    (8, FORGETFUL, "as it was before move 1 was undone, got hash"),
    (8, UNEQUAL, "expected an equal position after move 1 is undone, got another"),
    (9, BOTTOMLESS, "expected an IndexError for undo() at the start, got no error"),
    (9, undoing(lambda heap: heap._moves.pop()), "expected the start after all moves are"),
    (9, undoing(lambda _: 1 // 0), "ZeroDivisionError: integer"),
    (
        10,
        broken_heap(__hash__=object.__hash__),
        "copy() to equal the position that was played, got hash ",
    ),
    (10, UNEQUAL, "the position that was played, got an unequal position"),
    (10, sound_game(Aliasing), "expected position() with a list of moves to equal"),
    (
        10,
        sound_game(study=lambda *, heap, moves=(): SoundHeap(heap + 1, moves)),
        "expected study() to equal the position that was played, got hash",
    ),
    (11, broken_heap(copy=lambda heap: heap), "expected no change by move 1 on a copy, got moves"),
    (
        12,
        equality(lambda *_: True),
        "expected a position unlike any other object, got an equal object",
    ),
    (
        12,
        equality(lambda _, other: isinstance(other, SoundHeap)),
        "expected another position after move 1, got an equal one",
    ),
    (13, sound_game(Unchecked), "expected an IllegalMove for move -1000000, got no error; heap=6"),
    (13, sound_game(Changing), "expected no change by the illegal move -1000000, got moves [-1000"),
    (
        13,
        refusing(0, "not 1 to 3"),
        "the move -1000000 and the number 1, got the move -1000000 and",
    ),
    (13, refusing(1, ""), "expected the rule that move -1000000 breaks in one line, got ''"),
    (13, sound_game(Trusting), "in the moves of position(), got no error; heap=6 no moves"),
    (
        14,
        broken_heap(__str__=object.__repr__),
        "expected a text for people as str(position), got '<",
    ),
    (
        14,
        broken_heap(__str__=lambda _: " "),
        "expected a text for people as str(position), got ' '",
    ),
    (
        14,
        broken_heap(__str__=lambda heap: f"{heap.left}\n"),
        r"expected a text without line breaks at its ends, got '6\n'",
    ),
    (14, broken_heap(__str__=lambda _: "heap"), "expected another text after move 1, got the same"),
]


def test_a_sound_game_passes_and_every_check_finds_a_defect(check: Check) -> None:
    assert {report.state for report in check(sound_game()).values()} == {"ok"}
    assert {number for number, *_ in DEFECTS} == {check.number for check in RULE_CHECKS}


@loop_over(("number", "game", "text"), DEFECTS)
def test_a_defect_is_found(number: int, game: Game, text: str, check: Check) -> None:
    report = check(game, number)[number]
    assert report.state == "FAILED"
    assert text in report.detail


def test_each_class_belongs_to_one_game(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "older", sound_game(name="older"))
    expected = "expected a class of positions of its own, got that of older; heap=6 no moves"
    assert check(sound_game())[2].detail == expected


def test_a_draw_needs_no_player_in_its_reason(check: Check) -> None:
    assert check(outcome(None, "the heap is empty"))[6].state == "ok"
