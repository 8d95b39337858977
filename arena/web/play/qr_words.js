// The words of a QR code: its data, padded and split into blocks, each with its error correction.

const LARGEST = 13; // version
// Of each version: code words of error correction in a block, and blocks.
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9];
const FIELD = 0x11d; // the polynomial of the finite field with 256 elements

/**
 * Return the smallest version that holds a number of bytes.
 * @param {number} bytes
 */
export function versionFor(bytes) {
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
export const sizeOf = version => 17 + 4 * version;

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
export function alignmentCentres(version) {
  if (version === 1) return [];
  const last = sizeOf(version) - 7;
  return version < 7 ? [6, last] : [6, (6 + last) / 2, last];
}

/**
 * Return the last bits of a number, the highest one first.
 * @param {number} value
 * @param {number} count
 */
export const bitsOf = (value, count) =>
  Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1);

/**
 * Return the words of data and of error correction, in the order in which they are drawn.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
export function codeWords(bytes, version) {
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
