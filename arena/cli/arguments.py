"""Parsers of argument values, each with its checks."""

import itertools
import math
import os
import re
import stat
import sys
from argparse import ArgumentTypeError
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import NamedTuple, TypeVar

from arena.model.addresses import Network
from arena.model.setups import check_start, setup_text
from arena.options import named_values
from arena.ratings import MAX_RATING, Anchor
from arena.storage.record import check_tags
from arena.tournament.plan import BOOK_POLICIES
from arena.tournament.schedule import Part
from core import GAMES
from core.cli import UsageError as UsageError
from core.game import Game
from core.numbers import parse_integer, parse_number
from core.registry import UnknownGame

BOTS_HINT = " (bots follow --bots)"  # to an error at a word that may be a bot
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
PART = re.compile(r"(\d{1,4})/(\d{1,4})", re.ASCII)
BOOK_ORDERS = ("sequential", "random")
DATABASE_HEADER = b"SQLite format 3\0"
MAX_DIGITS = 18  # of a number of games, and of an opening
MAX_NUMBERS = 100  # of opening plies of a grid
MAX_SETUPS = 100_000  # of a game: a plan lists each of them

PathLike = TypeVar("PathLike", str, Path)


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

    They are not choices, as games of other libraries are found by name.
    """
    return f"{{{','.join(GAMES)}}}"


def shown_games(text: str) -> int:
    """Return the highest number of games on a page. Raises ArgumentTypeError."""
    if text == "all":
        return sys.maxsize
    if text == "none":
        return 0
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"must be none, all or a whole number, not {text!r}")
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
        if day.tzinfo:
            raise ValueError
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
            f"must be a time such as 20:00 or 2030-12-31T20:00, not {text!r}"
        ) from None


def parse_parameter(text: str) -> tuple[str, int]:
    """Return the name and the value of a parameter. Raises ArgumentTypeError."""
    name, _, value = text.partition("=")
    try:
        return name, parse_integer(value)
    except ValueError:
        raise ArgumentTypeError(f"must be NAME=NUMBER, not {text!r}") from None


def usual_setup(game: Game, given: Sequence[tuple[str, int]]) -> dict[str, int]:
    """Return the parameters that are given, and the most usual values of the others."""
    usual = {name: parameter.usual[0] for name, parameter in game.parameters.items()}
    return usual | dict(given)


def parse_setups(
    games: Sequence[str], given: Mapping[str, Sequence[str] | None]
) -> dict[str, tuple[dict[str, int], ...]]:
    """Return all combinations of the parameters of each game.

    Args:
        games: The names of the games.
        given: The numbers and ranges of each parameter, by its name; None for the usual ones.

    Raises:
        UsageError: A value is invalid, or no game has a parameter.
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
    try_setup(game, {name: max(numbers[-1] for numbers in ranges[name]) for name in ranges})
    try_setup(game, {name: min(numbers[0] for numbers in ranges[name]) for name in ranges})
    values = itertools.product(*map(itertools.chain.from_iterable, ranges.values()))
    return tuple(dict(zip(ranges, setup, strict=True)) for setup in values)


def try_setup(game: Game, setup: dict[str, int]) -> None:
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
        first, last, step = map(
            parse_integer, between.groups("1") if between else (word, word, "1")
        )
    except ValueError:
        raise UsageError(
            f"--{name} must be a whole number or a range such as 20-30, not {word!r}"
        ) from None
    if not (first <= last and step):
        raise UsageError(f"--{name} {word}: a range needs FIRST <= LAST and STEP >= 1")
    return range(first, last + 1, step)


def parse_numbers(name: str, words: Sequence[str], most: int) -> tuple[int, ...]:
    """Return different numbers from 0, given one by one or as ranges.

    Args:
        name: The name of the flag.
        words: The numbers and ranges.
        most: The highest number.

    Raises:
        UsageError: A number is invalid or repeated, or there are too many.
    """
    ranges = [_range(name, word) for word in words]
    if (count := sum(map(_length, ranges))) > MAX_NUMBERS:
        raise UsageError(f"--{name}: too many numbers: {count} (at most {MAX_NUMBERS})")
    numbers = tuple(itertools.chain.from_iterable(ranges))
    for index, number in enumerate(numbers):
        if not 0 <= number <= most:
            limit = "at least 0" if number < 0 else f"at most {most}"
            raise UsageError(f"--{name} must be {limit}, not {number}")
        if number in numbers[:index]:
            raise UsageError(f"--{name}: repeated {number}")
    return numbers


