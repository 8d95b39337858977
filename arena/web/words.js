// What several views say of games, matches, ratings and times.
import { h, nameOf, setupWords } from "/dom.js";
import { terminationWords } from "/model.js";

/** The title of a game; its name where the arena has not told. */
export const titleOf = (about, game) => about?.games.find(({ name }) => name === game)?.title ?? game;

/** What is played in a match: "Take-Stones, stones 20". */
export const gameWords = (about, { game, setup }) =>
  [titleOf(about, game), setupWords(setup)].filter(Boolean).join(", ");

/** A player of a match, with the mark of the side. */
export const playerName = (facts, player, kind = "") =>
  h("span", { class: `player-${player} ${kind}` }, nameOf(facts.players[player - 1]));

/** "One beat other", the winner first; for an aborted match only who met whom. */
export function resultWords(facts, { winner }) {
  if (winner === null) return [playerName(facts, 1, "beaten"), " met ", playerName(facts, 2, "beaten")];
  return [playerName(facts, winner, "victor"), " beat ", playerName(facts, 3 - winner, "beaten")];
}

/** How a match ended, in short; the reason is there for those who point at it. */
export const endOf = result => h("span", { title: result.reason }, terminationWords(result.termination));

/** A time control in words: "5 s + 0.05 s a move". */
export function timeWords(text) {
  if (/^\d{5,}\/move$/.test(text)) return "no clock";
  if (text.endsWith("/move")) return `${text.slice(0, -5)} s a move`;
  const [base, increment] = text.split("+");
  return Number(increment) ? `${base} s + ${increment} s a move` : `${base} s`;
}

// Ratings

const MINUS = "−";

/** A rating as it is shown: "+12", "−3", "0". */
export function eloWords(elo) {
  const whole = Math.round(elo);
  return whole > 0 ? `+${whole}` : whole < 0 ? `${MINUS}${-whole}` : "0";
}

/** A share in percent, rounded down: 100 % is without a blunder. */
export const percentWords = share => `${(Math.floor(1000 * share) / 10).toFixed(1)} %`;

// Times of day

const exactly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const daily = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** When something was, in Unix time, as seen from now; exactly for those who point at it. */
export function timeOf(unix) {
  const date = new Date(1000 * unix);
  const attributes = { datetime: date.toISOString(), title: exactly.format(date), data: { at: unix } };
  return h("time", attributes, agoWords(unix));
}

/** Let all times in an element be seen from now. */
export function refreshTimes(element) {
  for (const time of element.querySelectorAll("time")) write(time, agoWords(Number(time.dataset.at)));
}

function agoWords(unix) {
  const seconds = Date.now() / 1000 - unix;
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return daily.format(new Date(1000 * unix));
}

// How things are shown

/** Give an element a text, but leave it alone where it has it: then nothing is laid out again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A function that runs at once, and then at most once in so many milliseconds with the latest. */
export function calm(milliseconds, signal, run) {
  let timer = null, latest;
  const next = () => {
    timer = null;
    if (latest) go(...latest);
  };
  const go = (...values) => {
    latest = null;
    run(...values);
    timer = setTimeout(next, milliseconds);
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (...values) => {
    if (timer === null) go(...values);
    else latest = values;
  };
}

/** A text with a button that copies it. */
export function copyable(text, meaning) {
  const code = h("code", {}, text);
  const button = h("button", { type: "button", "aria-label": `Copy ${meaning}`, onclick: copy }, "Copy");
  async function copy() {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    } catch {
      // Without TLS a browser may refuse: then the text is selected, to be copied by hand.
      getSelection().selectAllChildren(code);
    }
  }
  return h("div", { class: "copyable" }, code, button);
}
