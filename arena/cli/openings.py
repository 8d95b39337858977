"""Openings of a tournament: enough of them for different games, or a notice that games repeat."""

from dataclasses import replace

from arena.cli.arguments import UsageError
from arena.cli.tournament_options import TournamentConfig
from arena.model.setups import setup_text
from arena.model.time_control import TimeControl
from arena.ratings.sprt import Sprt
from arena.reports.text import counted, listed_bots
from arena.tournament.plan import DISTINCT, Plan
from bots.specification import Kind, read_bots
from core import GAMES

SPRT_ROUNDS = 1_000_000  # an upper limit: the sequential test ends the tournament
SPRT_OPENINGS = 5_000  # that a sequential test without a number of rounds should have
MAX_PLIES = 8  # of openings, unless a number is given
COUNTED = 10_000  # openings of two bots that are compared before the start


def choose_openings(config: TournamentConfig, plan: Plan) -> Plan:
    """Return a new plan with its openings: they are different, and enough if that is possible.

    The number of plies is chosen unless the configuration has one, or a book. Only those of a grid
    are drawn independently, as its intervals assume.
    """
    if plan.format == "grid":  # independent openings are the sample of its intervals
        return plan
    only = bool(plan.sprt) and len(_repeating(plan)) > 1
    plan = replace(plan, draw=DISTINCT, distinct_only=only)
    if config.opening_plies is None and not plan.book:
        plan = _with_enough_plies(plan)
    if plan.book or plan.opening_plies or _are_deterministic(plan):
        return plan
    return replace(plan, distinct_only=False)  # one opening, but games may differ


def keep_openings(config: TournamentConfig, plan: Plan, stored: Plan) -> Plan:
    """Return the plan of a tournament that has begun, with the draw that its openings are from."""
    plan = replace(plan, draw=stored.draw, distinct_only=stored.distinct_only)
    if config.opening_plies is not None:
        return plan
    return replace(plan, opening_plies=stored.opening_plies, grid_plies=stored.grid_plies)


def check_openings(config: TournamentConfig, plan: Plan, *, is_new: bool) -> list[str]:
    """Return notices about the openings: their number of plies if it was chosen, and repeats.

    Args:
        config: The configuration of the tournament.
        plan: Its plan.
        is_new: Whether the tournament has not begun.

    Raises:
        UsageError: A new or extended sequential test of deterministic bots has too few openings.
    """
    if plan.format == "grid":
        return []  # its tables count the copies of games
    notices = _plies_notices(config, plan) if is_new else []
    asked = len(plan.openings_of_two)
    if len(_repeating(plan)) < 2 or (found := _count(plan)) >= min(asked, COUNTED):
        return notices + _limit_notices(config, plan)
    pairs, openings = counted(asked, "pair"), counted(found, "distinct opening")
    only_new = " (only a new database can have others)" if config.extend else ""
    remedy = _remedy(plan, found) if is_new else only_new
    repetition = f"{pairs}, {openings}: {_repetition(plan)}{remedy}"
    if plan.sprt and (is_new or config.extend):
        are_deterministic = _are_deterministic(plan)
        if config.rounds is not None and are_deterministic:
            raise UsageError(f"--sprt: {repetition}")
        ends_with_openings = plan.distinct_only or are_deterministic
        if ends_with_openings and not Sprt.parse(plan.sprt.split()).can_decide(found):
            raise UsageError(f"--sprt cannot be decided by {openings}{remedy}")
    if not plan.distinct_only:
        return [*notices, repetition]
    end = f"without a decision the test ends after {counted(found, 'pair')}"
    return [*notices, f"{openings}: {end}{remedy}"]


