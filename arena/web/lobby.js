// The lobby: what is played here, who is here, what is going on and what has just ended.
import { count, h, nameOf } from "/dom.js";
import { LiveMatches } from "/live.js";
import { calm, copyable, eloWords, endOf, gameWords, refreshTimes, resultWords, timeOf, timeWords, titleOf, write } from "/words.js";

const TOP = 5; // bots of each table
const LATEST = 8; // results
const PAUSE = 1000; // milliseconds for which a list stays as it is

export function view({ main, socket, signal }) {
  const welcome = h("section", { class: "welcome" });
  const live = new LiveMatches(socket, signal);
  const number = h("span", { class: "faint" });
  const nothing = h("div", { class: "nothing" });
  const top = h("section", { class: "card", hidden: true });
  const latest = h("section", { class: "card", hidden: true });
  const here = h("section", { class: "card", hidden: true });
  main.append(h("div", { class: "lobby" }, welcome,
    h("section", { class: "now" }, h("h2", {}, "Playing now ", number), nothing, live.element),
    h("div", { class: "aside" }, top, latest, here)));

  let finished = 0, bots = [];
  const greet = () => socket.about && showWelcome(welcome, socket.about, finished);
  const invite = () => {
    nothing.hidden = !live.isEmpty;
    write(number, live.count ? String(live.count) : "");
    if (live.isEmpty) showNothing(nothing, socket.about, bots, finished);
  };
  const showLatest = calm(PAUSE, signal, results => listResults(latest, socket.about, results));
  const showTop = calm(PAUSE, signal, tables => listBest(top, socket.about, tables));

  socket.addEventListener("about", greet, { signal });
  socket.addEventListener("lobby", ({ detail }) => {
    live.hear(detail);
    finished = detail.finished ?? finished;
    bots = detail.bots ?? bots;
    if (detail.finished !== undefined) greet();
    // Who comes to an empty arena wants to know how to fill it.
    if (detail.full && live.isEmpty && !bots.length) welcome.querySelector("details")?.setAttribute("open", "");
    if (detail.bots) listBots(here, bots);
    if (detail.results) showLatest(detail.results);
  }, { signal });
  socket.addEventListener("tables", ({ detail }) => showTop(detail.tables), { signal });
  const times = setInterval(() => { refreshTimes(latest); }, 20_000);
  const looks = setInterval(invite, 250);
  signal.addEventListener("abort", () => [times, looks].forEach(clearInterval));
  greet();
  socket.watch(null);
}

// What is played here

function showWelcome(section, about, finished) {
  const kind = about.tournament ? "tournament" : "open";
  if (section.dataset.shown !== about.run) {
    section.replaceChildren(...(about.tournament ? tournament(about) : openArena(about)));
    section.dataset.shown = about.run;
  }
  if (kind === "tournament") showProgress(section, about.tournament, finished);
  else write(section.querySelector(".played"), finished ? `${count(finished, "match", "matches")} played so far.` : "");
}

function tournament(about) {
  const { game, format, bots, seed } = about.tournament;
  const facts = [count(bots.length, "bot"), timeWords(about.time), `seed ${seed}`];
  return [
    h("p", { class: "eyebrow" }, "Tournament"),
    h("h1", {}, titleOf(about, game), h("span", { class: "faint" }, ` ${format.replace("-", " ")}`)),
    h("p", { class: "facts faint" }, facts.map(fact => h("span", {}, fact))),
    h("div", { class: "progress" }, h("progress", { "aria-labelledby": "progress-words" }), h("p", { id: "progress-words" })),
  ];
}

function showProgress(section, { matches, may_end_early: mayEndEarly }, finished) {
  const bar = section.querySelector("progress");
  Object.assign(bar, { max: Math.max(1, matches), value: Math.min(finished, matches) });
  const [done, all] = [finished, matches].map(number => number.toLocaleString("en"));
  const words = finished >= matches ? `All ${all} matches are played`
    : mayEndEarly ? `${done} matches played, of ${all} at most` : `${done} of ${all} matches played`;
  write(section.querySelector("#progress-words"), words);
}

