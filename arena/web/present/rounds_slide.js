// The slide with the bracket of a knockout, or the round of a Swiss that is played.
import { h, setStyle, setText } from "../dom.js";
import { isKnockout } from "../tournament/ranking.js";
import { Rounds } from "../tournament/rounds.js";

/** @import { Leaderboard } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

const BRACKET = 8; // encounters of a round that are read from afar

const COLUMN = 6; // encounters of a single round, before there is a further column
const COLUMNS = 3;

/** The rounds that matter now, as large as they fit. */
export class RoundsSlide {
  #heading = h("h2");
  #rounds;
  element;
  isEmpty = true;

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#rounds = new Rounds(connection, signal);
    const parts = [this.#heading, this.#rounds.element];
    this.element = h(
      "section",
      { class: "slide", "aria-label": "Rounds of the tournament" },
      parts,
    );
  }

  /** @param {Leaderboard[]} tables */
  update(tables) {
    const standings = tables.find(({ rounds }) => rounds.length);
    this.isEmpty = !standings;
    if (!standings) return;
    const { rounds } = standings;
    const latest = rounds.findIndex(round => round.some(([, , , decided]) => !decided));
    const current = latest < 0 ? rounds.length - 1 : latest;
    const isBracket = isKnockout(standings) && rounds[current].length <= BRACKET;
    const first = isBracket
      ? rounds.findIndex(({ length }) => length > 0 && length <= BRACKET)
      : current;
    const last = isBracket ? rounds.length : first + 1;
    setText(this.#heading, isKnockout(standings) ? "Knockout" : "Swiss");
    this.element.classList.toggle("single-round", !isBracket);
    const columns = isBracket ? 1 : Math.min(COLUMNS, Math.ceil(rounds[first].length / COLUMN));
    const rows = Math.ceil(rounds[first].length / columns) + 1;
    setStyle(this.element, { "--columns": String(columns), "--rows": String(rows) });
    this.#rounds.show(standings, [...rounds.keys()].slice(first, last));
  }
}
