"""Command `arena practice`: exercises on alpha-beta, on a sheet to print."""

import shlex
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, cast, get_args

from arena.analysis.position import studied_position
from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, try_setup, usual_setup
from arena.cli.output import print_document
from arena.cli.shared_options import Command
from arena.options import option, switch
from arena.teaching.practice import html, tex
from arena.teaching.practice.exercises import NoExercise, Paper, Sheet, Source, exercises
from arena.teaching.practice.source import MAX_DEPTH, MAX_LEAVES, Player, Trees, usual_positions
from core import GAMES
from core.numbers import parse_integer

MAX_COUNT = 50
MAX_CUTOFFS = 20
MAX_PLIES = 1000  # of random moves before a position
MAX_VALUE = 999  # of a leaf
TREES, POSITIONS = "trees, without --game", "positions of a game"  # groups of options
FORMATS = {"html": html.render, "tex": tex.render}

Range = tuple[int, int]


def _range(text: str) -> Range:
    """Return the numbers of "2..3"; "2" means "2..2". Raises ArgumentTypeError."""
    first, dots, second = text.partition("..")
    try:
        return parse_integer(first), parse_integer(second if dots else first)
    except ValueError:
        raise ArgumentTypeError(f"must be LOW..HIGH or a number, not {text!r}") from None


@dataclass(frozen=True)
class PracticeConfig(Command):
    """Options of `arena practice`; without a game, trees are drawn."""

    command: ClassVar[str] = "practice"
    usage: ClassVar[str | None] = "%(prog)s [FLAGS]"
    seed: int = option(
        "seed of the random numbers: the same options make the same exercises (default:"
        " %(default)s)",
        default=1,
        group="sheet",
    )
    count: int = option(
        "number of exercises (default: %(default)s)",
        default=4,
        least=1,
        most=MAX_COUNT,
        group="sheet",
    )
    cutoffs: int = option(
        "least number of nodes of each exercise at which branches are pruned (default:"
        " %(default)s)",
        default=1,
        least=0,
        most=MAX_CUTOFFS,
        group="sheet",
    )
    depth: int | None = option(
        "depth of the trees, or of the search of a position; 2 with many moves (default: 3)",
        metavar="PLIES",
        group="sheet",
    )
    solutions: bool = switch("print the solutions", group="sheet")
    format: str = option(
        "output format (default: %(default)s)",
        default="html",
        choices=("html", "tex"),
        group="sheet",
    )
    paper: str = option(
        "format of the paper (default: %(default)s)",
        default="a4",
        choices=get_args(Paper),
        group="sheet",
    )
    title: str = option(
        "title of the sheet (default: %(default)s)", default="Alpha-beta", group="sheet"
    )
    branching: Range | None = option(
        "number of children of a node (default: 2..3)",
        type=_range,
        metavar="LOW..HIGH",
        group=TREES,
    )
    values: Range | None = option(
        "values of leaves, which differ if there are enough, as --values=-9..9 (default: 1..50)",
        type=_range,
        metavar="LOW..HIGH",
        group=TREES,
    )
    player: str | None = option(
        "player at the root (default: max)", choices=get_args(Player), group=TREES
    )
    game: str | None = shared.searched_game(POSITIONS)
    setup: Sequence[tuple[str, int]] = shared.setup(POSITIONS)
    plies: Range | None = option(
        "random moves before the position; more if the start has many (default: 1..3)",
        type=_range,
        metavar="LOW..HIGH",
        group=POSITIONS,
    )

    def check(self) -> None:
        """Check the options against each other. Raises UsageError."""
        for flag in ("branching", "values", "player") if self.game else ("setup", "plies"):
            if getattr(self, flag):
                reason = "does not go with" if self.game else "requires"
                raise UsageError(f"--{flag} {reason} --game")
        least = 0 if self.game else 1
        if self.depth is not None and not least <= self.depth <= MAX_DEPTH:
            raise UsageError(f"--depth must be from {least} to {MAX_DEPTH}, not {self.depth}")
        _check_range("branching", self.branching, (1, MAX_LEAVES))
        _check_range("values", self.values, (-MAX_VALUE, MAX_VALUE))
        _check_range("plies", self.plies, (0, MAX_PLIES))

    def run(self) -> int:
        """Print a sheet and return the exit status.

        Raises:
            UsageError: There are no such exercises.
            OSError: Standard output cannot be written.
        """
        print_document(_sheet(self))
        return 0


def _check_range(flag: str, values: Range | None, limits: Range) -> None:
    if values and not limits[0] <= values[0] <= values[1] <= limits[1]:
        raise UsageError(
            f"--{flag} must be within from {limits[0]} to {limits[1]}, the lower number first,"
            f" not {written(values)}"
        )


def written(values: Range) -> str:
    """Return a range as it is written in arguments."""
    low, high = values
    return str(low) if low == high else f"{low}..{high}"


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
            words = [written(value) if isinstance(value, tuple) else str(value)]
        flag = f"--{field.name}"
        yield from [f"{flag}={words[0]}"] if words[0].startswith("-") else [flag, *words]


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
        for name in ("depth", "branching", "values", "player")
        if (value := getattr(config, name)) is not None
    }
    trees = Trees(**given)
    if (least := trees.branching[0] ** trees.depth) > MAX_LEAVES:
        raise UsageError(
            f"--branching {written(trees.branching)} and --depth {trees.depth} give at least"
            f" {least:,} leaves, and {MAX_LEAVES} fit on a page"
        )
    return trees


def _positions(config: PracticeConfig, game: str) -> Source:
    """Return the source of random positions. Raises ValueError and MemoryError."""
    setup = usual_setup(GAMES[game], config.setup)
    studied_position(game, setup, [])  # checks both
    try_setup(GAMES[game], setup)
    given = {
        name: value for name in ("plies", "depth") if (value := getattr(config, name)) is not None
    }
    return usual_positions(GAMES[game], setup)._replace(**given)
