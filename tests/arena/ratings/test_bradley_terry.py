"""Elo ratings by the Bradley-Terry model."""

import math
from collections.abc import Iterator
from itertools import pairwise, permutations
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import RatedResult, Tally, Termination
from arena.ratings import rate
from arena.ratings.bradley_terry import Ratings
from tests.support.cases import loop_over
from tests.support.tournaments.rated_results import single_scores

Result = tuple[str, str, int | None]  # player 1, player 2, winner (None for a draw)


def outcome(one: str, two: str, winner: int | None) -> RatedResult:
    return RatedResult(one, two, winner, Termination.NO_LEGAL_MOVE)


def tally(*results: Result) -> Tally:
    return Tally(outcome(*result) for result in results)


results_drawn = st.tuples(st.permutations("abcdef"), st.sampled_from([1, 2, None])).map(
    lambda drawn: (drawn[0][0], drawn[0][1], drawn[1])
)
tallies = st.lists(results_drawn, max_size=40).map(lambda results: tally(*results))

# Tallies of 2 to 6 bots with up to a million equal results.
counts = st.sampled_from([1, 2, 10, 1000, 10**6]) | st.integers(1, 10**6)
extreme_tallies = st.integers(2, 6).flatmap(
    lambda bots: st.dictionaries(
        st.sampled_from(
            [
                outcome(*two, winner)
                for two in permutations("abcdef"[:bots], 2)
                for winner in (1, 2, None)
            ]
        ),
        counts,
        min_size=1,
    ).map(Tally)
)

# Tallies that contain each result with sides swapped too, so that the first move has no advantage.
balanced_tallies = st.lists(results_drawn, min_size=1, max_size=20).map(
    lambda results: tally(
        *results, *((two, one, winner and 3 - winner) for one, two, winner in results)
    )
)


def simulate(
    true: dict[str, float], first: float, games: int, seed: int, draws: float = 0.0
) -> Tally:
    """Draw `games` results of each bot against each other on each side, by their true ratings.

    `draws` is their share in proportion to the most that the expected score allows.
    """
    random = Random(seed)

    def winner(score: float) -> int | None:
        drawn = 2 * draws * min(score, 1 - score)
        if random.random() < drawn:
            return None
        return 1 if random.random() < (score - drawn / 2) / (1 - drawn) else 2

    return tally(
        *(
            (one, two, winner(chance(true[one] + first - true[two])))
            for one, two in permutations(true, 2)
            for _ in range(games)
        )
    )


