"""A package with a toy game, installed in a folder, for arenas that run as processes."""

from pathlib import Path

from tests.support.games.installed_games import TOY_GAMES, environment_with, install
from tests.support.servers.arena_command import COMMAND

MODULE = """
from importlib.resources import files

from tests.support.games.toy_games import NIM

GAME = NIM._replace(page=files(__name__) / "web")
"""
# A board of the least that works, with modules of the page.
BOARD = """
import { prepareCanvas } from "/boards/canvas.js";
import { colours } from "/boards/colours.js";
import { h, loadStyleSheet } from "/dom.js";
import { Grid } from "/boards/grid.js";

await loadStyleSheet(new URL("styles/board.css", import.meta.url).href);

const left = ({ heap }, moves) => moves.reduce((rest, move) => rest - move, heap);

export const isDrawable = () => true;
export const legalMoves = (setup, moves) => [1, 2, 3].filter(move => move <= left(setup, moves));
export const formatMove = move => `take ${move}`;
export const parseMove = text => Number(text.replace("take", ""));
export const describeMove = () => "";
export const commandLine = (setup, moves) => `nim ${setup.heap} ${moves}`;

export function drawThumbnail(canvas, setup, moves) {
  const { context } = prepareCanvas(canvas);
  context.fillStyle = colours().text;
  context.fillText(String(left(setup, moves)), 10, 10);
}

export class Board {
  #setup;
  #grid;
  #heap = h("p", { class: "heap" });

  constructor(setup, { onMove } = {}) {
    this.#setup = setup;
    const names = { label: "Heap", className: "takes", cellName: "legal" };
    this.#grid = new Grid({ ...names, count: 3, first: 1, onMove });
    this.#grid.layOut(3);
    this.#grid.cells.forEach((cell, index) => {
      cell.textContent = index + 1;
    });
    this.element = h("div", { class: "board" }, this.#heap, this.#grid.element);
  }

  show({ moves, ply = moves.length, isInteractive = false }) {
    const played = moves.slice(0, ply);
    this.#heap.textContent = `${left(this.#setup, played)} left in the heap`;
    this.#grid.setLegalMoves(legalMoves(this.#setup, played), isInteractive);
  }
}
"""


def command_with(folder: Path, game: str = f"{TOY_GAMES}:NIM") -> list[str]:
    """Install a package with a game; return the command of an arena that knows the game.

    Args:
        folder: The folder to install into.
        game: The module and the object of the game.
    """
    install(folder, "toy", {game.partition(":")[2].lower(): game})
    return ["env", f"PYTHONPATH={environment_with(folder)['PYTHONPATH']}", *COMMAND]


def command_with_board(folder: Path, board: str = BOARD) -> list[str]:
    """Install a package with a game and its board; return the command as `command_with` does.

    Args:
        folder: The folder to install into.
        board: The module of the board.
    """
    package = folder / "nim_with_board"
    (package / "web" / "styles").mkdir(parents=True)
    (package / "__init__.py").write_text(MODULE)
    (package / "web" / "board.js").write_text(board)
    (package / "web" / "styles" / "board.css").write_text(".heap { font-weight: 700; }")
    return command_with(folder, "nim_with_board:GAME")
