"""The end of a stored tournament: it follows from its plan and its results."""

from typing import NamedTuple

from arena.ratings import rate
from arena.storage.day_reader import DayReader
from arena.tournament.format_state import Place, final_places, rating_places
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from arena.tournament.standings import standings
from core import GAMES


class FinishedTournament(NamedTuple):
    """A tournament with all its matches stored.

    Attributes:
        game: The name of the game.
        format: The format.
        bots: The number of bots.
        matches: The number of rated matches.
        places: The first places, the best one first.
        updated_at: Unix time of the end of the last match.
    """

    game: str
    format: str
    bots: int
    matches: int
    places: tuple[Place, ...]
    updated_at: float


def find_finished_tournament(reader: DayReader) -> FinishedTournament | None:
    """Return the tournament of a database.

    Returns:
        The tournament; None without one, before its end, and if its game is not installed.

    Raises:
        DatabaseError: The database cannot be read.
    """
    plan = reader.decoded_plan()
    if not plan or plan.game not in GAMES:
        return None
    if not (places := _places(plan, reader)):
        return None
    matches, updated_at = reader.tournament_progress()
    return FinishedTournament(
        plan.game, plan.format, len(plan.bots), matches, tuple(places), updated_at
    )


def _places(plan: Plan, reader: DayReader) -> list[Place]:
    """Return the first places, none before the end."""
    schedule = Schedule(plan, reader.results()) if plan.needs_results else None
    if schedule and plan.sprt is None:
        return final_places(plan, schedule.scores)
    is_decided = schedule is not None and schedule.is_decided
    if not (is_decided or reader.tournament_progress().matches == plan.matches):
        return []
    tally, (_, scores) = reader.tallies()[plan.game], reader.pair_scores(plan.game)
    ratings = rate(tally, scores)
    return rating_places(standings(tally, ratings, plan.bots, scores), ratings)