def _length(numbers: range) -> int:
    """Return the length of a range, even where len() would overflow."""
    return (numbers[-1] - numbers[0]) // numbers.step + 1


def parse_anchor(text: str) -> Anchor:
    """Return the anchor bot and its rating in Elo. Raises ValueError."""
    name, equals, elo = text.rpartition("=")
    if name.endswith("@nodes"):  # of spec:DEPTH@nodes=N
        name, equals = "", ""
    try:
        rating = parse_number(elo) if equals else 0.0
    except ValueError:
        raise ValueError(f"{text!r}: {elo!r} is not a rating in Elo") from None
    if abs(rating) > MAX_RATING:
        raise ValueError(f"{text!r}: a rating must be from -{MAX_RATING} to {MAX_RATING}")
    return (name if equals else text), rating


def alternatives(words: Sequence[str]) -> str:
    """Return words as in "a, b or c"."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def check_anchor(anchor: Anchor | None, bots: Collection[str]) -> None:
    """Check that an anchor is one of the bots, if there are any. Raises UsageError."""
    check_bot("anchor", anchor and anchor[0], bots)


def check_bot(flag: str, name: str | None, bots: Collection[str]) -> None:
    """Check that the value of a flag is one of the bots, if there are any. Raises UsageError."""
    if name is not None and bots and name not in bots:
        raise UsageError(f"--{flag}: unknown bot {name!r} (choose from {', '.join(bots)})")


def parse_origins(texts: Sequence[str]) -> tuple[str, ...]:
    """Return origins of web pages, normalised as browsers send them. Raises ValueError."""
    return tuple(map(_origin, texts))


def _origin(text: str) -> str:
    found = ORIGIN.fullmatch(text)
    if not found:
        raise ValueError(f"must be https://HOST or http://HOST:PORT, not {text!r}")
    scheme, host, port = (part.lower() for part in found.groups(""))
    has_default_port = (scheme, port) in {("http", ":80"), ("https", ":443")}
    return f"{scheme}://{host}" if has_default_port else f"{scheme}://{host}{port}"


def parse_trusted(texts: Sequence[str]) -> dict[Network, int]:
    """Return the limits of trusted networks, from texts NETWORK=CONNECTIONS. Raises ValueError."""
    return dict(map(_trusted, texts))


def _trusted(text: str) -> tuple[Network, int]:
    network, _, connections = text.partition("=")
    if not re.fullmatch("[1-9][0-9]{0,8}", connections, re.ASCII):
        raise ValueError(f"must be NETWORK=CONNECTIONS, not {text!r}")
    try:
        return ip_network(network), int(connections)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None


class Book(NamedTuple):
    """A book of openings, and how it is played.

    Attributes:
        path: The file.
        order: The order of the openings, one of BOOK_ORDERS.
        start: The number of the first opening, from 1.
        policy: The openings of a round, one of BOOK_POLICIES.
    """

    path: Path
    order: str = BOOK_ORDERS[0]
    start: int = 1
    policy: str = BOOK_POLICIES[0]


def parse_book(words: Sequence[str]) -> Book:
    """Return the book of a file and of words KEY=VALUE. Raises ValueError."""
    file, *texts = words
    given = named_values(texts, "KEY=VALUE")
    order, policy = given.pop("order", BOOK_ORDERS[0]), given.pop("policy", BOOK_POLICIES[0])
    start = given.pop("start", "1")
    if given:
        raise ValueError(f"unknown setting {min(given)!r} (choose from order, start, policy)")
    if order not in BOOK_ORDERS:
        raise ValueError(f"order must be {alternatives(BOOK_ORDERS)}, not {order!r}")
    if policy not in BOOK_POLICIES:
        raise ValueError(f"policy must be {alternatives(BOOK_POLICIES)}, not {policy!r}")
    if not re.fullmatch(f"[1-9][0-9]{{0,{MAX_DIGITS}}}", start, re.ASCII):
        raise ValueError(f"start must be from 1 to the number of openings, not {start!r}")
    return Book(Path(file), order, int(start), policy)


def parse_tags(words: Sequence[str]) -> dict[str, str]:
    """Return the tags of records from words NAME=VALUE; later words replace earlier ones.

    The words of a file precede those of the command line. Raises ValueError.
    """
    tags: dict[str, str] = {}
    for word in words:
        tags |= named_values([word], "NAME=VALUE")
    check_tags(tags)
    return tags


def parse_part(text: str) -> Part:
    """Return the part for a text such as "1/3".

    Raises:
        ArgumentTypeError: The text has another form, or there is no such part.
    """
    found = PART.fullmatch(text)
    part = Part(*map(int, found.groups())) if found else None
    if not part or not 1 <= part.number <= part.total:
        raise ArgumentTypeError(f"must be a part such as 1/3, up to 3/3, not {text!r}")
    return part


def check_encoding(what: str, text: str) -> None:
    """Check that a text can be stored: a file name may have any bytes. Raises UsageError."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what} {text!r} is not in UTF-8") from None


