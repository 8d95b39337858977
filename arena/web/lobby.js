// The lobby: what is played here, who is here, what is going on and what has just ended.
import { count, h, nameOf, socketAddress } from "/dom.js";
import { LiveMatches } from "/live.js";
import { calm, casualBadge, columns, copyable, eloWords, endOf, gameWords, marginWords, playerName, refreshTimes, timeOf, timeWords, titleOf, write } from "/words.js";

const TOP = 5; // bots of each table
const LATEST = 8; // results
const PAUSE = 1000; // milliseconds for which a list stays as it is

export function view({ main, socket, signal }) {
  const welcome = h("section", { class: "welcome" });
  const live = new LiveMatches(socket, signal);
  const number = h("span", { class: "faint" }), nothing = h("div", { class: "nothing" });
  const [top, latest, here] = Array.from({ length: 3 }, () => h("section", { class: "card", hidden: true }));
  main.append(h("div", { class: "lobby" }, welcome,
    h("section", { class: "now" }, h("h2", {}, "Playing now ", number), nothing, live.element),
    h("div", { class: "aside" }, top, latest, here)));

  let finished = 0, bots = [];
  const greet = () => socket.about && showWelcome(welcome, socket.about, finished);
  const look = () => {
    nothing.hidden = !live.isEmpty;
    write(number, live.isEmpty ? "" : String(live.count));
    if (live.isEmpty) showNothing(nothing, waitingWords(socket.about, bots, finished), bots.length);
  };
  const showLatest = calm(PAUSE, signal, results => listResults(latest, socket.about, results));
  const showTop = calm(PAUSE, signal, tables => listBest(top, socket.about, tables));
  socket.addEventListener("about", greet, { signal });
  socket.addEventListener("lobby", ({ detail }) => {
    live.hear(detail);
    finished = detail.finished ?? finished;
    bots = detail.bots ?? bots;
    greet();
    if (detail.bots) listBots(here, bots);
    if (detail.results) showLatest(detail.results);
    // Who comes to an empty arena wants to know how to fill it.
    if (detail.full && live.isEmpty && !bots.length) welcome.querySelector("details")?.setAttribute("open", "");
  }, { signal });
  socket.addEventListener("tables", ({ detail }) => showTop(detail.tables), { signal });
  const timers = [setInterval(look, 250), setInterval(() => refreshTimes(latest), 20_000)];
  signal.addEventListener("abort", () => timers.forEach(clearInterval));
  greet();
  look();
  socket.watch(null);
}

// What is played here

function showWelcome(section, about, finished) {
  if (section.dataset.run !== about.run) {
    section.replaceChildren(...(about.tournament ? tournament(about) : about.is_open ? openArena(about) : archive(about)));
    section.dataset.run = about.run;
  }
  write(section.querySelector(".played"), playedWords(about, finished));
  const bar = section.querySelector("progress");
  if (bar) Object.assign(bar, { max: about.tournament.matches || 1, value: finished });
}

function playedWords({ tournament: plan }, finished) {
  const all = plan?.matches.toLocaleString("en"), done = finished.toLocaleString("en");
  if (!plan) return finished ? `${count(finished, "match", "matches")} played so far` : "";
  if (finished >= plan.matches) return `All ${all} matches are played`;
  return plan.may_end_early ? `${done} matches played, of ${all} at most` : `${done} of ${all} matches played`;
}

const facts = (...parts) => h("p", { class: "row faint" }, parts.map(part => h("span", {}, part)));

function tournament(about) {
  const { game, format, bots, seed } = about.tournament;
  return [
    h("p", { class: "eyebrow" }, "Tournament"),
    h("h1", {}, titleOf(about, game), h("span", { class: "faint" }, ` ${format.replace("-", " ")}`)),
    facts(count(bots.length, "bot"), timeWords(about.time), `seed ${seed}`),
    h("div", { class: "row" }, h("progress", { "aria-labelledby": "progress-words" }), h("span", { class: "played", id: "progress-words" })),
  ];
}

