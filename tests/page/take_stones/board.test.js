import { deepEqual, equal, match } from "node:assert/strict";
import { Board, lesson } from "/boards/take_stones/board.js";
import { legalMoves } from "/boards/take_stones/rules.js";
import { replaceProperty, resize, setSizes, testAfter } from "../support/browser.js";
import { all } from "../support/elements.js";

let _stored;
const test = testAfter(() => {
  happyDOM.setViewport({ width: 1280, height: 800 });
  replaceProperty(globalThis, "scrollY", 0);
  _stored = localStorage.getItem("relevant-stones");
  localStorage.removeItem("relevant-stones");
});

const part = (board, selector) => board.element.querySelector(selector);
const lines = board => all("path", board.element).reverse();
const styles = (element, ...names) => names.map(name => element.style.getPropertyValue(name));

test("the grid is labelled and has the sizes of its stones", () => {
  const board = new Board({ stones: 12 });
  const grid = part(board, "[role=grid]");
  deepEqual([grid.getAttribute("aria-label"), grid.children.length], ["12 stones, row by row", 2]);
  const sizes = styles(grid, "width", "--size", "--gap", "--row-gap", "--digits");
  deepEqual(sizes, ["616px", "96px", "8px", "8px", "40.32px"]);
  const svg = part(board, "svg");
  equal(board.element.className, "board");
  deepEqual([svg.getAttribute("class"), svg.getAttribute("aria-hidden")], ["chain", "true"]);
  deepEqual(
    [svg.getAttribute("viewBox"), ...styles(svg, "stroke-width")],
    ["0 0 616 200", "4.68px"],
  );
  const opacities = lines(board).map(line =>
    Number(line.getAttribute("stroke-opacity")).toFixed(3),
  );
  deepEqual(opacities, ["0.950", "0.760", "0.608", "0.486", "0.389", "0.311", "0.249"]);
});

for (const [place, expected] of Object.entries({
  "9 800 655": "3; 304px; 96px; 8px; 8px; 40.32px; 0 0 304 304; 4.68px; ; true",
  "25 230 655": "9; 208px; 66px; 5px; 5px; 27.72px; 0 0 208 634; 3.195px; ; true",
  "40 100 655":
    "8; 99px; 19px; 1px; 6px; 7.9799999999999995px; 0 0 99 194; 1.5px; small tiny; false",
  "30 300 655": "8; 294px; 69px; 6px; 6px; 28.98px; 0 0 294 594; 3.375px; ; true",
  "100 300 655": "10; 298px; 28px; 2px; 2px; 11.76px; 0 0 298 298; 1.5px; small; true",
  "101 800 611": "7; 791px; 49px; 4px; 4px; 22.05px; 0 0 791 367; 2.385px; ; true",
  "100 800 611": "10; 596px; 56px; 4px; 4px; 23.52px; 0 0 596 596; 2.6999999999999997px; ; true",
  "200 300 655": "20; 298px; 28px; 2px; 2px; 12.6px; 0 0 298 598; 1.5px; small; true",
  "1001 366 655":
    "51; 359px; 17px; 1px; 1px; 6.800000000000001px; 0 0 359 917; 1.5px; small tiny; false",
  "1000 1200 655": "25; 959px; 23px; 1px; 1px; 10.35px; 0 0 959 599; 1.5px; small tiny; false",
})) {
  const [stones, width, height] = place.split(" ").map(Number);
  test(`${stones} stones in ${width} by ${height} pixels`, () => {
    const board = new Board({ stones });
    happyDOM.setViewport({ width: 1280, height: height + 10 });
    resize(board.element, { clientWidth: width });
    const grid = part(board, "[role=grid]");
    const sizes = styles(grid, "width", "--size", "--gap", "--row-gap", "--digits");
    const svg = part(board, "svg");
    const classes = grid.className.replace("stones", "").trim();
    const drawing = [svg.getAttribute("viewBox"), ...styles(svg, "stroke-width")];
    const found = [
      grid.children.length,
      ...sizes,
      ...drawing,
      classes,
      part(board, "label").hidden,
    ];
    equal(found.join("; "), expected);
  });
}

test("a board in a narrow window begins with about its width", () => {
  happyDOM.setViewport({ width: 399, height: 800 });
  const board = new Board({ stones: 25 });
  happyDOM.setViewport({ width: 1280, height: 800 });
  deepEqual(styles(part(board, "[role=grid]"), "width"), ["369px"], "five stones of 75");
});

