// What several views say of games, matches, ratings and times.
import { h, nameOf, setupWords } from "/dom.js";
import { terminationWords } from "/model.js";

/** The title of a game; its name where the arena has not told. */
export const titleOf = (about, game) => about?.games.find(({ name }) => name === game)?.title ?? game;

/** What is played in a match: "Take-Stones, stones 20". */
export const gameWords = (about, { game, setup }) => [titleOf(about, game), setupWords(setup)].filter(Boolean).join(", ");

/** That a match counts for nobody. */
export const casualBadge = ({ casual }) => casual && [" ", h("span", { class: "badge" }, "casual")];

/** A player of a match, with the mark of the side. */
export const playerName = (facts, player, isBeaten = false) =>
  h("span", { class: `player-${player}${isBeaten ? " beaten" : ""}` }, nameOf(facts.players[player - 1]));

/** How a match ended, in short; the reason is there for those who point at it. */
export const endOf = result => h("span", { title: result.reason }, terminationWords(result.termination));

/** A time control in words: "5 s + 0.05 s a move". */
export function timeWords(text) {
  if (/^\d{5,}\/move$/.test(text)) return "no clock";
  return text.replace(/\+0$/, "").replace("/move", " s a move").replace(/\+(.*)/, " s + $1 s a move").replace(/\d$/, "$& s");
}

/** The heads of columns by their names. */
export const columns = (...names) => names.map(name =>
  h("th", { scope: "col", class: name === "Bot" ? "name" : null }, MEANINGS[name] ? h("abbr", { title: MEANINGS[name] }, name) : name));

const MEANINGS = {
  "±": "half the width of the 95 % interval",
  Accuracy: "moves from won positions that kept the win",
  Forfeits: "matches lost by breaking a rule",
};

// Numbers, with a dot where there is none

/** A rating: "+12", "−3", "0". */
export function eloWords(elo) {
  if (elo === null) return ".";
  const whole = Math.round(elo);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "0";
}

export const marginWords = margin => margin === null ? "." : String(Math.round(margin));

/** A share in percent, rounded down: 100 % is without a blunder. */
export const percentWords = share => share === null ? "." : `${(Math.floor(1000 * share) / 10).toFixed(1)} %`;

// Times of day

const exactly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const daily = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** When something was, in Unix time, as seen from now; exactly for those who point at it. */
export function timeOf(unix) {
  const date = new Date(1000 * unix);
  return h("time", { datetime: date.toISOString(), title: exactly.format(date) }, agoWords(date));
}

/** Let all times in an element be seen from now. */
export function refreshTimes(element) {
  for (const time of element.querySelectorAll("time")) write(time, agoWords(new Date(time.dateTime)));
}

function agoWords(date) {
  const minutes = (Date.now() - date) / 60_000;
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${Math.floor(minutes)} min ago`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h ago` : daily.format(date);
}

// How things are shown

/** Give an element a text, but leave it alone where it has it: then nothing is laid out again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A function that runs at once, and then at most once in so many milliseconds with the latest. */
export function calm(milliseconds, signal, run) {
  let timer = null, latest = null;
  const go = values => {
    latest = null;
    run(...values);
    timer = setTimeout(() => {
      timer = null;
      if (latest) go(latest);
    }, milliseconds);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (...values) => {
    if (timer === null && !signal.aborted) go(values);
    else latest = values;
  };
}

/** A text with a button that copies it. */
export function copyable(text, meaning) {
  const code = h("code", {}, text);
  const button = h("button", { type: "button", "aria-label": `Copy ${meaning}`, onclick: copy }, "Copy");
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Without TLS a browser may refuse: then the text is selected, to be copied by hand.
      getSelection().selectAllChildren(code);
    }
  }
  return h("div", { class: "copyable" }, code, button);
}
