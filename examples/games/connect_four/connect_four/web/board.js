// Connect Four, as a game module: rules, notation and board.
import { prepareCanvas } from "/boards/canvas.js";
import { colours } from "/boards/colours.js";
import { h, loadStyleSheet, setStyle } from "/dom.js";

/** @import { BoardOptions, BoardView, Setup } from "/types.js" */

await loadStyleSheet(new URL("board.css", import.meta.url).href);

export const isDrawable = () => true;

/**
 * Return the discs of each column from the bottom, as the players 1 and 2.
 * @param {Setup} setup
 * @param {number[]} moves
 */
function discsAfter({ columns }, moves) {
  /** @type {number[][]} */
  const discs = Array.from({ length: columns }, () => []);
  moves.forEach((column, ply) => {
    discs[column - 1].push(1 + (ply % 2));
  });
  return discs;
}

/**
 * Return whether the last move has made four in a row.
 * @param {Setup} setup
 * @param {number[]} moves
 */
function hasFour(setup, moves) {
  const discs = discsAfter(setup, moves);
  const player = 2 - (moves.length % 2);
  const starts = discs.flatMap((column, x) => column.map((_, y) => [x, y]));
  const directions = [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ];
  return starts.some(([x, y]) =>
    directions.some(([right, up]) =>
      [0, 1, 2, 3].every(step => discs[x + step * right]?.[y + step * up] === player),
    ),
  );
}

/**
 * Return the columns that are not full, none after four in a row.
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function legalMoves(setup, moves) {
  if (hasFour(setup, moves)) return [];
  const discs = discsAfter(setup, moves);
  return discs.flatMap((column, x) => (column.length < setup.rows ? [x + 1] : []));
}

export const formatMove = String;

/** @param {string} text */
export function parseMove(text) {
  if (/^\s*\d{1,2}\s*$/.test(text)) return Number(text);
  throw new Error(`A move is the number of a column, such as 4, not “${text.trim()}”.`);
}

export const describeMove = () => "";

/**
 * Return the command that searches the position.
 * @param {Setup} setup
 * @param {number[]} moves
 * @param {number} depth plies, 0 for the end of the game
 */
export function commandLine({ columns, rows }, moves, depth) {
  const position = `GAME.position(columns=${columns}, rows=${rows}, moves=[${moves.join(", ")}])`;
  const imports = "from connect_four import GAME; from core.search import search";
  return `python -c '${imports}; print(search(${position}, ${depth}))'`;
}

/**
 * Draw the position for the lobby.
 * @param {HTMLCanvasElement} canvas
 * @param {Setup} setup
 * @param {number[]} moves
 */
export function drawThumbnail(canvas, setup, moves) {
  const { context, width, height } = prepareCanvas(canvas);
  const palette = colours();
  const size = Math.min(width / setup.columns, height / setup.rows);
  const left = (width - size * setup.columns) / 2;
  const bottom = (height + size * setup.rows) / 2;
  context.clearRect(0, 0, width, height);
  discsAfter(setup, moves).forEach((column, x) => {
    for (let y = 0; y < setup.rows; y++) {
      context.fillStyle = [palette.shade, palette.one, palette.two][column[y] ?? 0];
      context.beginPath();
      context.arc(left + (x + 0.5) * size, bottom - (y + 0.5) * size, 0.42 * size, 0, 7);
      context.fill();
    }
  });
}

/** The board: a button for each column, with its cells from the bottom. */
export class Board {
  #setup;
  #columns;
  /** @type {number[]} the moves that can be chosen */
  #choices = [];

  /**
   * @param {Setup} setup
   * @param {BoardOptions} [options]
   */
  constructor(setup, { onMove = () => {} } = {}) {
    this.#setup = setup;
    this.#columns = Array.from({ length: setup.columns }, (_, x) =>
      h("button", {
        type: "button",
        onclick: () => this.#choices.includes(x + 1) && onMove(x + 1),
        // Spectators step through the match with the arrow keys: a click must not move the focus.
        onmousedown: (/** @type {Event} */ event) => this.#choices.length || event.preventDefault(),
      }),
    );
    const properties = { class: "connect-four", role: "group", "aria-label": "Columns" };
    this.element = h("div", { class: "board" }, h("div", properties, this.#columns));
    setStyle(this.element, { "--columns": `${setup.columns}` });
    this.show({ moves: [] });
  }

  /**
   * Show the position after `ply` of `moves`.
   * @param {BoardView} view
   */
  show({ moves, ply = moves.length, isInteractive = false, marks = new Map() }) {
    const shown = moves.slice(0, ply);
    const legal = legalMoves(this.#setup, shown);
    this.#choices = isInteractive ? legal : [];
    this.element.firstElementChild?.classList.toggle("interactive", isInteractive);
    discsAfter(this.#setup, shown).forEach((discs, x) => {
      const button = this.#columns[x];
      const isLegal = legal.includes(x + 1);
      const mark = marks.get(x + 1);
      const content = discs.map(player => "xo"[player - 1]).join(" ") || "empty";
      const labels = [`column ${x + 1}`, content];
      if (mark) labels.push(mark === "hint" ? "a hint" : "wins");
      else if (isLegal) labels.push("legal");
      button.ariaLabel = labels.join(", ");
      button.ariaDisabled = String(!this.#choices.includes(x + 1));
      button.className = [isLegal ? "legal" : "", mark ?? ""].join(" ").trim();
      const isLast = shown.at(-1) === x + 1;
      button.replaceChildren(...this.#cells(discs, isLast));
    });
  }

  /**
   * @param {number[]} discs
   * @param {boolean} isLast whether the last move was in this column
   */
  #cells(discs, isLast) {
    return Array.from({ length: this.#setup.rows }, (_, y) => {
      const names = [["one", "two"][discs[y] - 1] ?? ""];
      if (isLast && y === discs.length - 1) names.push("last");
      return h("span", { class: names.join(" ").trim() });
    });
  }
}
