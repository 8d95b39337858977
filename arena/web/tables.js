// The standings: ratings with their intervals, and who has what from whom.
import { Crosstable } from "/crosstable.js";
import { count, h, nameOf, s } from "/dom.js";
import { calm, eloWords, percentWords, titleOf, write } from "/words.js";

const PAUSE = 1000; // milliseconds for which the tables stay as they are
const PLOT = 280, EDGE = 22; // pixels: the drawing's width, and what is left free on its sides
const TICKS = 6; // intervals between the lines of the drawing, at most

export function view({ main, socket, signal }) {
  const sections = new Map();
  const nothing = h("p", { class: "faint" }, "No match that counts has ended yet.");
  main.append(h("h1", {}, "Standings"), nothing);
  const show = calm(PAUSE, signal, tables => {
    nothing.hidden = tables.some(({ bots }) => bots.length);
    for (const table of tables) {
      if (!table.bots.length) continue;
      if (!sections.has(table.game)) {
        const section = new GameTable(table.game, titleOf(socket.about, table.game));
        sections.set(table.game, section);
        main.append(section.element);
      }
      sections.get(table.game).show(table);
    }
  });
  socket.addEventListener("tables", ({ detail }) => show(detail.tables), { signal });
  socket.watch(null);
}

/** All there is to say of the bots in one game. */
class GameTable {
  #rows = new Map(); // by bot
  #body = h("tbody");
  #counts = h("p", { class: "faint" });
  #axis = h("th", { scope: "col", class: "plot" });
  #firstMove = h("p", { class: "faint" });
  #note = h("p", { class: "warning", hidden: true });
  #blocks = h("div", { class: "blocks" });
  #standings;

  constructor(game, title) {
    this.game = game;
    this.cross = new Crosstable(title);
    this.#standings = h("table", { class: "standings" }, h("thead", {}, this.#head()), this.#body);
    this.element = h("section", { class: "game-table" },
      h("h2", {}, title), this.#counts, this.#note,
      h("div", { class: "wide card", role: "region", tabindex: 0, "aria-label": `Standings in ${title}` }, this.#standings),
      this.#firstMove, this.#blocks, this.cross.element);
  }

  #head() {
    const column = (name, meaning) => h("th", { scope: "col" }, meaning ? h("abbr", { title: meaning }, name) : name);
    return h("tr", {}, column("#"), h("th", { scope: "col", class: "name" }, "Bot"), column("Elo"),
      column("±", "half the width of the 95 % interval"), this.#axis, column("Won"), column("Lost"),
      h("th", { scope: "col", class: "accuracy" }, h("abbr", { title: "moves from won positions that kept the win" }, "Accuracy")),
      column("Forfeits", "matches lost by breaking a rule"));
  }

  show(table) {
    const { bots, finished, judged, first_move: firstMove, note, blocks } = table;
    write(this.#counts, count(finished, "match", "matches") + (judged ? `; accuracies are from ${judged.toLocaleString("en")} of them` : ""));
    write(this.#firstMove, bots.some(({ elo }) => elo !== null) ? firstMove : "Nobody has a rating yet.");
    write(this.#note, note);
    this.#note.hidden = !note;
    this.#standings.classList.toggle("unjudged", !bots.some(({ accuracy }) => accuracy !== null));
    const scale = new Scale(bots);
    this.#axis.replaceChildren(scale.axis());
    bots.forEach((line, place) => this.#place(line, place, scale));
    while (this.#body.rows.length > bots.length) this.#body.lastChild.remove();
    this.cross.show(table);
    this.#showBlocks(blocks);
  }

  /** Rows are moved only where the order has changed. */
  #place(line, place, scale) {
    if (!this.#rows.has(line.bot)) this.#rows.set(line.bot, new Row(line.bot, this.game));
    const row = this.#rows.get(line.bot), standing = this.#body.rows[place] ?? null;
    if (standing !== row.element) this.#body.insertBefore(row.element, standing);
    row.show(line, place, scale);
  }

  #showBlocks(blocks) {
    const shown = JSON.stringify(blocks);
    if (this.#blocks.dataset.shown === shown) return;
    this.#blocks.dataset.shown = shown;
    this.#blocks.replaceChildren(...blocks.flatMap(([heading, text]) => [
      h("h3", {}, heading),
      h("pre", { class: "wide card", role: "region", tabindex: 0, "aria-label": heading }, text),
    ]));
  }
}

/** A bot's line, with its interval drawn next to those of the others. */
class Row {
  #cells = Object.fromEntries(["place", "elo", "margin", "plot", "wins", "losses", "accuracy", "forfeits"]
    .map(name => [name, h("td", { class: name })]));

  constructor(bot, game) {
    const { place, ...others } = this.#cells;
    const link = h("a", { href: `#/games?${new URLSearchParams({ bot, game })}` }, nameOf(bot));
    this.element = h("tr", {}, place, h("th", { scope: "row", class: "name", title: bot }, link), Object.values(others));
  }

  show({ elo, margin, wins, losses, forfeits, accuracy }, place, scale) {
    const cells = this.#cells;
    write(cells.place, String(place + 1));
    write(cells.elo, elo === null ? "." : eloWords(elo));
    write(cells.margin, margin === null ? "." : String(Math.round(margin)));
    write(cells.wins, wins.toLocaleString("en"));
    write(cells.losses, losses.toLocaleString("en"));
    write(cells.accuracy, accuracy === null ? "." : percentWords(accuracy));
    write(cells.forfeits, forfeits ? forfeits.toLocaleString("en") : ".");
    cells.forfeits.classList.toggle("some", forfeits > 0);
    const drawn = [scale.key, elo, margin].join();
    if (cells.plot.dataset.drawn === drawn) return;
    cells.plot.dataset.drawn = drawn;
    cells.plot.replaceChildren(scale.interval(elo, margin));
  }
}

/** Where a rating is drawn: the same for all rows, so that they can be compared. */
class Scale {
  constructor(bots) {
    const ends = bots.filter(({ elo }) => elo !== null).flatMap(({ elo, margin }) => [elo - margin, elo + margin]);
    const low = Math.min(0, ...ends), high = Math.max(0, ...ends);
    const step = stepOf(Math.max(high - low, 10));
    this.ticks = [];
    for (let tick = Math.floor(low / step) * step; tick < high + step; tick += step) this.ticks.push(tick);
    this.key = this.ticks.join();
  }

  x(elo) {
    const first = this.ticks[0], last = this.ticks.at(-1);
    return EDGE + (PLOT - 2 * EDGE) * (elo - first) / (last - first);
  }

  axis() {
    return s("svg", { viewBox: `0 0 ${PLOT} 20`, role: "img", "aria-label": "Ratings with their 95 % intervals, in Elo" },
      this.ticks.map(tick => s("text", { x: this.x(tick), y: 14 }, eloWords(tick))));
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
