// Who wins under perfect play: in words, and as a bar over all plies.
import { moveName } from "/boards.js";
import { h, nameOf, s } from "/dom.js";
import { keep, kept } from "/storage.js";

/** Whether to show who is winning: remembered, for those who play apart from those who watch. */
export class Spoilers {
  #key;

  constructor(isPlaying, onchange) {
    this.#key = isPlaying ? "spoilers-playing" : "spoilers";
    this.isOn = { on: true, off: false }[kept(this.#key)] ?? !isPlaying;
    const box = h("input", { type: "checkbox", role: "switch", onchange: () => {
      this.isOn = box.checked;
      keep(this.#key, this.isOn ? "on" : "off");
      onchange();
    } });
    box.checked = this.isOn;
    this.element = h("label", { class: "switch" }, box, "Show who is winning");
  }
}

export class Verdict {
  #bar = h("p", { class: "bar" });
  #lanes = [1, 2].map(player => s("path", { class: player === 1 ? "one" : "two" }));
  #drawing = s("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, this.#lanes);
  #ticks = h("div", { class: "ticks", "aria-hidden": "true" });
  #cursor = h("div", { class: "cursor", "aria-hidden": "true" });
  #note = h("p", { class: "note" });
  #drawn = "";
  #positions = 1;

  constructor({ module, isSolved, title, onpick }) {
    this.module = module;
    this.isSolved = isSolved;
    this.title = title;
    this.graph = h("div", { class: "graph", onclick: event => {
      const { left, width } = this.graph.getBoundingClientRect();
      onpick(Math.min(this.#positions - 1, Math.max(0, Math.floor((event.clientX - left) / width * this.#positions))));
    } }, this.#drawing, this.#ticks, this.#cursor);
    this.element = h("div", { class: "verdict" }, this.#bar, this.#note);
  }

  show(match, ply, blunders) {
    const winner = match.winners?.[ply];
    const { players } = match.facts;
    this.#bar.className = `bar ${["unknown", "one", "two"][winner ?? 0]}`;
    if (winner) {
      const isEnd = match.isOver && ply === match.moves.length;
      this.#bar.replaceChildren(h("span", { class: "shape" }), h("span", {}, nameOf(players[winner - 1])),
        isEnd ? " has won" : " wins with perfect play");
    } else this.#bar.replaceChildren(this.#unknown(match));
    const isBlunder = blunders.includes(ply - 1);
    this.#note.replaceChildren(...(isBlunder ? this.#blame(match, ply) : []));
    this.#note.hidden = !match.winners;
    if (match.winners) this.#draw(match, ply, blunders);
  }

  #unknown({ winners }) {
    if (!this.isSolved) return `${this.title} has no solver: nobody knows who is winning.`;
    return winners ? "Working out who is winning…" : "It took too long to work out who is winning.";
  }

  #blame(match, ply) {
    const move = moveName(this.module, match.moves[ply - 1]);
    return [h("b", {}, "?? "), nameOf(match.facts.players[match.playerAt(ply - 1) - 1]), ` threw away a won game with ${move}.`];
  }

  #draw({ winners, moves }, ply, blunders) {
    const count = this.#positions = Math.max(moves.length + 1, winners.length);
    this.#cursor.style.setProperty("left", `${(ply + 0.5) / count * 100}%`);
    const now = `${count}:${winners.join("")}`;
    if (now === this.#drawn) return;
    this.#drawn = now;
    this.#drawing.setAttribute("viewBox", `0 0 ${count} 2`);
    this.#lanes.forEach((lane, at) => {
      const boxes = runs(winners, at + 1).map(([from, to]) => `M${from} ${at}H${to}V${at + 1}H${from}Z`);
      lane.setAttribute("d", boxes.join(""));
    });
    this.#ticks.replaceChildren(...blunders.map(at => {
      const tick = h("span", { title: `move ${at + 1} threw away a won game` });
      tick.style.setProperty("left", `${(at + 1) / count * 100}%`);
      return tick;
    }));
  }
}

/** From where to where a player wins. */
function runs(winners, player) {
  const found = [];
  winners.forEach((winner, at) => {
    if (winner !== player) return;
    if (found.at(-1)?.[1] === at) found.at(-1)[1] = at + 1;
    else found.push([at, at + 1]);
  });
  return found;
}
