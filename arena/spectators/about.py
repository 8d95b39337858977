"""Description of an arena for spectators, the first message that they receive."""

import secrets
from collections.abc import Collection, Mapping

from arena.protocol.spectator import About, GameInfo, ParameterInfo, TournamentInfo
from arena.tournament.plan import Plan
from core import GAMES

RUN = secrets.token_urlsafe(8)  # identifies this process to the page


def describe_arena(
    games: Collection[str],
    control: str,
    plan: Plan | None = None,
    house_bots: Mapping[str, Collection[str]] | None = None,
) -> About:
    """Return the description of an arena for spectators.

    Args:
        games: The names of the games.
        control: The time control, as text.
        plan: The plan of the tournament, if there is one.
        house_bots: The games that each house bot plays, by its name; None if casual players are
            not accepted.
    """
    known = []
    for game in map(GAMES.__getitem__, games):
        parameters = {name: ParameterInfo(*facts) for name, facts in game.parameters.items()}
        parts = game.solver is not None, game.has_board, game.matching is not None
        known.append(GameInfo(game.name, game.title, parameters, *parts))
    return About(
        RUN,
        control,
        known,
        house_bots is not None,
        {bot: [*known_games] for bot, known_games in (house_bots or {}).items()},
        _describe_tournament(plan) if plan else None,
    )


def _describe_tournament(plan: Plan) -> TournamentInfo:
    references = plan.seeds if plan.format == "gauntlet" else 0
    parts = plan.matches, plan.may_end_early, plan.seed, references
    return TournamentInfo(plan.game, plan.format, [*plan.bots], *parts)
