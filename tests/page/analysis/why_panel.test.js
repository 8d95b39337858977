import { deepEqual, equal, match } from "node:assert/strict";
import { WhyPanel } from "/analysis/why_panel.js";
import { answeringArena, GAMES } from "../support/arena.js";
import { takeStones } from "../support/boards.js";
import { settle, test } from "../support/browser.js";
import { recordCanvases } from "../support/canvases.js";
import { pointAt, texts } from "../support/elements.js";
import { LOST, pairs, WON } from "../support/matchings.js";

const PLAY = "Play against the partners";
const without = (...moves) => LOST.nodes.filter(([move]) => !moves.includes(move));
const LATER = { ...LOST, nodes: without(3, 6), edges: [[1, 7]], pairs: pairs("1-5 4-8"), last: 2 };
const OVER = { ...LATER, nodes: without(1, 2, 3, 6), edges: [], pairs: [[4, 8]], last: 7 };

/** Return a panel in the document; its arena answers with matchings by the moves. */
function whyPanel(matchings) {
  recordCanvases();
  const { connection, asked } = answeringArena({
    find_matching: ({ moves }) => {
      const found = matchings[moves.join(" ")];
      if (found instanceof Error) throw found;
      return found;
    },
  });
  const moves = [];
  const panel = new WhyPanel(connection, move => moves.push(move));
  document.body.append(panel.element);
  const part = selector => panel.element.querySelector(selector);
  const node = move => part(`[data-move="${move}"]`);
  const show = (list, game = GAMES[0], setup = { stones: 8 }) =>
    panel.show({ game, module: takeStones, setup, moves: list });
  const [play, take] = ["button:not(.node)", ".shown-move button"].map(part);
  const said = () => part(".said").textContent;
  return { panel, part, node, show, play, take, moves, asked, said };
}

test("a position is explained in sentences, a graph, a legend and a table", async () => {
  const { panel, part, show, asked, play } = whyPanel({ 3: LOST });
  const content = part("details").parentElement;
  deepEqual([panel.element.hidden, content.hidden], [true, true]);
  deepEqual((await show([3])).pairs, LOST.pairs);
  deepEqual(asked, [
    { type: "find_matching", game: "take_stones", setup: { stones: 8 }, moves: [3] },
  ]);
  deepEqual([panel.element.hidden, content.hidden], [false, false]);
  deepEqual(texts("p", panel.element).slice(0, 3), ["", ...LOST.sentences]);
  equal(texts(".matching .node", panel.element).length, 8);
  equal(texts("li", panel.element).length, 4);
  deepEqual(texts("summary", panel.element), [
    "As a graph, with partners to play against",
    "As a table",
  ]);
  equal(texts("tbody tr", panel.element).length, 8);
  equal(part(".hint").textContent, "Point at a move to see its partner and its neighbours.");
  deepEqual([play.textContent, play.hidden], [PLAY, false]);
  deepEqual([part("[role=group][aria-label=Table]").tabIndex, part(".wide").tabIndex], [0, 0]);
});

test("games without matchings are not explained", async () => {
  const { panel, show, asked } = whyPanel({});
  deepEqual([await show([], GAMES[1]), panel.element.hidden, asked], [null, true, []]);
});

test("an error is shown instead", async () => {
  const { panel, part, show } = whyPanel({ "": new Error("5000 stones are too many"), 3: LOST });
  equal(await show([]), null);
  const content = part("details").parentElement;
  deepEqual([part(".faint").textContent, content.hidden], ["5000 stones are too many.", true]);
  equal(panel.element.hidden, false);
  await show([3]);
  deepEqual([part(".faint").textContent, content.hidden], ["", false]);
});

test("only the latest position is shown", async () => {
  const { panel, show } = whyPanel({ 3: LOST, "3 6": WON, 9: new Error("late") });
  const [late, first, second] = [show([9]), show([3]), show([3, 6])];
  deepEqual([await late, await first], [null, null]);
  deepEqual([(await second).answer, texts(".faint", panel.element)], [2, [""]]);
});

