// A match on the page of another site: /embed/#/match/ID or /embed/#/match/ID/PLY. Other pages may
// embed this one alone, so it only shows: nothing on it plays, resigns or changes a setting.

import { capitalised, h, webSocketUrl } from "./dom.js";
import { MatchScreen } from "./match/match_screen.js";
import { MatchFeed } from "./match/match_state.js";
import { SpectatorConnection } from "./spectator_connection.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const link = /** @type {HTMLAnchorElement} */ (document.getElementById("open"));
const connection = new SpectatorConnection(webSocketUrl("/watch"));
let controller = new AbortController();

/** Show the match that the address names. */
function show() {
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  const [, id, , ply] = /^#\/match\/(\d+)(\/(\d+))?$/.exec(location.hash) ?? [];
  if (!id) {
    main.replaceChildren("The address names no match, such as #/match/1.");
    return;
  }
  const status = h("p", { class: "hint", role: "status" }, `Loading match ${id}…`);
  main.replaceChildren(status);
  new MatchFeed({
    connection,
    id: Number(id),
    signal,
    open: (match, module) => {
      const at = ply === undefined ? null : Number(ply);
      const screen = new MatchScreen({ match, module, connection, signal, side: null, ply: at });
      main.replaceChildren(screen.element);
      return screen;
    },
    reject: message => status.replaceChildren(`${capitalised(message)}.`),
  });
}

// The address follows the ply that is shown.
for (const kind of ["pointerdown", "click"]) {
  link.addEventListener(kind, () => {
    link.href = `/${location.hash}`;
  });
}

// The other views are those of the arena's own page.
addEventListener("click", event => {
  const target = /** @type {Element} */ (event.target).closest("a");
  const address = target?.getAttribute("href") ?? "";
  if (!address.startsWith("#") || /^#\/match\//.test(address)) return;
  event.preventDefault();
  open(`/${address}`, "_blank", "noopener");
});
addEventListener("hashchange", show);
show();
