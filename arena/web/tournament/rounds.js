// The rounds of a tournament: the bracket of a knockout, or the encounters of a Swiss round by round.
import { botLink } from "../bot_names.js";
import { h } from "../dom.js";
import { pointsText } from "../format.js";
import { matchesAddress } from "../matches_address.js";
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
  #drawn = "";

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

  /** Draw what has changed; nothing is replaced under the focus. */
  #draw() {
    const standings = this.#standings;
    if (!standings || this.element.querySelector("a:focus")) return;
    const isBracket = isKnockout(standings);
    const shown = this.#shown.filter(round => standings.rounds[round].length);
    const rounds = shown.map(round => standings.rounds[round]);
    const live = new Map([...this.#live].map(([match, key]) => [key, match]));
    const drawn = JSON.stringify([shown, rounds, [...live]]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#frame.setAttribute("aria-label", isBracket ? "Bracket" : "Rounds");
    this.#frame.classList.toggle("bracket", isBracket);
    const columns = rounds.map((round, at) => {
      const name = isBracket ? roundName(round.length) : `Round ${shown[at] + 1}`;
      const encounters = round.map(encounter => this.#encounter(standings.game, encounter, live));
      return h("section", { class: "pairings-round" }, [
        h("h3", {}, name),
        h("ol", { role: "list" }, encounters),
      ]);
    });
    // The round that is played is the first that is seen.
    this.#frame.replaceChildren(...(isBracket ? columns : columns.reverse()));
  }

  /**
   * @param {string} game
   * @param {Encounter} encounter
   * @param {Map<string, number>} live matches by their bots
   */
  #encounter(game, [players, points, winner, decided], live) {
    const match = live.get(keyOf(players));
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
    return h("li", {}, h("div", { class: `encounter${match ? " is-live" : ""}` }, entrants, note));
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
