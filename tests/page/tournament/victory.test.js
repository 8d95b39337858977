import { deepEqual, equal } from "node:assert/strict";
import { h } from "/dom.js";
import { firstTwo, victory } from "/lobby/finale.js";
import { BRACKET, encounter, row, table } from "../support/arena.js";
import { test } from "../support/browser.js";
import { links } from "../support/elements.js";

const BOTS = [row("ann", 90.4), row("bob", 9.4)];
const MEETING = [0, 1, [2, 1], [1, 0], 0, [0, 1]];
const said = standings => h("p", {}, victory(standings)).textContent;

/** Return the standings of a Swiss. */
const swiss = (...points) => table(BOTS, { points, rounds: [[]], meetings: [MEETING] });

test("the winner of a knockout has won the final", () => {
  const cup = table(BOTS, { rounds: BRACKET });
  deepEqual(firstTwo(cup), ["dan", "bob"]);
  equal(said(cup), "dan won the final 3–1 against bob in sudden death.");
  deepEqual(links(h("p", {}, victory(cup)))[1], "#/games?bot=dan&opponent=bob&game=take_stones");
  const final = (...facts) => table(BOTS, { rounds: [[encounter("bob", "ann", ...facts)]] });
  equal(said(final([0, 2], "ann", "played")), "ann won the final 2–0 against bob.");
  equal(
    said(final([1, 1], "ann", "seed")),
    "ann drew the final 1–1 with bob: it was level, and the better seed has won.",
  );
  equal(said(final([1, 0])), "");
});

test("that of a Swiss has more points, or is better by a tie-break", () => {
  const matches = " The matches of the two ended 3½–1½.";
  equal(
    said(swiss([1, "ann", 4, 2, 2, 0], [2, "bob", 2.5, 2, 2, 0])),
    `ann is first with 4 points, 1½ more than bob.${matches}`,
  );
  equal(
    said(swiss([1, "ann", 4, 3, 2, 0], [2, "bob", 4, 2, 2, 0])),
    `ann is first with 4 points, as many as bob, and a Buchholz of 3 to 2.${matches}`,
  );
  equal(
    said(swiss([1, "ann", 4, 2, 1.25, 0], [2, "bob", 4, 2, 1, 0])),
    `ann is first with 4 points, as many as bob, and a Sonneborn-Berger of 1.25 to 1.${matches}`,
  );
  equal(
    said(swiss([1, "ann", 4, 2, 1, 0], [2, "bob", 4, 2, 1, 0])),
    `ann is first with 4 points, as many as bob, and was better against it.${matches}`,
  );
  equal(
    said(swiss([1, "ann", 4, 2, 1, 0], [1, "bob", 4, 2, 1, 0])),
    `ann and bob share the first place.${matches}`,
  );
  equal(
    said(swiss([1, "bob", 4, 2, 1, 0], [2, "ann", 3, 2, 1, 0])),
    "bob is first with 4 points, 1 more than ann. The matches of the two ended 1½–3½.",
  );
});

test("that of other formats has the higher rating", () => {
  equal(said(table(BOTS)), "ann is first, rated 81 Elo above bob.");
  equal(said(table([row("ann", 9.2), row("bob", 9)])), "ann and bob share the first place.");
  equal(said(table([row("ann", null), row("bob", null)])), "");
  equal(said(table(BOTS.slice(0, 1))), "");
});
