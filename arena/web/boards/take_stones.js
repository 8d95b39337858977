// Take-Stones: its rules, and the stones as a grid.
import { colours } from "/colours.js";
import { s, h } from "/dom.js";
import { Grid, roomBelow, sharpen, whenResized } from "/grid.js";

const CHAIN = 8; // moves that are joined by lines

/** Whether the stones can be shown one by one. */
export const isDrawable = ({ stones }) => stones <= 5000;

/** The stones that may be taken, ascending. The moves so far are not judged. */
export function legalMoves({ stones }, moves) {
  const last = moves.at(-1);
  const found = [];
  if (last === undefined) {
    for (let stone = 1; 2 * stone < stones; stone += 2) found.push(stone);
    return found;
  }
  const taken = new Set(moves);
  for (let stone = 1; 2 * stone <= last; stone++) if (last % stone === 0) found.push(stone);
  for (let stone = 2 * last; stone <= stones; stone += last) found.push(stone);
  return found.filter(stone => !taken.has(stone));
}

export const moveName = move => String(move);

export function parseMove(text) {
  if (!/^\s*\d{1,9}\s*$/.test(text)) throw new Error(`A move is the number of a stone, such as 12, not “${text.trim()}”.`);
  return Number(text);
}

/** What a legal move has to do with the last one, in words. */
export function relation({ stones }, moves, move) {
  const last = moves.at(-1);
  if (last === undefined) return `odd and below ${stones / 2}`;
  return `${move < last ? "factor" : "multiple"} of ${last}`;
}

/** The command that searches the position to the end. */
export const commandLine = ({ stones }, moves) => ["python -m core.take_stones", stones, moves.length, ...moves, 0].join(" ");

/** In how many columns so many stones read best, and how large a cell is then, in pixels. */
export function arrange(stones, width, height, { largest = 104, smallest = 18 } = {}) {
  let best = { columns: 1, pitch: 0, score: -1 };
  for (let columns = 1; columns <= Math.min(stones, 60); columns++) {
    // Beyond some rows a stone is only found again if each row begins at a round number.
    if (stones > 30 && columns % (columns > 30 ? 10 : 5)) continue;
    const rows = Math.ceil(stones / columns);
    const pitch = Math.min(largest, width / columns, Math.max(height / rows, smallest));
    const full = stones / (rows * columns);
    const seen = Math.min(1, height / (rows * pitch)) ** 0.3;
    const score = pitch * full * seen * (1 - 0.02 * Math.min(rows, 10)) * (columns < rows ? 0.85 : 1);
    if (score > best.score) best = { columns, pitch, score };
  }
  return best;
}

const NOTHING = { moves: [], legal: [], marks: new Map() };

export class Board {
  #setup;
  #grid;
  #lines;
  #drawing;
  #shown = NOTHING;
  #plies = new Map(); // stone -> after how many moves it was taken
  #keys = []; // what each cell shows, so that only what changes is touched
  #columns = 1;
  #pitch = 1; // from one stone to the next
  #rowPitch = 1;
  #radius = 1;

