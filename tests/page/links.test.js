import { equal } from "node:assert/strict";
import { analysisAddress } from "/links.js";
import { test } from "./support/browser.js";

for (const [fields, rest] of [
  [[["moves", []]], "&moves="],
  [
    [
      ["moves", [3, 6]],
      ["depth", 4],
      ["then", [2, 1]],
    ],
    "&moves=3,6&depth=4&then=2,1",
  ],
  [
    [
      ["moves", [3]],
      ["depth", ""],
    ],
    "&moves=3&depth=",
  ],
]) {
  test(`the address of an analysis ends with ${rest}`, () => {
    const address = analysisAddress("take_stones", { stones: 7 }, Object.fromEntries(fields));
    equal(address, `#/analysis?game=take_stones&stones=7${rest}`);
  });
}