def chance(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def renamed(results: Tally, names: dict[str, str]) -> Tally:
    return Tally(
        {o._replace(one=names[o.one], two=names[o.two]): times for o, times in results.items()}
    )


def numbers(ratings: Ratings) -> list[float]:
    """Return all numbers of the ratings."""
    found = [*ratings.elo.values(), ratings.first_move, ratings.first_move_margin]
    return found + [ratings.margin(bot) for bot in ratings.bots]


TRUE = {"a": -150.0, "b": -50.0, "c": 0.0, "d": 80.0, "e": 120.0}
RESULTS = simulate(TRUE, 60, 10, seed=1)


# Correctness


@pytest.mark.slow
def test_ratings_agree_with_a_library() -> None:
    import evalica  # with scipy, a quarter of the time to collect all tests

    results = simulate(TRUE, 0, 400, seed=1)
    games = [*results.elements()]
    winners = [evalica.Winner.X if game.winner == 1 else evalica.Winner.Y for game in games]
    first, second = [game.one for game in games], [game.two for game in games]
    scores = evalica.bradley_terry(first, second, winners).scores
    logs = {bot: 400 * math.log10(score) for bot, score in scores.items()}
    mean = sum(logs.values()) / len(logs)
    expected = {bot: elo - mean for bot, elo in logs.items()}
    assert rate(results).elo == pytest.approx(expected, abs=0.5)


@loop_over(("wins", "losses"), [(1, 1), (3, 1), (10, 0), (10**6, 0)])
def test_ratings_of_two_bots_in_closed_form(wins: int, losses: int) -> None:
    """With sides swapped in half of the matches, it is a share of wins, with half a draw added."""
    results = {("a", "b", 1): wins, ("a", "b", 2): losses, ("b", "a", 2): wins}
    counted = Tally({outcome(*r): n for r, n in [*results.items(), (("b", "a", 1), losses)]})
    won, lost = 2 * wins + 0.25, 2 * losses + 0.25
    elo, margin = rate(counted).difference("a", "b")
    assert elo == pytest.approx(400 * math.log10(won / lost), abs=1e-5)
    deviation = 400 / math.log(10) * math.sqrt(1 / won + 1 / lost)
    assert margin == pytest.approx(1.959964 * deviation, rel=1e-6)


@pytest.fixture(scope="module", params=[0.0, 0.8])
def tournaments(request: pytest.FixtureRequest) -> list[Ratings]:
    """Return the ratings of many tournaments between the same bots, with few or many draws."""
    tallies = [simulate(TRUE, 60, 10, seed, request.param) for seed in range(200)]
    return [rate(tally, single_scores(tally)) for tally in tallies]


def coverage(hits: Iterator[bool]) -> float:
    found = [*hits]
    return sum(found) / len(found)


@pytest.mark.unmeasured
def test_margins_have_95_percent_coverage(tournaments: list[Ratings]) -> None:
    hits = (abs(r.elo[bot] - TRUE[bot]) <= r.margin(bot) for r in tournaments for bot in TRUE)
    assert 0.93 <= coverage(hits) <= 0.97
    differences = ((r.difference(a, b), TRUE[a] - TRUE[b]) for r in tournaments for a, b in PAIRS)
    hits = (abs(found - true) <= margin for (found, margin), true in differences)
    assert 0.93 <= coverage(hits) <= 0.985  # with many draws a little too cautious
    hits = (abs(r.first_move - 60) <= r.first_move_margin for r in tournaments)
    assert 0.91 <= coverage(hits) <= 0.99
    likely = [r.superiority("d", "c") or 0.5 for r in tournaments]
    assert sum(p > 0.95 for p in likely) > sum(p < 0.05 for p in likely)


PAIRS = [("a", "e"), ("b", "c"), ("c", "d")]


@pytest.mark.slow
@pytest.mark.unmeasured
@loop_over("games", [1, 5, 30])
@loop_over("draws", [0.5, 0.95])
def test_margins_of_few_draws_have_at_least_95_percent_coverage(games: int, draws: float) -> None:
    true = {"a": 0.0, "b": 100.0}
    tallies = [simulate(true, 0, games, seed, draws) for seed in range(200)]
    found = (rate(tally, single_scores(tally)) for tally in tallies)
    differences = (ratings.difference("b", "a") for ratings in found)
    assert coverage(abs(elo - 100) <= margin for elo, margin in differences) >= 0.93


# Invariants


@given(tallies)
def test_ratings_are_finite_and_depend_on_results_alone(results: Tally) -> None:
    assert all(abs(number) < 10_000 for number in numbers(rate(results)))
    backwards = Tally(dict(reversed(results.items())))
    assert rate(backwards).elo == pytest.approx(rate(results).elo, abs=1e-5)
    lost = Tally({o._replace(termination=Termination.TIMEOUT): n for o, n in results.items()})
    assert numbers(rate(lost)) == numbers(rate(results))
    twice = numbers(rate(results + lost))
    assert twice == numbers(rate(Tally({o: 2 * n for o, n in results.items()})))


@given(balanced_tallies)
def test_mean_rating_of_a_group_is_0(results: Tally) -> None:
    ratings = rate(results)
    for group in ratings.groups:
        assert sum(ratings.elo[bot] for bot in group) == pytest.approx(0, abs=1e-5)


@given(tallies, st.permutations("abcdef"))
def test_names_do_not_matter(results: Tally, names: list[str]) -> None:
    new = dict(zip("abcdef", names, strict=True))
    expected = {new[bot]: elo for bot, elo in rate(results).elo.items()}
    assert rate(renamed(results, new)).elo == pytest.approx(expected, abs=1e-5)


def test_sweeps_have_finite_ratings() -> None:
    ratings = rate(Tally({outcome("a", "b", 1): 20, outcome("b", "a", 2): 20}))
    elo, margin = ratings.difference("a", "b")
    assert 300 < elo < 2000
    assert 300 < margin < 2000
    ratings = rate(Tally({outcome("a", "b", 1): 20, outcome("b", "a", 1): 20}))
    assert ratings.elo == {"a": 0, "b": 0}
    assert 300 < ratings.first_move < 2000


@given(tallies)
def test_differences_are_antisymmetric(results: Tally) -> None:
    ratings = rate(results + tally(("a", "b", 1)))
    likely, unlikely = ratings.superiority("a", "b"), ratings.superiority("b", "a")
    assert likely is not None
    assert unlikely is not None
    assert likely + unlikely == pytest.approx(1)
    there, back = ratings.difference("a", "b"), ratings.difference("b", "a")
    assert there == pytest.approx((-back[0], back[1]))
    assert likely == pytest.approx(NormalDist(0, there[1] / 1.96).cdf(there[0]), abs=1e-4)


def test_more_games_reduce_the_margin() -> None:
    few, many = (rate(simulate(TRUE, 60, games, seed=1)).margin("a") for games in (5, 50))
    assert many < few / 2


def test_equal_results_make_equal_ratings() -> None:
    games = tally(("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("d", "a", 1), ("d", "b", 1))
    elo = rate(games + tally(("d", "c", 1), ("c", "b", 2))).elo
    assert elo["a"] != elo["b"]
    assert len({*rate(games + tally(("d", "c", 1))).elo.values()}) == 2
    ratings = rate(tally(("a", "b", 1), ("b", "c", 1), ("c", "a", 1)))
    assert {str(elo) for elo in ratings.elo.values()} == {"0.0"}


def test_without_matches_there_is_little_to_compare() -> None:
    ratings = rate(Tally())
    assert (ratings.bots, ratings.elo, [*ratings.groups]) == ((), {}, [])
    assert (ratings.first_move, round(ratings.first_move_margin)) == (0, 963)
    ratings = rate(tally(*[("a", "b", 1)] * 9, ("c", "d", 1)))
    assert ratings.superiority("a", "d") is None
    assert ratings.difference("a", "d")[1] == math.inf
    assert rate(RESULTS).superiority("a", "a") == 0.5
    assert rate(RESULTS).difference("a", "a") == (0, 0)


# Extreme results


def excess_wins(results: Tally, ratings: Ratings) -> dict[str, float]:
    """Return the points of each bot beyond the expected ones, with half a virtual draw per pair."""
    found = dict.fromkeys(ratings.bots, 0.0)
    elo, first = ratings.elo, ratings.first_move
    played = [(o.one, o.two, o.points[0] * n, first, n) for o, n in results.items()]
    met = {(min(o.one, o.two), max(o.one, o.two)) for o in results}
    virtual = [(one, two, 0.25, 0.0, 0.5) for one, two in met]
    for one, two, won, ahead, games in [*played, *virtual]:
        more = won - games * chance(elo[one] - elo[two] + ahead)
        found[one] += more
        found[two] -= more
    return found


@given(extreme_tallies)
def test_ratings_of_extreme_tallies_maximise_the_likelihood(results: Tally) -> None:
    """The gradient of the likelihood, which is concave, is 0: points are equal to expected ones."""
    ratings = rate(results)
    assert all(abs(more) < 1e-4 for more in excess_wins(results, ratings).values())
    first = sum(o.points[0] * n for o, n in results.items()) + 0.25
    expected = 0.5 * chance(ratings.first_move)
    for (one, two, _, _), games in results.items():
        expected += games * chance(ratings.elo[one] + ratings.first_move - ratings.elo[two])
    assert first == pytest.approx(expected, abs=1e-4)
    assert all(math.isfinite(number) for number in numbers(rate(results)))


# Newton's method with steps that are only capped does not converge here.
CYCLING = {
    ("a", "d"): (10**6, 1000),
    ("a", "e"): (0, 1000),
    ("b", "c"): (1, 11),
    ("c", "b"): (1000, 0),
    ("d", "b"): (1, 0),
    ("d", "c"): (10**6, 1),
    ("d", "f"): (10**6, 0),
    ("e", "a"): (10**6, 0),
    ("f", "a"): (2, 2),
}


def test_newton_steps_converge() -> None:
    results = Tally(
        {
            outcome(*players, winner): times
            for players, both in CYCLING.items()
            for winner, times in enumerate(both, 1)
            if times
        }
    )
    assert all(abs(more) < 1e-4 for more in excess_wins(results, rate(results)).values())


def test_long_chain_of_clean_sweeps() -> None:
    """The exponential of the difference between the ends would overflow."""
    bots = [f"{number:03}" for number in range(100)]
    pairs = [*pairwise(bots)]
    wins = {outcome(one, two, 1): 10**6 for one, two in pairs}
    losses = {outcome(two, one, 2): 10**6 for one, two in pairs}
    elo, margin = rate(Tally(wins | losses)).difference("000", "099")
    assert elo == pytest.approx(99 * 400 * math.log10(2 * 10**6 / 0.25 + 1), rel=1e-6)
    assert 0 < margin < elo


# Connected groups


@loop_over(
    "pairs, groups",
    ([], []),
    (["ab"], ["ab"]),
    (["ab", "cd"], ["ab", "cd"]),
    (["ab", "cd", "bc"], ["abcd"]),
    (["ef", "ab", "ba", "ce"], ["ab", "cef"]),
)
def test_connected_groups(pairs: list[str], groups: list[str]) -> None:
    results = tally(*((pair[0], pair[1], 1) for pair in pairs))
    assert rate(results).groups == [[*group] for group in groups]


OTHER_NAMES = dict(zip("abcdef", "uvwxyz", strict=True))


@given(balanced_tallies, balanced_tallies)
def test_group_is_rated_independently_of_other_groups(results: Tally, others: Tally) -> None:
    alone, among = rate(results), rate(results + renamed(others, OTHER_NAMES))
    for bot in alone.bots:
        assert among.elo[bot] == pytest.approx(alone.elo[bot], abs=1e-5)
        # The last step of Newton's method is up to 1e-6 standard deviations long.
        assert among.margin(bot) == pytest.approx(alone.margin(bot), rel=1e-5)
        for other in set(alone.bots) - {bot}:
            there = among.difference(bot, other)
            assert there == pytest.approx(alone.difference(bot, other), rel=1e-5, abs=1e-5)


# Anchor


anchor_ratings = st.floats(-4000, 4000)


@given(tallies, anchor_ratings)
def test_an_anchor_has_its_rating_and_changes_no_difference(results: Tally, elo: float) -> None:
    games = results + tally(("a", "b", 1))
    free, anchored = rate(games), rate(games, anchor=("a", elo))
    assert (anchored.elo["a"], anchored.margin("a")) == (elo, 0)
    for bot in set(anchored.groups[0]) - {"a"}:
        assert anchored.margin(bot) == pytest.approx(anchored.difference(bot, "a")[1])
    for one, two in permutations(free.groups[0], 2):
        there, here = free.difference(one, two), anchored.difference(one, two)
        assert there == pytest.approx(here, rel=1e-6, abs=1e-5)
        likelihoods = free.superiority(one, two), anchored.superiority(one, two)
        assert likelihoods[0] == pytest.approx(likelihoods[1])
    free, anchored = rate(results), rate(results, anchor=("a", elo))
    assert anchored.first_move == free.first_move
    assert anchored.first_move_margin == pytest.approx(free.first_move_margin)


def test_an_anchor_shifts_only_its_own_group() -> None:
    results = tally(("a", "b", 1), ("c", "d", 1), ("c", "d", 2))
    free, anchored = rate(results), rate(results, anchor=("a", 1000))
    assert (anchored.elo["c"], anchored.margin("c")) == (free.elo["c"], free.margin("c"))
    assert numbers(rate(RESULTS, anchor=("z", 1000))) == numbers(rate(RESULTS))
