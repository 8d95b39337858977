// QR codes (ISO/IEC 18004) of short texts: bytes, error correction level M, versions 1 to 13.
import { s } from "../dom.js";

/** @typedef {number[][]} Matrix rows of modules, 1 for dark */

const QUIET = 4; // modules around a code
const LEVEL = 0; // the bits of level M
const FORMAT_GENERATOR = 0x537;
const FORMAT_MASK = 0x5412;
const VERSION_GENERATOR = 0x1f25;
/** @type {((row: number, column: number) => boolean)[]} which modules a mask inverts */
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  row => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * Return the modules of a code. Throws a RangeError for more than 331 bytes.
 * @param {string} text
 * @returns {Matrix}
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const bits = codeWords(bytes, version).flatMap(word => bitsOf(word, 8));
  const candidates = MASKS.map((_, mask) => drawCode(version, bits, mask));
  const penalties = candidates.map(penaltyOf);
  return candidates[penalties.indexOf(Math.min(...penalties))];
}

/**
 * Return a code as an image, with its quiet zone.
 * @param {string} text
 * @param {string} label
 */
export function qrImage(text, label) {
  const matrix = qrCode(text);
  const squares = matrix.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")),
  );
  const width = matrix.length + 2 * QUIET;
  const viewBox = `0 0 ${width} ${width}`;
  const properties = { class: "qr-code", viewBox, role: "img", "aria-label": label };
  return s("svg", properties, s("path", { d: squares.join("") }));
}

/**
 * @param {number} version
 * @param {number[]} bits
 * @param {number} mask
 */
function drawCode(version, bits, mask) {
  const size = sizeOf(version);
  /** @type {(number | undefined)[][]} */
  const modules = Array.from({ length: size }, () => Array(size));
  drawPatterns(modules, version);
  drawInformation(modules, version, mask);
  drawData(modules, bits, MASKS[mask]);
  return /** @type {Matrix} */ (modules);
}

/**
 * @param {(number | undefined)[][]} modules
 * @param {number} version
 */
function drawPatterns(modules, version) {
  const size = modules.length;
  const last = size - 7;
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ]) {
    drawSquare(modules, row, column, 4, distance => distance !== 2 && distance !== 4);
  }
  for (let at = 8; at < size - 8; at++) modules[6][at] = modules[at][6] = 1 - (at % 2);
  const centres = alignmentCentres(version);
  for (const row of centres) {
    for (const column of centres) {
      const isFinder =
        row + column < 2 * last && [row, column].every(at => at === 6 || at === last);
      if (!isFinder) drawSquare(modules, row, column, 2, distance => distance !== 1);
    }
  }
}

/**
 * @param {(number | undefined)[][]} modules
 * @param {number} row of the centre
 * @param {number} column
 * @param {number} radius
 * @param {(distance: number) => boolean} isDark by the distance from the centre
 */
function drawSquare(modules, row, column, radius, isDark) {
  for (let y = -radius; y <= radius; y++) {
    for (let x = -radius; x <= radius; x++) {
      const line = modules[row + y];
      if (line && column + x >= 0 && column + x < modules.length) {
        line[column + x] = Number(isDark(Math.max(Math.abs(x), Math.abs(y))));
      }
    }
  }
}

/**
 * Draw the level and the mask, and the number of a large version, each twice.
 * @param {(number | undefined)[][]} modules
 * @param {number} version
 * @param {number} mask
 */
function drawInformation(modules, version, mask) {
  const size = modules.length;
  const word = (LEVEL << 3) | mask;
  const format = bitsOf(((word << 10) | remainder(word, FORMAT_GENERATOR, 10)) ^ FORMAT_MASK, 15);
  for (let at = 0; at < 15; at++) {
    const first = at < 6 ? at : at + 1; // beside the timing pattern
    const near = at < 8 ? first : 15 - at - Number(at > 8);
    if (at < 8) modules[8][near] = format[at];
    else modules[near][8] = format[at];
    if (at < 7) modules[size - 1 - at][8] = format[at];
    else modules[8][size - 15 + at] = format[at];
  }
  modules[size - 8][8] = 1;
  if (version < 7) return;
  const number = (version << 12) | remainder(version, VERSION_GENERATOR, 12);
  for (let at = 0; at < 18; at++) {
    const [long, short] = [Math.floor(at / 3), size - 11 + (at % 3)];
    modules[long][short] = modules[short][long] = (number >> at) & 1;
  }
}

/**
 * Return the remainder of a division of polynomials over bits.
 * @param {number} value
 * @param {number} generator
 * @param {number} degree
 */
function remainder(value, generator, degree) {
  let rest = value;
  for (let at = 0; at < degree; at++)
    rest = (rest << 1) ^ ((rest >> (degree - 1)) & 1 ? generator : 0);
  return rest;
}

/**
 * Draw the bits in columns of two modules, up and down from the right.
 * @param {(number | undefined)[][]} modules
 * @param {number[]} bits
 * @param {(row: number, column: number) => boolean} isInverted
 */
function drawData(modules, bits, isInverted) {
  const size = modules.length;
  let at = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--; // the timing pattern
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (modules[row][column] !== undefined) continue;
        modules[row][column] = (bits[at++] ?? 0) ^ Number(isInverted(row, column));
      }
    }
    isUp = !isUp;
  }
}

// The choice of the mask

const FINDER = "1011101";

