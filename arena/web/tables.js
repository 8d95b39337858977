// The standings: ratings with their intervals, and who has what from whom.
import { Crosstable } from "/crosstable.js";
import { count, h, nameOf, s } from "/dom.js";
import { calm, columns, eloWords, marginWords, percentWords, titleOf, write } from "/words.js";

const PAUSE = 1000; // milliseconds for which the tables stay as they are
const PLOT = 280, EDGE = 22; // pixels: the drawing's width, and what is left free on its sides
const TICKS = 6; // lines of the drawing, at most, but for those at its ends

export function view({ main, socket, signal }) {
  const sections = new Map();
  const nothing = h("p", { class: "faint" }, "No match that counts has ended yet.");
  main.append(h("h1", {}, "Standings"), nothing);
  const show = calm(PAUSE, signal, tables => {
    const shown = tables.filter(({ bots }) => bots.length);
    nothing.hidden = shown.length > 0;
    for (const table of shown) {
      const { game } = table;
      if (!sections.has(game)) {
        sections.set(game, new GameTable(game, titleOf(socket.about, game)));
        main.append(sections.get(game).element);
      }
      sections.get(game).show(table);
    }
  });
  socket.addEventListener("tables", ({ detail }) => show(detail.tables), { signal });
  socket.watch(null);
}

/** A part of the page that may be wider than the screen. */
const wide = (label, ...children) => h("div", { class: "wide card", role: "region", tabindex: 0, "aria-label": label }, children);

/** All there is to say of the bots in one game. */
class GameTable {
  #rows = new Map(); // by bot
  #body = h("tbody");
  #axis = h("th", { scope: "col", class: "plot" });
  #counts = h("p", { class: "faint" });
  #note = h("p", { class: "warning" });
  #firstMove = h("p", { class: "faint" });
  #blocks = h("div");

  constructor(game, title) {
    this.game = game;
    this.cross = new Crosstable(title);
    this.table = h("table", { class: "standings" },
      h("thead", {}, h("tr", {}, columns("#", "Bot", "Elo", "±"), this.#axis, columns("Won", "Lost", "Accuracy", "Forfeits"))), this.#body);
    this.element = h("section", {}, h("h2", {}, title), this.#counts, this.#note,
      wide(`Standings in ${title}`, this.table), this.#firstMove, this.#blocks, this.cross.element);
  }

  show(table) {
    const { bots, finished, judged, first_move: firstMove, note, blocks } = table;
    write(this.#counts, count(finished, "match", "matches") + (judged ? `; accuracies are from ${judged.toLocaleString("en")} of them` : ""));
    write(this.#firstMove, bots.some(({ elo }) => elo !== null) ? firstMove : "Nobody has a rating yet.");
    write(this.#note, note);
    this.#note.hidden = !note;
    this.table.classList.toggle("unjudged", bots.every(({ accuracy }) => accuracy === null));
    const scale = new Scale(bots);
    this.#axis.replaceChildren(scale.axis());
    bots.forEach((line, place) => this.#place(line, place, scale));
    while (this.#body.rows.length > bots.length) this.#body.lastChild.remove();
    this.#showBlocks(blocks);
    this.cross.show(table);
  }

  /** Rows are moved only where the order has changed. */
  #place(line, place, scale) {
    if (!this.#rows.has(line.bot)) this.#rows.set(line.bot, new Row(line.bot, this.game));
    const row = this.#rows.get(line.bot), standing = this.#body.rows[place] ?? null;
    if (standing !== row.element) this.#body.insertBefore(row.element, standing);
    row.show(line, place, scale);
  }

  #showBlocks(blocks) {
    const texts = blocks.flat().join();
    if (this.#blocks.told === texts) return;
    this.#blocks.told = texts;
    this.#blocks.replaceChildren(...blocks.flatMap(([heading, text]) => [h("h3", {}, heading), wide(heading, h("pre", {}, text))]));
  }
}

/** A bot's line, with its interval drawn next to those of the others. */
class Row {
  #cells = Array.from({ length: 7 }, () => h("td"));
  #plot = h("td", { class: "plot" });

  constructor(bot, game) {
    const [place, elo, margin, ...others] = this.#cells;
    const link = h("a", { href: `#/games?${new URLSearchParams({ bot, game })}` }, nameOf(bot));
    this.element = h("tr", {}, place, h("th", { scope: "row", class: "name", title: bot }, link), elo, margin, this.#plot, others);
  }

  show({ elo, margin, wins, losses, forfeits, accuracy }, place, scale) {
    const texts = [place + 1, eloWords(elo), marginWords(margin), wins, losses, percentWords(accuracy), forfeits || "."];
    texts.forEach((text, at) => write(this.#cells[at], String(text)));
    const drawn = [scale.key, elo, margin].join();
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    this.#plot.replaceChildren(scale.interval(elo, margin));
  }
}

/** Where a rating is drawn: the same for all rows, so that they can be compared. */
class Scale {
  constructor(bots) {
    const ends = bots.filter(({ elo }) => elo !== null).flatMap(({ elo, margin }) => [elo - margin, elo + margin]);
    const low = Math.min(0, ...ends), high = Math.max(10, ...ends);
    const step = stepOf(high - low);
    this.ticks = [];
    for (let tick = Math.floor(low / step) * step; tick < high + step; tick += step) this.ticks.push(tick);
    this.key = this.ticks.join();
  }

  x(elo) {
    const first = this.ticks[0], last = this.ticks.at(-1);
    return EDGE + (PLOT - 2 * EDGE) * (elo - first) / (last - first);
  }

  axis() {
    return s("svg", { viewBox: `0 0 ${PLOT} 32`, role: "img", "aria-label": "Ratings with their 95 % intervals, drawn" },
      this.ticks.map(tick => s("text", { x: this.x(tick), y: 20 }, eloWords(tick))));
  }

  interval(elo, margin) {
    return s("svg", { viewBox: `0 0 ${PLOT} 32`, "aria-hidden": "true" },
      this.ticks.map(tick => s("path", { class: tick ? "rule" : "zero", d: `M${this.x(tick)} 0v32` })),
      elo !== null && [
        s("path", { class: "span", d: `M${this.x(elo - margin)} 16H${this.x(elo + margin)}` }),
        s("circle", { class: "dot", cx: this.x(elo), cy: 16, r: 5 }),
      ]);
  }
}

/** The smallest round number of which a few steps span a range. */
function stepOf(range) {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (range <= digit * power * (TICKS - 1)) return digit * power;
  }
}
