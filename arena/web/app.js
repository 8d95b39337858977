// The page: the router, the connection status and the theme.
import { webSocketUrl } from "./dom.js";
import { player } from "./play/player_connection.js";
import { SpectatorConnection } from "./spectator_connection.js";
import { save } from "./storage.js";

/** @import { ViewOptions } from "./types.js" */
/** @typedef {() => Promise<{ view: (options: ViewOptions) => void }>} Loader */

// On a big screen /?present shows the lobby as slides.
const isPresented = new URLSearchParams(location.search).has("present");
document.documentElement.classList.toggle("presenting", isPresented);

/** @type {Record<string, Loader | undefined>} */
const VIEWS = {
  "": () => (isPresented ? import("./present/present.js") : import("./lobby/lobby.js")),
  tables: () => import("./standings/standings.js"),
  games: () => import("./games/games.js"),
  match: () => import("./match/match.js"),
  play: () => import("./play/play.js"),
  analysis: () => import("./analysis/analysis.js"),
  learn: () => import("./learn/learn.js"),
};

/** @param {string} id */
const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));

const main = byId("main");
const connection = new SpectatorConnection(webSocketUrl("/watch"));
let controller = new AbortController();
/** @type {string | null} */
let current = null;

/** Show the view that the address names: #/view/parameter/...?key=value. */
async function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...parameters] = path.split("/").map(decodeURIComponent);
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  const load = VIEWS[name];
  const module = load ? await load() : null;
  if (signal.aborted) return;
  main.replaceChildren();
  main.className = `view-${load ? name || "lobby" : "missing"}`;
  markLinks(name);
  if (!module) {
    main.append("Page not found.");
    return;
  }
  if (current !== null && current !== name) main.focus({ preventScroll: true });
  current = name;
  module.view({ main, connection, parameters, query: new URLSearchParams(query), signal });
}

/** @param {string} name */
function markLinks(name) {
  document.title = "Arena";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${name}`) {
      link.setAttribute("aria-current", "page");
      document.title = `${link.textContent} · Arena`;
    } else link.removeAttribute("aria-current");
  }
}

// The connection status

const status = byId("status");
const playLink = byId("play-link");
connection.on("status", ({ isConnected, isClosed }) => {
  document.body.classList.toggle("disconnected", !isConnected && !isClosed);
  if (isConnected) status.textContent = "";
  else status.textContent = isClosed ? "The arena has closed." : "Disconnected, reconnecting…";
});
connection.on("about", arena => {
  playLink.hidden = !arena.is_open;
});

// The theme

const themeButton = byId("theme");
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const { dataset } = document.documentElement;
const isDark = () => (dataset.theme ?? (systemDark.matches ? "dark" : "light")) === "dark";
const labelThemeButton = () => {
  themeButton.textContent = isDark() ? "Light" : "Dark";
  themeButton.ariaLabel = isDark() ? "Light theme" : "Dark theme";
};
themeButton.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  dataset.theme = theme;
  save("theme", theme);
  labelThemeButton();
});
systemDark.addEventListener("change", labelThemeButton);
labelThemeButton();

// A challenge may be accepted while any view is open: show the match when it starts.
player.on("started", ({ match }) => {
  location.hash = `#/match/${match}`;
});

addEventListener("hashchange", route);
route();
