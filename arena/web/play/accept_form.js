// The form that accepts a challenge.
import { capitalised, h, isolated } from "../dom.js";
import { gameTitle } from "../format.js";
import { JoinForm } from "./join_form.js";
import { player } from "./player_connection.js";
import { describeTime } from "./time_controls.js";

/** @import { ArenaInfo, OpenChallenge } from "../types.js" */
/** @import { FormOptions } from "./join_form.js" */

/**
 * Show what a challenge offers, with a form that accepts it, or that it is no longer open.
 * Its players return to their match.
 * @param {FormOptions} options
 * @param {string} challenge
 */
export async function showChallenge(options, challenge) {
  const { main, connection, signal } = options;
  const match = player.matchOf(challenge);
  if (match !== null) {
    location.replace(`#/match/${match}`);
    return;
  }
  const close = () => signal.aborted || main.replaceChildren(...closed());
  try {
    const offer = await connection.ask("find_challenge", { challenge });
    if (signal.aborted) return;
    new AcceptForm(options, challenge, offer);
    player.on("error", ({ code }) => code === "unknown_challenge" && close(), signal);
  } catch (error) {
    const { cause, message } = /** @type {Error} */ (error);
    if (cause === "unknown_challenge") close();
    else if (!signal.aborted) main.replaceChildren(h("p", { role: "alert" }, message));
  }
}

class AcceptForm extends JoinForm {
  /**
   * @param {FormOptions} options
   * @param {string} challenge
   * @param {OpenChallenge} offer
   */
  constructor(options, challenge, offer) {
    super(options);
    /** @param {string} name */
    const accept = name => player.accept(name, this.games, challenge);
    const text = h("p", {}, isolated(offer.player), " challenges you:");
    const fields = [text, offerList(offer, this.arena), this.nameField];
    const form = this.createForm(accept, fields, "Accept");
    const hint = "The match starts when you accept. It is casual: unrated, with takebacks.";
    this.main.replaceChildren(h("h1", {}, "Challenge"), form, h("p", { class: "hint" }, hint));
  }
}

/**
 * @param {OpenChallenge} offer
 * @param {ArenaInfo} arena
 */
function offerList({ game, setup, you, time, moves, hints }, arena) {
  const parameters = arena.games.find(({ name }) => name === game)?.parameters ?? {};
  /** @type {[string, string | number][]} */
  const rows = [
    ["Game", gameTitle(arena, game)],
    ...Object.entries(setup).map(
      ([name, value]) =>
        /** @type {[string, number]} */ ([capitalised(parameters[name]?.meaning ?? name), value]),
    ),
    ["You play", you === 1 ? "second" : "first"],
    ["Clock", describeTime(time)],
    ["Hints", hints ? "for both of you" : "none"],
    ...(moves?.length ? [/** @type {[string, number]} */ (["Moves before", moves.length])] : []),
  ];
  const items = rows.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]);
  return h("dl", { class: "offer" }, items);
}

/** What a visitor reads who is too late. */
const closed = () => [
  h("h1", {}, "Challenge"),
  h("p", { role: "alert" }, "This challenge is no longer open: it was accepted or withdrawn."),
  h("p", {}, h("a", { class: "button", href: "#/play" }, "Challenge somebody else")),
];
