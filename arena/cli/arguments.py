"""What the arguments of the arena's command line mean, checked."""

import argparse
import itertools
import math
import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta

from arena.model.clock import TimeControl
from core import GAMES
from core.game import Game

DEFAULT_BOTS = ["random", "greedy", "spec:1", "spec:4", "spec:8"]
DEFAULT_OFFERS = ["random", "greedy", "spec:1", "spec:2", "spec:4", "spec:6", "spec:8", "perfect"]
RANGE = re.compile(r"(\d+)-(\d+)(?:/(\d+))?", re.ASCII)
ORIGIN = re.compile(r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?/?", re.ASCII | re.IGNORECASE)
MOST_SETUPS = 100_000  # of a game: a plan holds each of them


class Refused(Exception):
    """Ends the program with a line on standard error and status 2."""


def moment(text: str) -> datetime:
    """The next time of day, or the time on a date, that a text means, in local time.

    Raises ValueError.
    """
    try:
        day = time.fromisoformat(text)
    except ValueError:
        return datetime.fromisoformat(text).astimezone().replace(tzinfo=None)
    now = datetime.now()
    today = datetime.combine(now, day)
    return today if today > now else today + timedelta(days=1)


def setups_of(
    games: Sequence[str], arguments: argparse.Namespace
) -> dict[str, tuple[dict[str, int], ...]]:
    """All combinations of each game's parameters, each checked. Raises Refused."""
    known = {name for game in games for name in GAMES[game].parameters}
    for name in {name for game in GAMES.values() for name in game.parameters} - known:
        if getattr(arguments, name) is not None:
            raise Refused(f"{' and '.join(games)} has no {name}")
    return {game: _combinations(GAMES[game], arguments) for game in games}


def _combinations(game: Game, arguments: argparse.Namespace) -> tuple[dict[str, int], ...]:
    given = {name: getattr(arguments, name) for name in game.parameters}
    ranges = {
        name: [_range(name, word) for word in given[name] or map(str, parameter.usual)]
        for name, parameter in game.parameters.items()
    }
    for name, parameter in game.parameters.items():
        least = min(numbers[0] for numbers in ranges[name])
        if least < parameter.minimum:
            raise Refused(f"{name} must be at least {parameter.minimum}, not {least}")
    count = math.prod(sum(map(_length, numbers)) for numbers in ranges.values())
    if count > MOST_SETUPS:
        raise Refused(f"{count} setups of {game.name} are too many, the most are {MOST_SETUPS}")
    # Above the least values, only memory is a limit, and what has room in it is a setup's size.
    largest = {name: max(numbers[-1] for numbers in ranges[name]) for name in ranges}
    try:
        game.position(**largest)
    except (ValueError, MemoryError) as error:
        raise Refused(f"{largest}: {error}") from None
    values = itertools.product(*map(itertools.chain.from_iterable, ranges.values()))
    return tuple(dict(zip(ranges, setup, strict=True)) for setup in values)


def _range(name: str, word: str) -> range:
    """The numbers that "7", "20-30" or "20-100/10" means: one or more. Raises Refused."""
    between = RANGE.fullmatch(word)
    try:
        first, last, step = map(int, between.groups("1") if between else (word, word, "1"))
    except ValueError:
        raise Refused(
            f"{name} must be a whole number or a range such as 20-30, not {word!r}"
        ) from None
    if not (first <= last and step):
        raise Refused(f"{name} {word}: a range goes up from the first to the last")
    return range(first, last + 1, step)


def _length(numbers: range) -> int:
    """How many there are, even where len() would overflow."""
    return (numbers[-1] - numbers[0]) // numbers.step + 1


def time_control(arguments: argparse.Namespace) -> TimeControl:
    """The time control. Raises Refused."""
    try:
        control = TimeControl.parse(arguments.time)
    except ValueError as error:
        raise Refused(str(error)) from None
    if arguments.margin:
        if control.margin:
            raise Refused(f"time {arguments.time!r} has a margin already, --margin is another")
        if not 0 < arguments.margin <= 1e6:
            raise Refused(f"--margin must be from 0 to 1000000 seconds, not {arguments.margin}")
        control = control._replace(margin=arguments.margin)
    return control


def anchor(arguments: argparse.Namespace) -> tuple[str, float] | None:
    """The anchor bot and its rating, if there is one. Raises Refused."""
    if arguments.anchor is None:
        return None
    name, equals, text = arguments.anchor.rpartition("=")
    try:
        elo = float(text) if equals else 0.0
    except ValueError:
        elo = math.nan
    if not math.isfinite(elo):
        raise Refused(f"--anchor {arguments.anchor!r}: {text!r} is not a rating in Elo")
    return (name if equals else arguments.anchor), elo


def origins(arguments: argparse.Namespace) -> list[str]:
    """The origins of web pages that may connect, as browsers send them. Raises Refused."""
    return [*map(_origin, arguments.origin)]


def _origin(text: str) -> str:
    found = ORIGIN.fullmatch(text)
    if not found:
        raise Refused(f"--origin {text!r} is not like https://HOST or http://HOST:PORT")
    scheme, host, port = (part.lower() for part in found.groups(""))
    is_usual = (scheme, port) in {("http", ":80"), ("https", ":443")}
    return f"{scheme}://{host}" if is_usual else f"{scheme}://{host}{port}"


def check_numbers(arguments: argparse.Namespace) -> None:
    """Refuse numbers that are too small. Raises Refused."""
    limits = {
        "rounds": 1,
        "seeds": 1,
        "pairs": 1,
        "opening_plies": 0,
        "concurrency": 1,
        "connections": 1,
        "grace": 0,
        "margin": 0,
    }
    for name, least in limits.items():
        value = getattr(arguments, name, None)
        if value is not None and not value >= least:
            flag = name.replace("_", "-")
            raise Refused(f"--{flag} must be at least {least}, not {value}")
