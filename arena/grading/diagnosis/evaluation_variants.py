"""Misreadings of the rules of the static evaluation."""

from arena.grading.diagnosis.reading import (
    Changes,
    Divisor,
    Ends,
    Kind,
    Negated,
    Primes,
    Variant,
    by_kind,
    by_side,
    variant,
)

DIVISOR = "A move is a multiple of p if move % p == 0; p % move == 0 is the opposite."
TEST_OF_PRIMES = "Try your test for primes with all numbers from 1 to 30."


def _primes(name: str, title: str, advice: str, primes: Primes) -> Variant:
    """Return a wrong test for primes, which a program may use for the divisor or the size alone."""
    changes: Changes = {"primes": primes}
    uses = [changes, {**changes, "tests_factors": True}, {**changes, "tests_size": True}]
    return variant(name, title, advice, *uses)


ONE = (
    variant(
        "one-is-prime",
        "1 is taken for a prime number.",
        "After stone 1 the evaluation is 0.5 or -0.5, by the number of all legal moves. Test for"
        " 1 before you test for primes.",
        {"one": Kind.PRIME},
    ),
    variant(
        "one-is-composite",
        "1 is evaluated as a composite number.",
        "After stone 1 the evaluation is 0.5 or -0.5, by the number of all legal moves. Do not let"
        " the rules for other numbers overwrite it.",
        {"one": Kind.COMPOSITE},
    ),
    *by_side(
        "no-zero-while-1-remains",
        "A position in which stone 1 is not taken is not evaluated as 0.",
        "Return 0 while stone 1 has not been taken, before any other rule and for both players.",
        lambda side: {"no_zero": side},
    ),
    variant(
        "zero-without-1",
        "A position is evaluated as 0 once stone 1 is taken, instead of before.",
        "Return 0 while stone 1 has not been taken.",
        {"zero_without_1": True},
    ),
)

PRIMES = (
    variant(
        "prime-is-composite",
        "A prime last move is evaluated as a composite number.",
        "After a prime the evaluation is 0.7 or -0.7, not 0.6. Check your test for primes, also"
        " for 2.",
        {"primes": Primes.NONE},
        {"primes": Primes.NONE, "one": Kind.COMPOSITE},
    ),
    variant(
        "prime-test-inverted",
        "Composite numbers are taken for primes, and primes for composite numbers.",
        "Your test for primes returns the opposite of what its name says: try it with 7 and 8.",
        {"primes": Primes.COMPOSITES},
    ),
    _primes(
        "odd-is-prime",
        "Every odd number is taken for a prime, and 2 is not.",
        "9 and 15 are composite, and 2 is prime: try all divisors.",
        Primes.ODD,
    ),
    _primes(
        "odd-is-prime-and-2",
        "Every odd number is taken for a prime, and so is 2.",
        "9 and 15 are composite: return that a number is prime after the loop over all divisors,"
        " not in it.",
        Primes.ODD_AND_2,
    ),
    variant(
        "all-are-prime",
        "Every number is taken for a prime.",
        f"4 and 9 are composite. {TEST_OF_PRIMES}",
        {"primes": Primes.ALL},
    ),
    variant(
        "all-above-2-are-prime",
        "Every number above 2 is taken for a prime, and 2 is not.",
        "4 and 9 are composite: a number is prime if no divisor is found, not if one number does"
        " not divide it.",
        {"primes": Primes.ABOVE_2},
        {"primes": Primes.ABOVE_2, "tests_size": True},
    ),
    _primes(
        "two-is-composite",
        "2 is taken for a composite number.",
        f"2 is prime. {TEST_OF_PRIMES}",
        Primes.NOT_2,
    ),
    _primes(
        "four-is-prime",
        "4 is taken for a prime.",
        "Try all divisors up to half of the number, the half included.",
        Primes.AND_4,
    ),
    _primes(
        "squares-are-prime",
        "Squares of primes, such as 4, 9 and 25, are taken for primes.",
        "Try all divisors up to the root, the root included: i * i <= number.",
        Primes.SQUARES,
    ),
    _primes(
        "even-is-prime",
        "The test for primes does not try to divide by 2.",
        "Begin with the divisor 2.",
        Primes.NO_ODD_DIVISOR,
    ),
)

