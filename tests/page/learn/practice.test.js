import { deepEqual, equal, match } from "node:assert/strict";
import { Practice, parseValue } from "/learn/practice.js";
import { Moment, SearchTrace } from "/learn/search_trace.js";
import { test } from "../support/browser.js";
import { all, isSame, properties } from "../support/elements.js";
import { TREE, tracedTree } from "../support/traced_searches.js";

/** Return a practice of a tree in the document, and a function that asks at a step. */
function practised(t, options = {}, tree = TREE) {
  const trace = new SearchTrace(tracedTree(tree, options).answer);
  const moment = new Moment(trace);
  const done = t.mock.fn();
  const practice = new Practice({ onDone: done, name: node => trace.moves[node] ?? "A" });
  practice.isOn = true;
  document.body.append(practice.form);
  const ask = steps => {
    moment.go(steps);
    return practice.ask(trace, moment);
  };
  const shown = selector => practice.form.querySelector(selector);
  const answer = (value, cut) => {
    shown("input:not([type])").value = value;
    if (cut) shown(`[value=${cut}]`).checked = true;
    if (cut) shown("button").click();
    else practice.form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    return [shown(".verdict").textContent, shown(".verdict").className, shown(".hint").textContent];
  };
  return { trace, practice, done, ask, shown, answer, text: () => practice.form.textContent };
}

// Of the steps of TREE these take the value of a child into account.
const UPDATES = [7, 11, 15, 17, 23, 26, 32, 35];

test("a question is asked exactly before values are taken into account", t => {
  const { trace, practice, ask } = practised(t);
  equal(practice.isAsking, false);
  for (let steps = 0; steps <= trace.length; steps++) {
    equal(ask(steps), UPDATES.includes(steps), `after ${steps} steps`);
    equal(practice.form.hidden, !UPDATES.includes(steps));
  }
  practice.isOn = false;
  deepEqual([ask(7), practice.form.hidden], [false, true]);
});

for (const [steps, options, sentence, bound, cut] of [
  [7, {}, "E returns 5 to B (Min), where v is ∞, α −∞ and β ∞.", "β", "Is B cut off (v ≤ α)?"],
  [17, {}, "B returns 5 to A (Max), where v is −∞, α −∞ and β ∞.", "α", "Is A cut off (v ≥ β)?"],
  [23, {}, "H returns 4 to C (Min), where v is ∞, α 5 and β ∞.", "β", "Is C cut off (v ≤ α)?"],
  [
    17,
    { isMax: false },
    "B returns 9 to A (Min), where v is ∞, α −∞ and β ∞.",
    "β",
    "Is A cut off (v ≤ α)?",
  ],
]) {
  test(`the question is about the bounds: ${sentence}`, t => {
    const { ask, shown } = practised(t, options);
    ask(steps);
    equal(shown("p").textContent, sentence);
    equal(shown("label span").textContent, `What is ${bound} after that?`);
    equal(shown("#cut-question").textContent, cut);
    equal(shown("fieldset").getAttribute("aria-labelledby"), "cut-question");
    deepEqual([shown("fieldset").hidden, shown("fieldset").disabled], [false, false]);
  });
}

for (const [steps, value, cut, verdict, isRight] of [
  [17, "5", "no", "Right: 5, and it is not cut off.", true],
  [17, "5", "yes", "No: 5, and it is not cut off.", false],
  [17, "4", "no", "No: 5, and it is not cut off.", false],
  [23, "inf", "yes", "Right: ∞, and it is cut off.", true],
  [23, "4", "no", "No: ∞, and it is cut off.", false],
  [23, "∞", "no", "No: ∞, and it is cut off.", false],
  [17, "five", "no", "No: 5, and it is not cut off.", false],
  [35, "5", "no", "Right: 5, and it is not cut off.", true],
]) {
  test(`after ${steps} steps the answer ${value}, ${cut} gets "${verdict}"`, t => {
    const { ask, answer } = practised(t);
    ask(steps);
    const kind = isRight ? "right" : "wrong";
    deepEqual(answer(value, cut), [verdict, `verdict ${kind}`, `${Number(isRight)} of 1 right`]);
  });
}

test("values are compared with the four digits of the nodes", t => {
  const { ask, answer } = practised(t, {}, [[1 / 3], 0]);
  ask(7);
  match(answer("0,3333", "no")[0], /^Right: 0\.333333, /);
});

test("minimax is practised without bounds and cutoffs", t => {
  const { ask, shown, answer } = practised(t, { isPruned: false });
  ask(7);
  equal(shown("p").textContent, "E returns 5 to B (Min), where v is ∞.");
  equal(shown("label span").textContent, "What is v after that?");
  deepEqual([shown("fieldset").hidden, shown("fieldset").disabled], [true, true]);
  deepEqual(answer("9"), ["No: 5.", "verdict wrong", "0 of 1 right"]);
  ask(11);
  deepEqual(answer("5"), ["Right: 5.", "verdict right", "1 of 2 right"]);
});

test("an answered question goes on, and the next one begins anew", t => {
  const { practice, ask, shown, answer, done } = practised(t);
  ask(7);
  equal(practice.isAsking, true);
  practice.focus();
  isSame(document.activeElement, shown("input"));
  answer("5", "no");
  deepEqual([practice.isAsking, shown("button").textContent], [false, "Go on"]);
  isSame(document.activeElement, shown("button"));
  equal(ask(7), false); // it may be played on from here
  deepEqual([practice.form.hidden, done.mock.callCount()], [false, 0]);
  shown("button").click();
  deepEqual([done.mock.callCount(), ask(11), ask(11)], [1, true, true]);
  deepEqual([shown("button").textContent, shown(".verdict").textContent], ["Check", ""]);
  deepEqual([shown(".verdict").className, shown("input").value], ["verdict", ""]);
  equal(shown("[value=no]").checked, false);
});

test("fields are required, and labelled", t => {
  const { practice, shown } = practised(t);
  deepEqual(properties("required", all("input", practice.form)), [true, true, true]);
  equal(practice.form.ariaLabel ?? practice.form.getAttribute("aria-label"), "Practice");
  equal(shown("fieldset").textContent, "yesno");
});

test("numbers and infinities are read as people write them", () => {
  for (const [text, value] of [
    ...[
      ["5", 5],
      [" 0.5 ", 0.5],
      ["0,5", 0.5],
      ["−3", -3],
      ["-3", -3],
      ["1e2", 100],
    ],
    ...["inf", "Infinity", "oo", "∞", "+inf"].map(word => [word, Infinity]),
    ...["-inf", "−∞", "-oo", "-INFINITY"].map(word => [word, -Infinity]),
    ...["", "  ", "five", "--3", "x∞", "-∞x", "info", "-info"].map(word => [word, null]),
  ]) {
    equal(parseValue(text), value, text);
  }
});
