// Who plays, and their clocks.
import { h, nameOf } from "/dom.js";
import { clockWords, isUntimed } from "/model.js";

/** Below how many milliseconds time is short; where there was never much, later. */
const shortage = ({ base_ms }) => Math.min(10_000, base_ms / 5);

/** The two players of a match. The clock that runs ticks by itself, and no timer is left behind. */
export class Players {
  #match;
  #ply = 0;
  #cards;
  #timer;

  constructor(match, { seat = null } = {}) {
    this.#match = match;
    this.#cards = [1, 2].map(player => new Card(player, match.facts, player === seat));
    this.element = h("div", { class: "players" }, this.#cards.map(card => card.element));
  }

  show(match, ply) {
    this.#match = match;
    this.#ply = ply;
    this.#tick();
  }

  #tick() {
    clearTimeout(this.#timer);
    const match = this.#match, ply = this.#ply;
    const isNow = ply === match.moves.length;
    const runs = isNow && !match.isOver && match.thinkingSince !== null;
    for (const card of this.#cards) card.show(match, ply, runs);
    if (!runs || !this.element.isConnected || isUntimed(match.facts.control)) return;
    const left = match.remaining(match.playerAt(ply), ply);
    if (left > 0) this.#timer = setTimeout(() => this.#tick(), left < 10_000 ? 50 : left % 1000 + 5);
  }
}

class Card {
  #player;
  #clock = h("span", { class: "clock" });
  #outcome = h("span", { class: "outcome" });
  #turn = h("span", { class: "hidden-text" });

  constructor(player, { players, control }, isYou) {
    this.#player = player;
    const name = players[player - 1];
    const link = h("a", { href: `#/games?bot=${encodeURIComponent(name)}`, title: name }, nameOf(name));
    this.element = h("div", { class: "player" },
      h("span", { class: `player-${player}` }, h("span", { class: "hidden-text" }, `Player ${player}: `), link),
      isYou && h("span", { class: "badge" }, "you"), this.#outcome, this.#turn, this.#clock);
    if (isUntimed(control)) this.#clock.classList.add("untimed");
  }

  show(match, ply, runs) {
    const isOn = match.playerAt(ply) === this.#player;
    const isEnd = match.isOver && ply === match.moves.length;
    const left = match.remaining(this.#player, ply);
    const { classList } = this.element;
    classList.toggle("on", isOn && !isEnd);
    classList.toggle("running", isOn && runs);
    classList.toggle("low", isOn && runs && left < shortage(match.facts.control));
    setText(this.#clock, isUntimed(match.facts.control) ? "no clock" : clockWords(left));
    setText(this.#outcome, match.result?.winner === this.#player ? "won" : "");
    setText(this.#turn, isOn && !isEnd ? ", to move" : "");
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
