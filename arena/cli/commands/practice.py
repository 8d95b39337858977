"""Command `arena practice`: exercises on alpha-beta, on a sheet to print."""

import argparse
import shlex
from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, cast, get_args

from arena.analysis.position import studied_position
from arena.cli.arguments import UsageError
from arena.cli.commands.trace import add_position, print_document, usual_setup
from arena.cli.configuration import PracticeConfig, Range
from arena.teaching.practice import html, tex
from arena.teaching.practice.exercises import NoExercise, Paper, Sheet, Source, exercises
from arena.teaching.practice.source import MAX_DEPTH, MAX_LEAVES, Player, Positions, Trees
from core import GAMES

FORMATS = {"html": html.render, "tex": tex.render}
MAX_COUNT = 50
MAX_CUTOFFS = 20
MAX_PLIES = 1000  # of random moves before a position
MAX_VALUE = 999  # of a leaf


def add_practice(command: argparse.ArgumentParser) -> None:
    """Add all arguments of the command."""
    command.usage = "%(prog)s [FLAGS]"
    command.set_defaults(**{field.name: field.default for field in fields(PracticeConfig)})
    _add_sheet(command.add_argument_group("sheet"))
    trees = command.add_argument_group("trees, without --game")
    trees.add_argument(
        "--branching",
        type=_range,
        metavar="LOW..HIGH",
        help="number of children of a node (default: 2..3)",
    )
    trees.add_argument(
        "--values",
        type=_range,
        metavar="LOW..HIGH",
        help="values of leaves, which differ if there are enough (default: 1..50)",
    )
    trees.add_argument(
        "--player", choices=get_args(Player), help="player at the root (default: max)"
    )
    positions = command.add_argument_group("positions of a game")
    add_position(positions)
    positions.add_argument(
        "--plies",
        type=_range,
        metavar="LOW..HIGH",
        help="random moves before the position (default: 1..3)",
    )


def _add_sheet(command: argparse._ActionsContainer) -> None:
    command.add_argument(
        "--seed",
        type=int,
        help="seed of the random numbers: the same options make the same exercises (default:"
        " %(default)s)",
    )
    command.add_argument("--count", type=int, help="number of exercises (default: %(default)s)")
    command.add_argument(
        "--cutoffs",
        type=int,
        help="least number of nodes of each exercise at which branches are pruned (default:"
        " %(default)s)",
    )
    command.add_argument(
        "--depth",
        type=int,
        metavar="PLIES",
        help="depth of the trees, or of the search of a position (default: %(default)s)",
    )
    command.add_argument("--solutions", action="store_true", help="print the solutions")
    command.add_argument("--format", choices=FORMATS, help="output format (default: %(default)s)")
    command.add_argument(
        "--paper", choices=get_args(Paper), help="format of the paper (default: %(default)s)"
    )
    command.add_argument("--title", help="title of the sheet (default: %(default)s)")


def _range(text: str) -> Range:
    """Return the numbers of "2..3", or twice that of "2". Raises ArgumentTypeError."""
    first, dots, second = text.partition("..")
    try:
        return int(first), int(second if dots else first)
    except ValueError:
        raise ArgumentTypeError(f"expected LOW..HIGH or a number, got {text!r}") from None


def configure_practice(given: Mapping[str, Any]) -> PracticeConfig:
    """Return the configuration that the parsed values mean. Raises UsageError."""
    config = PracticeConfig(**given)
    for flag in ("branching", "values", "player") if config.game else ("setup", "plies"):
        if given[flag]:
            reason = "does not go with" if config.game else "requires"
            raise UsageError(f"--{flag} {reason} --game")
    _check("count", config.count, (1, MAX_COUNT))
    _check("cutoffs", config.cutoffs, (0, MAX_CUTOFFS))
    _check("depth", config.depth, (0 if config.game else 1, MAX_DEPTH))
    _check_range("branching", config.branching, (1, MAX_LEAVES))
    _check_range("values", config.values, (-MAX_VALUE, MAX_VALUE))
    _check_range("plies", config.plies, (0, MAX_PLIES))
    return config


def _check(flag: str, value: int, limits: Range) -> None:
    low, high = limits
    if not low <= value <= high:
        raise UsageError(f"--{flag} must be from {low} to {high}, not {value}")


def _check_range(flag: str, values: Range | None, limits: Range) -> None:
    if values and not limits[0] <= values[0] <= values[1] <= limits[1]:
        raise UsageError(
            f"--{flag} must be within from {limits[0]} to {limits[1]}, the lower number first,"
            f" not {_written(values)}"
        )


def run(config: PracticeConfig) -> int:
    """Print a sheet and return the exit status.

    Raises:
        UsageError: There are no such exercises.
        OSError: Standard output cannot be written.
    """
    print_document(_sheet(config))
    return 0


def _sheet(config: PracticeConfig) -> str:
    try:
        source = _positions(config, config.game) if config.game else _trees(config)
        found = [*exercises(source, config.count, config.seed, config.cutoffs)]
    except NoExercise as error:
        raise UsageError(f"{error}: {_advice(error.reason, config)}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError("the position is too large for this machine's memory") from None
    footer = shlex.join(["arena", config.command, *_words(config)])
    paper = cast(Paper, config.paper)
    sheet = Sheet(config.title, found, config.solutions, paper, f"Made with: {footer}")
    return FORMATS[config.format](sheet)


def _words(config: PracticeConfig) -> Iterator[str]:
    """Yield the flags that make these exercises."""
    for field in fields(config):
        value = getattr(config, field.name)
        if value == field.default or field.name == "solutions":
            continue
        if field.name == "setup":
            words = [f"{name}={number}" for name, number in value]
        else:
            words = [_written(value) if isinstance(value, tuple) else str(value)]
        flag = f"--{field.name}"
        yield from [f"{flag}={words[0]}"] if words[0].startswith("-") else [flag, *words]


def _written(values: Range) -> str:
    """Return a range as it is written in arguments."""
    low, high = values
    return str(low) if low == high else f"{low}..{high}"


def _advice(reason: str, config: PracticeConfig) -> str:
    """Return the options to change if there are no such exercises."""
    if reason == "answers":
        return "lower --count"
    if reason == "cutoffs":
        return "lower --cutoffs, or raise --depth"
    if config.game:
        return "change --plies, --depth or --setup"
    return "lower --branching or --depth"


def _trees(config: PracticeConfig) -> Source:
    """Return the source of random trees. Raises UsageError."""
    given = {
        name: value
        for name in ("branching", "values", "player")
        if (value := getattr(config, name)) is not None
    }
    trees = Trees(config.depth, **given)
    if (least := trees.branching[0] ** config.depth) > MAX_LEAVES:
        raise UsageError(
            f"--branching {_written(trees.branching)} and --depth {config.depth} give at least"
            f" {least:,} leaves, and {MAX_LEAVES} fit on a page"
        )
    return trees


def _positions(config: PracticeConfig, game: str) -> Source:
    """Return the source of random positions. Raises ValueError and MemoryError."""
    setup = usual_setup(GAMES[game], config.setup)
    studied_position(game, setup, [])  # checks both
    positions = Positions(GAMES[game], setup, depth=config.depth)
    return positions._replace(plies=config.plies) if config.plies else positions
