import assert from "node:assert/strict";
import { Plots } from "/standings/plots.js";
import { RatingScale } from "/standings/rating_scale.js";
import { connect, PANEL, row, SIZE } from "../support/arena.js";
import { leaveView, pass, signal, test } from "../support/browser.js";
import { all, show, texts } from "../support/elements.js";

const BOTS = [
  row("ann", 90, { margin: 30 }),
  row("bob", 0, { margin: 10 }),
  row("eve", 0, { margin: 40 }),
];

const attributes = (root, selector, ...keys) =>
  all(selector, root).map(found => keys.map(key => found.getAttribute(key)).join(" "));

test("ratings are drawn with their intervals on one scale", () => {
  const scale = new RatingScale(BOTS);
  assert.equal(scale.key, "-40,120");
  const axis = scale.drawAxis();
  assert.equal(axis.getAttribute("aria-label"), "Ratings with 95 % confidence intervals");
  assert.equal(axis.getAttribute("viewBox"), "0 0 280 32");
  assert.deepEqual(texts("text", axis), ["0", "+50", "+100"]);
  assert.deepEqual(attributes(axis, "text", "x", "y"), ["81 20", "154.75 20", "228.5 20"]);
  const drawn = scale.drawInterval(row("ann", 60, { margin: 60 }));
  assert.equal(drawn.getAttribute("aria-hidden"), "true");
  assert.deepEqual(attributes(drawn, "path", "class", "d"), [
    "zero M81 0v32",
    "rule M154.75 0v32",
    "rule M228.5 0v32",
    "span M81 16H258",
  ]);
  assert.deepEqual(attributes(drawn, "circle", "cx", "cy", "r"), ["169.5 16 5"]);
  for (const unknown of [row("x", null), row("x", 1, { margin: null })]) {
    assert.equal(scale.drawInterval(unknown).querySelectorAll(".rule, .zero").length, 3);
    assert.equal(scale.drawInterval(unknown).querySelectorAll("circle, .span").length, 0);
  }
});

test("a scale has few ticks at round numbers", () => {
  const ticks = (elo, margin) => {
    const axis = new RatingScale([row("x", elo, { margin })]).drawAxis();
    return texts("text", axis).join(" ");
  };
  assert.equal(ticks(null, 5), "0 +2 +4 +6 +8 +10");
  assert.equal(ticks(5, null), "0 +2 +4 +6 +8 +10");
  assert.equal(ticks(0, 6), "−5 0 +5 +10");
  assert.equal(ticks(1000, 200), "0 +200 +400 +600 +800 +1000 +1200");
  assert.equal(ticks(1000, 201), "0 +500 +1000");
});

function openPlots() {
  const { connection, socket } = connect();
  const plots = new Plots({ game: "take_stones" }, "Plots", connection, signal());
  show(plots.element);
  return { plots, socket, questions: () => socket.questions("find_plots").length };
}

test("plots are drawn when they are opened, and again with more matches", async () => {
  const { plots, socket, questions } = openPlots();
  plots.update(3);
  assert.equal(questions(), 0);
  plots.element.open = true;
  assert.deepEqual(texts("[role=status]"), ["Drawing…"]);
  plots.element.dispatchEvent(new Event("toggle"));
  assert.equal(questions(), 1);
  assert.equal(socket.questions("find_plots")[0].game, "take_stones");
  await socket.answer("find_plots", { matches: 3, size: SIZE, panels: [PANEL] });
  assert.deepEqual(texts("[role=status]"), ["3 matches so far"]);
  await pass(10_000);
  plots.update(3);
  assert.equal(questions(), 1);
  plots.update(4);
  assert.equal(questions(), 2);
  assert.deepEqual(texts("[role=status]"), ["3 matches so far"]);
  await socket.fail("find_plots", "too busy");
  assert.deepEqual(texts("[role=status]"), ["too busy"]);
  await pass(9_999);
  assert.equal(questions(), 2);
  await pass(1);
  assert.equal(questions(), 3);
  await socket.answer("find_plots", { matches: 4, size: SIZE, panels: [] });
  leaveView();
  await pass(20_000);
  assert.equal(questions(), 3);
});

test("a panel is a picture with a description", async () => {
  const { plots, socket } = openPlots();
  plots.element.open = true;
  const panels = [PANEL, { ...PANEL, has_rows: false }];
  await socket.answer("find_plots", { matches: 1, size: SIZE, panels });
  const [rows, points] = all("svg");
  assert.equal(rows.getAttribute("aria-label"), "Ratings in Elo. of 2 bots");
  assert.equal(rows.getAttribute("role"), "img");
  assert.equal(rows.getAttribute("viewBox"), "0 0 200 100");
  const label = found =>
    `${["class", "x", "y"].map(key => found.getAttribute(key)).join(" ")} ${found.textContent}`;
  assert.deepEqual(all("text", rows).map(label), [
    "title 12 18 Ratings in Elo",
    "label 12 40 ann",
    "axis 30 98 50",
    "axis 60 98 100",
    "axis 60 117 Elo",
    "name 3 4 bob",
    "note 12 91 95 % intervals",
  ]);
  const lines = root => attributes(root, "line", "class", "x1", "x2", "y1", "y2");
  assert.deepEqual(lines(rows), ["zero 30 30 10 80", "rule 60 60 10 80"]);
  assert.deepEqual(lines(points), ["rule 20 100 40 40"]);
  assert.equal(all(".end", points).length, 1);
  assert.deepEqual(attributes(rows, "path", "class", "d"), ["dot M1 1", "line M2 2"]);
  assert.deepEqual(texts("path title", rows), ["ann: +5"]);
});
