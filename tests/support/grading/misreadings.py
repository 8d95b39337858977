"""Programs that misread the assignment in one way each, in obvious Python.

Each is the right program with something replaced; those that tests name or combine are classes.
They take nothing from the diagnosis.
"""

from fractions import Fraction
from functools import cache
from math import floor, inf
from typing import Any

from tests.support.games.reference import (
    Taken,
    is_legal,
    is_prime,
    largest_prime_factor,
    legal_moves,
    one_decimal,
    player_to_move,
)


@cache
def legal_after(n: int, taken: Taken) -> list[int]:
    """The legal moves, found once for all programs."""
    return legal_moves(n, taken)


class Program:
    """The right program."""

    root_depth = 0

    def __init__(self, n: int, taken: Taken, limit: int) -> None:
        self.n, self.taken, self.limit = n, taken, limit
        self.visited = self.evaluated = self.deepest = self.move = self.generated = 0
        self.inner = 0
        self.was_cut = False

    def six_values(self) -> tuple[str, ...]:
        value = self.search(self.taken, -inf, inf, self.root_depth)
        return (
            str(self.move),
            self.value_text(value),
            str(self.visited),
            str(self.evaluated),
            str(self.deepest_text()),
            self.quotient_text(),
        )

    # Output

    def value_text(self, value: float) -> str:
        return f"{value + 0.0:.1f}"

    def quotient_text(self) -> str:
        try:
            return self.branching_text(self.branching())
        except ZeroDivisionError:
            return "NaN"

    def deepest_text(self) -> object:
        return self.deepest

    def branching(self) -> Fraction:
        return Fraction(self.visited - 1, self.visited - self.evaluated)

    def branching_text(self, factor: Fraction) -> str:
        return one_decimal(factor)

    # Counts

    def count_visit(self, depth: int) -> None:
        del depth
        self.visited += 1

    def count_evaluation(self, is_end: bool) -> None:
        del is_end
        self.evaluated += 1

    def count_inner(self) -> None:
        self.inner += 1

    # Rules

    def is_max(self, taken: Taken) -> bool:
        return player_to_move(taken) == 1

    def maximises(self, taken: Taken) -> bool:
        return self.is_max(taken)

    def is_first(self, stone: int) -> bool:
        return is_legal(self.n, (), stone)

    def moves(self, taken: Taken) -> list[int]:
        if not taken:
            return [stone for stone in range(1, self.n + 1) if self.is_first(stone)]
        return [*legal_after(self.n, taken)]

    def is_at_limit(self, depth: int) -> bool:
        return self.limit > 0 and depth >= self.limit

    # Evaluation

    def end_value(self, is_max: bool) -> float:
        return -1.0 if is_max else 1.0

    def is_prime(self, stone: int) -> bool:
        return is_prime(stone)

    def factor(self, stone: int) -> int:
        return largest_prime_factor(stone)

    def is_zero(self, taken: Taken) -> bool:
        return 1 not in taken

    def is_counted(self, stone: int, factor: int, taken: Taken) -> bool:
        return stone % factor == 0 and is_legal(self.n, taken, stone)

    def value_on_turn(self, taken: Taken) -> float:
        """The evaluation for Max on his turn."""
        if self.is_zero(taken):
            return 0.0
        last = taken[-1] if taken else 1
        size, factor = 0.5, 1
        if last > 1:
            size = 0.7 if self.is_prime(last) else 0.6
            factor = last if self.is_prime(last) else self.factor(last)
        counted = [s for s in range(1, self.n + 1) if self.is_counted(s, factor, taken)]
        if not taken:
            counted = self.moves(taken)
        return size if len(counted) % 2 else -size

    def evaluate(self, taken: Taken, is_max: bool) -> float:
        value = self.value_on_turn(taken)
        return value if is_max else -value

    # Search

    def is_cutoff(self, value: float, bound: float) -> bool:
        return value >= bound

    def is_better(self, value: float, best: float) -> bool:
        return value > best

    def leaf_value(self, taken: Taken, is_max: bool, depth: int) -> float | None:
        is_end = not self.moves(taken)
        if not is_end and not self.is_at_limit(depth):
            return None
        self.count_evaluation(is_end)
        return self.end_value(is_max) if is_end else self.evaluate(taken, is_max)

    def window(self, alpha: float, beta: float, depth: int) -> tuple[float, float]:
        del depth
        return alpha, beta

    def record(self, move: int, depth: int) -> None:
        if depth == self.root_depth:
            self.move = move

    def search(self, taken: Taken, alpha: float, beta: float, depth: int) -> float:
        self.count_visit(depth)
        self.deepest = max(self.deepest, depth)
        self.was_cut = False
        leaf = self.leaf_value(taken, self.is_max(taken), depth)
        if leaf is not None:
            return leaf
        self.count_inner()
        is_max = self.maximises(taken)
        sign = 1 if is_max else -1
        best, low, high = -inf, *((alpha, beta) if is_max else (-beta, -alpha))
        was_cut = False
        moves = self.moves(taken)
        self.generated += len(moves)
        for move in moves:
            lower, upper = self.window(low, high, depth)
            bounds = (lower, upper) if is_max else (-upper, -lower)
            value = sign * self.search((*taken, move), *bounds, depth + 1)
            self.finish_child(move, value, depth)
            if best == -inf or self.is_better(value, best):
                self.record(move, depth)
            best = max(best, value)
            if was_cut := self.is_cutoff(best, high):
                break
            low = max(low, best)
        self.was_cut = was_cut
        return sign * best

    def finish_child(self, move: int, value: float, depth: int) -> None:
        """Do nothing."""


