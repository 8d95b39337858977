"""State of a tournament's format for spectators: its rounds, and the first places at its end."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from arena.ratings.bradley_terry import Ratings
from arena.tournament.encounters import Encounter
from arena.tournament.knockout import bracket
from arena.tournament.plan import Plan
from arena.tournament.round_robin import Scores
from arena.tournament.standings import Standing
from arena.tournament.swiss import Swiss, swiss_size, swiss_standings
from arena.tournament.tie_breaks import SwissStanding

PLACES = 3  # with a step on a podium


class Place(NamedTuple):
    """A place of a finished tournament.

    Attributes:
        rank: The rank from 1, which several bots may share.
        bot: The bot.
        score: What it has achieved, such as "7.5 points" or "won the final".
    """

    rank: int
    bot: str
    score: str


class FormatState(NamedTuple):
    """State of a tournament's format.

    Attributes:
        rounds: The encounters in each round of a Swiss or knockout, as far as they are known.
        points: The standings of a Swiss, the best bot first.
        places: The first places; empty before the end, and if the ratings decide.
    """

    rounds: Sequence[Sequence[Encounter]] = ()
    points: Sequence[SwissStanding] = ()
    places: Sequence[Place] = ()


def format_state(plan: Plan, scores: Scores) -> FormatState:
    """Return the state of a tournament's format.

    Args:
        plan: The plan of the tournament.
        scores: The scores of its finished pairs by number.
    """
    places = final_places(plan, scores)
    match plan.format:
        case "swiss":
            swiss = Swiss([*plan.bots], plan.rounds, plan.pairs, scores)
            return FormatState(swiss.encounters(), swiss.standings(), places)
        case "knockout":
            return FormatState(bracket([*plan.bots], plan.pairs, scores), places=places)
        case _:
            return FormatState()


def final_places(plan: Plan, scores: Scores) -> list[Place]:
    """Return the first `PLACES` places of a finished Swiss or knockout.

    Args:
        plan: The plan of the tournament.
        scores: The scores of its finished pairs by number.

    Returns:
        The places, the best one first; none before the end, and if the format is another one.
    """
    match plan.format:
        case "swiss" if len(scores) == swiss_size(len(plan.bots), plan.rounds, plan.pairs):
            return _swiss_places(swiss_standings([*plan.bots], plan.rounds, plan.pairs, scores))
        case "knockout":
            return _knockout_places(plan, scores)
        case _:
            return []


def rating_places(table: Sequence[Standing], ratings: Ratings) -> list[Place]:
    """Return the first `PLACES` places by rating; ratings that read the same share one.

    Args:
        table: The standings, the best bot first.
        ratings: The ratings that they are ordered by.
    """
    elo = [math.floor(ratings.elo[each.bot] + 0.5) for each in table if each.played]
    return [
        Place(elo.index(rating) + 1, standing.bot, f"{rating:+d} Elo")
        for rating, standing in zip(elo, table, strict=False)
    ][:PLACES]


def _swiss_places(table: Sequence[SwissStanding]) -> list[Place]:
    """Return the places; bots that no tie-break separates share one."""
    return [
        Place(
            standing.rank,
            standing.bot,
            f"{standing.points:g} point{'' if standing.points == 1 else 's'}",
        )
        for standing in table
        if standing.rank <= PLACES
    ]


def _knockout_places(plan: Plan, scores: Scores) -> list[Place]:
    """Return the champion, the other finalist, and the losers of the semifinals if there are any.

    Those share the third place, as no match is played for it.
    """
    rounds = bracket([*plan.bots], plan.pairs, scores)
    champion = rounds[-1][0].winner
    if champion is None:
        return []
    places = [Place(1, champion, "won the final")]
    for rank, name, encounters in zip((2, 3), ("final", "semifinal"), rounds[::-1], strict=False):
        for players, _, winner, _ in encounters:
            places += [
                Place(rank, bot, f"lost the {name}") for bot in players if bot not in {winner, None}
            ]
    return places
