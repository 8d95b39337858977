"""Command `arena trace`: an alpha-beta search of a tree or of a position, step by step."""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.analysis.position import studied_position
from arena.cli.arguments import UsageError
from arena.cli.teaching_configuration import TraceConfig
from arena.teaching import VARIANTS, GameTree, TooManyPositions
from arena.teaching import run as search
from arena.teaching.formats import render
from arena.teaching.formats.text import render_all, render_steps
from arena.teaching.notation import TreeError, parse_tree
from core import GAMES, cli
from core.game import Game, Position

LONGEST = 4_000_000  # bytes of a tree or a board


class Start(NamedTuple):
    """What is searched, and its title; a position has a game, perhaps with another evaluation."""

    root: Position | GameTree
    title: str
    game: Game | None = None

    @property
    def move_name(self) -> Callable[[int], str]:
        """The function that names the moves of a position."""
        return self.game.move_name if self.game else str


def run(config: TraceConfig) -> int:
    """Print a search and return the exit status.

    Raises:
        UsageError: There is nothing to search, or it cannot be searched.
        OSError: Standard output cannot be written.
    """
    start = _start(config)
    try:
        print_document(_document(config, start))
    except TooManyPositions as error:
        raise UsageError(f"the children cannot be ordered: {error}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError("the tree is too large for this machine's memory") from None
    return 0


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
