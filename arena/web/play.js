// Asking for a match: against a bot of the arena, or against whoever follows a link.
import { copyButtons } from "/copy.js";
import { h, nameOf } from "/dom.js";
import { seat } from "/seat.js";
import { keep, kept } from "/storage.js";

const CLOCKS = [["", "No clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 s a move"], ["600+5", "10 minutes + 5 s a move"], ["20/move", "20 s for each move"]];
const FRIEND = ""; // in place of an opponent's name
const LEVELS = {
  random: "random: any legal move",
  greedy: "greedy: leaves you the fewest replies",
  perfect: "perfect: never gives a won game away",
};

const REFUSALS = {
  name_taken: "Somebody of that name is here already: choose another.",
  name_reserved: "That name is a bot's: choose another.",
};

/** Show #/play, or #/play/CHALLENGE to take one up. */
export function view({ main, socket, parameters: [challenge], query, signal }) {
  const open = () => {
    if (!socket.about.is_open) main.replaceChildren(h("h1", {}, "Play"), h("p", {}, "Nobody can be challenged here: this arena is for bots alone."));
    else if (challenge) new Guest({ main, socket, challenge, signal });
    else new Host({ main, socket, query, signal });
  };
  if (socket.about) open();
  else socket.addEventListener("about", open, { once: true, signal });
}

/** A form that leads to a match. */
class Entrance {
  constructor({ socket, signal }) {
    this.socket = socket;
    this.problem = h("p", { class: "problem", role: "alert" });
    this.name = h("input", { id: "name", name: "name", required: true, maxlength: 40, autocomplete: "nickname", value: seat.name || remembered("name") || `Guest ${1000 + Math.floor(9000 * Math.random())}` });
    const on = (type, act) => seat.addEventListener(type, event => act(event.detail), { signal });
    on("error", ({ message, match }) => match === null && this.refuse(message));
    on("refused", ({ reason }) => this.refuse(REFUSALS[reason] ?? `The arena does not let you in: ${reason}.`));
    on("left", () => this.refuse("The connection was lost: ask again."));
  }

  get games() {
    return this.socket.about.games.map(game => game.name);
  }

  get nameField() {
    return field("Your name", this.name);
  }

  /** What the player is called, remembered. */
  enter() {
    this.problem.textContent = "";
    remember("name", this.name.value.trim());
    return this.name.value.trim();
  }

  refuse(message) {
    this.problem.textContent = message;
  }
}

class Host extends Entrance {
  #main;
  #form;
  #setup = h("div", { class: "fields" });

  constructor({ main, socket, query, signal }) {
    super({ socket, signal });
    this.#main = main;
    const { games } = socket.about;
    this.opponent = h("select", { id: "opponent" });
    this.game = h("select", { id: "game", onchange: () => this.#choose() }, games.map(({ name, title }) => option(name, title, query.get("game") ?? remembered("game"))));
    this.side = radios("side", "You play", [["1", "first"], ["2", "second"], ["0", "either"]], query.get("side") ?? remembered("side") ?? "1");
    this.clock = h("select", { id: "clock" }, CLOCKS.map(([text, words]) => option(text, words, query.get("time") ?? remembered("clock") ?? "")));
    this.#form = h("form", { class: "card play-form", onsubmit: event => { event.preventDefault(); this.#ask(); } },
      field("Opponent", this.opponent), field("Game", this.game), this.#setup, this.side, field("Clock", this.clock), this.nameField,
      h("div", {}, h("button", { class: "main" }, "Play")), this.problem);
    main.append(h("h1", {}, "Play"), this.#form,
      h("p", { class: "hint" }, "Casual matches count for nobody. You may take moves back and ask for hints."));
    this.#choose(query);
    seat.addEventListener("challenged", ({ detail }) => this.#share(detail.challenge), { signal });
    signal.addEventListener("abort", () => seat.matches.size || seat.leave());
  }

  #choose(query = new URLSearchParams()) {
    this.#listOpponents(query.get("opponent") ?? (this.opponent.length ? this.opponent.value : remembered("opponent")));
    const { parameters } = this.socket.about.games.find(game => game.name === this.game.value);
    const before = Object.fromEntries([...this.#setup.querySelectorAll("input")].map(input => [input.name, input.value]));
    this.#setup.replaceChildren(...Object.entries(parameters).map(([name, { meaning, minimum, usual }]) => {
      const value = query.get(name) ?? before[name] ?? remembered(`setup-${name}`) ?? usual[0];
      return field(capital(meaning), h("input", { id: name, name, type: "number", min: minimum, step: 1, required: true, value, inputmode: "numeric" }));
    }));
  }

