// The rounds of a tournament: the bracket of a knockout, or the encounters of a Swiss round by round.

import { h } from "../dom.js";
import { pointsText } from "../format.js";
import { botLink, matchesAddress } from "../links.js";
import { isKnockout } from "./ranking.js";

/** @import { Encounter, Leaderboard, LobbyUpdate } from "../types.js" */
/** @import { SpectatorConnection } from "../spectator_connection.js" */

/** @type {Record<number, string>} by the number of encounters */
const ROUND_NAMES = { 1: "Final", 2: "Semifinals", 4: "Quarterfinals" };
/** @type {Record<string, string>} */
const NOTES = { "sudden death": "sudden death", seed: "the better seed advances", bye: "bye" };

/** Encounters that lead to their matches, and tell which are played now. */
export class Rounds {
  #frame = h("div", { class: "wide card", role: "region", tabindex: 0 });
  element = h("div", { class: "pairings", onfocusout: () => this.#release() }, this.#frame);
  #connection;
  /** @type {Map<number, string>} the two bots of each live match */
  #live = new Map();
  /** @type {Leaderboard | null} */
  #standings = null;
  /** @type {number[]} */
  #shown = [];
  #arranged = "";
  /** @type {{ element: HTMLElement, drawn: string }[][]} the encounters of each shown round */
  #items = [];

  /**
   * @param {SpectatorConnection} connection
   * @param {AbortSignal} signal
   */
  constructor(connection, signal) {
    this.#connection = connection;
    connection.on("lobby", update => this.#follow(update), signal);
  }

  /**
   * Show rounds, by default all of them.
   * @param {Leaderboard} standings
   * @param {number[]} shown
   */
  show(standings, shown = [...standings.rounds.keys()]) {
    this.#standings = standings;
    this.#shown = shown;
    this.#draw();
  }

  /** @param {LobbyUpdate} update */
  #follow({ full, started = [], over = [] }) {
    if (full) this.#live.clear();
    for (const { match, players, casual } of started) {
      if (!casual) this.#live.set(match, keyOf(players));
    }
    for (const match of over) this.#live.delete(match);
    if (full || started.length || over.length) this.#draw();
  }

  /** The focus has left; it may still be on its way to another place inside. */
  #release() {
    requestAnimationFrame(() => this.#draw());
  }

  /** Draw the encounters that have changed; nothing is replaced under the focus. */
  #draw() {
    const standings = this.#standings;
    if (!standings) return;
    const shown = this.#shown.filter(round => standings.rounds[round].length);
    const rounds = shown.map(round => standings.rounds[round]);
    const live = new Map([...this.#live].map(([match, key]) => [key, match]));
    if (!this.#arrange(shown, rounds, isKnockout(standings))) return;
    for (const [at, encounters] of rounds.entries()) {
      for (const [place, encounter] of encounters.entries()) {
        const item = this.#items[at][place];
        const match = live.get(keyOf(encounter[0]));
        const drawn = JSON.stringify([encounter, match]);
        if (drawn === item.drawn || item.element.querySelector("a:focus")) continue;
        item.drawn = drawn;
        item.element.replaceChildren(this.#encounter(standings.game, encounter, match));
      }
    }
  }

  /**
   * Place the items of the rounds, unless they have their places already or one has the focus.
   * @param {number[]} shown
   * @param {Encounter[][]} rounds
   * @param {boolean} isBracket
   * @returns {boolean} whether each encounter has an item
   */
  #arrange(shown, rounds, isBracket) {
    const arranged = JSON.stringify([isBracket, shown, rounds.map(({ length }) => length)]);
    if (arranged === this.#arranged) return true;
    if (this.element.querySelector("a:focus")) return false;
    this.#arranged = arranged;
    this.#frame.setAttribute("aria-label", isBracket ? "Bracket" : "Rounds");
    this.#frame.classList.toggle("bracket", isBracket);
    this.#items = rounds.map(round => round.map(() => ({ element: h("li"), drawn: "" })));
    const columns = rounds.map((round, at) => {
      const name = isBracket ? roundName(round.length) : `Round ${shown[at] + 1}`;
      const elements = this.#items[at].map(({ element }) => element);
      return h("section", { class: "pairings-round" }, [
        h("h3", {}, name),
        h("ol", { role: "list" }, elements),
      ]);
    });
    // The round that is played is the first that is seen.
    this.#frame.replaceChildren(...(isBracket ? columns : columns.reverse()));
    return true;
  }

  /**
   * @param {string} game
   * @param {Encounter} encounter
   * @param {number | undefined} match the live one
   */
  #encounter(game, [players, points, winner, decided], match) {
    const seeds = this.#connection.arena?.tournament?.bots ?? [];
    const hasBegun = decided !== null || match !== undefined || points[0] + points[1] > 0;
    const entrants = players.map((bot, at) => {
      if (!bot && decided === "bye") return null;
      const score = hasBegun && decided !== "bye" && pointsText(points[at]);
      const state = winner && (bot === winner ? " winner" : " beaten");
      return h("div", { class: `entrant${state || ""}` }, [
        h("span", { class: "seed" }, bot ? seeds.indexOf(bot) + 1 || "" : ""),
        bot ? botLink(bot, { class: "bot-link" }) : h("span", { class: "faint" }, "to be decided"),
        winner && bot === winner && h("span", { class: "hidden-text" }, " won"),
        h("b", {}, score),
      ]);
    });
    const note = this.#note(game, players, match, hasBegun, decided);
    return h("div", { class: `encounter${match ? " is-live" : ""}` }, entrants, note);
  }

  /**
   * @param {string} game
   * @param {Encounter[0]} players
   * @param {number | undefined} match the live one
   * @param {boolean} hasBegun
   * @param {Encounter[3]} decided
   */
  #note(game, [one, two], match, hasBegun, decided) {
    if (!one || !two || !hasBegun)
      return decided && h("p", { class: "encounter-note" }, NOTES[decided]);
    const text = match ? "live" : (NOTES[decided ?? ""] ?? "matches");
    const href = match ? `#/match/${match}` : matchesAddress({ bot: one, opponent: two, game });
    const label = `${text}: ${one} against ${two}`;
    return h(
      "p",
      { class: "encounter-note" },
      h("a", { class: "cover", href, "aria-label": label }, text),
    );
  }
}

/** @param {number} encounters */
const roundName = encounters => ROUND_NAMES[encounters] ?? `Round of ${2 * encounters}`;

/** @param {(string | null)[]} players */
const keyOf = players => [...players].sort().join("\n");