def writable(path: PathLike) -> PathLike:
    """Return the path of a file to replace, which is no database. Raises ValueError."""
    return _no_database(database_to_write(path))


def database_to_write(path: PathLike) -> PathLike:
    """Return the path of a regular file, or of nothing. Raises ValueError."""
    if os.path.exists(_in_folder(path)) and not os.path.isfile(path):
        raise ValueError(f"{path} is not a file")
    return path


def appendable(path: PathLike) -> PathLike:
    """Return the path of a file that is written where it is; text may be "-". Raises ValueError."""
    if path == "-":
        if not sys.stdout.writable():
            raise ValueError("standard output is closed")
        return path
    if os.path.exists(_in_folder(path)) and not stat.S_ISFIFO(os.stat(path).st_mode):
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:  # also of a socket, or of a terminal that this process does not have
            raise ValueError(f"{path} is not writable") from None
    return _no_database(path)


def _no_database(path: PathLike) -> PathLike:
    """Return the path of a file that is not a database. Raises ValueError."""
    if os.path.isfile(path) and os.access(path, os.R_OK):
        with open(path, "rb") as file:
            if file.read(len(DATABASE_HEADER)) == DATABASE_HEADER:
                raise ValueError(f"{path} is a database")
    return path


def _in_folder(path: PathLike) -> PathLike:
    """Return the path of a file whose folder exists. Raises ValueError."""
    if str(path) == "-":
        raise ValueError("- is no stream here; for a file of that name write ./-")
    folder = Path(path).parent
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            raise ValueError(f"{path} is a folder")
    except (FileNotFoundError, NotADirectoryError):
        if not folder.is_dir():
            raise ValueError(f"{path}: there is no folder {folder}") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise ValueError(f"{path}: the folder {folder} is not writable") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    return path


def folder_to_fill(path: Path) -> Path:
    """Return the path of a folder, which is created later. Raises ValueError."""
    nearest = next(each for each in (path, *path.absolute().parents) if os.path.lexists(each))
    if not os.path.isdir(nearest):
        raise ValueError(f"{nearest} is not a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ValueError(f"{nearest} is not writable")
    return path


def check_suffix(path: Path, known: Collection[str]) -> None:
    """Check that the name of a file to write ends in a known suffix. Raises UsageError."""
    if path.suffix.lower() not in known:
        raise UsageError(
            f"--output {path}: unknown suffix {path.suffix!r} (choose from {', '.join(known)})"
        )


def check_different(files: Mapping[str, Path | str | None]) -> None:
    """Check that no two flags have the same file, or one beside the database. Raises UsageError."""
    from arena.storage.connection import files_beside  # slow to import, and no help needs it

    known: dict[object, str] = {}
    for name, path in files.items():
        if path is None or path == "-":
            continue
        label = name if name.isupper() else f"--{name}"
        beside = files_beside(Path(path)) if name == "db" else []
        for identity in filter(None, map(_identity, (path, *beside))):
            other = known.setdefault(identity, label)
            if other != label:
                raise UsageError(f"{label} {path} is the file of {other}")


def check_output(path: Path, db: Path) -> None:
    """Check that a file to write is not one of a database that is read. Raises UsageError."""
    from arena.storage.connection import files_beside  # as above

    if path.exists() and path.samefile(db):
        raise UsageError(f"--output {path} is the database itself")
    if path.resolve() in files_beside(db):
        raise UsageError(f"--output {path} is a file of the database {db}")


def _identity(path: Path | str) -> object:
    """Return a key that all names of a file share; None for no file, such as /dev/null."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
