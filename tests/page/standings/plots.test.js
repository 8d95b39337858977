import { deepEqual, equal } from "node:assert/strict";
import { Plots } from "/standings/plots.js";
import { RatingScale } from "/standings/rating_table.js";
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
  equal(scale.key, "-40,120");
  const axis = scale.drawAxis();
  equal(axis.getAttribute("aria-label"), "Ratings with 95 % confidence intervals");
  equal(axis.getAttribute("viewBox"), "0 0 280 32");
  deepEqual(texts("text", axis), ["0", "+50", "+100"]);
  deepEqual(attributes(axis, "text", "x", "y"), ["81 20", "154.75 20", "228.5 20"]);
  const drawn = scale.drawInterval(row("ann", 60, { margin: 60 }));
  equal(drawn.getAttribute("aria-hidden"), "true");
  deepEqual(attributes(drawn, "path", "class", "d"), [
    "zero M81 0v32",
    "rule M154.75 0v32",
    "rule M228.5 0v32",
    "span M81 16H258",
  ]);
  deepEqual(attributes(drawn, "circle", "cx", "cy", "r"), ["169.5 16 5"]);
  for (const unknown of [row("x", null), row("x", 1, { margin: null })]) {
    equal(scale.drawInterval(unknown).querySelectorAll(".rule, .zero").length, 3);
    equal(scale.drawInterval(unknown).querySelectorAll("circle, .span").length, 0);
  }
});

test("a scale has few ticks at round numbers", () => {
  const ticks = (elo, margin) => {
    const axis = new RatingScale([row("x", elo, { margin })]).drawAxis();
    return texts("text", axis).join(" ");
  };
  deepEqual([ticks(null, 5), ticks(5, null)], ["0 +2 +4 +6 +8 +10", "0 +2 +4 +6 +8 +10"]);
  deepEqual([ticks(0, 6), ticks(1000, 200)], ["−5 0 +5 +10", "0 +200 +400 +600 +800 +1000 +1200"]);
  equal(ticks(1000, 201), "0 +500 +1000");
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
  equal(questions(), 0);
  plots.element.open = true;
  deepEqual(texts("[role=status]"), ["Drawing…"]);
  plots.element.dispatchEvent(new Event("toggle"));
  deepEqual([questions(), socket.questions("find_plots")[0].game], [1, "take_stones"]);
  await socket.answer("find_plots", { matches: 3, size: SIZE, panels: [PANEL] });
  deepEqual(texts("[role=status]"), ["3 matches so far"]);
  await pass(10_000);
  plots.update(3);
  equal(questions(), 1);
  plots.update(4);
  deepEqual([questions(), texts("[role=status]")], [2, ["3 matches so far"]]);
  await socket.fail("find_plots", "too busy");
  deepEqual(texts("[role=status]"), ["too busy"]);
  await pass(9_999);
  equal(questions(), 2);
  await pass(1);
  equal(questions(), 3);
  await socket.answer("find_plots", { matches: 4, size: SIZE, panels: [] });
  leaveView();
  await pass(20_000);
  equal(questions(), 3);
});

test("a panel is a picture with a description", async () => {
  const { plots, socket } = openPlots();
  plots.element.open = true;
  const panels = [PANEL, { ...PANEL, has_rows: false }];
  await socket.answer("find_plots", { matches: 1, size: SIZE, panels });
  const [rows, points] = all("svg");
  equal(rows.getAttribute("aria-label"), "Ratings in Elo. of 2 bots");
  deepEqual([rows.getAttribute("role"), rows.getAttribute("viewBox")], ["img", "0 0 200 100"]);
  const label = found =>
    `${["class", "x", "y"].map(key => found.getAttribute(key)).join(" ")} ${found.textContent}`;
  deepEqual(all("text", rows).map(label), [
    "title 12 18 Ratings in Elo",
    "label 12 40 ann",
    "axis 30 98 50",
    "axis 60 98 100",
    "axis 60 117 Elo",
    "name 3 4 bob",
    "note 12 91 95 % intervals",
  ]);
  const lines = root => attributes(root, "line", "class", "x1", "x2", "y1", "y2");
  deepEqual(lines(rows), ["zero 30 30 10 80", "rule 60 60 10 80"]);
  deepEqual([lines(points), all(".end", points).length], [["rule 20 100 40 40"], 1]);
  deepEqual(attributes(rows, "path", "class", "d"), ["dot M1 1", "line M2 2"]);
  deepEqual(texts("path title", rows), ["ann: +5"]);
});
