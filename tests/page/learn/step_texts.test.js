import { deepEqual, equal, ok } from "node:assert/strict";
import { Pictures } from "/learn/pictures.js";
import { SearchTrace } from "/learn/search_trace.js";
import { StepTexts } from "/learn/step_panel.js";
import { answeringArena } from "../support/arena.js";
import { isolation } from "../support/boards.js";
import { settle, test } from "../support/browser.js";
import { keepFrames, recordCanvases } from "../support/canvases.js";
import { isSame } from "../support/elements.js";
import { tracedTree } from "../support/traced_searches.js";

const SEARCH = { tree: "(1 2)", depth: 0, variant: "alpha-beta" };

test("sentences are asked for 200 at a time, and once", async t => {
  const texts = Array.from({ length: 200 }, (_, at) => `step ${at}`);
  const { connection, asked } = answeringArena({
    explain_steps: ({ first }) => ({
      first,
      texts: first ? ["later", "and -3, -inf, a-b {12} {3}"] : texts,
    }),
  });
  const more = t.mock.fn();
  const steps = new StepTexts(connection, SEARCH, isolation, more);
  deepEqual([steps.of(3), steps.of(199), steps.of(200)], [null, null, null]);
  await settle();
  deepEqual(
    asked,
    [0, 200].map(first => ({ type: "explain_steps", search: SEARCH, first, count: 200 })),
  );
  equal(more.mock.callCount(), 2);
  deepEqual(
    [3, 199, 200, 202].map(step => steps.of(step)),
    ["step 3", "step 199", "later", null],
  );
  equal(steps.of(201), "and −3, −inf, a-b (2 5) (1 4)"); // moves in the notation of the game
  equal(asked.length, 2);
});

test("sentences that could not be had are asked for again", async t => {
  let isLost = true;
  const { connection, asked } = answeringArena({
    explain_steps: () => {
      if (isLost) throw new Error("lost");
      return { texts: ["here"] };
    },
  });
  const more = t.mock.fn();
  const steps = new StepTexts(connection, SEARCH, null, more);
  steps.of(0);
  await settle();
  equal(more.mock.callCount(), 0);
  isLost = false;
  equal(steps.of(0), null);
  await settle();
  deepEqual([steps.of(0), asked.length, more.mock.callCount()], ["here", 2, 1]);
});

/** Return pictures of a tree of 400 leaves, and what they draw. */
function pictured(t) {
  recordCanvases();
  const frame = keepFrames();
  const tree = tracedTree([[7, 8], ...Array(400).fill(1)], {
    isPruned: false,
    names: Array.from({ length: 500 }, (_, at) => at + 1),
  });
  const trace = new SearchTrace(tree.answer);
  const drawThumbnail = t.mock.fn();
  const more = t.mock.fn();
  const pictures = new Pictures(more);
  pictures.setSource({ module: { drawThumbnail }, setup: { stones: 9 }, moves: [50, 60] });
  return { frame, pictures, trace, drawThumbnail, more };
}

test("the board of a node is drawn after the moves before the root and those to the node", t => {
  const { pictures, trace, drawThumbnail } = pictured(t);
  const picture = pictures.of(trace, 402);
  deepEqual(drawThumbnail.mock.calls[0].arguments, [picture, { stones: 9 }, [50, 60, 1, 402]]);
  isSame(pictures.of(trace, 402), picture);
  equal(drawThumbnail.mock.callCount(), 1);
  pictures.clear();
  ok(pictures.of(trace, 402) !== picture);
  pictures.setSource(null);
  isSame(pictures.of(trace, 402), null);
});

test("twelve boards are drawn for a frame", t => {
  const { frame, pictures, trace, more } = pictured(t);
  const draw = () =>
    Array.from({ length: 20 }, (_, at) => pictures.of(trace, at + 1)).filter(Boolean).length;
  deepEqual([draw(), draw(), more.mock.callCount(), frame()], [12, 12, 0, 1]);
  deepEqual([more.mock.callCount(), draw(), frame(), draw(), frame()], [1, 20, 1, 20, 0]);
});

test("the latest 300 boards are kept", t => {
  const { frame, pictures, trace, drawThumbnail } = pictured(t);
  for (let node = 1; node <= 301; node++) {
    pictures.of(trace, node);
    if (node % 12 === 0) frame();
  }
  frame();
  equal(drawThumbnail.mock.callCount(), 301);
  for (const [node, drawn] of [
    [2, 301],
    [301, 301],
    [1, 302],
  ]) {
    pictures.of(trace, node);
    equal(drawThumbnail.mock.callCount(), drawn);
  }
});