test("facts of the node that is pointed at are told, and it can be taken", async () => {
  const { part, node, show, take, moves } = whyPanel({ "3 6": WON });
  await show([3, 6]);
  equal(take.hidden, true);
  pointAt(node(2), "pointerover");
  match(part(".facts").textContent, /^2 is outer.*Its partner is 6/);
  deepEqual([take.hidden, take.textContent], [false, "Take 2"]);
  take.click();
  deepEqual(moves, [2]);
  pointAt(node(4), "pointerover");
  equal(take.hidden, true); // it is not legal
  pointAt(part(".matching"), "pointerleave");
  equal(part(".facts").textContent, "");
  take.click();
  node(2).click(); // nobody plays: it is selected
  deepEqual(moves, [2]);
  match(part(".facts").textContent, /^2 is outer/);
});

test("in a lost position the partners answer", async () => {
  const { panel, node, show, play, moves, said } = whyPanel({
    3: LOST,
    "3 6 2": LATER,
    "3 6 2 1 7": OVER,
  });
  await show([3]);
  deepEqual(panel.answers([3, 6]), []);
  play.click();
  equal(said(), "Take any move: its partner is the answer.");
  equal(play.textContent, "Stop playing");
  deepEqual([panel.element.classList.contains("playing"), moves], [true, []]);
  node(4).click(); // not legal
  deepEqual(moves, []);
  node(6).click();
  deepEqual([moves, panel.answers([3, 6])], [[6], [2]]);
  node(6).click(); // until the answer is shown nothing more is taken
  deepEqual(moves, [6]);
  await show([3, 6, 2]);
  equal(said(), "You took 6, its partner is 2.");
  match(node(1).getAttribute("aria-label"), /partner 7/); // partners stay the same
  match(node(5).getAttribute("aria-label"), /no partner/);
  node(1).click();
  deepEqual([moves, panel.answers([3, 6, 2, 1])], [[6, 1], [7]]);
  await show([3, 6, 2, 1, 7]);
  equal(said(), "You took 1, its partner is 7. No move is left: the partners have won.");
  equal(play.hidden, true);
});

test("in a won position the winner begins", async () => {
  const { panel, show, play, moves, said } = whyPanel({ "3 6": WON, "3 6 2": LOST });
  await show([3, 6]);
  play.click();
  deepEqual([moves, said()], [[2], "The winner takes 2."]);
  await show([3, 6, 2]);
  deepEqual([said(), panel.answers([3, 6, 2, 5])], ["The winner takes 2.", []]); // without a partner
  deepEqual(panel.answers([3, 6, 2, 6]), []); // its partner is taken
  deepEqual(panel.answers([3, 6, 2, 1]), [4]);
});

for (const [name, moves, setup] of [
  ["another position", [3, 6], { stones: 8 }],
  ["another setup", [3], { stones: 9 }],
]) {
  test(`${name} ends the game with the partners`, async () => {
    const { panel, show, play, said } = whyPanel({ 3: LOST, "3 6": WON });
    await show([3]);
    play.click();
    await show([3]); // the same position again
    equal(play.textContent, "Stop playing");
    await show(moves, GAMES[0], setup);
    deepEqual(
      [play.textContent, said(), panel.element.classList.contains("playing")],
      [PLAY, "", false],
    );
    deepEqual(panel.answers([3, 6]), []);
  });
}

test("the game is stopped by its button and by an error", async () => {
  const { show, play, said } = whyPanel({ 3: LOST, 4: new Error("lost") });
  await show([3]);
  play.click();
  play.click();
  deepEqual([play.textContent, said()], [PLAY, ""]);
  play.click();
  await show([4]);
  await show([3]);
  await settle();
  equal(play.textContent, PLAY);
});