  /** The bots that play the game, and people. */
  #listOpponents(wanted) {
    const bots = Object.entries(this.socket.about.offers).filter(([, games]) => games.includes(this.game.value)).map(([name]) => name);
    this.opponent.replaceChildren(
      ...bots.length ? [h("optgroup", { label: "Bots" }, bots.map(name => option(name, levelWords(name), wanted)))] : [],
      h("optgroup", { label: "People" }, option(FRIEND, "a friend: by a link that you share", wanted)));
  }

  #ask() {
    const name = this.enter();
    const setup = Object.fromEntries([...this.#setup.querySelectorAll("input")].map(input => [input.name, input.valueAsNumber]));
    const side = this.#form.elements.side.value;
    for (const [key, value] of [["opponent", this.opponent.value], ["game", this.game.value], ["side", side], ["clock", this.clock.value], ...Object.entries(setup).map(([key, value]) => [`setup-${key}`, value])]) remember(key, value);
    seat.challenge(name, this.games, {
      game: this.game.value, setup, you: Number(side) || 1 + Math.floor(2 * Math.random()),
      opponent: this.opponent.value || null, time: this.clock.value || null,
    });
  }

  #share(challenge) {
    const link = new URL(`#/play/${challenge}`, location.href).href;
    this.#main.replaceChildren(h("h1", {}, "Waiting for your friend"),
      h("div", { class: "card play-form" },
        h("p", {}, "Whoever opens this link first plays against you. Keep this page open."),
        h("input", { readonly: true, value: link, "aria-label": "Link to the match", onfocus: event => event.target.select() }),
        copyButtons([["Link", () => link]]).element,
        h("p", {}, h("button", { type: "button", onclick: () => { seat.leave(); location.reload(); } }, "Give up waiting"))), this.problem);
  }
}

class Guest extends Entrance {
  constructor({ main, socket, challenge, signal }) {
    super({ socket, signal });
    main.append(h("h1", {}, "You are challenged"),
      h("form", { class: "card play-form", onsubmit: event => { event.preventDefault(); seat.accept(this.enter(), this.games, challenge); } },
        h("p", {}, "Somebody wants to play against you. The match begins when you take the challenge up."),
        this.nameField, h("div", {}, h("button", { class: "main" }, "Play")), this.problem));
  }
}

/** What a bot is, in words. */
function levelWords(name) {
  const [kind, depth] = name.split(":");
  return depth ? `${name}: looks ${depth} ${depth === "1" ? "ply" : "plies"} ahead` : LEVELS[kind] ?? name;
}

const capital = text => text[0].toUpperCase() + text.slice(1);
const option = (value, words, wanted) => h("option", { value, selected: value === wanted }, nameOf(words).textContent);
const field = (label, control) => h("div", { class: "field" }, h("label", { for: control.id }, label), control);

function radios(name, legend, choices, wanted) {
  return h("fieldset", { class: "field" }, h("legend", {}, legend), choices.map(([value, words]) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name, value, checked: value === wanted }), ` ${words}`)));
}

const remembered = key => kept(`play-${key}`);
const remember = (key, value) => keep(`play-${key}`, value);