function openArena(about) {
  const titles = about.games.map(({ title }) => title);
  const games = titles.length > 1 ? `${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}` : titles.join();
  return [
    h("p", { class: "eyebrow" }, "Open arena"),
    h("h1", {}, games),
    h("p", { class: "facts faint" }, h("span", {}, timeWords(about.time)), h("span", {}, "whoever is here is paired by itself"),
      h("span", { class: "played" })),
    h("p", { class: "invitations" },
      about.offers.length > 0 && h("a", { class: "button main", href: "#/play" }, "Play against a bot"),
      h("a", { class: "button", href: "#/analysis" }, "Analyse a position")),
    h("details", { class: "join" }, h("summary", {}, "Join with a bot of your own"), joining()),
  ];
}

function joining() {
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play`;
  return [
    h("p", {}, "A bot in any language connects here and says hello:"),
    copyable(url, "the address"),
    h("p", {}, "One of the arena's own is started so:"),
    copyable(`python -m bots spec --depth 4 --url ${url}`, "the command"),
  ];
}

/** What there is to see where nothing is: two places, of which one is taken once a bot is here. */
function showNothing(element, about, bots, finished) {
  const seats = Math.min(bots.length, 2), words = waitingWords(about, bots, finished);
  if (element.dataset.shown === words) return;
  element.dataset.shown = words;
  element.replaceChildren(
    h("div", { class: "seats", "aria-hidden": "true" },
      h("span", { class: `seat one${seats > 0 ? " taken" : ""}` }), h("span", { class: `seat two${seats > 1 ? " taken" : ""}` })),
    h("p", {}, words));
}

function waitingWords(about, bots, finished) {
  if (!about) return "Connecting to the arena…";
  if (about.tournament && finished >= about.tournament.matches) return "The tournament is over. Its games are all here to replay.";
  if (bots.length > 1) return "The next match is about to begin.";
  if (about.tournament) return "The bots are being awaited.";
  return bots.length ? "One bot is here, and waits for another." : "Nobody is here yet. The first two bots that come play each other.";
}

// Who is here, who is best, what has ended

function listBots(section, bots) {
  section.hidden = !bots.length;
  const names = [...bots].sort((one, two) => one.localeCompare(two, "en", { numeric: true }));
  section.replaceChildren(
    h("h2", { id: "here" }, "Who is here ", h("span", { class: "faint" }, String(bots.length))),
    h("ul", { class: "chips", role: "list", tabindex: bots.length > 40 ? 0 : null, "aria-labelledby": "here" },
      names.map(name => h("li", {}, h("a", { href: `#/games?${new URLSearchParams({ bot: name })}` }, nameOf(name))))));
}

function listBest(section, about, tables) {
  const shown = tables.filter(({ bots }) => bots.length);
  section.hidden = !shown.length;
  section.replaceChildren(
    h("h2", {}, "Standings"),
    ...shown.flatMap(table => best(table, shown.length > 1 ? titleOf(about, table.game) : null)),
    h("p", { class: "more" }, h("a", { href: "#/tables" }, "All standings")));
}

function best({ bots }, title) {
  const row = ({ bot, elo, margin }, place) => h("tr", {},
    h("td", { class: "faint" }, String(place + 1)), h("th", { scope: "row", class: "name" }, nameOf(bot)),
    h("td", {}, elo === null ? "." : eloWords(elo)), h("td", { class: "faint" }, margin === null ? "." : String(Math.round(margin))));
  return [
    title && h("h3", {}, title),
    h("table", { class: "best" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "#"), h("th", { scope: "col", class: "name" }, "Bot"),
        h("th", { scope: "col" }, "Elo"), h("th", { scope: "col" }, h("abbr", { title: "half the width of the 95 % interval" }, "±")))),
      h("tbody", {}, bots.slice(0, TOP).map(row))),
  ].filter(Boolean);
}

function listResults(section, about, results) {
  section.hidden = !results.length;
  // Focus is kept: what somebody is about to open does not move away.
  if (section.matches(":focus-within")) return;
  section.replaceChildren(
    h("h2", {}, "Latest results"),
    h("ul", { class: "results", role: "list" }, results.slice(0, LATEST).map(summary => resultRow(about, summary))),
    h("p", { class: "more" }, h("a", { href: "#/games" }, "All games")));
}

function resultRow(about, { facts, result }) {
  return h("li", {},
    h("a", { href: `#/match/${facts.match}` }, resultWords(facts, result)),
    h("p", { class: "faint" }, endOf(result), ` · ${gameWords(about, facts)} · `,
      timeOf(result.finished_at), facts.casual && [" ", h("span", { class: "badge" }, "casual")]));
}
