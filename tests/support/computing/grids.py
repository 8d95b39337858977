"""Grids for tests."""

from collections.abc import Callable, Iterable

from arena.model.results import PlayedGame, RatedResult, Termination
from arena.tournament.grid_results import GridResults
from arena.tournament.plan import Plan
from tests.support.tournaments.plans import all_pairings

PLAN = Plan(
    game="take_stones",
    bots={"spec:1": "spec:1", "spec:2": "spec:2", "deep": "spec:4", "random": "random"},
    setups=({"stones": 20}, {"stones": 7}),
    time="unlimited",
    seed=1,
    format="grid",
    rounds=3,
    in_process=True,
    grid_plies=(2,),
)
SWEEP = """{
    "kind": "sweep", "game": "take_stones",
    "bots": {"spec:1": "spec:1", "spec:2": "spec:2", "deep": "spec:4", "random": "random"},
    "setups": [{"stones": 20}, {"stones": 7}], "opening_plies": [2], "pairs": 3,
    "time": "unlimited", "seed": 1
}"""  # the same plan, as earlier versions stored it

Winner = Callable[[int, tuple[str, str]], int | None]
"""Returns the winner of a match, given its number and its players."""


def stronger_wins(number: int, players: tuple[str, str]) -> int:  # noqa: ARG001
    """Let the bot win that comes later in the plan."""
    order = [*PLAN.bots]
    return 1 if order.index(players[0]) > order.index(players[1]) else 2


def player_1_wins(number: int, players: tuple[str, str]) -> int:  # noqa: ARG001
    """Let player 1 win."""
    return 1


def mixed(number: int, players: tuple[str, str]) -> int:
    """Let the later bot win, but the other one in the last third of `PLAN`."""
    winner = stronger_wins(number, players)
    return 3 - winner if number > PLAN.matches * 2 / 3 else winner


def played_games(
    plan: Plan = PLAN, winner: Winner = mixed, moves: Callable[[int], str] = str
) -> list[PlayedGame]:
    """Return all games of a grid. By default, no game repeats another one."""
    return [
        PlayedGame(
            number,
            RatedResult(*pairing.players, winner(number, pairing.players), termination),
            pairing.opening,
            moves(number),
        )
        for pairing in all_pairings(plan)
        for number in [pairing.number or 0]
        for termination in [Termination.NO_LEGAL_MOVE]
    ]


def results_of(games: Iterable[PlayedGame], plan: Plan = PLAN) -> GridResults:
    """Return the results of games."""
    return GridResults(plan, games)
