"""Parsers of argument values, each with its checks."""

import itertools
import math
import re
from argparse import ArgumentTypeError
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from ipaddress import ip_network
from pathlib import Path

from arena.model.setups import check_start, setup_text
from arena.model.time_control import TimeControl
from arena.network.addresses import Network
from core import GAMES
from core.game import Game
from core.registry import UnknownGame

DEFAULT_BOTS = ["random", "greedy", "spec:1", "spec:4", "spec:8"]
DEFAULT_OFFERS = [
    "random",
    "greedy",
    "spec:1",
    "spec:2",
    "spec:4",
    "spec:6",
    "spec:8",
    "strong",
    "perfect",
]
RANGE = re.compile(r"(\d+)-(\d+)(?:/(\d+))?", re.ASCII)
ORIGIN = re.compile(r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?/?", re.ASCII | re.IGNORECASE)
SHOWN_GAMES = 1000  # on a page, which then has a few megabytes
MAX_DIGITS = 18  # of a number of games
MAX_NUMBERS = 100  # of a flag of a sweep
MAX_SETUPS = 100_000  # of a game: a plan lists each of them


class UsageError(Exception):
    """An invalid command line: printed on standard error, exit status 2."""


def game_name(text: str) -> str:
    """Return the name of a registered game, its own one if it has several.

    Raises:
        ArgumentTypeError: There is no such game, or its package is at fault.
    """
    try:
        return GAMES[text].name
    except UnknownGame as error:
        raise ArgumentTypeError(str(error)) from None


def game_metavar() -> str:
    """Return the names of the registered games, as argparse shows choices.

    They are no choices: games of other libraries are found by name.
    """
    return f"{{{','.join(GAMES)}}}"


def shown_games(text: str) -> int | None:
    """Return the highest number of games on a page, or None for all. Raises ArgumentTypeError."""
    if text == "all":
        return None
    if text == "none":
        return 0
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"invalid number {text!r} (choose none, all or a whole number)")
    return int(text[:MAX_DIGITS])


def unix_time(text: str) -> float:
    """Return the Unix time of a date, or of a time on a date, in local time.

    Raises:
        ArgumentTypeError: The text is neither.
    """
    return _date_and_time(text).timestamp()


def start_time(text: str) -> datetime:
    """Return the next such time of day, or the time on a date, in local time.

    Raises:
        ArgumentTypeError: The text is neither a time nor a date with a time.
    """
    try:
        day = time.fromisoformat(text)
    except ValueError:
        return _date_and_time(text)
    now = datetime.now()
    today = datetime.combine(now, day)
    return today if today > now else today + timedelta(days=1)


def _date_and_time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone().replace(tzinfo=None)
    except ValueError:
        raise ArgumentTypeError(
            f"invalid time {text!r} (expected a form such as 20:00 or 2030-12-31T20:00)"
        ) from None


def parse_setups(
    games: Sequence[str], given: Mapping[str, Sequence[str] | None]
) -> dict[str, tuple[dict[str, int], ...]]:
    """Return all combinations of the parameters of each game.

    Args:
        games: The names of the games.
        given: The numbers and ranges of each parameter, by its name; None for the usual ones.

    Raises:
        UsageError: A value is invalid, or a parameter belongs to none of the games.
    """
    known = {name for game in games for name in GAMES[game].parameters}
    for name, words in given.items():
        if words is not None and name not in known:
            raise UsageError(f"{' and '.join(games)} has no parameter --{name}")
    return {game: _combinations(GAMES[game], given) for game in games}


def _combinations(
    game: Game, given: Mapping[str, Sequence[str] | None]
) -> tuple[dict[str, int], ...]:
    ranges = {
        name: [_range(name, word) for word in given.get(name) or map(str, parameter.usual)]
        for name, parameter in game.parameters.items()
    }
    for name, parameter in game.parameters.items():
        for value in (numbers[end] for numbers in ranges[name] for end in (0, -1)):
            if limit := parameter.broken_limit(value):
                raise UsageError(f"--{name} must be {limit}, not {value}")
    count = math.prod(sum(map(_length, numbers)) for numbers in ranges.values())
    if count > MAX_SETUPS:
        raise UsageError(f"too many setups of {game.name}: {count} (at most {MAX_SETUPS})")
    # Memory limits the largest, and in the smallest there may be no move: others need no trial.
    _try_setup(game, {name: max(numbers[-1] for numbers in ranges[name]) for name in ranges})
    _try_setup(game, {name: min(numbers[0] for numbers in ranges[name]) for name in ranges})
    values = itertools.product(*map(itertools.chain.from_iterable, ranges.values()))
    return tuple(dict(zip(ranges, setup, strict=True)) for setup in values)


def _try_setup(game: Game, setup: dict[str, int]) -> None:
    """Start a game. Raises UsageError."""
    try:
        check_start(game, setup)
    except (ValueError, MemoryError) as error:
        raise UsageError(f"{setup_text(setup) or game.name}: {error}") from None
    except Exception as error:  # the code of a package may raise anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        start = f" with {setup_text(setup)}" if setup else ""
        raise UsageError(f"game {game.name!r} cannot start{start}: {reason}") from None


