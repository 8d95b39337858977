"""Options of the commands that teach alpha-beta: `arena trace` and `arena practice`.

arena.teaching is imported on demand: no other command needs it.
"""

import sys
from argparse import ArgumentTypeError
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from arena.cli.arguments import UsageError, game_metavar, game_name
from arena.options import Options, argument, option, switch

DEFAULT_LIMIT = 100_000  # steps
MAX_COUNT = 50
MAX_CUTOFFS = 20
MAX_PLIES = 1000  # of random moves before a position
MAX_VALUE = 999  # of a leaf
TREES, POSITIONS = "trees, without --game", "positions of a game"  # groups of options

Range = tuple[int, int]


def _game(group: str = "") -> Any:
    return option("game of the position", type=game_name, metavar=game_metavar, group=group)


def _setup(group: str = "") -> Any:
    return option(
        "parameters of the game (default: the usual ones)",
        default=(),
        nargs="+",
        type=_parameter,
        metavar="NAME=NUMBER",
        group=group,
    )


def _parameter(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    try:
        return name, int(value)
    except ValueError:
        raise ArgumentTypeError(f"must be NAME=NUMBER, not {text!r}") from None


def _variant_names() -> str:
    from arena.teaching import VARIANTS

    return f"{{{','.join(VARIANTS)}}}[,...]"


def _variants(text: str) -> tuple[str, ...]:
    from arena.teaching import VARIANTS

    names = tuple(text.split(","))
    for name in names:
        if name not in VARIANTS:
            raise ArgumentTypeError(f"unknown variant {name!r} (choose from {', '.join(VARIANTS)})")
    return names


def _formats() -> Sequence[str]:
    from arena.teaching.formats import FORMATS

    return FORMATS


def _papers() -> Sequence[str]:
    from arena.teaching.practice.exercises import Paper

    return get_args(Paper)


def _players() -> Sequence[str]:
    from arena.teaching.practice.source import Player

    return get_args(Player)


def _range(text: str) -> Range:
    """Return the numbers of "2..3", or twice that of "2". Raises ArgumentTypeError."""
    first, dots, second = text.partition("..")
    try:
        return int(first), int(second if dots else first)
    except ValueError:
        raise ArgumentTypeError(f"must be LOW..HIGH or a number, not {text!r}") from None


@dataclass(frozen=True)
class TraceConfig(Options):
    """Options of `arena trace`; without a tree, a position of a game is searched."""

    command: ClassVar[str] = "trace"
    usage: ClassVar[str | None] = "%(prog)s TREE|--game GAME [FLAGS]"
    tree: str | None = argument(
        'file of a tree, - for standard input: "((3 12) (2 4))" with Max at the root, "min'
        ' A(B(C=3 D=12) E(F=2 G=4))", JSON, or indented text',
        required=False,
        nargs="?",
        metavar="TREE",
    )
    game: str | None = _game()
    setup: Sequence[tuple[str, int]] = _setup()
    moves: tuple[int, ...] = option("moves from the start", default=(), metavar="MOVE")
    board: str | None = option(
        "file of a board as people write it, - for standard input, instead of --setup and"
        " --moves, in games that have such a notation",
        metavar="FILE",
    )
    player: int | None = option(
        "player to move on the board of --board (default: 1)", choices=(1, 2)
    )
    plain: bool = switch("evaluate without the endings that the game decides early")
    depth: int = option(
        "depth of the search; 0 searches to the leaves, or to the end of the game (default:"
        " %(default)s)",
        default=0,
        least=0,
        metavar="PLIES",
    )
    variant: Sequence[str] = option(
        "what is searched with; the numbers of several are laid side by side (default:"
        " alpha-beta, Figure 5.7)",
        default=("alpha-beta",),
        type=_variants,
        metavar=_variant_names,
    )
    steps: bool = switch("list all steps in words, with the pseudocode")
    format: str = option("output format (default: %(default)s)", default="text", choices=_formats)
    limit: int = option(
        "end the search after this number of steps (default: %(default)s)",
        default=DEFAULT_LIMIT,
        least=1,
        most=sys.maxsize,
        metavar="STEPS",
    )

    def check(self) -> None:
        """Check the options against each other. Raises UsageError."""
        if (self.tree is None) == (self.game is None):
            raise UsageError("either a TREE or --game must be given, and not both")
        for flag in ("setup", "moves", "board", "plain"):
            if getattr(self, flag) and self.tree is not None:
                raise UsageError(f"--{flag} requires --game")
        for flag in ("setup", "moves"):
            if getattr(self, flag) and self.board is not None:
                raise UsageError(f"--{flag} does not go with --board")
        if self.player is not None and self.board is None:
            raise UsageError("--player requires --board")
        if self.format != "text" and len(self.variant) > 1:
            raise UsageError(f"--format {self.format} shows one variant, not {len(self.variant)}")
        if self.format != "text" and self.steps:
            raise UsageError(f"--steps requires --format text, not {self.format}")


@dataclass(frozen=True)
class PracticeConfig(Options):
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
        choices=_papers,
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
        "values of leaves, which differ if there are enough (default: 1..50)",
        type=_range,
        metavar="LOW..HIGH",
        group=TREES,
    )
    player: str | None = option("player at the root (default: max)", choices=_players, group=TREES)
    game: str | None = _game(POSITIONS)
    setup: Sequence[tuple[str, int]] = _setup(POSITIONS)
    plies: Range | None = option(
        "random moves before the position; more if the start has many (default: 1..3)",
        type=_range,
        metavar="LOW..HIGH",
        group=POSITIONS,
    )

    def check(self) -> None:
        """Check the options against each other. Raises UsageError."""
        from arena.teaching.practice.source import MAX_DEPTH, MAX_LEAVES

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
