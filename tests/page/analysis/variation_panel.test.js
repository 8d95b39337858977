import { deepEqual, equal } from "node:assert/strict";
import { VariationPanel } from "/analysis/variation_panel.js";
import { isolation, takeStones } from "../support/boards.js";
import { leaveView, signal, test } from "../support/browser.js";
import { all, isSame, press, texts } from "../support/elements.js";

const SETUP = { stones: 7 };

/** Return a panel in the document. */
function variationPanel() {
  const chosen = [];
  const panel = new VariationPanel({
    onSelect: moves => chosen.push(moves.join(" ")),
    address: moves => `#/analysis?game=take_stones&moves=${moves}&depth=`,
    signal: signal(),
  });
  document.body.append(panel.element);
  const show = (...moves) => panel.show("take_stones", SETUP, moves, takeStones);
  const tried = () => texts(".tried", panel.element).join(" ");
  const current = () => texts("[aria-current=step]", panel.element).join();
  const link = text => all("a", panel.element).find(a => a.textContent === text);
  const remove = () => panel.element.querySelector("button");
  return { panel, show, tried, current, link, remove, chosen };
}

test("variations are indented below the move that they replace", () => {
  const { panel, show, tried, current, link } = variationPanel();
  equal(panel.element.hidden, true);
  show(3, 6, 2);
  show(3, 1);
  show(3, 6, 1, 5);
  deepEqual([tried(), texts("li", panel.element)], ["1.3 6 1…1 2.2 2.1 5", ["1…1", "2.15"]]);
  deepEqual([current(), panel.element.hidden], ["5", false]);
  equal(link("5").getAttribute("href"), "#/analysis?game=take_stones&moves=3,6,1,5&depth=");
  equal(link("Start").getAttribute("href"), "#/analysis?game=take_stones&moves=&depth=");
  show();
  equal(current(), "Start");
});

test("after a variation the main line has its number again", () => {
  const { panel, show, tried } = variationPanel();
  show(3, 6, 2, 4, 1);
  show(3, 6, 1);
  show(3, 6, 1, 5, 7);
  show(3, 6, 2, 8, 9);
  equal(tried(), "1.3 6 2.2 2.1 5 3.7 2…4 2…8 3.9 3.1");
  panel.show("isolation", { size: 8 }, [7, 56], isolation);
  equal(tried(), "1.(1 8) (8 1)");
});

test("a click leads to a position, unless it opens another tab", () => {
  const { show, link, chosen, panel } = variationPanel();
  show(3, 6, 2);
  const click = (element, more = {}) => {
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...more });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };
  deepEqual([click(link("6")), click(link("Start")), chosen], [true, true, ["3 6", ""]]);
  panel.element.addEventListener("click", event => event.preventDefault()); // stay on this page
  for (const key of ["ctrlKey", "metaKey", "shiftKey"]) click(link("6"), { [key]: true });
  click(panel.element.querySelector(".ply"));
  equal(chosen.length, 2);
});

test("keys lead along the lines", () => {
  const { show, chosen, current } = variationPanel();
  show(3, 6, 2);
  show(3, 6, 1);
  for (const [key, moves] of [
    ["ArrowUp", "3 6 2"],
    ["ArrowDown", "3 6 1"],
    ["ArrowLeft", "3 6"],
    ["ArrowRight", "3 6 2"],
  ]) {
    equal(press(key, document.body), true);
    equal(chosen.at(-1), moves);
    equal(current(), moves.at(-1)); // at once
  }
  for (const key of ["ArrowRight", "ArrowUp", "x"]) equal(press(key, document.body), false);
  equal(chosen.length, 4);
});

test("keys are left to fields, tables, the browser, and after the view was left", () => {
  const { show, chosen } = variationPanel();
  show(3, 6);
  const box = document.body.appendChild(document.createElement("div"));
  box.innerHTML =
    "<input><select></select><textarea></textarea><dialog></dialog><summary></summary><p class=wide></p>";
  for (const element of box.children) press("ArrowLeft", element);
  for (const key of ["altKey", "ctrlKey", "metaKey"])
    press("ArrowLeft", document.body, { [key]: true });
  box.addEventListener("keydown", event => event.preventDefault());
  press("ArrowLeft", box);
  leaveView();
  press("ArrowLeft", document.body);
  deepEqual(chosen, []);
});

test("a variation is deleted", () => {
  const { panel, show, tried, remove, chosen } = variationPanel();
  show(3, 6, 2);
  show(3, 6, 1);
  deepEqual([remove().textContent, remove().disabled], ["Delete from 1 on", false]);
  remove().click();
  deepEqual([tried(), chosen], ["1.3 6 2.2", ["3 6"]]);
  remove().click();
  remove().click();
  deepEqual([panel.element.hidden, chosen.at(-1)], [true, ""]);
  deepEqual([remove().textContent, remove().disabled], ["Delete", true]);
});

test("the tree is kept in this tab, for one game and setup", () => {
  const { panel, show } = variationPanel();
  show(3, 6);
  show(3, 1);
  const stored = sessionStorage.getItem("analysed-variations");
  equal(stored, '["take_stones",{"stones":7}]\n[[0,3],[1,6],[1,1]]');
  const again = variationPanel();
  again.show(3);
  equal(again.tried(), "1.3 6 1…1");
  panel.show("take_stones", { stones: 8 }, [1], takeStones);
  deepEqual(texts(".tried", panel.element), ["1.1"]);
  sessionStorage.setItem("analysed-variations", '["take_stones",{"stones":7}]\n[[9, 1]]');
  const damaged = variationPanel();
  damaged.show(3);
  equal(damaged.tried(), "1.3");
});

for (const [name, moves, expected] of [
  ["the same match later", [3, 6, 2, 4], "1.3 6 2.2 2.1 2…4"],
  ["the same match earlier", [3, 6], "1.3 6 2.2 2.1"],
  ["another match", [3, 1], "1.3 1"],
]) {
  test(`${name} ${expected.includes("2.1") ? "keeps" : "drops"} the variations`, () => {
    const { panel, show, tried, current } = variationPanel();
    panel.begin("take_stones", SETUP, [3, 6, 2]);
    show(3, 6, 1);
    panel.begin("take_stones", SETUP, moves);
    show(3);
    deepEqual([tried(), current()], [expected, "3"]);
  });
}

test("the focus stays at the current move, and the box is scrolled to it", t => {
  const { panel, show, link } = variationPanel();
  show(3, 6);
  link("6").focus();
  const box = panel.element.querySelector(".variation-line");
  Object.defineProperty(box, "clientHeight", { value: 100 });
  let top = 0;
  t.mock.getter(HTMLElement.prototype, "offsetTop", () => top);
  for (const [at, scrolled] of [
    [60, 0],
    [61, 11],
    [51, 11],
    [11, 11],
    [10, -40],
  ]) {
    top = at;
    show(3, 6);
    equal(box.scrollTop, scrolled, `at ${at}`);
    isSame(document.activeElement, link("6"));
  }
});
