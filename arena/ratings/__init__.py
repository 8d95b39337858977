"""Statistics of match results: Elo ratings and sequential tests."""

from collections.abc import Sequence

from arena.model.results import PairScore, Tally
from arena.ratings.bradley_terry import Ratings

MAX_RATING = 100_000  # Elo of an anchor

Anchor = tuple[str, float]
"""A bot with a fixed rating, and that rating in Elo."""


def rate(tally: Tally, scores: Sequence[PairScore] = (), anchor: Anchor | None = None) -> Ratings:
    """Return the ratings of all bots in a tally.

    Args:
        tally: The results.
        scores: The scores of their pairs; without any, matches are assumed to be independent.
        anchor: A bot and its rating. The ratings of its group are shifted to match, and their
            margins are those of the differences from it. It is ignored if the bot has not played.
            The mean rating of a group without an anchor is 0.
    """
    from arena.ratings.rater import Rater  # imports numpy, which is slow

    rater = Rater(anchor)
    results = sorted(tally, key=lambda result: (result.one, result.two))  # sums depend on the order
    rater.add(results, [tally[result] for result in results])
    rater.replace_pair_scores(scores)
    return rater.rate()
