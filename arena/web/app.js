// The page: the router, the connection status, the theme, and the way back to the own match.
import { h, setText, webSocketUrl } from "./dom.js";
import { player } from "./play/player_connection.js";
import { SpectatorConnection } from "./spectator_connection.js";
import { save } from "./storage.js";

/** @import { ViewOptions } from "./types.js" */
/** @typedef {() => Promise<{ view: (options: ViewOptions) => void }>} Loader */

// A link to /match/ID, which other sites can show as a card, leads to the view #/match/ID.
if (location.pathname.startsWith("/match/")) {
  history.replaceState(null, "", `/#${location.pathname}`);
}

// On a big screen /?present shows the lobby as slides.
const isPresented = new URLSearchParams(location.search).has("present");
document.documentElement.classList.toggle("presenting", isPresented);

/** @type {Record<string, Loader | undefined>} */
const VIEWS = {
  "": () => (isPresented ? import("./present/present.js") : import("./lobby/lobby.js")),
  tables: () => import("./standings/standings.js"),
  games: () => import("./games/games.js"),
  match: () => import("./match/match.js"),
  bot: () => import("./bot/bot.js"),
  play: () => import("./play/play.js"),
  analysis: () => import("./analysis/analysis.js"),
  puzzles: () => import("./puzzles/puzzles.js"),
  learn: () => import("./learn/learn.js"),
  rules: () => import("./rules/rules.js"),
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
  const [name, ...parameters] = path.split("/").map(decoded);
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  const load = Object.hasOwn(VIEWS, name) && VIEWS[name];
  let module = null;
  try {
    module = load ? await load() : null;
  } catch {
    if (!signal.aborted) showUnloaded(signal);
    return;
  }
  if (signal.aborted) return;
  main.replaceChildren();
  main.className = `view-${load ? name || "lobby" : "missing"}`;
  markLinks(name);
  if (!module) {
    const lobby = h("p", {}, "See the ", h("a", { href: "#/" }, "lobby"), ".");
    main.append(h("h1", {}, "Page not found"), lobby);
    return;
  }
  if (current !== null && current !== name) main.focus({ preventScroll: true });
  current = name;
  module.view({ main, connection, parameters, query: new URLSearchParams(query), signal });
}

/**
 * Decode a part of the address; one that is no encoded text names nothing.
 * @param {string} part
 */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Say that the arena was unreachable when a link was followed; try again once it is back.
 * @param {AbortSignal} signal
 */
function showUnloaded(signal) {
  const reload = () => location.reload();
  const text = h("p", { role: "status" }, "This view could not be loaded from the arena.");
  main.replaceChildren(text, h("button", { type: "button", onclick: reload }, "Try again"));
  main.className = "view-missing";
  connection.on("about", reload, signal);
}

/**
 * Mark the link of a view, and show the views that share its link in the main navigation.
 * @param {string} name
 */
function markLinks(name) {
  document.title = "Arena";
  const address = `#/${name}`;
  const pages = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pages"))];
  const group = pages.find(nav => linksOf(nav).includes(address));
  for (const nav of pages) nav.hidden = nav !== group;
  for (const link of document.querySelectorAll("nav a")) {
    const isView = link.getAttribute("href") === address;
    const isGroup = group && link.textContent === group.getAttribute("aria-label");
    if (isView) document.title = `${link.textContent} · Arena`;
    if (isGroup) link.setAttribute("aria-current", "true");
    else if (isView) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {Element} nav */
const linksOf = nav => [...nav.children].map(link => link.getAttribute("href"));

// The connection status

const status = byId("status");
const playLink = byId("play-link");
connection.on("status", ({ isConnected, isClosed }) => {
  document.body.classList.toggle("disconnected", !isConnected && !isClosed);
  if (isConnected) status.textContent = "";
  else status.textContent = isClosed ? "The arena has closed." : "Disconnected, reconnecting…";
});
connection.on("waiting", ({ isWaiting }) => {
  status.textContent = isWaiting ? "The arena is busy: waiting for an answer…" : "";
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
  themeButton.ariaLabel = isDark() ? "Light theme" : "Dark theme";
  themeButton.title = themeButton.ariaLabel;
};
themeButton.addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  dataset.theme = theme;
  save("theme", theme);
  labelThemeButton();
});
systemDark.addEventListener("change", labelThemeButton);
labelThemeButton();

// The keyboard shortcuts

const showShortcuts = () => import("./shortcuts.js").then(module => module.showShortcuts());
byId("shortcuts").addEventListener("click", showShortcuts);
addEventListener("keydown", event => {
  const target = /** @type {Element} */ (event.target);
  if (event.key === "?" && !target.closest("input, select, textarea, dialog")) showShortcuts();
});

// A challenge may be accepted while any view is open: show the match when it starts. A restarted
// arena may give it the number of the match that is shown.
player.on("started", ({ match }) => {
  const address = `#/match/${match}`;
  if (location.hash === address) route();
  else location.hash = address;
});
player.resume();

// The way back to a match that the person plays, while another view is shown

const ownMatch = /** @type {HTMLAnchorElement} */ (byId("own-match"));

/** Show the link while a match of this browser goes on in another view or tab, and in which to move. */
function showOwnMatch() {
  const shown = /^#\/match\/(\d+)/.exec(location.hash)?.[1];
  const others = [...player.matches.keys()].filter(match => String(match) !== shown);
  const turn = others.find(match => player.turns.has(match));
  const match = turn ?? others.at(-1);
  ownMatch.hidden = match === undefined;
  if (match === undefined) return;
  ownMatch.href = `#/match/${match}`;
  setText(ownMatch, turn === undefined ? "Return to your match" : "Your move");
}
for (const type of /** @type {const} */ ([
  "welcome",
  "started",
  "turn",
  "finished",
  "error",
  "known",
  "replaced",
])) {
  player.on(type, showOwnMatch);
}
addEventListener("hashchange", showOwnMatch);
showOwnMatch();

addEventListener("hashchange", route);
route();
