// The view in which a person challenges a bot or a friend, or accepts a challenge.

import { h } from "../dom.js";
import { ChallengeForm } from "./challenge_form.js";
import { showChallenge } from "./join_form.js";

/** @import { ViewOptions } from "../types.js" */

/**
 * Show #/play, or #/play/CHALLENGE to accept one.
 * @param {ViewOptions} options
 */
export function view({ main, connection, parameters: [challenge], query, signal }) {
  const open = () => {
    const { arena } = connection;
    if (!arena) return;
    if (!arena.is_open) {
      const text = "This arena accepts no challenges: its matches are played by bots.";
      main.replaceChildren(h("h1", {}, "Play"), h("p", {}, text));
    } else if (challenge) showChallenge({ main, connection, arena, signal }, challenge);
    else new ChallengeForm({ main, connection, arena, signal }, query);
  };
  if (connection.arena) open();
  else connection.addEventListener("about", open, { once: true, signal });
}