def _plies_notices(config: TournamentConfig, plan: Plan) -> list[str]:
    """Return a notice of the number of plies that was chosen, or of games that end before."""
    if config.opening_plies is None:
        if not plan.opening_plies:
            return []
        plies = counted(plan.opening_plies, "random opening ply", "random opening plies")
        return [f"{plies}, so that games differ (--opening-plies sets the number)"]
    for opening in map(plan.opening, plan.openings_of_two[:COUNTED]):
        if len(opening.moves) < plan.opening_plies:
            where = setup_text(opening.setup) or plan.game
            plies = counted(plan.opening_plies, "ply", "plies")
            return [f"{where}: openings are shorter than {plies} where no more moves are possible"]
    return []


def _limit_notices(config: TournamentConfig, plan: Plan) -> list[str]:
    """Return a notice about the length of a sequential test to which the user has set no limit."""
    if not plan.sprt or config.rounds is not None:
        return []
    pairs = counted(plan.matches // 2, "pair")
    return [f"without a decision the test ends after at most {pairs} (--rounds sets the limit)"]


def most_matches(plan: Plan) -> int:
    """Return the number of matches, at most: a repeated opening may end the plan before.

    Of more than `COUNTED` openings, none is looked for.
    """
    found = _count(plan) if plan.distinct_only else COUNTED
    return plan.matches if found == COUNTED else 2 * found


def clock_notice(plan: Plan) -> list[str]:
    """Return a notice about searches that the clock may end, unless it ends none."""
    bots = {name: spec for name, spec in read_bots(plan.bots).items() if spec.is_cut_by_clock}
    names = [*bots]
    if not names or not TimeControl.parse(plan.time).has_clock:
        return []
    has_nodes = any(spec.kind is not Kind.OPENSPIEL for spec in bots.values())
    remedy = " (@nodes=N limits the nodes instead)" if has_nodes else ""
    return [
        f"where the clock ends a search, the moves of {listed_bots(names)} depend on the speed of"
        f" the machine{remedy}"
    ]


def _with_enough_plies(plan: Plan) -> Plan:
    """Return the plan with the fewest opening plies that give enough openings, or the most."""
    if len(_repeating(plan)) < 2:
        return plan
    wanted = SPRT_OPENINGS if plan.sprt and plan.rounds == SPRT_ROUNDS else COUNTED
    wanted = min(wanted, len(plan.openings_of_two))
    best, most = plan, 0
    for plies in range(MAX_PLIES + 1):
        longer = replace(plan, opening_plies=plies)
        found = _count(longer)
        if found > most:
            best, most = longer, found
        if found >= wanted:
            break
    return best


def _count(plan: Plan) -> int:
    """Return the number of different openings among the first `COUNTED` that two bots play."""
    return plan.count_openings(plan.openings_of_two[:COUNTED])


def _remedy(plan: Plan, found: int) -> str:
    """Return flags that give more openings, in brackets after a space."""
    if plan.book:
        return " (a longer --book has more)"
    best = _with_enough_plies(replace(plan, opening_plies=0))
    most = _count(best)
    if most > found:
        return f" (--opening-plies {best.opening_plies} gives {most:,})"
    flags = [f"--{name}" for name in GAMES[plan.game].parameters]
    return f" (more {' and '.join(flags)} give more)" if flags else ""


def _repetition(plan: Plan) -> str:
    verb = "repeat" if _are_deterministic(plan) else "may repeat"
    return f"{listed_bots(_repeating(plan))} {verb} their games"


def _repeating(plan: Plan) -> list[str]:
    """Return the bots that make, or may make, the same moves again from the same opening.

    A bot that draws its moves has one seed in all matches over sockets, and in process one for each
    match.
    """
    return [
        name
        for name, spec in read_bots(plan.bots).items()
        if not (plan.in_process and spec.is_drawn_by_seed)
    ]


def _are_deterministic(plan: Plan) -> bool:
    bots = read_bots(plan.bots)
    repeating = [bots[name] for name in _repeating(plan)]
    return all(spec.is_drawn_by_seed or spec.is_deterministic for spec in repeating)
