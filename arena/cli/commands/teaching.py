"""Commands that teach alpha-beta: `arena trace` shows a search, `arena practice` exercises."""

import errno
import os
import shlex
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, cast, get_args

from arena.analysis.position import studied_position
from arena.cli.arguments import UsageError, game_metavar, game_name
from arena.cli.shared_options import Command
from arena.options import argument, option, switch
from arena.teaching import VARIANTS, GameTree, TooManyPositions
from arena.teaching import run as search
from arena.teaching.formats import FORMATS, render
from arena.teaching.formats.text import render_all, render_steps
from arena.teaching.notation import TreeError, parse_tree
from arena.teaching.practice import html, tex
from arena.teaching.practice.exercises import NoExercise, Paper, Sheet, Source, exercises
from arena.teaching.practice.source import MAX_DEPTH, MAX_LEAVES, Player, Trees, usual_positions
from core import GAMES, cli
from core.game import Game, Position

DEFAULT_LIMIT = 100_000  # steps
MAX_COUNT = 50
MAX_CUTOFFS = 20
MAX_PLIES = 1000  # of random moves before a position
MAX_VALUE = 999  # of a leaf
TREES, POSITIONS = "trees, without --game", "positions of a game"  # groups of options
LONGEST = 4_000_000  # bytes of a tree or a board
SHEETS = {"html": html.render, "tex": tex.render}

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


def _variants(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in VARIANTS:
            raise ArgumentTypeError(f"unknown variant {name!r} (choose from {', '.join(VARIANTS)})")
    return names


def _range(text: str) -> Range:
    """Return the numbers of "2..3", or twice that of "2". Raises ArgumentTypeError."""
    first, dots, second = text.partition("..")
    try:
        return int(first), int(second if dots else first)
    except ValueError:
        raise ArgumentTypeError(f"must be LOW..HIGH or a number, not {text!r}") from None


@dataclass(frozen=True)
class TraceConfig(Command):
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
        metavar=f"{{{','.join(VARIANTS)}}}[,...]",
    )
    steps: bool = switch("list all steps in words, with the pseudocode")
    format: str = option("output format (default: %(default)s)", default="text", choices=FORMATS)
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

    def run(self) -> int:
        """Print a search and return the exit status.

        Raises:
            UsageError: There is nothing to search, or it cannot be searched.
            OSError: Standard output cannot be written.
        """
        start = _start(self)
        try:
            print_document(_document(self, start))
        except TooManyPositions as error:
            raise UsageError(f"the children cannot be ordered: {error}") from None
        except ValueError as error:
            raise UsageError(str(error)) from None
        except MemoryError:
            raise UsageError("the tree is too large for this machine's memory") from None
        return 0


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
        "values of leaves, which differ if there are enough (default: 1..50)",
        type=_range,
        metavar="LOW..HIGH",
        group=TREES,
    )
    player: str | None = option(
        "player at the root (default: max)", choices=get_args(Player), group=TREES
    )
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


class Start(NamedTuple):
    """What is searched, and its title; a position has a game, perhaps with another evaluation."""

    root: Position | GameTree
    title: str
    game: Game | None = None

    @property
    def move_name(self) -> Callable[[int], str]:
        """The function that names the moves of a position."""
        return self.game.move_name if self.game else str


def print_document(text: str) -> None:
    """Print a document in UTF-8, whatever the locale. Raises OSError."""
    if not sys.stdout:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def usual_setup(game: Game, given: Sequence[tuple[str, int]]) -> dict[str, int]:
    """Return the parameters that are given, and the most usual values of the others."""
    usual = {name: parameter.usual[0] for name, parameter in game.parameters.items()}
    return usual | dict(given)


def _document(config: TraceConfig, start: Start) -> str:
    """Return the output. Raises ValueError and MemoryError for what cannot be searched."""
    root, depth, game = start.root, config.depth, start.game
    found = [
        search(
            *(root, depth),
            variant=VARIANTS[variant],
            limit=config.limit,
            move_name=start.move_name,
            game=game,
        )
        for variant in config.variant
    ]
    if config.format != "text":
        return render(config.format, found[0], start.title)
    steps = [render_steps(one, root, depth, game) for one in found if config.steps]
    return "\n".join([*steps, render_all(found, start.title)])


def _start(config: TraceConfig) -> Start:
    """Return what is to be searched. Raises UsageError."""
    if config.game is None:
        return _tree(config.tree or "-")
    game = GAMES[config.game]
    try:
        start = _board(config, game) if config.board else _position(config, game)
    except ValueError as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError("the position is too large for this machine's memory") from None
    if not config.plain:
        return start
    if not game.plain_evaluate:
        raise UsageError(f"--plain: {game.name} has one evaluation only")
    return start._replace(game=game._replace(evaluate=game.plain_evaluate, decides_early=False))


def _tree(file: str) -> Start:
    try:
        tree = parse_tree(cli.read(None if file == "-" else file, "the tree", LONGEST))
    except TreeError as error:
        where = "standard input" if file == "-" else file
        raise UsageError(f"{where}: {error}") from None
    return Start(tree, "Tree from standard input" if file == "-" else os.path.basename(file))


def _board(config: TraceConfig, game: Game) -> Start:
    if not game.read_board:
        raise UsageError(f"--board: {game.name} has no notation of boards, use --moves")
    player = config.player or 1
    file = None if config.board == "-" else config.board
    position = game.read_board(cli.read(file, "the board", LONGEST), player)
    return Start(position, f"{game.title}, player {player} to move, depth {config.depth}", game)


def _position(config: TraceConfig, game: Game) -> Start:
    setup = usual_setup(game, config.setup)
    position = studied_position(game.name, setup, config.moves)
    parameters = ", ".join(f"{name} {value}" for name, value in setup.items())
    title = f"{game.title} ({parameters})" if parameters else game.title
    names = " ".join(game.names_in(position).played)
    after = f" after {names}" if names else ""
    return Start(position, f"{title}{after}, depth {config.depth}", game)


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
    return SHEETS[config.format](sheet)


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
    given = {
        name: value for name in ("plies", "depth") if (value := getattr(config, name)) is not None
    }
    return usual_positions(GAMES[game], setup)._replace(**given)
