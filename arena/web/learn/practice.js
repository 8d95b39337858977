// Practice: questions about the next step, and the count of right answers.
import { h } from "../dom.js";
import { valueText } from "./search_trace.js";

/** @import { Moment, SearchTrace } from "./search_trace.js" */

/**
 * `onDone` is called when the question is answered and the search can go on.
 * @typedef {{ onDone: () => void, name: (node: number) => string }} PracticeOptions
 */

/** A form that asks for alpha or beta and for a cutoff before a value is taken into account. */
export class Practice {
  #options;
  #asked = -1; // the step of the question that is shown
  #right = 0;
  #answered = 0;
  #bound = h("input", { autocomplete: "off", inputmode: "text", size: 8, required: true });
  #boundLabel = h("span");
  #legend = h("legend");
  #score = h("p", { class: "hint", role: "status" });
  #verdict = h("p", { class: "verdict", role: "status" });
  #text = h("p");
  #submit = h("button", { class: "main" }, "Check");
  /** @type {{ bound: number, isCut: boolean } | null} the right answer */
  #answer = null;
  isOn = false;

  /** @param {PracticeOptions} options */
  constructor(options) {
    this.#options = options;
    /** @param {string} value */
    const choice = value => {
      const input = h("input", { type: "radio", name: "cut", value, required: true });
      return h("label", { class: "switch" }, input, value);
    };
    const cut = h("fieldset", {}, this.#legend, choice("yes"), choice("no"));
    this.form = h(
      "form",
      { class: "practice card", hidden: true, "aria-label": "Practice", onsubmit: this.#check },
      this.#text,
      h("label", {}, this.#boundLabel, this.#bound),
      cut,
      h("div", { class: "buttons" }, this.#submit, this.#score),
      this.#verdict,
    );
  }

  /**
   * Ask about the next step, if it takes the value of a child into account; return whether it does.
   * @param {SearchTrace} trace
   * @param {Moment} moment
   */
  ask(trace, moment) {
    const step = moment.steps;
    const isAsking = this.isOn && step < trace.length && trace.kind(step) === "update";
    this.form.hidden = !isAsking;
    if (!isAsking || step === this.#asked) return isAsking && this.#answer !== null;
    this.#asked = step;
    const node = trace.nodes[step];
    const isMax = trace.isMax(node);
    const state = moment.state(node);
    const child = Number(trace.answer.steps[step][2]);
    const given = moment.state(child).value ?? 0;
    const isCut = step + 1 < trace.length && trace.kind(step + 1) === "cutoff";
    this.#answer = { bound: isMax ? trace.alphas[step] : trace.betas[step], isCut };
    const { name } = this.#options;
    this.#text.replaceChildren(
      h("b", {}, `${name(child)} returns ${valueText(given)}`),
      ` to ${name(node)} (${isMax ? "Max" : "Min"}), where v is ${valueText(state.value ?? 0)},`,
      ` alpha ${valueText(state.alpha)} and beta ${valueText(state.beta)}.`,
    );
    this.#boundLabel.textContent = `${isMax ? "Alpha" : "Beta"} after that`;
    this.#legend.textContent = `Is ${name(node)} cut off (v ${isMax ? "≥ beta" : "≤ alpha"})?`;
    this.#verdict.textContent = "";
    this.#verdict.className = "verdict";
    this.#submit.textContent = "Check";
    this.form.reset();
    return true;
  }

  /** Move the focus to the question. */
  focus() {
    this.#bound.focus({ preventScroll: true });
  }

  /** @param {SubmitEvent} event */
  #check = event => {
    event.preventDefault();
    const answer = this.#answer;
    if (!answer) {
      this.#options.onDone();
      return;
    }
    const chosen = new FormData(this.form).get("cut");
    const bound = parseValue(this.#bound.value);
    // The nodes show four digits.
    const hasBound = bound !== null && valueText(bound, 4) === valueText(answer.bound, 4);
    const isRight = hasBound && (chosen === "yes") === answer.isCut;
    this.#answered++;
    if (isRight) this.#right++;
    const cut = answer.isCut ? "it is cut off" : "it is not cut off";
    const solution = `${valueText(answer.bound)}, and ${cut}.`;
    this.#verdict.textContent = isRight ? `Right: ${solution}` : `No: ${solution}`;
    this.#verdict.className = `verdict ${isRight ? "right" : "wrong"}`;
    this.#score.textContent = `${this.#right} of ${this.#answered} right`;
    this.#answer = null;
    this.#submit.textContent = "Go on";
    this.#submit.focus({ preventScroll: true });
  };
}

/**
 * Read a number or an infinity as people write them; null if it is none.
 * @param {string} text
 */
export function parseValue(text) {
  const word = text.trim().toLowerCase().replace("−", "-").replace(",", ".");
  if (/^\+?(inf|infinity|oo|∞)$/.test(word)) return Infinity;
  if (/^-(inf|infinity|oo|∞)$/.test(word)) return -Infinity;
  const number = Number(word);
  return word === "" || Number.isNaN(number) ? null : number;
}
