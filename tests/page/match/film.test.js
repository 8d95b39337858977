import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { makeFilm, shownPlies } from "/match/film.js";
import { playedMatch, RESULT } from "../support/arena.js";
import { testAfter } from "../support/browser.js";
import { picture, recordCanvases, setColours } from "../support/canvases.js";
import { decodeGif } from "../support/gif_decoder.js";

let canvases, drawn;
const module = {
  drawThumbnail: (board, setup, moves) => {
    const { position, visibility, left, top, width, height } = board.style;
    const styles = [position, visibility, left, top, width, height];
    drawn.push([setup.stones, moves.join(), board.isConnected, ...styles].join(" "));
  },
};

const test = testAfter(async t => {
  await setColours();
  t.mock.method(globalThis, "setTimeout", run => setImmediate(run)); // it waits for no time
  [canvases, drawn] = [[], []];
  let frame = 0;
  recordCanvases({
    getImageData: (_x, _y, width, height) => {
      const data = new Uint8ClampedArray(4 * width * height).fill(255);
      data.fill(frame++ % 9, 0, 3);
      return { data };
    },
    measureText: text => ({ width: 12 * text.length }),
  });
  const { createElement } = document;
  t.mock.method(document, "createElement", name => {
    const element = createElement.call(document, name);
    if (name === "canvas") canvases.push(element);
    return element;
  });
});

/** Make a film; return its file, the shares that were reported, and what was drawn. */
async function film(match) {
  const shares = [];
  const blob = await makeFilm(match, module, "Take-Stones", share => shares.push(share));
  const gif = decodeGif(new Uint8Array(await blob.arrayBuffer()));
  return { blob, gif, shares, lines: picture(canvases.at(-1)) };
}

test("a film has all positions of a short match, with the players and the game", async () => {
  const { blob, gif, shares, lines } = await film(playedMatch([3, 6]));
  deepEqual([blob.type, gif.width, gif.height], ["image/gif", 480, 488]);
  deepEqual(gif.frames.map(({ delay }) => delay).join(), "70,70,300");
  deepEqual(shares, [1 / 3, 2 / 3, 1]);
  const all = ["", "3", "3,6"];
  const style = "true fixed hidden 0px 0px 448px 360px";
  deepEqual(
    drawn,
    [...all, ...all].map(moves => `7 ${moves} ${style}`),
  );
  ok(canvases.every(canvas => !canvas.isConnected));
  const end = lines.findIndex(line => line.startsWith("getImageData"));
  deepEqual(lines.slice(0, end + 1), [
    ...["fillStyle card", "fillRect 0 0 480 488"],
    ...["fillStyle one", "beginPath", "arc 24 27 8 0 7", "fill"],
    ...["font 500 20px system-ui, sans-serif", "fillStyle text", "measureText ann"],
    ...["fillText ann 42 34", "font 600 14px system-ui, sans-serif", "fillStyle faint"],
    ...["textAlign right", "fillText Take-Stones 464 33 120", "textAlign left"],
    ...["fillStyle two", "beginPath", "roundRect 16 51 16 16 4", "fill"],
    ...["font 500 20px system-ui, sans-serif", "fillStyle text", "measureText bob"],
    ...["fillText bob 42 66", `drawImage ${canvases[0].outerHTML} 16 84 448 360`],
    ...["font 400 15px system-ui, sans-serif", "fillStyle text", "measureText Move 0 of 2"],
    ...["fillText Move 0 of 2 16 470", "getImageData 0 0 480 488"],
  ]);
});

test("the last frame has the ending, the winner is bold, long names are cut off", async () => {
  const players = ["a".repeat(40), "b".repeat(36)];
  const result = { ...RESULT, winner: 1, reason: "timeout" };
  const { lines } = await film(playedMatch([3], { facts: { players }, result }));
  const texts = lines.filter(line => /^fillText.* (34|66|470)$/.test(line)).slice(-6);
  // 12 pixels a letter: 480 - 16 - 42 - 130 for the first, which leaves place for the title.
  const names = [`fillText ${"a".repeat(23)}… 42 34`, `fillText ${"b".repeat(34)}… 42 66`];
  const ending = `${"a".repeat(36)}… 16 470`;
  deepEqual(texts, [...names, "fillText Move 0 of 1 16 470", ...names, `fillText ${ending}`]);
  const fonts = lines.filter(line => / 20px/.test(line)).map(line => line.split(" ")[1]);
  deepEqual(fonts.slice(-2), ["700", "500"]);
});

test("a board that cannot be drawn is removed", async t => {
  t.mock.method(module, "drawThumbnail", () => {
    throw new Error("broken");
  });
  await rejects(film(playedMatch([])), { message: "broken" });
  equal(document.querySelector("canvas"), null);
});

test("of a long match not each position is shown, but the first and the last one are", () => {
  for (const [last, frames] of [
    [0, 1],
    [1, 2],
    [149, 150],
    [150, 76],
    [299, 151],
    [300, 101],
    [1000, 144],
  ]) {
    const plies = shownPlies(last);
    deepEqual([plies.length, plies[0], plies.at(-1)], [frames, 0, last]);
    deepEqual(
      plies,
      [...new Set(plies)].sort((one, other) => one - other),
    );
  }
});