class CutoffBeyondBound(Program):
    def is_cutoff(self, value: float, bound: float) -> bool:
        return value > bound


class MoveOfDeeperNode(Program):
    def record(self, move: int, depth: int) -> None:
        if depth % 2 == 0:
            self.move = move


class MoveOfAnyNode(Program):
    def record(self, move: int, depth: int) -> None:
        del depth
        self.move = move


class MoveByPosition(Program):
    def six_values(self) -> tuple[str, ...]:
        self.values: list[float] = []
        values = super().six_values()
        best = max(self.values)
        move = self.moves(self.taken)[self.values.index(best)]
        return (str(move), *values[1:])

    def finish_child(self, move: int, value: float, depth: int) -> None:
        del move
        if depth == 0 and not self.was_cut:
            self.values.append(value)


class MultiplesFirst(Program):
    def moves(self, taken: Taken) -> list[int]:
        found = super().moves(taken)
        last = taken[-1] if taken else 0
        multiples = [move for move in found if move > last]
        return [*multiples, *(move for move in found if move < last)]


class PrimeItselfNotCounted(Program):
    def is_counted(self, stone: int, factor: int, taken: Taken) -> bool:
        return super().is_counted(stone, factor, taken) and (factor == 1 or stone != factor)


class OneIsPrime(Program):
    def value_on_turn(self, taken: Taken) -> float:
        value = super().value_on_turn(taken)
        return {0.5: 0.7, -0.5: -0.7}.get(value, value)


class OneIsComposite(Program):
    def value_on_turn(self, taken: Taken) -> float:
        value = super().value_on_turn(taken)
        return {0.5: 0.6, -0.5: -0.6}.get(value, value)


class PrimeIsComposite(Program):
    def is_prime(self, stone: int) -> bool:
        del stone
        return False


class AllAreComposite(OneIsComposite, PrimeIsComposite):
    """One error: there is no rule but that for composite numbers."""


class RemainingMultiples(Program):
    def is_counted(self, stone: int, factor: int, taken: Taken) -> bool:
        return stone not in taken and stone % factor == 0


class AlwaysNegated(Program):
    def evaluate(self, taken: Taken, is_max: bool) -> float:
        del is_max
        return -self.value_on_turn(taken)


class CutBeforeEnd(Program):
    def leaf_value(self, taken: Taken, is_max: bool, depth: int) -> float | None:
        if self.is_at_limit(depth):
            self.count_evaluation(is_end=False)
            return self.evaluate(taken, is_max)
        return super().leaf_value(taken, is_max, depth)


class RootNotCounted(Program):
    def count_visit(self, depth: int) -> None:
        self.visited += depth > 0

    def branching(self) -> Fraction:
        return Fraction(self.visited, self.visited + 1 - self.evaluated)


class EndsNotEvaluated(Program):
    def count_evaluation(self, is_end: bool) -> None:
        self.evaluated += not is_end


class LimitNotEvaluated(Program):
    def count_evaluation(self, is_end: bool) -> None:
        self.evaluated += is_end


class AllEvaluated(Program):
    def count_evaluation(self, is_end: bool) -> None:
        """Count it when it is visited."""

    def count_visit(self, depth: int) -> None:
        super().count_visit(depth)
        self.evaluated += 1

    def branching(self) -> Fraction:
        return Fraction(self.visited - 1, self.inner)


class DepthPrintedFromOne(Program):
    def deepest_text(self) -> object:
        return self.deepest + 1


class NegativeZero(Program):
    def value_text(self, value: float) -> str:
        return super().value_text(value).replace("0.0", "-0.0") if not value else f"{value:.1f}"


class HalfEven(Program):
    def branching_text(self, factor: Fraction) -> str:
        return f"{float(factor):.1f}"


class Truncated(Program):
    def branching_text(self, factor: Fraction) -> str:
        tenths = floor(10 * factor)
        return f"{tenths // 10}.{tenths % 10}"


def misread(**replaced: Any) -> type[Program]:
    """Return the right program with members replaced."""
    return type("Misread", (Program,), replaced)


