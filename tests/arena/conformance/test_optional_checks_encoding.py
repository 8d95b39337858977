"""The check of encodings: it fails for a game with one defect."""

from typing import Any

from arena.conformance.optional_checks import ENCODING_CHECK
from core.game import Encoding
from tests.support.cases import loop_over
from tests.support.games.defective_games import Check, SoundHeap, sound_game

NUMBER = 25
CHECKS = (ENCODING_CHECK,)


def encoding(**changed: Any) -> Encoding:
    """Return the encoding of a heap, with other fields."""
    fields: dict[str, Any] = {
        "moves": lambda heap: range(1, 4),  # noqa: ARG005
        "length": lambda heap: heap,
        "shape": lambda heap: (2, heap),
        "observe": lambda heap, player: bytearray([1] * 2 * (heap.left + sum(heap.moves))),  # noqa: ARG005
    }
    return Encoding(**{**fields, **changed})


def careless(heap: SoundHeap, player: int) -> bytearray:  # noqa: ARG001
    """Play a move."""
    heap.play(1)
    return bytearray()


def test_sound_encodings_pass_or_are_skipped(check: Check) -> None:
    for sound in (encoding(), encoding(shape=None, observe=None)):
        report = check(sound_game(encoding=sound))[NUMBER]
        assert (report.state, report.detail.split()[-1]) == ("ok", "positions")
    report = check(sound_game())[NUMBER]
    assert (report.state, report.detail) == ("skipped", "the game has no encoding")


@loop_over(
    "changed, expected",
    ({"moves": lambda heap: range(1, 3)}, "move 3 in the range of all moves, got range(1, 3)"),  # noqa: ARG005
    ({"length": lambda heap: 1}, "a game of at most 1 moves, got 2"),  # noqa: ARG005
    ({"shape": None}, "both shape and observe, or neither, got one of them"),
    ({"observe": None}, "both shape and observe, or neither, got one of them"),
    ({"observe": careless}, "no change by an observation, got moves [1] instead of []"),
    ({"observe": lambda *_: b""}, "an observation of bytes (bytearray), got bytes"),
    ({"observe": lambda *_: bytearray(1)}, "bytes, as its shape, got 1"),
    ({"shape": lambda heap: (2,), "observe": lambda *_: bytearray([0, 7])}, "got [0, 7]"),  # noqa: ARG005
)
def test_each_defect_is_found(check: Check, changed: dict[str, Any], expected: str) -> None:
    report = check(sound_game(encoding=encoding(**changed)))[NUMBER]
    assert report.state == "FAILED"
    assert expected in report.detail
