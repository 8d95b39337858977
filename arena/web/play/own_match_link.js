// The way back to a match that the person plays, while another view is shown.
import { setText } from "../dom.js";
import { player } from "./player_connection.js";

/**
 * Show a link while a match of this browser goes on in another view or tab, and in which of them to move.
 * @param {HTMLAnchorElement} link
 */
export function showOwnMatch(link) {
  const update = () => {
    const shown = /^#\/match\/(\d+)/.exec(location.hash)?.[1];
    const others = [...player.matches.keys()].filter(match => String(match) !== shown);
    const turn = others.find(match => player.turns.has(match));
    const match = turn ?? others.at(-1);
    link.hidden = match === undefined;
    if (match === undefined) return;
    link.href = `#/match/${match}`;
    setText(link, turn === undefined ? "Return to your match" : "Your move");
  };
  for (const type of /** @type {const} */ ([
    "welcome",
    "started",
    "turn",
    "finished",
    "error",
    "known",
    "replaced",
  ])) {
    player.on(type, update);
  }
  addEventListener("hashchange", update);
  update();
}
