"""Switches of the reference program, each a choice that programs make, and misreadings of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum, Flag
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, NamedTuple


class Side(Flag):
    """The players that a switch is on for."""

    NONE = 0
    MAX = 1
    MIN = 2
    BOTH = 3


class Kind(Flag):
    """The kinds of a last move for which a switch of the evaluation is on."""

    NONE = 0
    ONE = 1
    PRIME = 2
    COMPOSITE = 4
    ALL = 7


class Halves(Enum):
    """The limit of a first move."""

    EXACT = "below n/2"
    WHOLE = "below n/2 in whole numbers"
    UP_TO = "up to n/2"
    BELOW_N = "below n"
    NONE = "none"


class Parity(Enum):
    """The stones that may be taken first."""

    ODD = "odd"
    EVEN = "even"
    ANY = "odd or even"


class Related(Enum):
    """The stones that may follow a stone."""

    BOTH = "factors and multiples"
    MULTIPLES = "multiples"
    FACTORS = "factors"


class Order(Enum):
    """The order of the successors."""

    ASCENDING = "ascending"
    DESCENDING = "descending"
    MULTIPLES_FIRST = "multiples, then factors"


class Update(Enum):
    """The value that becomes alpha (or beta) after a successor."""

    BEST = "the better one of the bound and the node's value"
    NODE = "the node's value"
    CHILD = "the successor's value"


class Start(Enum):
    """The value of a node before its first successor."""

    INFINITE = "minus infinity for Max"
    ZERO = "0"
    LOSS = "-1 for Max"


class Recorded(Enum):
    """The node that the printed move belongs to."""

    ROOT = "the root"
    SAME_PLAYER = "any node of the player at the root, the last to improve"
    ANY = "any node, the last to improve"
    UNCUT = "the root, counting only the successors whose own search was not cut off"
    LAST = "the root, the last that was visited"
    FIRST = "the root, the first"


class Ends(Enum):
    """The value of an end of the game."""

    RIGHT = "-1 on Max's turn, 1 on Min's"
    SWAPPED = "1 on Max's turn, -1 on Min's"
    LOSS = "-1"
    WIN = "1"
    EVALUATED = "that of the evaluation"


class Negated(Enum):
    """The turns on which the evaluation is negated."""

    MIN = "Min's"
    MAX = "Max's"
    NEVER = "none"
    ALWAYS = "all"


class Primes(Enum):
    """The numbers above 1 that count as primes."""

    PRIMES = "primes"
    ODD = "odd numbers"
    ODD_AND_2 = "odd numbers and 2"
    COMPOSITES = "composite numbers"
    NONE = "none"
    ALL = "all"
    ABOVE_2 = "all above 2"
    NOT_2 = "primes but 2"
    AND_4 = "primes and 4"
    SQUARES = "primes and their squares"
    NO_ODD_DIVISOR = "numbers without an odd divisor up to their root"


class Divisor(Enum):
    """The divisor of a composite last move that the evaluation uses."""

    LARGEST_PRIME = "largest prime"
    SMALLEST_PRIME = "smallest prime"
    LARGEST = "largest below the number"
    ITSELF = "the number itself"
    FORGOTTEN = "largest prime but for the factor that is left in the end"
    UP_TO_ROOT = "largest prime up to the number's root"


@dataclass(frozen=True, eq=False)
class EvaluationRules:
    """The switches that change the static evaluation; the defaults are the assignment's.

    Attributes:
        no_zero: The turns on which a position with stone 1 is not worth 0.
        zero_without_1: Whether a position is worth 0 without stone 1 instead of with it.
        one: The kind of last move as which 1 is evaluated.
        primes: The numbers that count as primes.
        tests_factors: Whether the same test for primes chooses the divisor.
        tests_size: Whether the test chooses only the size: the divisor gives the count.
        divisor: The divisor that counts after a composite number.
        counts_prime: Whether the prime factor itself counts after a composite number.
        counts_remaining: Whether all remaining multiples count, not only successors.
        counts_largest: Whether stone n counts as a multiple.
        counts_divisors: The kinds after which divisors are counted instead of multiples.
        counts_all: Whether all successors count after a composite number.
        inverted: The kinds for which an even count is taken for an odd one.
        negated: The turns on which the evaluation is negated.
        not_negated: The kinds that are not negated on Min's turn.
        sizes: The sizes of the evaluation after 1, after a prime, after a composite number.
    """

    no_zero: Side = Side.NONE
    zero_without_1: bool = False
    one: Kind = Kind.ONE
    primes: Primes = Primes.PRIMES
    tests_factors: bool = False
    tests_size: bool = False
    divisor: Divisor = Divisor.LARGEST_PRIME
    counts_prime: bool = True
    counts_remaining: bool = False
    counts_largest: bool = True
    counts_divisors: Kind = Kind.NONE
    counts_all: bool = False
    inverted: Kind = Kind.NONE
    negated: Negated = Negated.MIN
    not_negated: Kind = Kind.NONE
    sizes: tuple[float, float, float] = (0.5, 0.7, 0.6)


@dataclass(frozen=True, eq=False)
class Rules(EvaluationRules):
    """All switches, also those of the tree and the search; the defaults are the assignment's.

    Attributes:
        halves: The limit of a first move.
        parity: The parity of a first move.
        related: The stones that may follow a stone.
        skips_1: Whether stone 1 is never a move.
        skips_largest: Whether stone n is never a move.
        skips_first: Whether the same stones are no first moves.
        order: The order of the successors.
        keeps_taken: Whether stones that the search has taken are not put back.
        root_is_max: Whether the search maximises at the root, also if Min is to move.
        is_reversed: Whether the search minimises on Max's turn, and maximises on Min's.
        is_fixed: Whether the player at the root moves at all nodes.
        depth_offset: The plies that are added to the depth limit.
        zero_limit: The depth limit that 0 stands for; None for none.
        ignores_limit: Whether there is no depth limit.
        evaluates_cut_first: Whether a node at the depth limit is not tested for the end of the
            game.
        strict_cutoff: The nodes that cut off only beyond their bound.
        no_cutoff: The nodes that never cut off.
        own_bound: The nodes that compare with the bound that they raise themselves.
        update: The value that becomes alpha or beta.
        updated: The nodes to which `update` applies.
        keeps_window: Whether the root passes alpha and beta on to its successors.
        is_fail_hard: Whether a node returns no value outside its window.
        start: The value of a node before its first successor.
        started: The nodes to which `start` applies.
        takes_last: The players who choose the last of several equal moves.
        recorded: The node that the printed move belongs to.
        ends: The value of an end of the game.
    """

    halves: Halves = Halves.EXACT
    parity: Parity = Parity.ODD
    related: Related = Related.BOTH
    skips_1: bool = False
    skips_largest: bool = False
    skips_first: bool = True
    order: Order = Order.ASCENDING
    keeps_taken: bool = False
    root_is_max: bool = False
    is_reversed: bool = False
    is_fixed: bool = False
    depth_offset: int = 0
    zero_limit: int | None = None
    ignores_limit: bool = False
    evaluates_cut_first: bool = False
    strict_cutoff: Side = Side.NONE
    no_cutoff: Side = Side.NONE
    own_bound: Side = Side.NONE
    update: Update = Update.BEST
    updated: Side = Side.BOTH
    keeps_window: bool = True
    is_fail_hard: bool = False
    start: Start = Start.INFINITE
    started: Side = Side.BOTH
    takes_last: Side = Side.NONE
    recorded: Recorded = Recorded.ROOT
    ends: Ends = Ends.RIGHT

    @cached_property
    def evaluation(self) -> EvaluationRules:
        """The switches of the evaluation alone, the same object for all that have them."""
        return _evaluation_rules(*_evaluation_switches(self))


_evaluation_rules = cache(EvaluationRules)
_evaluation_switches = attrgetter(*(field.name for field in fields(EvaluationRules)))
Changes = Mapping[str, Any]
SIDES = {"max": Side.MAX, "min": Side.MIN}
KINDS = {
    "one": (Kind.ONE, "stone 1"),
    "prime": (Kind.PRIME, "a prime number"),
    "composite": (Kind.COMPOSITE, "a composite number"),
}


class Variant(NamedTuple):
    """A misreading.

    Attributes:
        name: Its name in data.
        title: The behaviour of the program, as a sentence.
        advice: The part of the program to look at, in words.
        changes: Ways to program it, each as changed fields of the rules.
    """

    name: str
    title: str
    advice: str
    changes: tuple[Changes, ...]


def variant(name: str, title: str, advice: str, *changes: Changes) -> Variant:
    """Return a misreading with one or more ways to program it."""
    return Variant(name, title, advice, changes)


def by_side(
    name: str, title: str, advice: str, *changes: Callable[[Side], Changes]
) -> list[Variant]:
    """Return a misreading of both players' turns, of Max's and of Min's alone."""
    found = [variant(name, title, advice, *(change(Side.BOTH) for change in changes))]
    for word, side in SIDES.items():
        limited = f"On {word.capitalize()}'s turn, {_continued(title)}"
        found.append(variant(f"{name}-{word}", limited, advice, *(way(side) for way in changes)))
    return found


def by_kind(name: str, title: str, advice: str, change: Callable[[Kind], Changes]) -> list[Variant]:
    """Return a misreading after each kind of a last move alone."""
    return [
        variant(f"{name}-{word}", f"After {last}, {_continued(title)}", advice, change(kind))
        for word, (kind, last) in KINDS.items()
    ]


def _continued(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
