"""Duration of a tournament, and the size of one that is to take a given time. Pure.

A program that searches deeper and deeper uses most of its time; how much it uses in the mean, and
the overhead of a match, are assumptions (docs/guide/course.md).
"""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from arena.model.time_control import TimeControl
from arena.tournament.plan import Plan
from core import GAMES

DURATION = re.compile(r"(?=\d)(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?", re.ASCII)
LONGEST = 7 * 24 * 3600.0  # seconds
MOVE_SECONDS = (10.0, 5.0, 3.0, 2.0, 1.0)  # to choose from; the assignment allows 10 s
MIN_STARTS = 4  # of a program, that its time for a move must suffice for
MIN_ROUNDS = 2  # that a longer time for each move is not worth
USED = 0.5  # of the time that a program may use, in the mean
MATCH_SECONDS = 0.05  # of each match, besides the programs
SAMPLES = 20  # random games to estimate the length of a game


class Load(NamedTuple):
    """Matches of a tournament, and the programs that play them.

    Attributes:
        matches: The number of matches of a round.
        plies: The mean number of plies of a match.
        programs: The share of the players of all matches that are programs.
        start: The time that a program takes to start. Seconds.
        concurrency: The number of simultaneous matches.
    """

    matches: int
    plies: float
    programs: float
    start: float
    concurrency: int


class TournamentSize(NamedTuple):
    """Size of a tournament.

    Attributes:
        rounds: The number of rounds; 0 if not even one fits.
        time: The time control.
        round_seconds: The expected time of a round.
    """

    rounds: int
    time: TimeControl
    round_seconds: float


def parse_duration(text: str) -> float:
    """Return the seconds of a duration such as 45m, 90s, 2h or 1h30m.

    Raises:
        ValueError: The text has another form, or the duration is out of range.
    """
    found = DURATION.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a duration such as 45m, 90s, 2h or 1h30m")
    hours, minutes, seconds = (int(number) for number in found.groups("0"))
    total = 3600.0 * hours + 60 * minutes + seconds
    if not 0 < total <= LONGEST:
        raise ValueError(f"{text!r} is not above 0 and at most {format_duration(LONGEST)}")
    return total


def format_duration(seconds: float) -> str:
    """Return a duration in the form that `parse_duration` reads, rounded."""
    minutes, rest = divmod(max(1, round(seconds)), 60)
    if not minutes:
        return f"{rest}s"
    hours, minutes = divmod(minutes + (rest >= 30), 60)
    return (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "")


def choose_size(load: Load, seconds: float, times: Sequence[TimeControl]) -> TournamentSize:
    """Return the size of a tournament that takes about the given time.

    Args:
        load: Its matches.
        seconds: The time that it is to take.
        times: The time controls to choose from, the longest first.

    Returns:
        The size with the longest time control that leaves time for MIN_ROUNDS rounds, else with the
        longest that leaves time for one, else without a round and with the shortest.
    """
    sizes = [
        TournamentSize(int(seconds / each), time, each)
        for time in times
        for each in [_round_seconds(load, time)]
    ]
    for rounds in (MIN_ROUNDS, 1):
        for size in sizes:
            if size.rounds >= rounds:
                return size
    return sizes[-1]


def time_controls(start: float) -> list[TimeControl]:
    """Return the time controls to choose from, for programs that start in `start` seconds."""
    enough = [seconds for seconds in MOVE_SECONDS if seconds >= MIN_STARTS * start]
    return [TimeControl(seconds, per_move=True) for seconds in enough or MOVE_SECONDS[:1]]


def mean_plies(plan: Plan) -> float:
    """Return the mean length of random games, from openings spread over the plan."""
    match plan.format:
        case "swiss":
            openings = plan.rounds * plan.pairs
        case "knockout":
            openings = (len(plan.bots) - 1).bit_length() * 2 * plan.pairs
        case _:
            openings = len(plan.book) or plan.cells
    openings = min(openings, SAMPLES * (len(plan.book) or plan.cells))  # not too many to be drawn
    lengths = []
    for number in range(SAMPLES):
        opening = plan.opening(number * openings // SAMPLES)
        position = GAMES[plan.game].position(**opening.setup, moves=opening.moves)
        random = Random(number)
        while not position.is_over:
            position.play(random.choice(position.legal_moves()))
        lengths.append(len(position.moves) - len(opening.moves))
    return sum(lengths) / SAMPLES


def _round_seconds(load: Load, time: TimeControl) -> float:
    moves = load.plies / 2
    allowed = time.base * moves if time.per_move else time.base + time.increment * moves
    used = max(USED * allowed, load.start * moves)
    match = MATCH_SECONDS + 2 * load.programs * used
    return load.matches * match / load.concurrency
