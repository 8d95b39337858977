"""Ratings from pairs: their intervals hold the truth in 95 % of simulated tournaments."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, count
from random import Random

import numpy as np
import pytest

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings import rate
from arena.ratings.bradley_terry import ELO_PER_LOGIT, Ratings
from arena.ratings.clusters import PairResult, Share, number_clusters, rate_pairs, share_of_player_1
from arena.ratings.regression import slope_of_ratings

BOTS, PLY, FIRST_MOVE = 3, 60.0, -40.0  # each bot is 60 Elo stronger than the one before
TOURNAMENTS = 250
NAMES = [f"bot {index}" for index in range(BOTS)]


def expected(ahead: float) -> float:
    return 1 / (1 + math.exp(-ahead / ELO_PER_LOGIT))


def simulate(
    random: Random, pairs: int, dependence: float, copies: Callable[[], int]
) -> list[PairResult]:
    """Play a tournament.

    With a negative `dependence`, a bot that wins one match of a pair often loses the other one, as
    if the opening decided; with a positive one, it often wins both.
    """
    numbers, results = count(), []
    for one, two in combinations(range(BOTS), 2):
        ahead = PLY * (one - two)
        for _ in range(pairs):
            luck, other = random.random(), random.random()
            if random.random() < abs(dependence):
                other = luck if dependence > 0 else 1 - luck
            points = (
                float(luck < expected(ahead + FIRST_MOVE)),
                float(other < expected(ahead - FIRST_MOVE)),
            )
            pair = PairResult((NAMES[one], NAMES[two]), points, (next(numbers), next(numbers)))
            results += [pair] * copies()
    return results


def true_share() -> float:
    shares = [
        (expected(ahead + FIRST_MOVE) + 1 - expected(ahead - FIRST_MOVE)) / 2
        for one, two in combinations(range(BOTS), 2)
        for ahead in [PLY * (one - two)]
    ]
    return sum(shares) / len(shares)


def hits(ratings: Ratings) -> Iterator[bool]:
    """Yield for every two bots whether the interval of their difference holds the true one."""
    for one, two in combinations(range(BOTS), 2):
        difference, margin = ratings.difference(NAMES[one], NAMES[two])
        yield abs(difference - PLY * (one - two)) <= margin


@pytest.mark.slow
@pytest.mark.unmeasured
def test_intervals_hold_the_truth_in_95_percent() -> None:
    random = Random(7)
    differences: list[bool] = []
    slopes: list[bool] = []
    shares: list[bool] = []
    for dependence, most_copies in ((-0.8, 1), (0.0, 1), (0.8, 1), (-0.8, 9)):
        for _ in range(TOURNAMENTS):
            copies = partial(random.randint, 1, most_copies)
            pairs = simulate(random, 40, dependence, copies)
            ratings = rate_pairs(pairs)
            differences += hits(ratings)
            slope = slope_of_ratings(ratings, {name: float(NAMES.index(name)) for name in NAMES})
            slopes.append(abs(slope.value - PLY) <= slope.margin)
            share = share_of_player_1(pairs)
            shares.append(abs(share.value - true_share()) <= share.margin)
    for held in (differences, slopes, shares):
        assert 0.93 <= sum(held) / len(held) <= 0.97


def share_held_without_pairs(dependence: float) -> float:
    """Return how often the intervals of independent matches hold the truth."""
    random, held = Random(7), list[bool]()
    for _ in range(80):
        pairs = simulate(random, 40, dependence, lambda: 1)
        results = [result for pair in pairs for result in pair.results]
        end = Termination.NO_LEGAL_MOVE
        held += hits(rate(Tally(RatedResult(one, two, won, end) for one, two, won, _ in results)))
    return sum(held) / len(held)


@pytest.mark.unmeasured
def test_margins_that_ignore_pairs_are_wrong() -> None:
    assert share_held_without_pairs(0.8) < 0.93
    assert share_held_without_pairs(-0.8) > 0.97


def test_copies_change_neither_ratings_nor_margins() -> None:
    pairs = simulate(Random(1), 6, -0.5, lambda: 1)
    once, often = rate_pairs(pairs), rate_pairs(pairs * 50)
    for bot in NAMES:
        assert often.elo[bot] == pytest.approx(once.elo[bot], abs=1e-4)
        assert often.margin(bot) == pytest.approx(once.margin(bot), rel=1e-4)
    assert often.first_move == pytest.approx(once.first_move, abs=1e-4)
    assert often.first_move_margin == pytest.approx(once.first_move_margin, rel=1e-4)
    assert share_of_player_1(pairs * 50) == pytest.approx(share_of_player_1(pairs))


def test_unknown_intervals() -> None:
    pair = PairResult(("anna", "bert"), (1.0, 1.0), ("game", "other game"))
    ratings = rate_pairs([pair] * 100)
    assert ratings.elo["anna"] > 0
    assert ratings.margin("anna") == math.inf
    assert share_of_player_1([pair] * 100) == Share(0.5, math.inf)
    pairs = [PairResult(("anna", "bert"), (float(n), float(n)), (n, n)) for n in (0, 1)]
    pairs.append(PairResult(("anna", "bert"), (1.0, 0.0), (2, 3)))
    assert share_of_player_1(pairs).margin == math.inf
    assert rate_pairs(pairs[:2]).margin("anna") == math.inf  # a difference and the first move
    assert rate_pairs(pairs).margin("anna") < math.inf
    assert rate_pairs([]).elo == {}


def test_intervals_of_even_results() -> None:
    pairs = [PairResult(("anna", "bert"), (n % 2, 1 - n % 2), (n, -n)) for n in range(1, 101)]
    ratings = rate_pairs(pairs)
    assert ratings.elo["anna"] == pytest.approx(0)
    assert 1 < ratings.margin("anna") < 20
    pairs = [PairResult(("anna", "bert"), (1.0, 0.0), (n, -n)) for n in range(1, 101)]
    assert rate_pairs(pairs).margin("anna") > 100
    assert 0.005 < share_of_player_1(pairs).margin < 0.05


def test_margin_of_the_share_of_player_1_is_as_computed_by_hand() -> None:
    won, drawn = (1.0, 0.0), (1.0, 1.0)  # by player 1, as points of the first bot
    results = [(won, "a"), (won, "a"), (drawn, "b"), (won, "c"), (won, "d")]
    pairs = [PairResult(("anna", "bert"), points, (game, game)) for points, game in results]
    residuals = 0.2**2 + 0.4**2 + 0.1**2 + 0.1**2  # of the clusters, from the mean of 0.9
    virtual = 0.5 * (4 + 1 + 1 + 1) / 4 * (0.9**2 + 0.1**2) / 2
    student_t = 3.182  # of three degrees of freedom, from a table
    margin = student_t * math.sqrt((residuals + virtual) * 4 / 3) / 5
    assert share_of_player_1(pairs) == pytest.approx(Share(0.9, margin), rel=1e-6)


def test_orders_and_draws() -> None:
    there = PairResult(("anna", "bert"), (1.0, 0.0), ("x", "y"))
    back = PairResult(("bert", "anna"), (1.0, 0.0), ("y", "x"))
    assert number_clusters([there, back, there]).tolist() == [0, 0, 0]
    pairs = [PairResult(("anna", "bert"), (1.0, 0.5), (n, -n)) for n in range(1, 21)]
    ratings = rate_pairs(pairs, anchor=("bert", 100.0))
    assert ratings.elo["bert"] == 100
    assert ratings.elo["anna"] > 200
    assert share_of_player_1(pairs).value == 0.75
    few, many = (rate_pairs(simulate(Random(1), pairs, 0.0, lambda: 1)) for pairs in (10, 90))
    assert many.margin(NAMES[0]) == pytest.approx(few.margin(NAMES[0]) / 3, rel=0.25)


# The same numbers by other programs


def repeating_tournament(*, is_balanced: bool) -> list[PairResult]:
    """Return the results of three bots, two of which repeat their games.

    In a balanced tournament, each result was had from both sides.
    """
    random = Random(1)
    pairs: list[PairResult] = []
    for one, two in combinations("abc", 2):
        for opening in range(12):
            points = random.choice([(1.0, 0.0), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0), (1.0, 0.5)])
            game = opening if "c" in (one, two) else opening % 4
            if game != opening:
                points = pairs[game].points
            pairs.append(PairResult((one, two), points, ((one, game), (two, game))))
    mirrored = [
        PairResult(pair.bots, pair.points[::-1], ((pair.games[0], "x"), (pair.games[1], "x")))
        for pair in pairs
    ]
    return [*pairs, *mirrored] if is_balanced else pairs


def weighted_matches(pairs: Sequence[PairResult]) -> Iterator[tuple[str, str, float, float]]:
    """Yield players 1 and 2, the points of player 1, and the weight of each match."""
    for pair in pairs:
        of_two = [other for other in pairs if other.bots == pair.bots]
        weight = len({other.cluster for other in of_two}) / len(of_two)
        one, two = pair.bots
        yield one, two, pair.points[0], weight
        yield two, one, 1 - pair.points[1], weight


def test_a_logistic_regression_has_the_same_ratings() -> None:
    """With the rows and the weights of the formula in docs/guide/run-a-tournament.md."""
    pairs = repeating_tournament(is_balanced=False)
    bots, rows = "abc", []
    for one, two, points, weight in weighted_matches(pairs):
        rows.append([*((bot == one) - (bot == two) for bot in bots), 1, points, weight])
    for one, two in combinations(bots, 2):
        rows.append([*((bot == one) - (bot == two) for bot in bots), 0, 0.5, 0.5])
    rows.append([0, 0, 0, 1, 0.5, 0.5])
    table = np.array(rows, float)
    x, y, weights, estimate = table[:, :4], table[:, 4], table[:, 5], np.zeros(4)
    for _ in range(50):  # Newton's method
        p = 1 / (1 + np.exp(-x @ estimate))
        information = x.T @ ((weights * p * (1 - p))[:, None] * x)
        estimate += np.linalg.pinv(information) @ (x.T @ (weights * (y - p)))
    ratings = rate_pairs(pairs)
    assert [*ratings.elo.values(), ratings.first_move] == pytest.approx(
        ELO_PER_LOGIT * estimate, abs=1e-4
    )


@pytest.mark.slow
def test_a_library_without_a_first_move_has_the_same_ratings_where_there_is_none() -> None:
    import evalica  # with scipy, a quarter of the time to collect all tests

    pairs = repeating_tournament(is_balanced=True)
    rows = [*weighted_matches(pairs), *((*bots, 0.5, 0.5) for bots in combinations("abc", 2))]
    winners = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    ones, twos, points, weights = zip(*rows, strict=True)
    scores = evalica.bradley_terry(
        ones,
        twos,
        [winners[each] for each in points],
        weights=[*weights],
        tolerance=1e-12,
        limit=9999,
    ).scores
    ratings, plain = rate_pairs(pairs), rate_matches(pairs)
    assert ratings.first_move == pytest.approx(0, abs=1e-6)
    for one, two in combinations("abc", 2):
        expected = 400 * math.log10(scores[one] / scores[two])
        assert ratings.difference(one, two)[0] == pytest.approx(expected, abs=1e-3)
    assert abs(plain.difference("a", "b")[0] - ratings.difference("a", "b")[0]) > 1


def rate_matches(pairs: Sequence[PairResult]) -> Ratings:
    """Return the ratings of the matches, each of which counts as one."""
    results = (result for pair in pairs for result in pair.results)
    return rate(Tally(RatedResult(*each[:3], Termination.NO_LEGAL_MOVE) for each in results))