COUNTED = (
    variant(
        "prime-itself-not-counted",
        "After a composite number, the prime factor itself is not counted.",
        "Count the multiples of the largest prime factor including the prime itself, if it is a"
        " legal move.",
        {"counts_prime": False},
    ),
    variant(
        "largest-stone-not-counted",
        "Stone n is never counted as a multiple.",
        "The stones are 1 to n, n included: check the limit of the loop over the multiples.",
        {"counts_largest": False},
    ),
    variant(
        "largest-factor",
        "After a composite number, its largest factor is used instead of its largest prime factor.",
        "For 12 the factor is 3, not 6: it must be prime.",
        {"divisor": Divisor.LARGEST},
    ),
    variant(
        "smallest-prime-factor",
        "After a composite number, its smallest prime factor is used.",
        "For 12 the factor is 3, not 2: take the largest prime that divides the last move.",
        {"divisor": Divisor.SMALLEST_PRIME},
    ),
    variant(
        "composite-itself",
        "After a composite number, its own multiples are counted.",
        "For 12 count the multiples of 3: take the largest prime that divides the last move.",
        {"divisor": Divisor.ITSELF},
    ),
    variant(
        "last-factor-forgotten",
        "The factor that is left at the end of the division is forgotten.",
        "For 15 the largest prime factor is 5: what is left after all divisions is a factor too.",
        {"divisor": Divisor.FORGOTTEN},
    ),
    variant(
        "factors-up-to-root",
        "Only factors up to the root of a composite number are found.",
        "For 15 the largest prime factor is 5, which is larger than its root.",
        {"divisor": Divisor.UP_TO_ROOT},
    ),
    variant(
        "remaining-multiples",
        "After a composite number, all remaining multiples of the prime factor are counted.",
        "Count only those multiples that are possible successors, i.e. legal moves.",
        {"counts_remaining": True},
    ),
    variant(
        "divisors-counted",
        "Divisors are counted instead of multiples.",
        DIVISOR,
        {"counts_divisors": Kind.PRIME | Kind.COMPOSITE},
    ),
    variant(
        "divisors-counted-composite",
        "After a composite number, divisors of its prime factor are counted instead of multiples.",
        DIVISOR,
        {"counts_divisors": Kind.COMPOSITE},
    ),
    variant(
        "nothing-counted-prime",
        "After a prime number, none of its multiples is counted.",
        DIVISOR,
        {"counts_divisors": Kind.PRIME},
    ),
    variant(
        "all-successors-counted",
        "After a composite number, all successors are counted, not only the multiples.",
        "Count only the successors that the largest prime factor divides.",
        {"counts_all": True},
    ),
    *by_kind(
        "even-for-odd",
        "An even count is taken for an odd one.",
        "An odd count gives the positive value on Max's turn.",
        lambda kind: {"inverted": kind},
    ),
)

VALUES = (
    variant(
        "composite-as-0.7",
        "A composite last move is evaluated with 0.7 instead of 0.6.",
        "After a composite number the evaluation is 0.6 or -0.6.",
        {"sizes": (0.5, 0.7, 0.7)},
    ),
    variant(
        "prime-as-0.5",
        "A prime last move is evaluated with 0.5 instead of 0.7.",
        "After a prime the evaluation is 0.7 or -0.7.",
        {"sizes": (0.5, 0.5, 0.6)},
    ),
    variant(
        "composite-as-0.5",
        "A composite last move is evaluated with 0.5 instead of 0.6.",
        "After a composite number the evaluation is 0.6 or -0.6.",
        {"sizes": (0.5, 0.7, 0.5)},
    ),
    variant(
        "sizes-swapped",
        "The values 0.6 and 0.7 are swapped.",
        "0.7 belongs to primes, 0.6 to composite numbers.",
        {"sizes": (0.5, 0.6, 0.7)},
    ),
    variant(
        "not-negated-for-min",
        "The evaluation is not negated on Min's turn.",
        "On Min's turn return the negation of the 0.5, 0.6 or 0.7 that Max would get.",
        {"negated": Negated.NEVER},
    ),
    *by_kind(
        "not-negated",
        "The evaluation is not negated on Min's turn.",
        "On Min's turn return the negation of the 0.5, 0.6 or 0.7 that Max would get.",
        lambda kind: {"not_negated": kind},
    ),
    variant(
        "wrong-player",
        "The evaluation has the wrong sign, on the turns of both players.",
        "Look at two places: the player whose turn it is in the evaluated position counts, not the"
        " player who has just moved; and an odd count is good for that player.",
        {"negated": Negated.MAX},
    ),
    variant(
        "always-negated",
        "The evaluation is negated on Max's turn too.",
        "On Max's turn return the 0.5, 0.6 or 0.7 as it is. Check how a copied state knows whose"
        " turn it is.",
        {"negated": Negated.ALWAYS},
    ),
    variant(
        "loser-wins",
        "The player who cannot move counts as the winner.",
        "A player who cannot move loses: the value is -1.0 on Max's turn and 1.0 on Min's.",
        {"ends": Ends.SWAPPED},
    ),
    variant(
        "end-always-lost",
        "Every end of the game is worth -1.",
        "A player who cannot move loses: the value is -1.0 on Max's turn and 1.0 on Min's.",
        {"ends": Ends.LOSS},
    ),
    variant(
        "end-always-won",
        "Every end of the game is worth 1.",
        "A player who cannot move loses: the value is -1.0 on Max's turn and 1.0 on Min's.",
        {"ends": Ends.WIN},
    ),
    variant(
        "end-evaluated",
        "The end of the game has no value of its own: it is evaluated as any position.",
        "Test first whether the player can move: if not, the value is -1.0 on Max's turn and 1.0"
        " on Min's.",
        {"ends": Ends.EVALUATED},
    ),
)

EVALUATION = (*ONE, *PRIMES, *COUNTED, *VALUES)