/**
 * Return how hard a code is to read: runs, blocks, false finder patterns, and an uneven number of
 * dark modules.
 * @param {Matrix} matrix
 */
function penaltyOf(matrix) {
  const lines = [...matrix, ...matrix.map((_, at) => matrix.map(row => row[at]))].map(line =>
    line.join(""),
  );
  let penalty = 0;
  for (const line of lines) {
    for (const { length } of line.match(/0{5,}|1{5,}/g) ?? []) penalty += length - 2;
    for (let at = line.indexOf(FINDER); at >= 0; at = line.indexOf(FINDER, at + 1)) {
      const isLight = [line.slice(Math.max(0, at - 4), at), line.slice(at + 7, at + 11)].some(
        side => !side.includes("1"),
      );
      if (isLight) penalty += 40;
    }
  }
  for (let row = 1; row < matrix.length; row++) {
    for (let column = 1; column < matrix.length; column++) {
      const dark =
        matrix[row][column] +
        matrix[row - 1][column] +
        matrix[row][column - 1] +
        matrix[row - 1][column - 1];
      if (dark % 4 === 0) penalty += 3;
    }
  }
  const share = matrix.flat().reduce((sum, module) => sum + module, 0) / matrix.length ** 2;
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}

// The words: the data, padded and split into blocks, each with its error correction

const LARGEST = 13; // version
// Of each version: code words of error correction in a block, and blocks.
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9];
const FIELD = 0x11d; // the polynomial of the finite field with 256 elements

/**
 * Return the smallest version that holds a number of bytes.
 * @param {number} bytes
 */
function versionFor(bytes) {
  for (let version = 1; version <= LARGEST; version++) {
    if (4 + lengthBits(version) + 8 * bytes <= 8 * dataWords(version)) return version;
  }
  throw new RangeError(`a QR code holds at most 331 bytes here, got ${bytes}`);
}

/** @param {number} version */
const lengthBits = version => (version < 10 ? 8 : 16);

/**
 * Return the modules in a row.
 * @param {number} version
 */
const sizeOf = version => 17 + 4 * version;

/**
 * Return the number of all code words of a version.
 * @param {number} version
 */
function allWords(version) {
  const centres = alignmentCentres(version).length;
  const alignment = centres ? 25 * (centres ** 2 - 3) - 10 * (centres - 2) : 0;
  const information = 31 + (version > 6 ? 36 : 0);
  const functional = 3 * 64 + alignment + 2 * (sizeOf(version) - 16) + information;
  return Math.floor((sizeOf(version) ** 2 - functional) / 8);
}

/** @param {number} version */
const dataWords = version => allWords(version) - CORRECTION[version] * BLOCKS[version];

/**
 * Return the rows, and columns, of the centres of alignment patterns.
 * @param {number} version
 */
function alignmentCentres(version) {
  if (version === 1) return [];
  const last = sizeOf(version) - 7;
  return version < 7 ? [6, last] : [6, (6 + last) / 2, last];
}

/**
 * Return the last bits of a number, the highest one first.
 * @param {number} value
 * @param {number} count
 */
const bitsOf = (value, count) =>
  Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1);

/**
 * Return the words of data and of error correction, in the order in which they are drawn.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function codeWords(bytes, version) {
  const capacity = 8 * dataWords(version);
  const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, lengthBits(version))];
  for (const byte of bytes) bits.push(...bitsOf(byte, 8));
  bits.push(...Array(Math.min(4, capacity - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(8 * at, 8 * at + 8).reduce((word, bit) => 2 * word + bit, 0),
  );
  for (let pad = 0; data.length < capacity / 8; pad++) data.push(pad % 2 ? 0x11 : 0xec);
  const blocks = split(data, BLOCKS[version]);
  const corrections = blocks.map(block => correction(block, CORRECTION[version]));
  return [...interleave(blocks), ...interleave(corrections)];
}

/**
 * Split words into blocks, of which the last ones are longer by one where they must be.
 * @param {number[]} words
 * @param {number} count
 */
function split(words, count) {
  const short = Math.floor(words.length / count);
  const longer = words.length % count;
  return Array.from({ length: count }, (_, at) => {
    const before = Math.max(0, at - (count - longer));
    const start = at * short + before;
    return words.slice(start, start + short + (at >= count - longer ? 1 : 0));
  });
}

/** @param {number[][]} blocks */
function interleave(blocks) {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    blocks.flatMap(block => (at < block.length ? [block[at]] : [])),
  ).flat();
}

/**
 * Return the words of error correction by Reed and Solomon: the remainder of a division.
 * @param {number[]} block
 * @param {number} count
 */
function correction(block, count) {
  let divisor = [1];
  for (let at = 0, root = 1; at < count; at++, root = multiply(root, 2)) {
    const times = divisor.map(factor => multiply(factor, root));
    divisor = [...divisor, 0].map((factor, index) => factor ^ (times[index - 1] ?? 0));
  }
  const remainder = Array(count).fill(0);
  for (const word of block) {
    const factor = word ^ remainder[0];
    remainder.shift();
    remainder.push(0);
    for (let at = 0; at < count; at++) remainder[at] ^= multiply(divisor[at + 1], factor);
  }
  return remainder;
}

/**
 * Multiply two elements of the finite field.
 * @param {number} one
 * @param {number} other
 */
function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? FIELD : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}
