"""Check of the records of a game: it fails for a game with one defect."""

from random import Random
from typing import Self

import pytest

from arena.conformance.rule_checks import RULE_CHECKS
from arena.storage.verify import RECORD_CHECK
from core import GAMES
from core.game import IllegalMove, Outcome
from tests.support.cases import loop_over
from tests.support.games.defective_games import Check, SoundHeap, checking, sound_game

OFFSET = 2**64


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Check:
    return checking(monkeypatch, (*RULE_CHECKS, RECORD_CHECK))


class NormalHeap(SoundHeap):
    """A heap whose last one wins."""

    @property
    def outcome(self) -> Outcome | None:
        return None if self.left else Outcome.no_legal_move(self.player_to_move)


class LargeHeap(NormalHeap):
    """A heap with moves of more than 64 bits."""

    @property
    def moves(self) -> list[int]:
        return [OFFSET + move for move in self._moves]

    def legal_moves(self) -> list[int]:
        return [OFFSET + move for move in super().legal_moves()]

    def play(self, move: int) -> None:
        if move not in self.legal_moves():
            raise IllegalMove(move, len(self._moves) + 1, f"{move} is not legal")
        self._left -= move - OFFSET
        self._moves.append(move - OFFSET)

    def undo(self) -> int:
        return OFFSET + super().undo()

    def copy(self) -> Self:
        return type(self)(self._left + sum(self._moves), self.moves)


class FickleHeap(NormalHeap):
    """A heap with another winner at each request."""

    random = Random(1)

    @property
    def outcome(self) -> Outcome | None:
        winner = self.random.choice([1, 2])
        return None if self.left else Outcome(winner, f"player {winner} is lucky")


@loop_over("name", ["take_stones", "isolation"])
def test_our_games_pass(name: str, check: Check) -> None:
    assert check(GAMES[name])[21].state == "ok"


class DrawnHeap(SoundHeap):
    """A heap that nobody wins."""

    @property
    def outcome(self) -> Outcome | None:
        return None if self.left else Outcome(None, "the heap is empty")


@loop_over("board", [SoundHeap, NormalHeap, DrawnHeap])
def test_any_outcome_is_kept(board: type[SoundHeap], check: Check) -> None:
    report = check(sound_game(board))[21]
    assert (report.state, report.detail) == ("ok", "20 finished games")


def test_a_result_must_be_that_of_the_game(check: Check) -> None:
    report = check(sound_game(FickleHeap))[21]
    assert report.state == "FAILED"
    assert report.detail.startswith("expected the winner ")


def test_moves_must_fit_into_a_record(check: Check) -> None:
    report = check(sound_game(LargeHeap))[21]
    assert report.state == "FAILED"
    assert (
        f"ValueError: legal move {OFFSET + 1} has more than 64 bits; heap=1 moves" in report.detail
    )