MISREADINGS: dict[str, tuple[type[Program], ...]] = {
    "cutoff-beyond-bound": (CutoffBeyondBound,),
    "no-pruning": (misread(is_cutoff=lambda _, _value, _bound: False),),
    "window-not-passed": (
        misread(window=lambda _, alpha, beta, depth: (alpha, beta) if depth else (-inf, inf)),
    ),
    "last-of-equal-moves": (misread(is_better=lambda _, value, best: value >= best),),
    "move-of-deeper-node": (MoveOfDeeperNode, MoveOfAnyNode),
    "move-by-position": (MoveByPosition,),
    "descending-order": (misread(moves=lambda self, taken: Program.moves(self, taken)[::-1]),),
    "multiples-first": (MultiplesFirst,),
    "one-ply-short": (
        misread(is_at_limit=lambda self, depth: self.limit > 0 and depth >= self.limit - 1),
    ),
    "one-ply-deep": (
        misread(is_at_limit=lambda self, depth: self.limit > 0 and depth > self.limit),
    ),
    "depth-from-one": (misread(root_depth=1),),
    "whole-half": (misread(is_first=lambda self, stone: stone % 2 == 1 and stone < self.n // 2),),
    "up-to-half": (misread(is_first=lambda self, stone: stone % 2 == 1 and stone <= self.n // 2),),
    "even-first-move": (misread(is_first=lambda self, stone: stone < self.n / 2),),
    "root-always-max": (
        misread(maximises=lambda self, taken: (len(taken) - len(self.taken)) % 2 == 0),
    ),
    "prime-itself-not-counted": (PrimeItselfNotCounted,),
    "one-is-prime": (OneIsPrime,),
    "one-is-composite": (OneIsComposite,),
    "prime-is-composite": (PrimeIsComposite, AllAreComposite),
    "prime-test-inverted": (
        misread(
            is_prime=lambda self, stone: not Program.is_prime(self, stone),
            factor=lambda self, stone: stone if is_prime(stone) else Program.factor(self, stone),
        ),
    ),
    "odd-is-prime": (misread(is_prime=lambda _, stone: stone % 2 == 1),),
    "largest-stone-not-counted": (
        misread(
            is_counted=lambda self, stone, factor, taken: (
                Program.is_counted(self, stone, factor, taken) and (factor == 1 or stone < self.n)
            )
        ),
    ),
    "largest-factor": (
        misread(
            factor=lambda _, stone: next(d for d in range(stone // 2, 0, -1) if stone % d == 0)
        ),
    ),
    "smallest-prime-factor": (
        misread(factor=lambda _, stone: next(d for d in range(2, stone + 1) if stone % d == 0)),
    ),
    "remaining-multiples": (RemainingMultiples,),
    "no-zero-while-1-remains": (misread(is_zero=lambda _, _taken: False),),
    "not-negated-for-min": (
        misread(evaluate=lambda self, taken, _is_max: self.value_on_turn(taken)),
    ),
    "wrong-player": (
        misread(evaluate=lambda self, taken, is_max: -Program.evaluate(self, taken, is_max)),
    ),
    "always-negated": (AlwaysNegated,),
    "loser-wins": (misread(end_value=lambda self, is_max: -Program.end_value(self, is_max)),),
    "end-always-won": (misread(end_value=lambda _, _is_max: 1.0),),
    "cut-before-end": (CutBeforeEnd,),
    "root-not-counted": (RootNotCounted,),
    "ends-not-evaluated": (EndsNotEvaluated,),
    "limit-not-evaluated": (LimitNotEvaluated,),
    "all-evaluated": (AllEvaluated,),
    "depth-printed-from-one": (DepthPrintedFromOne,),
    "depth-printed-below": (misread(deepest_text=lambda self: self.deepest - 1),),
    "limit-printed": (misread(deepest_text=lambda self: self.limit or self.deepest),),
    "value-of-mover": (
        misread(
            value_text=lambda self, value: Program.value_text(
                self, value if self.is_max(self.taken) else -value
            )
        ),
    ),
    "branching-with-root": (
        misread(branching=lambda self: Fraction(self.visited, self.visited - self.evaluated)),
    ),
    "branching-per-evaluated": (
        misread(branching=lambda self: Fraction(self.visited, self.evaluated)),
    ),
    "branching-generated": (misread(branching=lambda self: Fraction(self.generated, self.inner)),),
    "branching-half-even": (HalfEven,),
    "branching-truncated": (Truncated,),
    "branching-whole": (misread(branching_text=lambda _, factor: f"{floor(factor)}.0"),),
    "branching-none": (misread(branching_text=lambda _, factor: str(float(factor))),),
}


FORMATS: dict[str, type[Program]] = {
    "negative-zero": NegativeZero,
    "value-format": misread(value_text=lambda _, value: f"{value + 0:g}"),
    "decimal-comma": misread(value_text=lambda _, value: f"{value + 0:.1f}".replace(".", ",")),
    "number-format": misread(deepest_text=lambda self: f"{self.deepest:02}"),
}
