import { deepEqual, equal } from "node:assert/strict";
import { PositionForm } from "/analysis/position_form.js";
import { GAMES } from "../support/arena.js";
import { test } from "../support/browser.js";
import { all, fill, properties } from "../support/elements.js";

/** Return a form for an address, with its fields by their labels and its events. */
function positionForm(query = "", more = {}) {
  const events = [];
  const names = ["onGame", "onEdit", "onDepth", "undo", "clear"];
  const listeners = Object.fromEntries(names.map(name => [name, () => events.push(name)]));
  const form = new PositionForm({ games: GAMES }, new URLSearchParams(query), {
    ...listeners,
    ...more,
  });
  const { element } = form;
  document.body.append(element);
  const field = label =>
    all("label", element)
      .find(({ textContent }) => textContent.startsWith(label))
      .querySelector("input, select");
  const enter = (label, value, type = "input") => {
    fill(field(label), value, type);
  };
  return { form, element, field, enter, events };
}

test("the fields are those of the address", () => {
  const { form, field } = positionForm("game=isolation&size=5&moves=7,56&depth=4");
  equal(form.game.name, "isolation");
  deepEqual([form.setup, form.words, form.depth], [{ size: 5 }, ["7", "56"], 4]);
  const size = field("Size of the board");
  deepEqual([size.min, size.max, size.type], ["3", "8", "number"]);
  deepEqual(properties("value", document.getElementById(size.getAttribute("list")).options), ["8"]);
  deepEqual([field("Search depth").min, field("Search depth").max], ["0", "50"]);
});

test("without an address the fields are the usual ones", () => {
  const { form, element } = positionForm();
  deepEqual(
    [form.game.name, form.setup, form.words, form.depth],
    ["take_stones", { stones: 20 }, [], 4],
  );
  equal(
    element.querySelector(".hint").textContent,
    "The depth is in plies: 0 searches to the end of the game, an empty field does not search.",
  );
  deepEqual(
    all("option", element)
      .slice(0, 3)
      .map(option => option.textContent),
    ["Take-Stones", "Isolation", "Nim"],
  );
});

test("the first game replaces an unknown one, and the depth may be empty", () => {
  const { form } = positionForm("game=chess&depth=", { hint: "other" });
  deepEqual([form.game.name, form.depth], ["take_stones", null]);
  equal(form.element.querySelector("#about-depth").textContent, "other");
});

test("changes of the fields are told", () => {
  const { form, element, enter, events } = positionForm("stones=7&moves=3");
  enter("Number of stones", "9");
  enter("Moves", "3 6");
  enter("Search depth", "2");
  const [undo, clear] = element.querySelectorAll("button");
  undo.click();
  clear.click();
  deepEqual(events.splice(0), ["onEdit", "onEdit", "onDepth", "undo", "clear"]);
  deepEqual([form.setup, form.words, form.depth], [{ stones: 9 }, ["3", "6"], 2]);
  equal(undo.type, "button");
  enter("Game", "isolation", "change");
  deepEqual([events, form.setup], [["onGame"], { size: 8 }]);
  const submit = new SubmitEvent("submit", { cancelable: true });
  element.dispatchEvent(submit);
  equal(submit.defaultPrevented, true);
});

test("moves are words, or anything in parentheses", () => {
  const { form } = positionForm();
  for (const [text, words] of [
    ["3, 6  2", ["3", "6", "2"]],
    ["(1 8) (3 5),x", ["(1 8)", "(3 5)", "x"]],
    ["", []],
    [" six ", ["six"]],
  ]) {
    form.setMoves(text);
    deepEqual([...form.words], words, text);
  }
});

for (const [game, value, problem] of [
  ["take_stones", "1", null],
  ["take_stones", "99999", null],
  ["take_stones", "0", "The number of stones must be a whole number of at least 1."],
  ["take_stones", "2.5", "The number of stones must be a whole number of at least 1."],
  ["take_stones", "", "The number of stones must be a whole number of at least 1."],
  ["isolation", "3", null],
  ["isolation", "8", null],
  ["isolation", "2", "The size of the board must be a whole number from 3 to 8."],
  ["isolation", "9", "The size of the board must be a whole number from 3 to 8."],
]) {
  test(`the setup ${value} of ${game} has the problem ${problem}`, () => {
    const { form, enter } = positionForm(`game=${game}`);
    enter(game === "isolation" ? "Size" : "Number", value);
    equal(form.setupProblem, problem);
  });
}

test("a depth is a number from 0 to 50", () => {
  const { form } = positionForm();
  const problem = "The depth must be empty or a whole number from 0 to 50.";
  for (const [depth, expected] of [
    [0, null],
    [50, null],
    [51, problem],
    [-1, problem],
  ]) {
    form.setDepth(depth);
    equal(form.depthProblem, expected, String(depth));
    equal(form.depth, depth);
  }
});

test("a problem is shown at the moves", () => {
  const { form, element, field } = positionForm();
  const shown = element.querySelector("#problem");
  form.showProblem("bad");
  deepEqual([shown.textContent, field("Moves").getAttribute("aria-invalid")], ["bad", "true"]);
  equal(field("Moves").getAttribute("aria-describedby"), "problem");
  equal(shown.getAttribute("role"), "status");
  form.showProblem(null);
  deepEqual([shown.textContent, field("Moves").hasAttribute("aria-invalid")], ["", false]);
});
