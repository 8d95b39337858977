import { deepEqual, ok } from "node:assert/strict";
import { GifEncoder } from "/match/gif_encoder.js";
import { test } from "../support/browser.js";
import { properties } from "../support/elements.js";
import { decodeGif } from "../support/gif_decoder.js";

/** Return RGBA pixels from colours of 24 bits. */
const pixelsOf = colours =>
  Uint8ClampedArray.from(
    colours.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255, 255]),
  );

/** Encode and decode frames, which are lists of colours. */
function decoded(width, height, frames, samples = frames) {
  const encoder = new GifEncoder(width, height, samples.map(pixelsOf));
  for (const [at, frame] of frames.entries()) encoder.add(pixelsOf(frame), 10 + 300 * at);
  return decodeGif(encoder.finish());
}

/** Return frames of 216 colours without a pattern, the last rows of which change, and long runs. */
const mixedFrames = (width, height, count) =>
  Array.from({ length: count }, (_, frame) =>
    Array.from({ length: width * height }, (_, at) => {
      const isNew = at >= width * (height - frame);
      if (at % width > width / 2 && at % 7) return 0x330066;
      const colour = (Math.imul(at + 7 * frame * isNew, 2654435761) >>> 8) % 216;
      return (
        0x33 * (colour % 6) + 0x3300 * (((colour / 6) | 0) % 6) + 0x330000 * ((colour / 36) | 0)
      );
    }),
  );

for (const [width, height, count] of [
  [2, 1, 1],
  [3, 2, 4],
  [64, 64, 2],
  [251, 130, 3],
]) {
  test(`${count} frames of ${width} by ${height} pixels are decoded as they were`, () => {
    const frames = mixedFrames(width, height, count);
    const gif = decoded(width, height, frames);
    deepEqual([gif.width, gif.height, gif.repeats], [width, height, "NETSCAPE2.0 1 0"]);
    for (const [at, frame] of frames.entries()) {
      deepEqual(gif.frames[at].colours, frame);
      deepEqual([gif.frames[at].delay, gif.frames[at].stays], [10 + 300 * at, true]);
    }
  });
}

test("runs of each length end at any size of the codes", () => {
  for (let length = 1; length < 700; length += 1 + (length >> 5)) {
    const frame = Array.from({ length }, (_, at) => (Math.imul(at, 40503) >>> 3) % 250);
    deepEqual(decoded(length, 1, [frame]).frames[0].colours, frame);
  }
});

test("a frame has only the part that has changed", () => {
  const first = Array(20).fill(1);
  const second = first.with(7, 2).with(13, 3);
  const { frames } = decoded(5, 4, [first, second, second]);
  deepEqual(properties("part", frames), ["0 0 5 4", "2 1 2 2", "0 0 1 1"]);
  deepEqual(frames[1].values, [1, 255, 255, 2], "255 is what has not changed");
  deepEqual(frames[2].values, [255]);
  deepEqual(frames[2].colours, second);
});

test("of more than 255 colours the most frequent ones stay, others become the nearest", () => {
  const many = Array.from({ length: 255 }, (_, at) => (at << 16) | 0x80);
  const frame = [...many, ...many, 0x0a0083, 0xff00ff, 0x00ff00];
  const { colours } = decoded(frame.length, 1, [frame]).frames[0];
  const expected = [...many, ...many, 0x0a0080, 0xfe0080, 0x000080];
  deepEqual(colours, expected);
});

test("a colour that no sample has becomes the nearest", () => {
  const { colours } = decoded(3, 1, [[0x101010, 0xf0f0f0, 0x00e000]], [[0, 0xffffff, 0x00ff00]])
    .frames[0];
  deepEqual(colours, [0, 0xffffff, 0x00ff00]);
});

test("a file has any size", () => {
  const frame = Array.from(
    { length: 70_000 },
    (_, at) => (Math.imul(at * at, 2654435761) >>> 24) % 255,
  );
  const encoder = new GifEncoder(350, 200, [pixelsOf(frame)]);
  encoder.add(pixelsOf(frame), 1);
  const file = encoder.finish();
  ok(file.length > 1 << 16);
  deepEqual(decodeGif(file).frames[0].colours, frame);
});

test("compression is worth its work", () => {
  const encoder = new GifEncoder(100, 100, [pixelsOf([1])]);
  encoder.add(pixelsOf(Array(10_000).fill(1)), 1);
  ok(encoder.finish().length < 1100);
});
