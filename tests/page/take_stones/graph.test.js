import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Graph, primeFactorRows } from "/boards/take_stones/graph.js";
import { resize, setSizes, testAfter } from "../support/browser.js";
import { all, pointAt } from "../support/elements.js";
import { pairs } from "../support/matchings.js";

const RANGE = Array.from({ length: 20 }, (_, at) => at + 1);

let graph, chosen;
const test = testAfter(() => {
  chosen = [];
  create(20);
});

function create(stones, options = { onMove: stone => chosen.push(stone) }) {
  graph?.element.remove();
  graph = new Graph({ stones }, options);
  document.body.append(graph.element);
}

const part = selector => graph.element.querySelector(selector);
const cells = () => all("[role=gridcell]", graph.element);
const marked = name =>
  cells().flatMap(cell => (cell.classList.contains(name) ? [Number(cell.textContent)] : []));

/** Return the stones that a path joins, such as "3-6", by their places. */
function edges(path) {
  const size = Number.parseFloat(part("[role=grid]").style.getPropertyValue("--size"));
  const stones = new Map(
    cells().map(cell => {
      const at = [cell.style.left, cell.style.top].map(text => Number.parseFloat(text) + size / 2);
      return [at.map(number => number.toFixed(1)).join(" "), cell.textContent];
    }),
  );
  const found = path.getAttribute("d").matchAll(/M(\S+ \S+)Q\S+ \S+ ([^M]+)/g);
  return Array.from(found, ([, from, to]) => `${stones.get(from)}-${stones.get(to)}`);
}
const drawn = kind => edges(part(`.graph-${kind}`)).join(" ");
const point = (type, stone, properties = {}) =>
  (cells().find(cell => cell.textContent === String(stone)) ?? graph.element).dispatchEvent(
    new PointerEvent(type, { bubbles: true, ...properties }),
  );

test("the graph is labelled, and explains its rows and lines", () => {
  const label = "Graph of 20 stones, in rows by their number of prime factors";
  equal(part("[role=grid]").getAttribute("aria-label"), label);
  equal(part("p").textContent, "Rows count prime factors. Thick lines join partners.");
  equal(part(".about-partners").textContent, " Thick lines join partners.");
  equal(graph.element.className.split(" ").slice(0, 2).join(" "), "board stone-graph");
});

test("stones are in rows by their number of prime factors", () => {
  const tops = new Map(cells().map(cell => [Number(cell.textContent), cell.style.top]));
  const rows = primeFactorRows(20).map(row => [...new Set(row.map(stone => tops.get(stone)))]);
  equal(new Set(rows.flat()).size, rows.flat().length, "no line has stones of two rows");
});

test("the edges are drawn behind the moves, and a stone keeps its place", () => {
  const layers = [...part("svg").children].map(layer => layer.getAttribute("class"));
  const names = ["bands", "edges", "pairs", "legal", "reply", "chain", "near"];
  deepEqual(
    layers,
    names.map(name => `graph-${name}`),
  );
  equal(part("svg").getAttribute("aria-hidden"), "true");
  const places = () => cells().map(({ style }) => `${style.left} ${style.top}`);
  const before = places();
  graph.show({ moves: [3, 6], isInteractive: true });
  deepEqual(places(), before);
});

test("of few stones all edges between free ones are drawn, but those of stone 1", () => {
  const between = moves =>
    RANGE.filter(one => one > 1 && !moves.includes(one)).flatMap(one =>
      RANGE.filter(two => two > one && two % one === 0 && !moves.includes(two)).map(
        two => `${one}-${two}`,
      ),
    );
  for (const moves of [[], [3], [3, 1, 20, 10]]) {
    graph.show({ moves });
    equal(drawn("edges"), between(moves).join(" "));
  }
  for (const [stones, isDrawn] of [
    [60, true],
    [61, false],
  ]) {
    create(stones);
    graph.show({ moves: [] });
    equal(drawn("edges") !== "", isDrawn);
  }
});

test("the last stone has edges to the legal ones, and lines join the latest moves", () => {
  graph.show({ moves: [] });
  equal(drawn("legal"), "");
  graph.show({ moves: [3, 1, 2, 4, 8] });
  equal(drawn("legal"), "8-16");
  const lines = all(".graph-chain path", graph.element).reverse();
  const joined = lines.map(line => [...edges(line), line.getAttribute("class")].join(" "));
  deepEqual(joined.slice(0, 5), ["4-8 one", "2-4 two", "1-2 one", "3-1 two", "one"]);
  equal(lines.length, 7);
  const opacities = lines.map(line => Number(line.getAttribute("stroke-opacity")).toFixed(2));
  deepEqual(opacities.slice(0, 3), ["0.95", "0.76", "0.61"]);
  graph.show({ moves: [3, 99] }); // illegal
  deepEqual([drawn("legal"), edges(lines[0])], ["", []]);
});