  constructor(setup, { onmove } = {}) {
    this.#setup = setup;
    const label = `${setup.stones} stones, row by row`;
    this.#grid = new Grid({ label, className: "stones", cellName: "stone", count: setup.stones, first: 1, onmove });
    this.#grid.cells.forEach((cell, index) => cell.textContent = index + 1);
    if (setup.stones >= 1000) this.#grid.cells.slice(999).forEach(cell => cell.dataset.long = "");
    this.#lines = Array.from({ length: CHAIN - 1 }, (_, age) => s("path", { "stroke-opacity": 0.95 * 0.8 ** age }));
    this.#drawing = s("svg", { class: "chain", "aria-hidden": "true" }, [...this.#lines].reverse());
    this.element = h("div", { class: "board" }, h("div", { class: "board-frame" }, this.#grid.element, this.#drawing));
    for (let stone = 1; stone <= setup.stones; stone++) this.#paint(stone, this.#shown);
    this.#fit(Math.min(innerWidth - 24, 800));
    whenResized(this.element, width => this.#fit(width));
  }

  /** Show the position after `ply` of `moves`; `marks` are by move "winning" or "hint". */
  show({ moves, ply = moves.length, isInteractive = false, marks = NOTHING.marks }) {
    const old = this.#shown;
    const now = { moves: moves.slice(0, ply), marks };
    now.legal = legalMoves(this.#setup, now.moves);
    this.#shown = now;
    const common = commonLength(old.moves, now.moves);
    const changed = new Set([...old.legal, ...now.legal, ...old.marks.keys(), ...marks.keys(),
      ...old.moves.slice(Math.max(0, common - 1)), ...now.moves.slice(Math.max(0, common - 1))]);
    for (const stone of old.moves.slice(common)) this.#plies.delete(stone);
    for (let at = common; at < ply; at++) this.#plies.set(now.moves[at], at + 1);
    const legal = new Set(now.legal);
    for (const stone of changed) this.#paint(stone, now, legal.has(stone));
    this.#draw(now.moves);
    this.#grid.offer(now.legal, isInteractive, isInteractive ? now.legal[0] : now.moves.at(-1));
  }

  #paint(stone, { moves, marks }, isLegal) {
    const cell = this.#grid.cells[stone - 1];
    if (!cell) return; // a move that broke the rules may be any number
    const ply = this.#plies.get(stone);
    const mark = isLegal ? marks.get(stone) : undefined;
    let name = "stone", label = `stone ${stone}, `;
    if (ply) {
      name += ply % 2 ? " taken one" : " taken two";
      label += `taken by player ${2 - ply % 2} as move ${ply}`;
      if (ply === moves.length) [name, label] = [`${name} last`, `${label}, the last`];
    } else if (isLegal) {
      const words = relation(this.#setup, moves, stone);
      name += ` legal ${words.split(" ")[0]}`;
      label += `free, legal: ${words}`;
    } else label += "free";
    if (mark) [name, label] = [`${name} ${mark}`, `${label}, ${mark === "hint" ? "a hint" : "wins"}`];
    if (this.#keys[stone] === name + label) return;
    this.#keys[stone] = name + label;
    cell.className = name;
    cell.ariaLabel = label;
    cell.dataset.ply = ply ?? "";
  }

  #fit(width) {
    const height = roomBelow();
    const { columns, pitch } = arrange(this.#setup.stones, width, height);
    const rows = Math.ceil(this.#setup.stones / columns);
    this.#columns = columns;
    this.#pitch = Math.floor(pitch);
    // Where they are tiny, rows that stand apart are easier to read.
    const most = this.#pitch < 30 ? 1.25 * this.#pitch : 0;
    this.#rowPitch = Math.floor(Math.max(this.#pitch, Math.min(most, height / rows)));
    const gap = Math.max(1, Math.round(this.#pitch * 0.09) - 1);
    this.#radius = (this.#pitch - gap) / 2;
    this.#grid.lay(columns);
    this.#measure(gap, columns * this.#pitch - gap, (rows - 1) * this.#rowPitch + this.#pitch - gap);
    this.#draw(this.#shown.moves);
  }

  #measure(gap, width, height) {
    const { classList, style } = this.#grid.element;
    const size = this.#pitch - gap, digits = String(this.#setup.stones - 1).length;
    const lengths = {
      width, "--size": size, "--gap": gap, "--row-gap": this.#rowPitch - size,
      "--digits": ([0, 0.42, 0.42, 0.45][digits] ?? 1.6 / digits) * size,
    };
    for (const [name, length] of Object.entries(lengths)) style.setProperty(name, `${length}px`);
    classList.toggle("small", this.#pitch < 46);
    classList.toggle("tiny", this.#pitch < 30);
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#drawing.style.setProperty("stroke-width", `${Math.max(1.5, this.#pitch * 0.045)}px`);
  }

  /** Join the last moves by bows, so that those which lie in one row can be told apart. */
  #draw(moves) {
    this.#lines.forEach((line, age) => {
      const at = moves.length - 1 - age;
      const [from, to] = at > 0 ? [this.#centre(moves[at - 1]), this.#centre(moves[at])] : [];
      line.setAttribute("d", to ? bow(from, to, this.#radius) : "");
      line.setAttribute("class", at % 2 ? "two" : "one");
    });
  }

  #centre(stone) {
    const at = stone - 1;
    return [(at % this.#columns) * this.#pitch + this.#radius, Math.floor(at / this.#columns) * this.#rowPitch + this.#radius];
  }
}

/** A curve from the rim of one stone to the rim of another. */
function bow([x1, y1], [x2, y2], radius) {
  const dx = x2 - x1, dy = y2 - y1, length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(0.18 * length, 3 * radius) * 1.2;
  const cx = (x1 + x2) / 2 + dy / length * bend, cy = (y1 + y2) / 2 - dx / length * bend;
  const towards = (x, y) => {
    const far = Math.hypot(cx - x, cy - y) || 1;
    return `${(x + (cx - x) / far * radius).toFixed(1)} ${(y + (cy - y) / far * radius).toFixed(1)}`;
  };
  return `M${towards(x1, y1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${towards(x2, y2)}`;
}

function commonLength(one, other) {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
}

// In the lobby

/** Draw a small picture of the position; of one that goes on from the last, only what is new. */
export function drawThumbnail(canvas, { stones }, moves) {
  const known = sharpen(canvas);
  const { context, width, height } = known;
  const palette = colours();
  const old = known.drawn;
  if (old && old.palette === palette && old.stones === stones && commonLength(old.moves, moves) === old.moves.length) {
    for (let at = Math.max(0, old.moves.length - 1); at < moves.length; at++) old.stamp(moves[at], at, at === moves.length - 1);
    old.moves = [...moves];
    return;
  }
  const stamp = stamper(context, palette, stones, width, height);
  context.clearRect(0, 0, width, height);
  for (let stone = 1; stone <= stones && stamp.showsFree; stone++) stamp(stone, -1);
  moves.forEach((stone, at) => stamp(stone, at, at === moves.length - 1));
  known.drawn = { palette, stones, stamp, moves: [...moves] };
}

/** What draws a stone that was taken as the move at `at`, -1 for a free one. */
function stamper(context, palette, stones, width, height) {
  const { columns } = stones > 3600 ? { columns: Math.ceil(Math.sqrt(stones * width / height)) }
    : arrange(stones, width, height, { largest: 34, smallest: 0 });
  const rows = Math.ceil(stones / columns);
  const pitch = Math.min(34, width / columns, height / rows);
  const left = (width - columns * pitch) / 2, top = (height - rows * pitch) / 2;
  const size = pitch > 3 ? pitch - Math.max(1, pitch * 0.1) : Math.max(pitch, 1.5);
  const stamp = (stone, at, isLast) => {
    const x = left + (stone - 1) % columns * pitch, y = top + Math.floor((stone - 1) / columns) * pitch;
    const player = at < 0 ? 0 : 1 + at % 2;
    if (at >= 0 && size > 3) context.clearRect(x - 0.5, y - 0.5, size + 1, size + 1);
    shape(context, x, y, size, player, [palette.shade, palette.one, palette.two][player]);
    if (isLast) ring(context, palette.text, size);
    if (size >= 15) number(context, x + size / 2, y + size / 2, size, stone, [palette.faint, palette["on-one"], palette["on-two"]][player]);
  };
  stamp.showsFree = pitch >= 2;
  return stamp;
}

function shape(context, x, y, size, player, colour) {
  context.fillStyle = colour;
  context.beginPath();
  if (size < 4) context.rect(x, y, size, size);
  else if (player === 2) context.roundRect(x, y, size, size, size * 0.22);
  else context.arc(x + size / 2, y + size / 2, size / 2, 0, 7);
  context.fill();
}

/** A rim just inside of the shape drawn last. */
function ring(context, colour, size) {
  context.save();
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = Math.max(2.5, size * 0.22);
  context.stroke();
  context.restore();
}

function number(context, x, y, size, stone, colour) {
  context.fillStyle = colour;
  context.font = `600 ${Math.round(size * 0.46)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(stone, x, y + 0.5);
}
