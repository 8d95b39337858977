"""Standings, sequential tests and accuracies as JSON."""

import json
from collections.abc import Mapping

from arena.analysis.accuracy import Accuracy
from arena.ratings import rate
from arena.ratings.bradley_terry import Ratings
from arena.ratings.sprt import SequentialTest, estimate_elo, estimate_nelo
from arena.reports.text import GameStandings
from arena.tournament.standings import group_places, head_to_head


def standings_json(games: Mapping[str, GameStandings], fields: Mapping[str, object]) -> str:
    """Encode the standings in each game as one JSON object.

    A bot's `rating` or `accuracy` is null if it has none. In `plain_elo`, matches that repeat the
    moves of earlier ones count as much as these. `superiority` is the probability that
    the bot is stronger than each other bot, null if no matches connect them; `pairs` are the pairs
    of matches that it has won, tied and lost; `meetings` has [won, lost] against each opponent by
    side, and its draws on both sides. `distinct_games` has the number of matches
    of each game without those that repeat the moves of an earlier one.

    Args:
        games: Standings by the name of the game.
        fields: Further fields of the object, placed first.
    """
    standings = {game: _standings_rows(table) for game, table in games.items()}
    first_move = {
        game: {"elo": table.ratings.first_move, "margin": table.ratings.first_move_margin}
        for game, table in games.items()
    }
    distinct = {game: table.distinct_games for game, table in games.items()}
    facts = {**fields, "distinct_games": distinct, "first_move": first_move}
    return json.dumps({**facts, "standings": standings}, indent=2)


def _standings_rows(table: GameStandings) -> list[dict[str, object]]:
    records, places = head_to_head(table.tally), group_places(table.ratings)
    plain = _plain_ratings(table)
    return [
        {
            "rank": rank,
            "bot": standing.bot,
            "group": places[standing.bot] + 1,
            "played": standing.played,
            "wins": standing.wins,
            "losses": standing.losses,
            "draws": standing.draws,
            "pairs": standing.pairs,
            "forfeits": dict(sorted(standing.forfeits.items())),
            "meetings": {
                opponent: record._asdict()
                for (bot, opponent), record in sorted(records.items())
                if bot == standing.bot
            },
            "rating": _rating_fields(table.ratings, plain, standing.bot),
            "accuracy": _accuracy_fields(table.accuracies.get(standing.bot)),
        }
        for rank, standing in enumerate(table.standings, 1)
    ]


def _plain_ratings(table: GameStandings) -> Ratings:
    """Return the ratings in which each match counts as one, with the same anchor."""
    ratings = table.ratings
    if table.distinct_games == table.tally.total():
        return ratings
    anchor = (ratings.anchor, ratings.elo[ratings.anchor]) if ratings.anchor else None
    return rate(table.tally, anchor=anchor)


def _rating_fields(ratings: Ratings, plain: Ratings, bot: str) -> dict[str, object] | None:
    if bot not in ratings.elo:
        return None
    return {
        "elo": ratings.elo[bot],
        "plain_elo": plain.elo[bot],
        "margin": ratings.margin(bot),
        "superiority": {
            other: ratings.superiority(bot, other) for other in ratings.bots if other != bot
        },
    }


def accuracies_json(games: Mapping[str, Mapping[str, Accuracy]]) -> str:
    """Encode each bot's accuracy in each game as one JSON object."""
    fields = {
        game: {bot: _accuracy_fields(accuracy) for bot, accuracy in sorted(accuracies.items())}
        for game, accuracies in games.items()
    }
    return json.dumps(fields, indent=2)


def _accuracy_fields(accuracy: Accuracy | None) -> dict[str, object] | None:
    if accuracy is None:
        return None
    return {
        "games": accuracy.games,
        "kept": accuracy.kept,
        "blunders": accuracy.blunders,
        "share": accuracy.share,
        "blunders_per_game": accuracy.blunders_per_game,
    }


def sprt_fields(test: SequentialTest) -> dict[str, object]:
    """Return the state of a sequential test as fields of a JSON object."""
    elo, margin = estimate_elo(test.counts)
    nelo, nelo_margin = estimate_nelo(test.counts)
    return {
        "test": str(test.sprt),
        "model": test.sprt.model,
        "pairs": test.pairs,
        "counts": test.counts,
        "llr": test.llr,
        "bounds": test.sprt.bounds,
        "verdict": test.accepted,
        "elo": elo,
        "margin": margin,
        "nelo": nelo,
        "nelo_margin": nelo_margin,
        "pair_scores": test.pair_scores,
        "decisive": test.decisive,
    }
