// The matches that have been played, the latest first.
import { count, h } from "/dom.js";
import { casualBadge, endOf, gameWords, playerName, timeOf } from "/words.js";

const PAGE = 50; // matches that are asked for at a time

export function view({ main, socket, query, signal }) {
  const wanted = { bot: query.get("bot") || null, game: query.get("game") || null };
  const list = h("ol", { class: "played-games card", role: "list" });
  const more = h("button", { type: "button", hidden: true, onclick: load }, "Load more");
  const said = h("p", { class: "faint", role: "status" }, "Looking…");
  const filters = h("div");
  main.append(h("h1", {}, "Games"), filters, list, said, h("p", {}, more));

  let isBusy = false, isComplete = false;
  async function load() {
    if (isBusy || isComplete) return;
    isBusy = true;
    try {
      const before = list.lastElementChild ? Number(list.lastElementChild.dataset.match) : null;
      const answer = await socket.ask({ type: "find_games", limit: PAGE, before, ...wanted });
      if (signal.aborted) return;
      const isFocused = document.activeElement === more;
      const rows = answer.games.map(summary => row(socket.about, summary));
      list.append(...rows);
      isComplete = !answer.more;
      said.textContent = wordsFor(list.children.length, isComplete);
      // Who loads more with the keyboard goes on with what has come.
      if (isFocused) rows[0]?.querySelector("a").focus();
    } catch (error) {
      if (!signal.aborted) said.textContent = error.message;
    }
    isBusy = false;
    more.hidden = isComplete || !list.children.length;
  }
  const begin = () => {
    filters.replaceChildren(form(socket.about, wanted));
    if (!list.children.length) load();
  };
  socket.addEventListener("about", begin, { signal });
  if (socket.isConnected) begin();
}

function wordsFor(shown, isComplete) {
  if (!shown) return "There is no such match.";
  return isComplete ? `${count(shown, "match", "matches")}: that is all.` : `The latest ${count(shown, "match", "matches")}.`;
}

/** What is asked for is in the address, so that it can be passed on. */
function form(about, { bot, game }) {
  const names = new Map(about.games.map(({ name, title }) => [name, title]));
  if (game && !names.has(game)) names.set(game, game);
  const options = [["", "All games"], ...names].map(([value, title]) => h("option", { value, selected: value === (game ?? "") }, title));
  return h("form", { role: "search", onsubmit: submit },
    h("label", {}, "Bot or player", h("input", { name: "bot", value: bot, autocomplete: "off", spellcheck: "false" })),
    h("label", {}, "Game", h("select", { name: "game", onchange: submit }, options)),
    h("button", { class: "main" }, "Show"),
    (bot || game) && h("a", { href: "#/games" }, "Show all"));
}

function submit(event) {
  event.preventDefault();
  const given = new FormData(event.target.form ?? event.target);
  const query = new URLSearchParams([...given].filter(([, value]) => value));
  location.hash = `#/games?${query}`.replace(/\?$/, "");
}

function row(about, { facts, result, plies }) {
  const player = side => h("span", { class: "side" }, playerName(facts, side, result.winner !== side),
    result.winner === side && h("span", { class: "won" }, h("span", { class: "hidden-text" }, " "), "✓ won"));
  return h("li", { data: { match: facts.match } },
    h("a", { class: "cover", href: `#/match/${facts.match}` }, player(1), h("span", { class: "hidden-text" }, " against "), player(2)),
    h("span", {}, gameWords(about, facts), casualBadge(facts)), h("span", {}, endOf(result)),
    h("span", {}, count(plies, "ply", "plies")), h("span", {}, timeOf(result.finished_at)));
}