test("a board that would be too small scrolls to the stone taken last", () => {
  happyDOM.setViewport({ width: 1280, height: 300 });
  const board = new Board({ stones: 1000 });
  const scroller = part(board, ".board-scroller");
  setSizes(scroller, { clientHeight: 200 });
  resize(board.element, { clientWidth: 320 });
  equal(scroller.className, "board-scroller scrolls");
  deepEqual(styles(scroller, "max-height"), ["248px"]); // 300 without margin, switch and rings
  board.show({ moves: [3, 999] });
  equal(scroller.scrollTop, 691.5);
  scroller.scrollTop = 5;
  board.show({ moves: [3, 999] });
  equal(scroller.scrollTop, 5, "a person may look elsewhere");
  happyDOM.setViewport({ width: 1280, height: 2000 });
  resize(board.element, { clientWidth: 1200 });
  deepEqual([scroller.className, ...styles(scroller, "max-height")], ["board-scroller", "none"]);
});

test("lines join the latest moves, bent to the left and from edge to edge", () => {
  const board = new Board({ stones: 12 });
  board.show({ moves: [1, 2, 8] });
  const found = lines(board).map(line => [line.getAttribute("class"), line.getAttribute("d")]);
  deepEqual(found.slice(0, 3), [
    ["one", "M171.0 92.1Q174.5 100.0 171.0 107.9"],
    ["two", "M92.1 29.0Q100.0 25.5 107.9 29.0"],
    ["one", ""],
  ]);
});

test("a long line bends by a limit, and a move that is repeated has one of no length", () => {
  const board = new Board({ stones: 1000 });
  board.show({ moves: [1, 1000, 1000] });
  const [repeated, long] = lines(board).map(line => line.getAttribute("d"));
  equal(repeated, "M710.5 440.5Q710.5 440.5 710.5 440.5");
  equal(long, "M16.0 12.4Q375.5 198.4 703.6 435.5");
});

test("the latest seven moves are joined, up to the position", () => {
  const moves = [3, 1, 2, 4, 8, 16, 32, 96, 48];
  const board = new Board({ stones: 100 });
  const drawn = view => {
    board.show(view);
    return lines(board).map(line => (line.getAttribute("d") ? line.getAttribute("class") : "."));
  };
  const one = ["one", "two", "one", "two", "one", "two", "one"];
  deepEqual(drawn({ moves }), one);
  deepEqual(drawn({ moves, ply: 3 }), ["one", "two", ".", ".", ".", ".", "."]);
  deepEqual(drawn({ moves, ply: 1 }), Array(7).fill("."));
});

test("tiny stones can be replaced by the relevant ones, which is remembered", () => {
  const chosen = [];
  const moves = [3, 1, 2, 4, 8, 16, 32, 64];
  const create = () => {
    const board = new Board({ stones: 1000 }, { onMove: stone => chosen.push(stone) });
    board.show({ moves, isInteractive: true });
    document.body.append(board.element);
    return board;
  };
  const state = board =>
    ["label", ".board-scroller", ".relevant"].map(selector => part(board, selector).hidden);
  const board = create();
  const box = part(board, "input");
  deepEqual([state(board), box.getAttribute("role")], [[false, false, true], "switch"]);
  equal(part(board, "label").textContent, "Only the legal stones");
  box.click();
  deepEqual(state(board), [false, true, false]);
  const texts = all(".few-stones", board.element).map(group =>
    [...group.children].map(stone => Number(stone.textContent)),
  );
  deepEqual(texts, [moves.slice(1), legalMoves({ stones: 1000 }, moves)]);
  part(board, ".relevant button").click();
  deepEqual(chosen, [128]);
  const again = create();
  deepEqual([part(again, "input").checked, ...state(again)], [true, false, true, false]);
  part(again, "input").click();
  deepEqual([part(create(), "input").checked, ...state(again)], [false, false, false, true]);
  const large = new Board({ stones: 12 });
  deepEqual(state(large), [true, false, true]);
});

test("a legal stone is chosen on the board, after a resize, too", () => {
  const chosen = [];
  const board = new Board({ stones: 12 }, { onMove: stone => chosen.push(stone) });
  board.show({ moves: [3], isInteractive: true, marks: new Map([[6, "hint"]]) });
  resize(board.element, { clientWidth: 400 });
  part(board, ".hint").click();
  deepEqual(chosen, [6]);
});

test("the lesson can be played on a small board", () => {
  deepEqual([lesson.setup, lesson.rules.length], [{ stones: 12 }, 4]);
  for (const rule of lesson.rules) match(rule, /^[A-Z].*\.$/);
  match(lesson.rules[1], /odd stone below half/);
  match(lesson.rules[2], /a factor or a multiple of the stone taken last/);
  match(lesson.rules[3], /cannot move loses/);
});
