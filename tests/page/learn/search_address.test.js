import { equal } from "node:assert/strict";
import {
  addressProblem,
  addressStep,
  isNumber,
  searchDepth,
  stepAddress,
} from "/learn/search_address.js";
import { test } from "../support/browser.js";

const GAME = { name: "take_stones", title: "Take-Stones" };
const query = text => new URLSearchParams(text);

test("an address has the search and the step", () => {
  const start = {
    game: "take_stones",
    setup: { stones: 20 },
    moves: [3, 1],
    depth: 4,
    variant: "alpha-beta",
  };
  const address = "#/learn?game=take_stones&stones=20&moves=3%2C1&depth=4";
  equal(stepAddress(start, 0), address);
  equal(stepAddress({ ...start, variant: "minimax" }, 7), `${address}&variant=minimax&step=7`);
  const tree = { tree: "(1 2)", depth: 0, variant: "alpha-beta" };
  equal(stepAddress(tree, 2), "#/learn?tree=%281+2%29&step=2");
  equal(stepAddress({ tree: "", depth: 0, variant: "alpha-beta" }, 0), "#/learn?tree=");
  equal(
    stepAddress({ moves: [], depth: 3, variant: "alpha-beta" }, 0),
    "#/learn?game=&moves=&depth=3",
  );
});

test("a step is a whole number of at most nine digits", () => {
  for (const [text, step] of [
    ["12", 12],
    ["0", 0],
    ["123456789", 123456789],
    ["1234567890", 0],
    ["-5", 0],
    ["7.5", 0],
    ["", 0],
    ["1x", 0],
  ]) {
    equal(addressStep(query({ step: text })), step, text);
    equal(isNumber(text), text === "0" || step > 0, text);
  }
  equal(addressStep(query("")), 0);
});

for (const [text, problem] of [
  ["", ""],
  ["game=take_stones&depth=2&step=640", ""],
  ["game=chess", "The link names an unknown game, “chess”: this is Take-Stones."],
  ["game=chess&depth=x&tree=(1)", ""],
  [
    "game=a23456789012345678901",
    "The link names an unknown game, “a2345678901234567890…”: this is Take-Stones.",
  ],
  [
    "game=a2345678901234567890",
    "The link names an unknown game, “a2345678901234567890”: this is Take-Stones.",
  ],
  ["depth=x", "The link's depth “x” is not a number: this is 3."],
  ["depth=", ""],
  ["step=-5", "The link's step “-5” is not a whole number: this is the start."],
  ["step=641", "The link's step 641 is after the end: the search has 640 steps."],
  [
    "depth=x&step=7.5",
    "The link's depth “x” is not a number: this is 3. The link's step “7.5” is not a whole number: this is the start.",
  ],
]) {
  test(`the address with "${text}" has the problem "${problem}"`, () => {
    equal(addressProblem(query(text), GAME, 640), problem);
  });
}

test("the search of a bot is shown to its depth if it is small", () => {
  const depths = {
    "spec:4": 4,
    "spec:1": 1,
    "spec:5": 3,
    "spec:0": 3,
    "spec:2:x": 2,
    spec: 3,
    "a-spec:2": 3,
  };
  for (const [bot, depth] of Object.entries(depths)) equal(searchDepth(bot), depth, bot);
});
