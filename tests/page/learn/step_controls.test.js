import { deepEqual, equal } from "node:assert/strict";
import { StepControls } from "/learn/step_controls.js";
import { leaveView, signal, test, tick } from "../support/browser.js";
import { attributes, button, fill, press as pressOn, show, texts } from "../support/elements.js";

const LENGTH = 400;
const OVER = "Go to the value that the node at work returns"; // the title of its button

/** Return controls in the document that go where they are told to. */
function controls({ cutoffs = [], length = LENGTH } = {}) {
  const went = [];
  let now = 0;
  const own = new StepControls({
    onGo: steps => go(steps),
    cutoff: direction =>
      (direction > 0 ? cutoffs.find(at => at > now) : cutoffs.findLast(at => at < now)) ?? now,
    over: () => 77,
    signal: signal(),
  });
  const go = steps => {
    now = steps;
    went.push(steps);
    own.update(steps, length, `step ${steps}`);
  };
  show(own.element);
  const part = selector => own.element.querySelector(selector);
  const click = name => button(name, own.element).click();
  const press = (key, target = own.element, more = {}) => pressOn(key, target, more);
  const at = steps => {
    go(steps);
    went.length = 0;
  };
  const isEnabled = name => button(name, own.element).ariaDisabled !== "true";
  return { own, went, at, part, click, press, isEnabled };
}

for (const [name, from, to] of [
  ["Start", 5, 0],
  ["Previous step", 5, 4],
  ["Next step", 5, 6],
  ["End", 5, LENGTH],
  [OVER, 5, 77],
  ["Next cutoff", 5, 30],
  ["Next step", LENGTH, LENGTH],
  ["Previous step", 0, 0],
]) {
  test(`the button ${name} leads from ${from} to ${to}`, () => {
    const { at, click, went } = controls({ cutoffs: [3, 30] });
    at(from);
    click(name);
    deepEqual(went, [to]);
  });
}

for (const [key, from, to] of [
  ...["ArrowLeft 5 4", "ArrowRight 5 6", "PageUp 50 30", "PageUp 5 0", "PageDown 5 25", "Home 5 0"],
  ...["PageDown 395 400", "End 5 400", "n 5 30", "p 5 3", "s 5 77"],
].map(line => line.split(" "))) {
  test(`the key ${key} leads from ${from} to ${to}`, () => {
    const { at, press, went } = controls({ cutoffs: [3, 30] });
    at(Number(from));
    equal(press(key), true);
    deepEqual(went, [Number(to)]);
  });
}

test("a page of a short search has five steps", () => {
  const { at, press, went } = controls({ length: 60 });
  at(0);
  press("PageDown");
  deepEqual(went, [5]);
});

test("keys are left to fields, boards and the browser", () => {
  const { at, press, went, own } = controls();
  at(5);
  const places =
    "<div role=grid><b></b></div><input><select></select><textarea></textarea><dialog><i></i></dialog>";
  const box = document.createElement("div");
  box.innerHTML = places;
  own.element.append(box);
  for (const selector of ["b", "input", "select", "textarea", "i"])
    press("ArrowRight", box.querySelector(selector));
  for (const modifier of ["altKey", "ctrlKey", "metaKey"])
    press("ArrowRight", own.element, { [modifier]: true });
  box.addEventListener("keydown", event => event.preventDefault());
  press("ArrowRight", box);
  deepEqual([press("x"), went], [false, []]);
});

test("keys work on sliders and switches, but the space bar presses what has the focus", () => {
  const { at, press, went, own, part } = controls();
  at(5);
  const box = document.createElement("div");
  box.innerHTML = "<input type=checkbox role=switch><a></a><summary></summary>";
  own.element.append(box);
  press("ArrowRight", part("[type=range]"));
  press("ArrowRight", box.querySelector("[role=switch]"));
  press("ArrowRight", part("button"));
  deepEqual(went, [6, 7, 8]);
  for (const element of [part("button"), ...box.children]) equal(press(" ", element), false);
  deepEqual([own.isPlaying, press(" "), own.isPlaying], [false, true, true]);
});

test("the slider, the counter and the buttons show the step", () => {
  const { own, part, isEnabled } = controls({ cutoffs: [30] });
  own.update(1200, 3400, "step 1200 of 3400");
  const slider = part("[type=range]");
  deepEqual([slider.value, slider.max], ["1200", "3400"]);
  equal(slider.getAttribute("aria-valuetext"), "step 1200 of 3400");
  equal(part("output").textContent, "1,200 / 3,400");
  const icons = attributes("class", "svg", own.element);
  equal(icons.join(), "icon first,icon previous,icon play,icon next,icon last");
  deepEqual(texts(".more-steps button", own.element), ["Skip subtree", "Next cutoff"]);
  const names = ["Start", "Previous step", "Next step", "End", OVER, "Next cutoff"];
  for (const [steps, enabled] of [
    [0, "false false true true true true"],
    [7, "true true true true true true"],
    [LENGTH, "true true false false false true"],
  ]) {
    own.update(steps, LENGTH, "");
    equal(names.map(isEnabled).join(" "), enabled);
  }
});

test("without another cutoff its button is disabled", () => {
  const { at, isEnabled } = controls({ cutoffs: [30] });
  for (const [steps, expected] of [
    [29, true],
    [30, false],
  ]) {
    at(steps);
    equal(isEnabled("Next cutoff"), expected);
  }
});

test("the slider leads to its value", () => {
  const { at, part, went } = controls();
  at(5);
  fill(part("[type=range]"), "250");
  deepEqual(went, [250]);
});

test("a search is played step by step, until its end", () => {
  const { own, at, click, went, part } = controls();
  at(397);
  click("Play");
  deepEqual([went.length, own.isPlaying, part('[title="Pause"]').ariaLabel], [0, true, "Pause"]);
  equal(part('[title="Pause"] svg').classList.contains("pause"), true);
  tick(699);
  deepEqual(went, []);
  tick(1);
  deepEqual(went, [398]);
  tick(9999);
  deepEqual([went, own.isPlaying], [[398, 399, 400], false]);
  equal(part('[title="Play"] svg').classList.contains("play"), true);
  went.length = 0;
  click("Play"); // from the start again
  tick(700);
  deepEqual(went, [0, 1]);
  click("Pause");
  tick(9999);
  deepEqual([went, own.isPlaying], [[0, 1], false]);
});

for (const [speed, delay, length, by] of [
  ["slow", 1500, 400, 1],
  ["medium", 700, 400, 1],
  ["fast", 250, 400, 1],
  ["very fast", 50, 9999, 1],
  ["fastest", 16, 1250, 1],
  ["fastest", 16, 60000, 48],
]) {
  test(`the speed ${speed} takes ${by} of ${length} steps in ${delay} ms`, () => {
    const { at, part, press, went } = controls({ length });
    at(0);
    press(" ");
    const select = part("select");
    fill(
      select,
      [...select.options].find(({ textContent }) => textContent === speed).value,
      "change",
    );
    tick(delay);
    tick(delay - 1);
    deepEqual(went, [by]);
    tick(1);
    deepEqual(went, [by, 2 * by]);
  });
}

test("a step by hand, another view and a change of the speed alone do not play", () => {
  const { own, at, click, part, went } = controls();
  at(0);
  click("Play");
  click("Next step");
  equal(own.isPlaying, false);
  part("select").dispatchEvent(new Event("change"));
  equal(own.isPlaying, false);
  click("Play");
  leaveView();
  tick(9999);
  deepEqual([own.isPlaying, went], [false, [1]]);
});
