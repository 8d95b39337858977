"""Results and ratings in one game: the leaderboard, and the standing of one bot in it."""

import heapq
import math
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from arena.analysis.accuracy import Accuracy
from arena.model.results import PairScore
from arena.protocol.bots import BotStanding, OpponentScore
from arena.protocol.codec import RequestError
from arena.protocol.spectator import EncounterInfo, HeadToHead, Leaderboard, LeaderboardRow
from arena.ratings.bradley_terry import Ratings
from arena.ratings.crosstable import Crosstable, Result
from arena.ratings.likelihood import MATRIX_BOTS
from arena.ratings.rater import Rater
from arena.reports.text import disconnected_groups_text, first_move_text
from arena.spectators.bot_matches import add_counts, bot_score
from arena.tournament.encounters import Encounter
from arena.tournament.format_state import FormatState
from arena.tournament.standings import group_places, sort_key

MAX_OPPONENTS = 200  # those with the most matches
# Rows of a pair's results in the crosstable, as won, drawn and lost: of its first bot as player 1
# and as player 2, and of its second bot.
OF_FIRST_BOT = (0, 4, 2), (1, 5, 3)
OF_SECOND_BOT = (3, 5, 1), (2, 4, 0)
FORFEITED = 6
ROWS = 1000  # of a leaderboard, at most; bots with fewer matches have a rating, but no row
MARGIN_BOTS = 100  # up to which a leaderboard has margins
CROSSTABLE_BOTS = 100  # with head-to-head records; larger tables are unreadable
REFERENCES = 10  # of a gauntlet, with head-to-head records against all bots
ENCOUNTERS = 2000  # of the rounds that a leaderboard has: 100 kB
MIRRORED = [3, 2, 1, 0, 5, 4, 6]  # rows of the results of a pair, from the view of its second bot
DIGITS = 2  # decimal places of ratings

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


class GameTable:
    """Results and ratings in one game."""

    def __init__(self, anchor: tuple[str, float] | None = None) -> None:
        """Start without results; `anchor` is the bot with a fixed rating, and its Elo."""
        self._rater = Rater(anchor)
        self._ratings: Ratings = self._rater.rate()
        self._rows: list[str] = []  # the bots of the latest leaderboard
        self._is_current = True
        self._margins: tuple[str, dict[str, float]] | None = None  # of the latest leaderboard

    def add(
        self,
        results: Sequence[Result],
        times: Sequence[int] | None = None,
        scores: Sequence[PairScore] = (),
    ) -> None:
        """Count results.

        Args:
            results: The results.
            times: How often each of them is counted; None for once.
            scores: The changed scores of pairs.
        """
        self._rater.add(results, times)
        self._rater.replace_pair_scores(scores)
        self._is_current = self._is_current and not (results or scores)

    def leaderboard(
        self,
        game: str,
        bots: Collection[str],
        accuracies: Mapping[str, Accuracy],
        state: FormatState,
        references: Sequence[str] = (),
    ) -> Leaderboard:
        """Return the leaderboard.

        Args:
            game: The name of the game.
            bots: Bots that have a row even if they have not played.
            accuracies: The accuracies of bots.
            state: The state of the tournament's format.
            references: The bots of a gauntlet that meet all others.
        """
        self.rate()
        ratings, crosstable = self._ratings, self._rater.crosstable
        rows = _ranked_rows(self._rater, ratings, bots, accuracies)
        self._rows = [row.bot for row in rows]
        has_margins = len(ratings.elo) <= MARGIN_BOTS
        return Leaderboard(
            game,
            crosstable.matches,
            sum(accuracy.games for accuracy in accuracies.values()) // 2,
            first_move_text(ratings, margin=has_margins).strip(),
            disconnected_groups_text(ratings.groups).strip(),
            rows,
            _head_to_head(crosstable, self._rows, references[:REFERENCES]),
            len(crosstable.index.keys() - self._rows),
            state.places,
            _latest_rounds(state.rounds),
            state.points[:ROWS],
        )

    def rate(self) -> None:
        """Compute the ratings, if results were added since the last time."""
        if not self._is_current:
            self._ratings, self._margins, self._is_current = self._rater.rate(), None, True

    @property
    def elo(self) -> Mapping[str, float]:
        """The latest ratings by bot."""
        return self._ratings.elo

    def standing(
        self, game: str, bot: str, accuracy: Accuracy | None, find_forfeits: Forfeits
    ) -> BotStanding:
        """Return the standing of a bot by the latest ratings, which must have the bot.

        Args:
            game: The name of the game.
            bot: The bot.
            accuracy: Its accuracy, if moves of it were judged.
            find_forfeits: Returns its forfeits, given its opponents.
        """
        crosstable = self._rater.crosstable
        return bot_standing(game, bot, crosstable, self._ratings, accuracy, find_forfeits)

    def margins(self) -> tuple[str, dict[str, float]]:
        """Return the advantage of the first move as text, and the margin of each row with one.

        Raises:
            RequestError: If there are too many bots.
        """
        elo = self._ratings.elo
        if len(elo) > MATRIX_BOTS:
            text = f"margins are computed for at most {MATRIX_BOTS} bots, not for {len(elo)}"
            raise RequestError("too_large", text)
        if self._margins is None:
            rated = [bot for bot in self._rows if bot in elo]
            margins = {bot: round(self._ratings.margin(bot), DIGITS) for bot in rated}
            self._margins = first_move_text(self._ratings).strip(), margins
        return self._margins


