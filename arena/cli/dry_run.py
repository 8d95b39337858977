"""Dry run of a tournament: its plan, its duration, and the first pairings known in advance."""

import math
from itertools import islice
from pathlib import Path
from random import Random

from arena.cli.stored_plan import stored_schedule
from arena.model.results import Pairing
from arena.model.time_control import TimeControl
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import TIME, Plan
from arena.tournament.schedule import WHOLE, Part, Schedule
from core import GAMES

PRINTED = 100  # pairings: a page, also of a plan of any length
SAMPLES = 20  # random games to estimate the length of a game


def print_plan(plan: Plan, concurrency: int | None, db: Path | None, part: Part = WHOLE) -> None:
    """Print the plan, the estimated duration, and the first pairings that depend on no result.

    Args:
        plan: The plan.
        concurrency: The highest number of simultaneous matches; None if that is not known.
        db: The database of the tournament, which may be missing or empty.
        part: The part of the plan that is played.

    Raises:
        DatabaseError: The database cannot be read.
    """
    schedule, seconds = Schedule(plan, [], part), None
    if db and db.exists() and db.stat().st_size:
        with DatabaseReader(db) as records:
            schedule = stored_schedule(records, plan, part)
            seconds = records.mean_duration()
    left = 0 if schedule.is_over else schedule.matches - schedule.finished_count
    most = "at most " if plan.may_end_early else ""
    print(f"{plan.game}, {plan.format}, time {plan.times_text}, seed {plan.seed}")
    print(f"bots: {', '.join(plan.bots)}")
    at_once = f", {concurrency} at once" if concurrency else ""
    print(f"matches: {most}{schedule.matches:,}, {schedule.finished_count:,} finished{at_once}")
    print(f"duration: {_duration(plan, math.ceil(left / (concurrency or 1)), seconds)}")
    printed = 0
    for pairing in islice(iter(schedule.next_pairing, None), PRINTED):
        print(_line(pairing))
        printed += 1
    if printed == PRINTED < left:
        print(f"and {most}{left - printed:,} more")
    elif printed < left and not plan.distinct_only:
        print("further pairings depend on results")


def _line(pairing: Pairing) -> str:
    setup = "".join(f", {name} {value}" for name, value in pairing.setup.items())
    opening = f", opening {' '.join(map(str, pairing.opening))}" if pairing.opening else ""
    return f"match {pairing.number}, {' - '.join(pairing.players)}{setup}{opening}"


def _duration(plan: Plan, matches: int, seconds: float | None) -> str:
    """Describe the duration of `matches` matches in a row.

    `seconds` is the mean duration of the matches played so far, if there are any.
    """
    if seconds is not None:
        most = "at most " if plan.may_end_early else ""
        return f"{most}about {_time(matches * seconds)}, at {seconds:.3g} s per match so far"
    own = [settings[TIME] for settings in plan.settings.values() if TIME in settings]
    controls = [TimeControl.parse(text) for text in (plan.time, *own)]
    if not all(control.has_clock for control in controls):
        return "unknown before a first match, without a clock"
    plies = mean_plies(plan)
    longest = _time(matches * max(_longest_match(control, plies) for control in controls))
    return f"at most about {longest}, if the bots use all their time in games of {plies:.0f} plies"


def _longest_match(control: TimeControl, plies: float) -> float:
    """Return the seconds of a match in which two bots use all their time."""
    if control.per_move:
        return plies * control.base
    return 2 * control.base + plies * control.increment


def mean_plies(plan: Plan) -> float:
    """Return the mean length of random games, from openings spread over the plan."""
    match plan.format:
        case "swiss":
            openings = plan.rounds * plan.pairs
        case "knockout":
            openings = (len(plan.bots) - 1).bit_length() * 2 * plan.pairs
        case _:
            openings = len(plan.book or plan.cells)
    openings = min(openings, SAMPLES * len(plan.book or plan.cells))  # not too many to be drawn
    lengths = []
    for number in range(SAMPLES):
        opening = plan.opening(number * openings // SAMPLES)
        position = GAMES[plan.game].position(**opening.setup, moves=opening.moves)
        random = Random(number)
        while not position.is_over:
            position.play(random.choice(position.legal_moves()))
        lengths.append(len(position.moves) - len(opening.moves))
    return sum(lengths) / SAMPLES


def _time(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{seconds:.1f} s"
