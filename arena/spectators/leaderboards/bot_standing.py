"""The standing of one bot in one game: its rank, its rating and its results by opponent."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from arena.analysis.accuracy import Accuracy
from arena.protocol.bots import BotStanding, OpponentScore
from arena.ratings.bradley_terry import Ratings
from arena.ratings.crosstable import Crosstable
from arena.ratings.likelihood import MATRIX_BOTS
from arena.spectators.bot_matches import add_counts, bot_score
from arena.tournament.standings import group_places

MAX_OPPONENTS = 200  # those with the most matches
DIGITS = 2  # decimal places of ratings
# Rows of a pair's results in the crosstable, as won, drawn and lost: of its first bot as player 1
# and as player 2, and of its second bot.
OF_FIRST_BOT = (0, 4, 2), (1, 5, 3)
OF_SECOND_BOT = (3, 5, 1), (2, 4, 0)
FORFEITED = 6

Forfeits = Callable[[Sequence[str]], dict[str, int]]
"""Returns the forfeits of the bot by termination, given its opponents."""


def bot_standing(
    game: str,
    bot: str,
    crosstable: Crosstable,
    ratings: Ratings,
    accuracy: Accuracy | None,
    find_forfeits: Forfeits,
) -> BotStanding:
    """Return the standing of a bot that has finished a rated match.

    Args:
        game: The name of the game.
        bot: The bot.
        crosstable: All results.
        ratings: The ratings from them.
        accuracy: The accuracy of the bot, if moves of it were judged.
        find_forfeits: Returns its forfeits.

    Raises:
        DatabaseError: The forfeits cannot be read.
    """
    opponents, first, second = _opponents(bot, crosstable, ratings)
    margin = round(ratings.margin(bot), DIGITS) if len(ratings.elo) <= MATRIX_BOTS else None
    rank, is_shared = _rank(bot, ratings)
    return BotStanding(
        game,
        round(ratings.elo[bot], DIGITS),
        margin,
        rank,
        is_shared,
        len(ratings.elo),
        crosstable.matches,
        bot_score(add_counts(first, second)),
        bot_score(first),
        bot_score(second),
        find_forfeits([opponent.bot for opponent in opponents]),
        accuracy.share if accuracy else None,
        accuracy.games if accuracy else 0,
        opponents[:MAX_OPPONENTS],
        len(opponents[MAX_OPPONENTS:]),
    )


def _rank(bot: str, ratings: Ratings) -> tuple[int, bool]:
    """Return the rank of a bot, and whether others share it: their ratings read the same."""
    places = group_places(ratings)
    shown = {other: (places[other], -math.floor(elo + 0.5)) for other, elo in ratings.elo.items()}
    own = [*shown.values()].count(shown[bot])
    return 1 + sum(other < shown[bot] for other in shown.values()), own > 1


def _opponents(
    bot: str, crosstable: Crosstable, ratings: Ratings
) -> tuple[list[OpponentScore], Sequence[int], Sequence[int]]:
    """Return the opponents, those with most matches first, and the bot's results on both sides."""
    index, counts = crosstable.index, crosstable.counts
    names = [*index]
    others = np.delete(np.arange(len(names)), index[bot])
    pairs = crosstable.find_pairs(np.full(len(others), index[bot]), others)
    sums = np.zeros((2, 3), np.int64)
    found = []
    for other, pair in zip(others[pairs >= 0].tolist(), pairs[pairs >= 0].tolist(), strict=True):
        rows = np.array(OF_FIRST_BOT if index[bot] < other else OF_SECOND_BOT)
        sides = counts[rows, pair]
        sums += sides
        first, second = sides.tolist()
        name = names[other]
        found.append(
            OpponentScore(
                name,
                round(ratings.elo[name], DIGITS),
                bot_score(add_counts(first, second)),
                bot_score(first),
                bot_score(second),
                int(counts[FORFEITED, pair]),
            )
        )
    found.sort(key=lambda opponent: (-opponent.score.played, -opponent.elo, opponent.bot))
    first, second = sums.tolist()
    return found, first, second