def _ranked_rows(
    rater: Rater,
    ratings: Ratings,
    bots: Collection[str],
    accuracies: Mapping[str, Accuracy],
) -> list[LeaderboardRow]:
    """Return the rows of at most ROWS bots, those with the most matches, the best bot first."""
    index = rater.crosstable.index
    totals = {bot: [0, 0, 0, 0] for bot in bots}
    totals |= zip(index, rater.crosstable.totals.T.tolist(), strict=True)
    pairs = dict(zip(index, rater.pair_results().T.tolist(), strict=True))
    if len(totals) > ROWS:
        most = heapq.nlargest(ROWS, totals.items(), key=lambda item: sum(item[1][:3]))
        totals = dict(most)

    places = group_places(ratings)

    def rank(item: tuple[str, list[int]]) -> tuple[int, tuple[float, float, str]]:
        bot, (wins, _, draws, _) = item
        return places[bot], sort_key(bot, ratings.elo.get(bot), wins + draws / 2)

    has_margins = len(ratings.elo) <= MARGIN_BOTS
    rows = []
    for bot, (wins, losses, draws, forfeits) in sorted(totals.items(), key=rank):
        elo, margin, accuracy = ratings.elo.get(bot), None, accuracies.get(bot)
        if elo is not None:
            elo = round(elo, DIGITS)
            margin = round(ratings.margin(bot), DIGITS) if has_margins else None
        share = accuracy.share if accuracy else None
        won, tied, lost = pairs.get(bot, (0, 0, 0))
        rows.append(
            LeaderboardRow(
                bot, elo, margin, wins, losses, forfeits, share, draws, (won, tied, lost)
            )
        )
    return rows


def _latest_rounds(rounds: Sequence[Sequence[Encounter]]) -> list[list[EncounterInfo]]:
    """Return rounds of which the first ones are empty, as many as are too many encounters."""
    left = ENCOUNTERS
    found: list[list[EncounterInfo]] = []
    for round_ in reversed(rounds):
        left -= len(round_)
        found.append([EncounterInfo(*each) for each in round_] if left >= 0 else [])
    return found[::-1]


def _head_to_head(
    crosstable: Crosstable, ranked: Sequence[str], references: Sequence[str]
) -> list[HeadToHead]:
    """Return the record of each two of the best bots that have met, from the better bot's view.

    Those of the references against all other bots are among them.
    """
    index = crosstable.index
    ranks = np.array([rank for rank, bot in enumerate(ranked) if bot in index], np.int64)
    bots = np.array([index[ranked[rank]] for rank in ranks], np.int64)
    best = np.searchsorted(ranks, CROSSTABLE_BOTS)
    is_reference = [ranked[rank] in references for rank in ranks]
    is_shown = np.zeros((len(ranks), len(ranks)), bool)
    is_shown[:best, :best] = is_shown[is_reference] = is_shown[:, is_reference] = True
    one, other = np.triu(is_shown, 1).nonzero()
    pairs = crosstable.find_pairs(bots[one], bots[other])
    met = pairs >= 0
    one, other = one[met], other[met]
    counts = crosstable.counts[:, pairs[met]]
    counts = np.where(bots[one] <= bots[other], counts, counts[MIRRORED])
    return [
        HeadToHead(
            one, other, (won, lost), (won_second, lost_second), forfeits, (drawn, drawn_second)
        )
        for one, other, won, won_second, lost, lost_second, drawn, drawn_second, forfeits in zip(
            ranks[one].tolist(), ranks[other].tolist(), *counts.tolist(), strict=True
        )
    ]
