// The filter of the list of matches: in the address, as a form, and as a question to the arena.
import { capitalised, h } from "../dom.js";
import { TERMINATIONS } from "../format.js";

/** @import { ArenaInfo, Child, MatchFilter, Setup } from "../types.js" */

const NAMES = ["bot", "opponent", "game", "outcome", "ending"];
const NUMBERS = ["max_blunders", "min_plies", "max_plies"];
const DATES = ["since", "until"];
const MAIN = ["bot", "opponent", "game"]; // the fields that are always shown
const FIRST_DAY = "1970-01-01";
const OUTCOMES = { won: "won", lost: "lost", draw: "draw" };

/** The name of the field that had the focus when the filter was changed. */
let focused = "";
/** Whether all fields are shown, also after the filter was changed. */
let isOpen = false;

/**
 * Return the filter that an address names; fields that are no numbers or dates are left out.
 * @param {URLSearchParams} query
 * @returns {MatchFilter}
 */
export function readFilter(query) {
  const filter = /** @type {Record<string, string | number | Setup>} */ ({});
  const setup = /** @type {Setup} */ ({});
  for (const [name, text] of query) {
    if (!text) continue;
    const number = DATES.includes(name) ? unixTime(name, text) : Number(text);
    if (NAMES.includes(name)) filter[name] = text;
    else if (!Number.isFinite(number)) continue;
    else if (NUMBERS.includes(name) || DATES.includes(name)) filter[name] = number;
    else setup[name] = number;
  }
  if (Object.keys(setup).length) filter.setup = setup;
  return filter;
}

/**
 * Return the time at which a day begins in this time zone, or at which the last day ends.
 * @param {string} name
 * @param {string} date
 */
function unixTime(name, date) {
  const day = new Date(`${date}T00:00`);
  if (name === "until") day.setDate(day.getDate() + 1);
  return day.getTime() / 1000;
}

/**
 * Return the form of a filter, which changes the address.
 * @param {ArenaInfo} arena
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 */
export function filterForm(arena, query, signal) {
  /**
   * @param {string} name
   * @param {string} label
   * @param {Record<string, string | number>} [properties]
   */
  const field = (name, label, properties = {}) =>
    labelled(label, h("input", { name, value: query.get(name), ...properties }));
  /**
   * @param {string} name
   * @param {string} label
   */
  const number = (name, label) => field(name, label, { type: "number", min: 0, step: 1 });
  const text = { autocomplete: "off", spellcheck: "false", type: "search" };
  const titles = Object.fromEntries(arena.games.map(({ name, title }) => [name, title]));
  const isNarrow = [...query.keys()].some(name => !MAIN.includes(name));
  const form = h(
    "form",
    { role: "search", onsubmit: applyFilter, onchange: applyFilter },
    field("bot", "Bot or player", { ...text, placeholder: "beginning of a name" }),
    field("opponent", "Opponent", text),
    choice("game", "Game", "All games", titles, query),
    h("button", { class: "main" }, "Show"),
    query.size > 0 && h("a", { href: "#/games" }, "Show all"),
    h(
      "details",
      { open: isOpen || isNarrow, ontoggle: noteOpen },
      h("summary", {}, "More filters"),
      h("div", { class: "filters" }, [
        choice("outcome", outcomeLabel(query), "Any result", OUTCOMES, query),
        choice("ending", "Ending", "Any ending", TERMINATIONS, query),
        [...parametersOf(arena, query)].map(([name, meaning]) =>
          number(name, capitalised(meaning)),
        ),
        number("max_blunders", "Blunders, at most"),
        number("min_plies", "Moves, at least"),
        number("max_plies", "Moves, at most"),
        field("since", "From", { type: "date" }),
        field("until", "To", { type: "date" }),
      ]),
    ),
  );
  keepFocus(form, signal);
  return form;
}

/**
 * @param {string} label
 * @param {Child} control
 */
const labelled = (label, control) => h("label", {}, label, control);

/**
 * @param {string} name
 * @param {string} label
 * @param {string} any the text of no choice
 * @param {Record<string, string>} titles by value
 * @param {URLSearchParams} query
 */
function choice(name, label, any, titles, query) {
  const chosen = query.get(name) ?? "";
  const options = { "": any, ...(chosen && { [chosen]: chosen }), ...titles };
  const elements = Object.entries(options).map(([value, title]) =>
    h("option", { value, selected: value === chosen }, title),
  );
  return labelled(label, h("select", { name }, elements));
}

/** @param {URLSearchParams} query */
function outcomeLabel(query) {
  const name = query.get("bot");
  return name ? `Result of ${name}` : "Result of player 1";
}

/**
 * Return the meanings of the parameters of the chosen game, or of all games, by their names.
 * @param {ArenaInfo} arena
 * @param {URLSearchParams} query
 */
function parametersOf(arena, query) {
  const game = query.get("game");
  const games = arena.games.filter(({ name }) => !game || name === game);
  return new Map(
    games.flatMap(({ parameters }) =>
      Object.entries(parameters).map(
        ([name, { meaning }]) => /** @type {const} */ ([name, meaning]),
      ),
    ),
  );
}

/**
 * Give the focus to the field that had it before the view was drawn with another filter.
 * @param {HTMLFormElement} form
 * @param {AbortSignal} signal
 */
function keepFocus(form, signal) {
  const [field] = [...form.elements].filter(({ attributes }) => {
    const name = attributes.getNamedItem("name")?.value;
    return focused && name === focused;
  });
  requestAnimationFrame(() => field instanceof HTMLElement && field.focus({ preventScroll: true }));
  signal.addEventListener("abort", () => {
    const active = document.activeElement;
    focused = (form.contains(active) && active?.getAttribute("name")) || "";
  });
}

/** @param {Event} event */
function noteOpen({ currentTarget }) {
  isOpen = /** @type {HTMLDetailsElement} */ (currentTarget).open;
}

/** @param {Event} event */
function applyFilter(event) {
  event.preventDefault();
  const { target } = event;
  const isDate = target instanceof HTMLInputElement && target.type === "date";
  if (isDate && target.value && target.value < FIRST_DAY) return; // its year is being typed
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value));
  location.hash = `#/games?${query}`.replace(/\?$/, "");
}