test("a matching has its pairs and its reply", () => {
  const matching = { pairs: pairs("2-10 9-3"), answer: 9 };
  graph.show({ moves: [3], matching });
  deepEqual([drawn("pairs"), drawn("reply")], ["2-10 3-9", "3-9"]);
  ok(graph.element.classList.contains("has-matching"));
  graph.show({ moves: [], matching: { pairs: [[2, 10]], answer: null } });
  deepEqual([drawn("pairs"), drawn("reply")], ["2-10", ""]);
  graph.show({ moves: [3] });
  deepEqual([drawn("pairs"), drawn("reply")], ["", ""]);
  ok(!graph.element.classList.contains("has-matching"));
});

test("the stone that is pointed at has edges to what could follow it", () => {
  const near = () => [marked("shown").join(), marked("near").join(), drawn("near")];
  const hasShown = () => graph.element.classList.contains("has-shown");
  graph.show({ moves: [3] });
  point("pointerover", 10);
  deepEqual([near(), hasShown()], [["10", "1,2,5,20", "10-20 10-1 10-2 10-5"], true]);
  point("pointerover", 15);
  deepEqual(near(), ["15", "1,5", "15-1 15-5"]);
  graph.show({ moves: [3, 1] });
  deepEqual(near(), ["15", "5", "15-5"], "a move changes the edges");
  pointAt(graph.element, "pointerleave", { pointerType: "touch" });
  equal(near()[0], "15");
  pointAt(graph.element, "pointerleave", { pointerType: "mouse" });
  deepEqual([near(), hasShown()], [["", "", ""], false]);
  point("pointerover", 4);
  deepEqual(near(), ["4", "2,8,12,20,16", "4-8 4-12 4-16 4-20 4-2"]);
  point("pointerover", "none");
  deepEqual(near(), ["", "", ""]);
  cells()
    .find(cell => cell.textContent === "7")
    .focus();
  deepEqual(near(), ["7", "14", "7-14"]);
  document.activeElement.blur();
  deepEqual(near(), ["", "", ""]);
});

test("few legal stones are enlarged", () => {
  create(100);
  graph.show({ moves: [1] });
  equal(graph.element.classList.contains("few-legal"), false);
  graph.show({ moves: [3] });
  equal(graph.element.classList.contains("few-legal"), true);
  create(41);
  graph.show({ moves: [1] });
  equal(graph.element.classList.contains("few-legal"), true, "40 are few");
});

test("a legal stone is chosen by a player", () => {
  for (const isInteractive of [false, true]) {
    graph.show({ moves: [3], isInteractive });
    cells()
      .find(cell => cell.textContent === "9")
      .click();
  }
  deepEqual(chosen, [9]);
});

test("a graph in a narrow window begins with its width", () => {
  happyDOM.setViewport({ width: 424, height: 800 });
  create(20);
  happyDOM.setViewport({ width: 1280, height: 800 });
  match(part("svg").getAttribute("viewBox"), /^0 0 400 /);
});

for (const [place, expected] of Object.entries({
  "1 400 300": "72px; 64px; 26.9px; 0 0 400 72; 2.9px; ; 1; 168px; 4px; M0 -9.4H400V81.4H0",
  "20 800 611":
    "578.0px; 64px; 26.9px; 0 0 800 578.0; 2.9px; ; 5; 368px; 510.0px; M0 496.6H800V587.5H0",
  "20 366 611":
    "579.3px; 55px; 23.1px; 0 0 366 579.3; 2.5px; ; 7; 155.5px; 520.3px; M0 508.7H366V586.8H0",
  "50 1200 300":
    "272.2px; 27px; 11.3px; 0 0 1200 272.2; 1.2px; small tiny; 6; 586.5px; 241.2px; M0 235.5H1200V273.9H0",
  "100 366 600":
    "571.9px; 29px; 12.2px; 0 0 366 571.9; 1.3px; small tiny; 14; 168.5px; 538.9px; M0 532.8H366V574.0H0",
  "300 800 611":
    "583.8px; 23px; 10.3px; 0 0 800 583.8; 1.0px; small tiny; 17; 388.5px; 556.8px; M0 552.0H800V584.6H0",
  "1001 366 500":
    "1095.4px; 16px; 6.4px; 0 0 366 1095.4; 1px; small tiny; 55; 175px; 1075.4px; M0 1072.0H366V1094.7H0",
})) {
  const [stones, width, height] = place.split(" ").map(Number);
  test(`${stones} stones fill ${width} by ${height} pixels`, () => {
    create(stones);
    const grid = part("[role=grid]");
    setSizes(part("p"), { offsetHeight: 24 });
    const place = document.createElement("div");
    if (height) setSizes(place, { clientHeight: height });
    place.append(graph.element);
    resize(graph.element, { clientWidth: width });
    const [drawing, bands] = [part("svg"), part(".graph-bands")];
    const sizes = ["height", "--size", "--digits"].map(name => grid.style.getPropertyValue(name));
    const round = text => text.replace(/\d+\.\d+/g, number => Number(number).toFixed(1));
    const found = [
      ...sizes,
      drawing.getAttribute("viewBox"),
      drawing.style.getPropertyValue("--edge"),
      graph.element.className.replace("board stone-graph", "").trim(),
      grid.children.length,
      cells()[0].style.left,
      cells().at(-1).style.top,
      bands.getAttribute("d").split("Z").at(-2),
    ];
    equal(round(found.join("; ")), expected);
  });
}