def _range(name: str, word: str) -> range:
    """Return the numbers of "7", "20-30" or "20-100/10". Raises UsageError."""
    between = RANGE.fullmatch(word)
    try:
        first, last, step = map(int, between.groups("1") if between else (word, word, "1"))
    except ValueError:
        raise UsageError(
            f"--{name} must be a whole number or a range such as 20-30, not {word!r}"
        ) from None
    if not (first <= last and step):
        raise UsageError(f"--{name} {word}: a range needs FIRST <= LAST and STEP >= 1")
    return range(first, last + 1, step)


def parse_numbers(name: str, words: Sequence[str], least: int) -> tuple[int, ...]:
    """Return different numbers, given one by one or as ranges.

    Args:
        name: The name of the flag.
        words: The numbers and ranges.
        least: The least number.

    Raises:
        UsageError: A number is invalid or repeated, or there are too many.
    """
    ranges = [_range(name, word) for word in words]
    if (count := sum(map(_length, ranges))) > MAX_NUMBERS:
        raise UsageError(f"--{name}: too many numbers: {count} (at most {MAX_NUMBERS})")
    numbers = tuple(itertools.chain.from_iterable(ranges))
    for index, number in enumerate(numbers):
        if number < least:
            raise UsageError(f"--{name} must be at least {least}, not {number}")
        if number in numbers[:index]:
            raise UsageError(f"--{name}: repeated {number}")
    return numbers


def _length(numbers: range) -> int:
    """Return the length of a range, even where len() would overflow."""
    return (numbers[-1] - numbers[0]) // numbers.step + 1


def parse_time_control(text: str, margin: float) -> TimeControl:
    """Return the time control.

    Args:
        text: The time control, with or without a margin.
        margin: The value of --margin in seconds; 0 if it is not given.

    Raises:
        UsageError: The time control or the margin is invalid, or both state a margin.
    """
    try:
        control = TimeControl.parse(text)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if margin:
        if not control.has_clock:
            raise UsageError(f"--margin requires a clock, not --time {text!r}")
        if control.margin:
            raise UsageError(f"--margin: --time {text!r} already contains a margin")
        if not 0 < margin <= 1e6:
            raise UsageError(f"--margin must be from 0 to 1000000 seconds, not {margin}")
        control = control._replace(margin=margin)
    return control


def parse_anchor(text: str | None) -> tuple[str, float] | None:
    """Return the anchor bot and its rating in Elo, if there is one. Raises UsageError."""
    if text is None:
        return None
    name, equals, elo = text.rpartition("=")
    if name.endswith("@nodes"):  # of spec:DEPTH@nodes=N
        name, equals = "", ""
    try:
        rating = float(elo) if equals else 0.0
    except ValueError:
        rating = math.nan
    if not math.isfinite(rating):
        raise UsageError(f"--anchor {text!r}: {elo!r} is not a rating in Elo")
    return (name if equals else text), rating


def unknown_anchor(name: str, bots: Iterable[str]) -> UsageError:
    """Return the error for an anchor that is not one of the bots."""
    return unknown_bot("anchor", name, bots)


def unknown_bot(flag: str, name: str, bots: Iterable[str]) -> UsageError:
    """Return the error for a flag that names an unknown bot."""
    return UsageError(f"--{flag}: unknown bot {name!r} (choose from {', '.join(bots)})")


def parse_origins(texts: Sequence[str]) -> tuple[str, ...]:
    """Return origins of web pages, normalised as browsers send them. Raises UsageError."""
    return tuple(map(_origin, texts))


def _origin(text: str) -> str:
    found = ORIGIN.fullmatch(text)
    if not found:
        raise UsageError(f"--origin must be https://HOST or http://HOST:PORT, not {text!r}")
    scheme, host, port = (part.lower() for part in found.groups(""))
    has_default_port = (scheme, port) in {("http", ":80"), ("https", ":443")}
    return f"{scheme}://{host}" if has_default_port else f"{scheme}://{host}{port}"


def parse_trusted(texts: Sequence[str]) -> dict[Network, int]:
    """Return the limits of trusted networks, from texts NETWORK=CONNECTIONS. Raises UsageError."""
    return dict(map(_trusted, texts))


def _trusted(text: str) -> tuple[Network, int]:
    network, _, connections = text.partition("=")
    if not re.fullmatch("[1-9][0-9]{0,8}", connections, re.ASCII):
        raise UsageError(f"--trusted must be NETWORK=CONNECTIONS, not {text!r}")
    try:
        return ip_network(network), int(connections)
    except ValueError as error:
        raise UsageError(f"--trusted {text!r}: {error}") from None


def check_folders(paths: Mapping[str, object]) -> None:
    """Check that the folder of each file to write exists.

    Args:
        paths: The file of each flag, by the flag; None and "-" name no file.

    Raises:
        UsageError: A folder does not exist.
    """
    for flag, path in paths.items():
        if path not in (None, "-") and not (folder := Path(str(path)).parent).is_dir():
            raise UsageError(f"{flag} {path}: there is no folder {folder}")


def check_minimums(values: Mapping[str, tuple[float | None, int]]) -> None:
    """Compare the value of each flag with its minimum; None is no value.

    Raises:
        UsageError: A value is below its minimum, or not a number.
    """
    for name, (value, least) in values.items():
        if value is not None and not value >= least:
            raise UsageError(f"--{name.replace('_', '-')} must be at least {least}, not {value}")
