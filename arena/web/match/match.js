// The view of a match, live or replayed.
import { capitalised, h } from "../dom.js";
import { player } from "../play/player_connection.js";
import { MatchScreen } from "./match_screen.js";
import { MatchFeed } from "./match_state.js";

/** @import { ViewOptions } from "../types.js" */

/**
 * Show #/match/ID or #/match/ID/PLY.
 * @param {ViewOptions} options
 */
export function view({ main, connection, parameters: [id, ply], signal }) {
  if (!/^\d+$/.test(id ?? "")) {
    const link = h("a", { href: "#/games" }, "all matches");
    main.append(h("h1", {}, "Match not found"), h("p", {}, "A match has a number: ", link, "."));
    return;
  }
  const match = Number(id);
  const status = h("p", { class: "hint", role: "status" }, `Loading match ${match}…`);
  main.append(h("h1", {}, `Match ${match}`), status);
  new MatchFeed({
    connection,
    id: match,
    signal,
    open: (state, module) => {
      const side = state.isOver ? null : player.sideIn(match);
      if (side) player.takeOver();
      const screen = new MatchScreen({
        match: state,
        module,
        connection,
        signal,
        side,
        ply: /^\d+$/.test(ply ?? "") ? Number(ply) : null,
      });
      main.replaceChildren(screen.element);
      return screen;
    },
    reject: message => {
      const link = h("a", { href: "#/games" }, "All matches");
      status.replaceChildren(`${capitalised(message)}. `, link);
    },
  });
}
