import { equal, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { qrCode, qrImage } from "/play/qr_code.js";
import { test } from "../support/browser.js";

const LINK = "https://arena.example.org/#/play/Zk3vXb0Q ";
const rows = text => qrCode(text).map(row => row.join(""));

// Drawn by another encoder, the Python package qrcode 8, with the same mask.
const SMALL = `
111111101011001111111
100000100010101000001
101110100001101011101
101110101110101011101
101110101100101011101
100000101101001000001
111111101010101111111
000000001011100000000
100010111001011111001
001011011011100010110
000100101111011010010
100110000100010110000
010100101110110100001
000000001010100110001
111111101100101010110
100000100001110000011
101110101101010000010
101110100000101101111
101110100111010010000
100000100100110011000
111111101110100110001`;

test("a short text has the smallest code", () => {
  equal(`\n${rows("Take-Stones").join("\n")}`, SMALL);
});

test("codes of all versions are those of another encoder", () => {
  for (const [text, size, hash] of [
    ["石 é", 21, "1979857fd4e4dee2"],
    [LINK.trim(), 29, "203dd75e31d98494"],
    [62, 33, "47e72722cff81c49"],
    [84, 37, "fab46a36043d69fe"],
    [106, 41, "8e051109f40664e5"],
    [122, 45, "3518873347edc79f"],
    [152, 49, "ef7fcc3fb058d669"],
    [180, 53, "7ff16cc49d1b6c4c"],
    [213, 57, "82e3eda9f42064a0"],
    [251, 61, "cd60b2b49b67dff4"],
    [287, 65, "1508adcf656661c9"],
    [331, 69, "b7b47abae0323e99"],
  ]) {
    const written = rows(typeof text === "number" ? LINK.repeat(9).slice(0, text) : text);
    equal(written.length, size);
    equal(createHash("sha256").update(written.join("\n")).digest("hex").slice(0, 16), hash, text);
  }
});

test("one byte more needs the next version, beyond the last one there is no code", () => {
  for (const [bytes, size] of [
    [14, 21],
    [15, 25],
    [26, 25],
    [27, 29],
    [330, 69],
  ]) {
    equal(rows("x".repeat(bytes)).length, size, bytes);
  }
  throws(() => qrCode("x".repeat(332)), RangeError);
});

test("a code is drawn with its quiet zone", () => {
  const image = qrImage("Take-Stones", "a code");
  const attribute = name => image.getAttribute(name);
  equal(["role", "aria-label", "viewBox"].map(attribute).join(), "img,a code,0 0 29 29");
  const path = image.firstElementChild.getAttribute("d");
  equal(path.match(/M/g).length, SMALL.match(/1/g).length);
  equal(path.startsWith("M4 4h1v1h-1zM5 4"), true);
});
