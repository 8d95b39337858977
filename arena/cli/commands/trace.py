"""Command `arena trace`: an alpha-beta search of a tree or of a position, step by step."""

import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from arena.analysis.position import studied_position
from arena.cli import shared_options as shared
from arena.cli.arguments import UsageError, usual_setup
from arena.cli.output import print_document
from arena.cli.shared_options import Command
from arena.options import argument, option, switch
from arena.teaching import VARIANTS, GameTree, TooManyPositions
from arena.teaching import run as search
from arena.teaching.formats import FORMATS, render
from arena.teaching.formats.text import render_all, render_steps
from arena.teaching.notation import TreeError, parse_tree
from core import GAMES, cli
from core.game import Game, Position

DEFAULT_LIMIT = 100_000  # steps
LONGEST = 4_000_000  # bytes of a tree or a board


def _variants(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in VARIANTS:
            raise ArgumentTypeError(f"unknown variant {name!r} (choose from {', '.join(VARIANTS)})")
    return names


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
    game: str | None = shared.searched_game()
    setup: Sequence[tuple[str, int]] = shared.setup()
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
        "variants of the search; the results of several are shown side by side (default:"
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


class Start(NamedTuple):
    """Root of a search and its title; the game of a position may have another evaluation."""

    root: Position | GameTree
    title: str
    game: Game | None = None

    @property
    def move_name(self) -> Callable[[int], str]:
        """The function that names the moves of a position."""
        return self.game.move_name if self.game else str


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
