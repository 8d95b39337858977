import { deepEqual, equal } from "node:assert/strict";
import { colours, theme } from "/boards/colours.js";
import { settle, test } from "../support/browser.js";
import { COLOURS, setColours } from "../support/canvases.js";

test("the colours are those of the style sheet, by its names", async () => {
  await setColours();
  const extra = ["line", "page", "accent", "good", "bad"];
  deepEqual(Object.keys(colours()).sort(), [...Object.keys(COLOURS), ...extra].sort());
  for (const [name, colour] of Object.entries(COLOURS)) equal(colours()[name], colour);
  equal(document.querySelector("body > span"), null, "the probe is removed");
});

test("each change of the theme makes new colours and is reported", async () => {
  const { dataset } = document.documentElement;
  let changes = 0;
  await setColours();
  theme.addEventListener("change", () => changes++);
  const change = async run => {
    const [before, count] = [colours(), changes];
    run();
    await settle();
    return [colours() !== before, changes - count];
  };
  equal(colours(), colours());
  const { settings } = happyDOM;
  deepEqual(await change(() => (dataset.other = "x")), [false, 0]);
  deepEqual(await change(() => (dataset.theme = "dark")), [true, 1]);
  const prefer = scheme => {
    settings.device.prefersColorScheme = scheme;
    dispatchEvent(new Event("resize"));
  };
  deepEqual(await change(() => prefer("dark")), [true, 1]);
  prefer("light");
  delete dataset.theme;
  delete dataset.other;
  await settle();
});
