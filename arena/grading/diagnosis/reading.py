"""A reading of the assignment: each choice that a program makes, right or wrong."""

from dataclasses import dataclass, field
from enum import Enum


class Cutoff(Enum):
    """The comparison of a value with the bound that ends the loop over the successors."""

    AT_BOUND = ">="
    BEYOND_BOUND = ">"
    NEVER = "none"


class Divisor(Enum):
    """The divisor of a composite last move that the evaluation uses."""

    LARGEST_PRIME = "largest prime"
    SMALLEST_PRIME = "smallest prime"
    LARGEST = "largest below the number"


class Halves(Enum):
    """The limit of a first move."""

    EXACT = "below n/2"
    WHOLE = "below n/2 in whole numbers"
    UP_TO = "up to n/2"


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
    COMPOSITES = "composite numbers"
    NONE = "none"


class One(Enum):
    """The kind of number as which 1 is evaluated; the value is the size of the evaluation."""

    ONE = 0.5
    COMPOSITE = 0.6
    PRIME = 0.7


class Recorded(Enum):
    """The node whose best move is printed."""

    ROOT = "the root"
    SAME_PLAYER = "any node of the player at the root, the last to improve"
    ANY = "any node, the last to improve"
    UNCUT = "the root, counting only the successors whose own search was not cut off"


class Order(Enum):
    """The order of the successors."""

    ASCENDING = "ascending"
    DESCENDING = "descending"
    MULTIPLES_FIRST = "multiples, then factors"


class Quotient(Enum):
    """The numerator and the denominator of the branching factor."""

    PRINTED = "(visited - 1) / (visited - evaluated), of the printed counts"
    TRUE = "(visited - 1) / (visited - evaluated), of the nodes"
    WITH_ROOT = "visited / (visited - evaluated)"
    PER_EVALUATED = "visited / evaluated"
    GENERATED = "generated successors / (visited - evaluated)"


@dataclass(frozen=True)
class Rules:
    """The choices that change the tree or the values; the defaults are those of the assignment.

    Attributes:
        cutoff: When the successors that are left are skipped.
        is_fail_hard: Whether a node returns no value outside its window.
        takes_last: Whether the last of several equal moves is chosen at the root.
        keeps_window: Whether the root passes alpha and beta on to its successors.
        counts_prime: Whether the prime factor itself counts after a composite number.
        one: The kind of number as which a last move of 1 is evaluated.
        primes: The numbers that count as primes.
        divisor: The divisor that counts after a composite number.
        counts_remaining: Whether all remaining multiples count, not only successors.
        has_zero_rule: Whether a position with stone 1 is worth 0.
        depth_offset: The plies that are added to the depth limit.
        halves: The limit of a first move.
        any_parity: Whether a first move may be even.
        negated: The turns on which the evaluation is negated.
        counts_largest: Whether stone n counts as a multiple.
        recorded: The node whose best move is printed.
        loser_wins: Whether the player who cannot move counts as the winner.
        evaluates_cut_first: Whether a node at the depth limit is not tested for the end of the
            game.
        order: The order of the successors.
        root_is_max: Whether the search maximises at the root, also if Min is to move.
    """

    cutoff: Cutoff = Cutoff.AT_BOUND
    is_fail_hard: bool = False
    takes_last: bool = False
    keeps_window: bool = True
    counts_prime: bool = True
    one: One = One.ONE
    primes: Primes = Primes.PRIMES
    divisor: Divisor = Divisor.LARGEST_PRIME
    counts_remaining: bool = False
    has_zero_rule: bool = True
    depth_offset: int = 0
    halves: Halves = Halves.EXACT
    any_parity: bool = False
    negated: Negated = Negated.MIN
    counts_largest: bool = True
    recorded: Recorded = Recorded.ROOT
    loser_wins: bool = False
    evaluates_cut_first: bool = False
    order: Order = Order.ASCENDING
    root_is_max: bool = False


@dataclass(frozen=True)
class Counting:
    """Choices of the counted and printed values; the defaults are those of the assignment.

    Attributes:
        counts_root: Whether the root counts as visited.
        counts_ends: Whether ends of the game count as evaluated.
        counts_cuts: Whether nodes at the depth limit count as evaluated.
        evaluates_all: Whether every node counts as evaluated.
        root_depth: The depth of the root.
        prints_limit: Whether the depth limit is printed as the depth reached.
        value_of_mover: Whether the value is printed for the player to move.
        quotient: The formula of the branching factor.
    """

    counts_root: bool = True
    counts_ends: bool = True
    counts_cuts: bool = True
    evaluates_all: bool = False
    root_depth: int = 0
    prints_limit: bool = False
    value_of_mover: bool = False
    quotient: Quotient = Quotient.PRINTED


@dataclass(frozen=True)
class Reading:
    """A complete reading of the assignment."""

    rules: Rules = field(default_factory=Rules)
    counting: Counting = field(default_factory=Counting)
