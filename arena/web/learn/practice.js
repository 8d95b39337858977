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
  #legend = h("span", { id: "cut-question" });
  #cut;
  #hasBounds = true; // else the search has no alpha and no beta
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
    const labelled = { "aria-labelledby": "cut-question" };
    this.#cut = h("fieldset", labelled, this.#legend, choice("yes"), choice("no"));
    this.form = h(
      "form",
      { class: "practice card", hidden: true, "aria-label": "Practice", onsubmit: this.#check },
      this.#text,
      h("label", {}, this.#boundLabel, this.#bound),
      this.#cut,
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
    const child = Number(trace.answer.steps[step][2]);
    const isCut = step + 1 < trace.length && trace.kind(step + 1) === "cutoff";
    const bounds = isMax ? trace.alphas : trace.betas;
    this.#hasBounds = trace.answer.pseudocode.some(([, text]) => text.includes("alpha"));
    this.#answer = { bound: (this.#hasBounds ? bounds : trace.values)[step], isCut };
    this.#show(trace, moment, child);
    return true;
  }

  /**
   * Show the question about the value of a child.
   * @param {SearchTrace} trace
   * @param {Moment} moment
   * @param {number} child
   */
  #show(trace, moment, child) {
    const node = trace.parents[child];
    const isMax = trace.isMax(node);
    const { value, alpha, beta } = moment.state(node);
    const bounds = this.#hasBounds ? `, α ${valueText(alpha)} and β ${valueText(beta)}` : "";
    const { name } = this.#options;
    this.#text.replaceChildren(
      h("b", {}, `${name(child)} returns ${valueText(moment.state(child).value ?? 0)}`),
      ` to ${name(node)} (${isMax ? "Max" : "Min"}), where v is ${valueText(value ?? 0)}${bounds}.`,
    );
    const asked = this.#hasBounds ? ["β", "α"][Number(isMax)] : "v";
    this.#boundLabel.textContent = `What is ${asked} after that?`;
    this.#legend.textContent = `Is ${name(node)} cut off (v ${isMax ? "≥ β" : "≤ α"})?`;
    this.#cut.hidden = this.#cut.disabled = !this.#hasBounds;
    this.#verdict.textContent = "";
    this.#verdict.className = "verdict";
    this.#submit.textContent = "Check";
    this.form.reset();
  }

  /** Whether a question waits for an answer. */
  get isAsking() {
    return !this.form.hidden && this.#answer !== null;
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
    const isRight = hasBound && (!this.#hasBounds || (chosen === "yes") === answer.isCut);
    this.#answered++;
    if (isRight) this.#right++;
    const cut = answer.isCut ? ", and it is cut off" : ", and it is not cut off";
    const solution = `${valueText(answer.bound)}${this.#hasBounds ? cut : ""}.`;
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
