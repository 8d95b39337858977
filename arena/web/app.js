// The page: which view is shown, the theme, and whether the arena can be reached.
import { socketAddress } from "/dom.js";
import { seat } from "/seat.js";
import { Socket } from "/socket.js";
import { keep } from "/storage.js";

const VIEWS = {
  "": () => import("/lobby.js"),
  tables: () => import("/tables.js"),
  games: () => import("/games.js"),
  match: () => import("/match.js"),
  play: () => import("/play.js"),
  analysis: () => import("/analysis.js"),
};

const main = document.getElementById("main");
const socket = new Socket(socketAddress("/watch"));
let leaving = new AbortController();
let shown = null;

/** Show the view that the address names: #/view/parameter/...?key=value. */
async function show() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...parameters] = path.split("/").map(decodeURIComponent);
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const load = VIEWS[name];
  const module = load ? await load() : null;
  if (signal.aborted) return;
  main.replaceChildren();
  main.className = `view-${load ? name || "lobby" : "missing"}`;
  markLinks(name);
  if (!module) {
    main.append("There is nothing at this address.");
    return;
  }
  if (shown !== null && shown !== name) main.focus({ preventScroll: true });
  shown = name;
  module.view({ main, socket, parameters, query: new URLSearchParams(query), signal });
}

function markLinks(name) {
  document.title = "Arena";
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${name}`) {
      link.setAttribute("aria-current", "page");
      document.title = `${link.textContent} · Arena`;
    } else link.removeAttribute("aria-current");
  }
}

// The status

const status = document.getElementById("status");
socket.addEventListener("status", ({ detail: { isConnected, isOver } }) => {
  document.body.classList.toggle("disconnected", !isConnected && !isOver);
  status.textContent = isConnected ? "" : isOver ? "The arena has closed." : "Disconnected, trying again…";
});
socket.addEventListener("about", ({ detail: about }) => {
  document.querySelector('nav a[href="#/play"]').hidden = !about.is_open;
});

// The theme

const theme = document.getElementById("theme");
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (systemIsDark.matches ? "dark" : "light")) === "dark";
const nameTheme = () => {
  theme.textContent = isDark() ? "Light" : "Dark";
  theme.ariaLabel = isDark() ? "Light theme" : "Dark theme";
};
theme.addEventListener("click", () => {
  const chosen = document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  keep("theme", chosen);
  nameTheme();
});
systemIsDark.addEventListener("change", nameTheme);
nameTheme();

// Wherever a player has asked for a match, this is where it is played.
seat.addEventListener("started", ({ detail: { match } }) => location.hash = `#/match/${match}`);

addEventListener("hashchange", show);
show();