function openArena(about) {
  const url = socketAddress("/play");
  return [
    h("p", { class: "eyebrow" }, "Open arena"),
    h("h1", {}, titles(about)),
    facts(timeWords(about.time), "whoever is here is paired by itself", h("span", { class: "played" })),
    h("p", { class: "row invitations" },
      h("a", { class: "button main", href: "#/play" }, Object.keys(about.offers).length ? "Play against a bot" : "Play against a friend"),
      h("a", { class: "button", href: "#/analysis" }, "Analyse a position")),
    h("details", {}, h("summary", {}, "Join with a bot of your own"),
      h("p", {}, "A bot in any language connects here and says hello:"), copyable(url, "the address"),
      h("p", {}, "One of the arena's own is started so:"), copyable(`python -m bots spec --depth 4 --url ${url}`, "the command")),
  ];
}

function archive(about) {
  return [
    h("p", { class: "eyebrow" }, "Stored matches"), h("h1", {}, titles(about)), facts(h("span", { class: "played" })),
    h("p", { class: "row invitations" }, h("a", { class: "button main", href: "#/games" }, "All games"), h("a", { class: "button", href: "#/analysis" }, "Analyse a position")),
  ];
}

const titles = about => about.games.map(({ title }) => title).join(", ").replace(/, ([^,]*)$/, " and $1");

/** What there is to see where nothing is: two places, of which one is taken once a bot is here. */
function showNothing(element, words, here) {
  if (element.lastChild?.textContent === words) return;
  element.replaceChildren(
    h("div", { class: "seats", "aria-hidden": "true" }, [1, 2].map(seat => h("span", { class: here >= seat ? "seat taken" : "seat" }))),
    h("p", {}, words));
}

function waitingWords(about, bots, finished) {
  if (!about) return "Connecting to the arena…";
  if (finished >= about.tournament?.matches) return "The tournament is over. All its games are here to replay.";
  if (!about.is_open && !about.tournament) return "Nothing is being played. The games are here to replay.";
  if (bots.length > 1) return "The next match is about to begin.";
  return bots.length ? "One bot is here, and waits for another." : "Nobody is here yet. The first two bots that come play each other.";
}

// Who is best, what has ended, who is here

function listBest(section, about, tables) {
  const shown = tables.filter(({ bots }) => bots.length);
  section.hidden = !shown.length;
  section.replaceChildren(h("h2", {}, "Standings"),
    ...shown.flatMap(table => [h("h3", {}, titleOf(about, table.game)), best(table.bots.slice(0, TOP))]),
    h("p", {}, h("a", { href: "#/tables" }, "All standings")));
}

function best(bots) {
  return h("table", {}, h("thead", {}, h("tr", {}, columns("#", "Bot", "Elo", "±"))),
    h("tbody", {}, bots.map(({ bot, elo, margin }, place) => h("tr", {},
      h("td", { class: "faint" }, place + 1), h("th", { scope: "row", class: "name", title: bot }, nameOf(bot)),
      h("td", {}, eloWords(elo)), h("td", { class: "faint" }, marginWords(margin))))));
}

function listResults(section, about, results) {
  section.hidden = !results.length;
  // What somebody is about to open does not move away.
  if (section.matches(":focus-within")) return;
  section.replaceChildren(h("h2", {}, "Latest results"),
    h("ul", { class: "results", role: "list" }, results.slice(0, LATEST).map(summary => resultRow(about, summary))),
    h("p", {}, h("a", { href: "#/games" }, "All games")));
}

function resultRow(about, { facts, result }) {
  const first = result.winner ?? 1, verb = result.winner ? " beat " : " met ";
  return h("li", {},
    h("a", { href: `#/match/${facts.match}` }, playerName(facts, first, !result.winner), verb, playerName(facts, 3 - first, true)),
    h("p", { class: "faint" }, endOf(result), ` · ${gameWords(about, facts)} · `, timeOf(result.finished_at), casualBadge(facts)));
}

function listBots(section, bots) {
  section.hidden = !bots.length;
  const names = [...bots].sort((one, two) => one.localeCompare(two, "en", { numeric: true }));
  section.replaceChildren(h("h2", {}, "Who is here ", h("span", { class: "faint" }, bots.length)),
    h("ul", { class: "chips", role: "list" },
      names.map(bot => h("li", {}, h("a", { href: `#/games?${new URLSearchParams({ bot })}`, title: bot }, nameOf(bot))))));
}
