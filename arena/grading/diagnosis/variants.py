"""Common misreadings of the assignment, each as changes of the right reading."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any, NamedTuple

from arena.grading.diagnosis.reading import (
    Counting,
    Cutoff,
    Divisor,
    Halves,
    Negated,
    One,
    Order,
    Primes,
    Quotient,
    Reading,
    Recorded,
    Rules,
)

MAX_COMBINED = 2
RULES = frozenset(Rules.__dataclass_fields__)


class Variant(NamedTuple):
    """A misreading.

    Attributes:
        name: Its name in data.
        title: The behaviour of the program, as a sentence.
        advice: The part of the program to look at, in words.
        changes: Ways to program it, each as changed fields of the rules and the counting.
    """

    name: str
    title: str
    advice: str
    changes: tuple[Mapping[str, Any], ...]


def _variant(name: str, title: str, advice: str, *changes: Mapping[str, Any]) -> Variant:
    return Variant(name, title, advice, changes)


def _counted(**changes: object) -> tuple[Mapping[str, Any], ...]:
    """Return a change of the counts, with the branching factor of the counts or of the nodes."""
    return {**changes}, {**changes, "quotient": Quotient.TRUE}


SEARCH = (
    _variant(
        "cutoff-beyond-bound",
        "The search skips successors only when a value is beyond the bound, not when it equals it.",
        "Figure 5.7 stops at v >= beta in MAX-VALUE and at v <= alpha in MIN-VALUE. Compare with"
        " >= and <=, or with beta <= alpha after the update, not with > and <.",
        {"cutoff": Cutoff.BEYOND_BOUND},
        {"cutoff": Cutoff.BEYOND_BOUND, "is_fail_hard": True},
    ),
    _variant(
        "no-pruning",
        "The search never skips a successor: it is plain minimax.",
        "Stop the loop over the successors when v >= beta (Max) or v <= alpha (Min), and pass"
        " alpha and beta on to the successors.",
        {"cutoff": Cutoff.NEVER},
    ),
    _variant(
        "window-not-passed",
        "Each successor of the root is searched with the initial alpha and beta.",
        "Update alpha (or beta) at the root after each successor, and pass it on to the next one.",
        {"keeps_window": False},
    ),
    _variant(
        "last-of-equal-moves",
        "The last of several equal moves is chosen.",
        "Ties go to the smaller stone: replace the best move only if the new value is strictly"
        " better.",
        {"takes_last": True},
        {"takes_last": True, "is_fail_hard": True},
    ),
    _variant(
        "move-of-deeper-node",
        "The best move is overwritten by nodes below the root.",
        "Store the best move only at the root: the search of a successor runs the same code.",
        {"recorded": Recorded.SAME_PLAYER},
        {"recorded": Recorded.ANY},
    ),
    _variant(
        "move-by-position",
        "The move is looked up in a list that lacks the successors whose search was cut off.",
        "Store the move together with its value when the value is found, instead of looking for"
        " the value afterwards.",
        {"recorded": Recorded.UNCUT},
    ),
    _variant(
        "descending-order",
        "The successors are visited from the largest stone to the smallest.",
        "Visit the successors in ascending order.",
        {"order": Order.DESCENDING},
        {"order": Order.DESCENDING, "takes_last": True},
    ),
    _variant(
        "multiples-first",
        "The multiples of the last stone are visited before its factors.",
        "Visit the successors in ascending order: the factors come before the multiples.",
        {"order": Order.MULTIPLES_FIRST},
    ),
    _variant(
        "one-ply-short",
        "The search stops one ply above the depth limit.",
        "The root is at depth 0, so a search to depth d evaluates nodes d moves below the root.",
        {"depth_offset": -1},
    ),
    _variant(
        "one-ply-deep",
        "The search goes one ply below the depth limit.",
        "The root is at depth 0, so a search to depth d evaluates nodes d moves below the root.",
        {"depth_offset": 1},
    ),
    _variant(
        "depth-from-one",
        "The root is at depth 1 instead of 0, in the limit and in the depth reached.",
        "Start the search at depth 0: the root is at depth 0.",
        {"depth_offset": -1, "root_depth": 1},
    ),
    _variant(
        "whole-half",
        "The limit of the first move is n/2 in whole numbers.",
        "The first stone is odd and strictly less than n/2; for n = 7 that is 3.5, so that 3 is"
        " legal. Compare 2 * stone < n.",
        {"halves": Halves.WHOLE},
    ),
    _variant(
        "up-to-half",
        "The first move may be equal to n/2.",
        "The first stone is strictly less than n/2.",
        {"halves": Halves.UP_TO},
    ),
    _variant(
        "even-first-move",
        "The first move may be even.",
        "The first stone must be odd.",
        {"any_parity": True},
    ),
    _variant(
        "root-always-max",
        "The search always maximises at the root, also if Min is to move.",
        "Max is to move after an even number of taken stones, Min after an odd number.",
        {"root_is_max": True},
    ),
)

EVALUATION = (
    _variant(
        "prime-itself-not-counted",
        "After a composite number, the prime factor itself is not counted.",
        "Count the multiples of the largest prime factor including the prime itself, if it is a"
        " legal move.",
        {"counts_prime": False},
    ),
    _variant(
        "one-is-prime",
        "1 is taken for a prime number.",
        "After stone 1 the evaluation is 0.5 or -0.5, by the number of all legal moves. Test for"
        " 1 before you test for primes.",
        {"one": One.PRIME},
    ),
    _variant(
        "one-is-composite",
        "1 is evaluated as a composite number.",
        "After stone 1 the evaluation is 0.5 or -0.5, by the number of all legal moves. Do not let"
        " the rules for other numbers overwrite it.",
        {"one": One.COMPOSITE},
    ),
    _variant(
        "prime-is-composite",
        "A prime last move is evaluated as a composite number.",
        "After a prime the evaluation is 0.7 or -0.7. Check your test for primes, also for 2.",
        {"primes": Primes.NONE},
        {"primes": Primes.NONE, "one": One.COMPOSITE},
    ),
    _variant(
        "prime-test-inverted",
        "Composite numbers are taken for primes, and primes for composite numbers.",
        "Your test for primes returns the opposite of what its name says: try it with 7 and 8.",
        {"primes": Primes.COMPOSITES},
    ),
    _variant(
        "odd-is-prime",
        "Every odd number is taken for a prime, and 2 is not.",
        "9 and 15 are composite, and 2 is prime: try all divisors.",
        {"primes": Primes.ODD},
    ),
    _variant(
        "largest-stone-not-counted",
        "Stone n is never counted as a multiple.",
        "The stones are 1 to n, n included: check the limit of the loop over the multiples.",
        {"counts_largest": False},
    ),
    _variant(
        "largest-factor",
        "After a composite number, its largest factor is used instead of its largest prime factor.",
        "For 12 the factor is 3, not 6: it must be prime.",
        {"divisor": Divisor.LARGEST},
    ),
    _variant(
        "smallest-prime-factor",
        "After a composite number, its smallest prime factor is used.",
        "For 12 the factor is 3, not 2: take the largest prime that divides the last move.",
        {"divisor": Divisor.SMALLEST_PRIME},
    ),
    _variant(
        "remaining-multiples",
        "After a composite number, all remaining multiples of the prime factor are counted.",
        "Count only those multiples that are possible successors, i.e. legal moves.",
        {"counts_remaining": True},
    ),
    _variant(
        "no-zero-while-1-remains",
        "A position in which stone 1 is not taken is not evaluated as 0.",
        "Return 0 while stone 1 has not been taken, before any other rule.",
        {"has_zero_rule": False},
    ),
    _variant(
        "not-negated-for-min",
        "The evaluation is not negated on Min's turn.",
        "On Min's turn return the negation of the 0.5, 0.6 or 0.7 that Max would get.",
        {"negated": Negated.NEVER},
    ),
    _variant(
        "wrong-player",
        "The evaluation is that of the wrong player.",
        "The player whose turn it is in the evaluated position counts, not the player who has"
        " just moved.",
        {"negated": Negated.MAX},
    ),
    _variant(
        "always-negated",
        "The evaluation is negated on Max's turn too.",
        "On Max's turn return the 0.5, 0.6 or 0.7 as it is. Check how a copied state knows whose"
        " turn it is.",
        {"negated": Negated.ALWAYS},
    ),
    _variant(
        "loser-wins",
        "The player who cannot move counts as the winner.",
        "A player who cannot move loses: the value is -1.0 on Max's turn and 1.0 on Min's.",
        {"loser_wins": True},
    ),
    _variant(
        "cut-before-end",
        "At the depth limit the evaluation is used even if the game is over.",
        "Test first whether the game is over (1.0 or -1.0), then whether the depth limit is"
        " reached.",
        {"evaluates_cut_first": True},
    ),
)

COUNTS = (
    _variant(
        "root-not-counted",
        "The root is not counted as a visited node.",
        "Count a node when the search enters it; the root is the first one.",
        *_counted(counts_root=False),
        {"counts_root": False, "quotient": Quotient.WITH_ROOT},
    ),
    _variant(
        "ends-not-evaluated",
        "Ends of the game are not counted as evaluated.",
        "A node is evaluated if it is an end of the game or at the depth limit.",
        *_counted(counts_ends=False),
    ),
    _variant(
        "limit-not-evaluated",
        "Nodes at the depth limit are not counted as evaluated.",
        "A node is evaluated if it is an end of the game or at the depth limit.",
        *_counted(counts_cuts=False),
    ),
    _variant(
        "all-evaluated",
        "Every node is counted as evaluated.",
        "A node is evaluated only if it is an end of the game or at the depth limit.",
        *_counted(evaluates_all=True),
    ),
    _variant(
        "depth-printed-from-one",
        "The depth reached is counted from 1.",
        "The root is at depth 0.",
        {"root_depth": 1},
    ),
    _variant(
        "depth-printed-below",
        "The depth reached is one too small.",
        "The root is at depth 0, and its successors are at depth 1.",
        {"root_depth": -1},
    ),
    _variant(
        "limit-printed",
        "The depth limit is printed instead of the depth reached.",
        "Keep the largest depth of all visited nodes: a game may end above the limit.",
        {"prints_limit": True},
    ),
    _variant(
        "value-of-mover",
        "The value is printed for the player to move.",
        "The value is that for Max, whoever moves: a position that Min wins has -1.0.",
        {"value_of_mover": True},
    ),
    _variant(
        "branching-with-root",
        "The branching factor is visited / (visited - evaluated).",
        "The root is nobody's successor: (visited - 1) / (visited - evaluated).",
        {"quotient": Quotient.WITH_ROOT},
    ),
    _variant(
        "branching-per-evaluated",
        "The branching factor is visited / evaluated.",
        "Divide the visited successors by the nodes that have successors:"
        " (visited - 1) / (visited - evaluated).",
        {"quotient": Quotient.PER_EVALUATED},
    ),
    _variant(
        "branching-generated",
        "The branching factor counts successors that the search has skipped.",
        "Only successors that are visited count: (visited - 1) / (visited - evaluated).",
        {"quotient": Quotient.GENERATED},
    ),
)

VARIANTS = (*SEARCH, *EVALUATION, *COUNTS)


class Explanation(NamedTuple):
    """Variants, and a reading that has them all."""

    variants: tuple[Variant, ...]
    reading: Reading


def explanations(count: int) -> Iterator[Explanation]:
    """Yield the combinations of `count` variants, in every way to program them."""
    for chosen in combinations(VARIANTS, count):
        for changes in product(*(variant.changes for variant in chosen)):
            merged = dict(item for change in changes for item in change.items())
            if all(change.items() <= merged.items() for change in changes):  # no contradiction
                yield Explanation(chosen, _reading(merged))


def readings(variant: Variant) -> Iterator[Reading]:
    """Yield the right reading with one variant, in every way to program it."""
    return map(_reading, variant.changes)


def _reading(changes: Mapping[str, Any]) -> Reading:
    return Reading(
        Rules(**{name: value for name, value in changes.items() if name in RULES}),
        Counting(**{name: value for name, value in changes.items() if name not in RULES}),
    )
