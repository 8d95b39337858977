"""Error of ratings from repeated games, by simulation: `python -m bench.ratings.copies`.

Bots without randomness repeat a pair of games whenever its opening comes again. Three estimates are
compared by the root mean squared error of the difference of two bots, in Elo:

- plain: each match counts as one.
- weighted: the matches of two bots count as much as their different pairs, as in the standings.
- distinct: each different pair counts once.

Where chance plays the same few games again and again, the copies are evidence, and the last
estimate is wrong: it takes rare games for as frequent as usual ones.
"""

import argparse
import math
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings import rate
from arena.ratings.bradley_terry import Ratings
from arena.ratings.clusters import PairResult, rate_pairs
from arena.ratings.rater import Rater
from bench.goals import met
from tests.support.tournaments.random_pairs import expected_score

TRUE = {"a": -150.0, "b": -50.0, "c": 50.0, "d": 150.0}  # Elo
FIRST_MOVE = 50.0  # Elo
PAIRS = 48  # of every two bots
OPENINGS = 8  # where they come again
SHARES = (0.7, 0.3)  # of the games with one winner that chance plays
MANY = 10**7  # matches of which the ratings are the truth
BIASES = (0, 200, 400)  # Elo by which an opening favours a side


class Case(NamedTuple):
    """How games are repeated.

    Attributes:
        name: Its name in the table.
        opening: Returns the opening of a pair, given its number and a source of chance.
        draws_moves: Returns whether the games of two bots depend on chance.
        has_few_games: Whether chance plays one of few games.
    """

    name: str
    opening: Callable[[int, Random], int]
    draws_moves: Callable[[str, str], bool]
    has_few_games: bool = False


CASES = (
    Case("no copies", lambda pair, _: pair, lambda *_: False),
    Case("openings in turn", lambda pair, _: pair % OPENINGS, lambda *_: False),
    Case("openings drawn", lambda _, random: random.randrange(OPENINGS), lambda *_: False),
    Case("one bot draws moves", lambda pair, _: pair % OPENINGS, lambda *bots: "a" in bots),
    Case("few games by chance", lambda _, random: random.randrange(2), lambda *_: True, True),
)


def play(case: Case, bias: float, seed: int) -> list[PairResult]:
    """Play a tournament; openings favour a side by `bias` Elo."""
    random = Random(f"{case.name}/{bias}/{seed}")
    favoured = cache(lambda opening: Random(f"{seed}/{opening}").choice((-bias, bias)))

    def match(one: str, two: str, opening: int, number: int) -> tuple[float, Hashable]:
        chance = expected_score(TRUE[one] + FIRST_MOVE - TRUE[two] + favoured(opening))
        game: tuple[Hashable, ...] = (one, two, opening)
        by_chance = case.draws_moves(one, two)
        won = (random if by_chance else Random(f"{seed}/{game}")).random() < chance
        if case.has_few_games:
            game += (won, random.random() < SHARES[0])
        elif by_chance:
            game += (number,)
        return float(won), game

    pairs = []
    for one, two in combinations(TRUE, 2):
        for number in range(PAIRS):
            opening = case.opening(number, random)
            first, game = match(one, two, opening, number)
            second, other = match(two, one, opening, number)
            pairs.append(PairResult((one, two), (first, 1 - second), (game, other)))
    return pairs


@cache
def truth(bias: float) -> Ratings:
    """Return the ratings of so many matches that chance has no part in them."""
    tally = Tally()
    for one, two in permutations(TRUE, 2):
        elo = TRUE[one] + FIRST_MOVE - TRUE[two]
        won = round(MANY * (expected_score(elo + bias) + expected_score(elo - bias)) / 2)
        for winner, times in ((1, won), (2, MANY - won)):
            tally[RatedResult(one, two, winner, Termination.NO_LEGAL_MOVE)] = times
    return rate(tally)


def plain(pairs: Sequence[PairResult]) -> Ratings:
    """Return ratings in which each match counts as one."""
    rater = Rater()
    rater.add([result for pair in pairs for result in pair.results])
    return rater.rate()


def distinct(pairs: Sequence[PairResult]) -> Ratings:
    """Return ratings in which each different pair counts once."""
    return rate_pairs([*{pair.cluster: pair for pair in pairs}.values()])


ESTIMATES = {"plain": plain, "weighted": rate_pairs, "distinct": distinct}


def errors(case: Case, bias: float, runs: int) -> dict[str, float]:
    """Return the root mean squared error of the difference of two bots by each estimate."""
    squares = dict.fromkeys(ESTIMATES, 0.0)
    true = truth(bias)
    for seed in range(runs):
        pairs = play(case, bias, seed)
        for name, estimate in ESTIMATES.items():
            elo = estimate(pairs).elo
            squares[name] += sum(
                (elo[one] - elo[two] - true.elo[one] + true.elo[two]) ** 2
                for one, two in combinations(TRUE, 2)
            )
    differences = runs * math.comb(len(TRUE), 2)
    return {name: math.sqrt(square / differences) for name, square in squares.items()}


def main() -> int:
    """Print a table; return 1 if the ratings of the standings are not the safest ones."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratings.copies",
        description="Simulate the error of ratings from repeated games.",
    )
    parser.add_argument("--runs", type=int, default=200, metavar="N", help="in each case")
    runs = parser.parse_args().runs
    print(f"{'root mean squared error in Elo':32}" + "".join(f"{name:>10}" for name in ESTIMATES))
    worst = dict.fromkeys(ESTIMATES, 0.0)
    for case in CASES:
        for bias in BIASES:
            found = errors(case, bias, runs)
            for name in ESTIMATES:
                worst[name] = max(worst[name], found[name] / min(found.values()))
            columns = "".join(f"{found[name]:10.1f}" for name in ESTIMATES)
            print(f"{f'{case.name}, bias {bias}':32}{columns}", flush=True)
    print(f"{'at most, times the best':32}" + "".join(f"{ratio:10.2f}" for ratio in worst.values()))
    is_safest = worst["weighted"] == min(worst.values())
    print(f"\nweighted is never far from the best: {met(is_safest)}")
    return 0 if is_safest else 1


if __name__ == "__main__":
    sys.exit(main())
