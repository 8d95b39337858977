// Animated GIF of drawings with few colours (GIF89a, with the compression LZW).

const COLOURS = 255; // of the drawings; the last entry of the palette stands for "unchanged"
const UNCHANGED = 255;
const MAX_CODES = 4096;
const CLEAR = 256;
const END = 257;
const BLOCK = 255; // bytes of a block of data

/** @typedef {{ left: number, top: number, width: number, height: number }} Area */

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(1 << 16);
  length = 0;

  /** @param {...number} values */
  add(...values) {
    for (const value of values) this.#add(value);
  }

  /** @param {number} value */
  #add(value) {
    if (this.length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.length++] = value;
  }

  /** @param {...number} values of 16 bits, the low byte first */
  addWords(...values) {
    for (const value of values) this.add(value & 255, value >> 8);
  }

  /** @param {string} text */
  addText(text) {
    for (const letter of text) this.#add(letter.charCodeAt(0));
  }

  get content() {
    return this.#bytes.slice(0, this.length);
  }
}

/** Encoder of frames of one size, which are added one by one. */
export class GifEncoder {
  #width;
  #height;
  #palette;
  /** @type {Uint8Array | null} the colours of the last frame */
  #last = null;
  #out = new Bytes();

  /**
   * @param {number} width
   * @param {number} height
   * @param {Uint8ClampedArray[]} samples frames with all colours that matter, as RGBA
   */
  constructor(width, height, samples) {
    this.#width = width;
    this.#height = height;
    this.#palette = new Palette(samples);
    const out = this.#out;
    out.addText("GIF89a");
    out.addWords(width, height);
    out.add(0xf7, 0, 0); // a palette of 256 colours for all frames
    out.add(...this.#palette.bytes);
    out.add(0x21, 0xff, 11);
    out.addText("NETSCAPE2.0");
    out.add(3, 1, 0, 0, 0); // repeated without end
  }

  /**
   * Append a frame.
   * @param {Uint8ClampedArray} pixels RGBA
   * @param {number} delay hundredths of a second
   */
  add(pixels, delay) {
    const colours = this.#palette.colours(pixels);
    const area = this.#changedArea(colours);
    const out = this.#out;
    out.add(0x21, 0xf9, 4, 0x05); // the frame before stays, UNCHANGED is transparent
    out.addWords(delay);
    out.add(UNCHANGED, 0);
    out.add(0x2c);
    out.addWords(area.left, area.top, area.width, area.height);
    out.add(0);
    compress(this.#differences(colours, area), out);
    this.#last = colours;
  }

  /** Return the file. */
  finish() {
    this.#out.add(0x3b);
    return this.#out.content;
  }

  /**
   * Return the part of a frame in which it differs from the one before, at least one pixel.
   * @param {Uint8Array} colours
   * @returns {Area}
   */
  #changedArea(colours) {
    const [width, height, last] = [this.#width, this.#height, this.#last];
    if (!last) return { left: 0, top: 0, width, height };
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let at = 0; at < colours.length; at++) {
      if (colours[at] === last[at]) continue;
      const x = at % width;
      const y = (at - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
    if (right < 0) return { left: 0, top: 0, width: 1, height: 1 };
    return { left, top, width: right - left + 1, height: bottom - top + 1 };
  }

  /**
   * Return the colours of a part of a frame, UNCHANGED where they are those of the one before.
   * @param {Uint8Array} colours
   * @param {Area} area
   */
  #differences(colours, { left, top, width, height }) {
    const part = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (top + y) * this.#width + left + x;
        part[y * width + x] = this.#last?.[at] === colours[at] ? UNCHANGED : colours[at];
      }
    }
    return part;
  }
}

/** The most frequent colours of some frames; others become the nearest of these. */
class Palette {
  bytes = new Uint8Array(768);
  #count;
  /** @type {Map<number, number>} the index of the nearest colour, by colours of 24 bits */
  #nearest = new Map();

  /** @param {Uint8ClampedArray[]} samples */
  constructor(samples) {
    /** @type {Map<number, number>} */
    const found = new Map();
    for (const pixels of samples) {
      for (let at = 0; at < pixels.length; at += 4) {
        const colour = colourAt(pixels, at);
        found.set(colour, (found.get(colour) ?? 0) + 1);
      }
    }
    const sorted = [...found].sort(([, one], [, other]) => other - one).slice(0, COLOURS);
    this.#count = sorted.length;
    sorted.forEach(([colour], index) => {
      this.bytes.set([colour >> 16, (colour >> 8) & 255, colour & 255], 3 * index);
    });
  }

  /**
   * Return the index of the colour of each pixel.
   * @param {Uint8ClampedArray} pixels
   */
  colours(pixels) {
    const colours = new Uint8Array(pixels.length / 4);
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = colourAt(pixels, at);
      let index = this.#nearest.get(colour);
      if (index === undefined) {
        index = this.#find(pixels, at);
        this.#nearest.set(colour, index);
      }
      colours[at / 4] = index;
    }
    return colours;
  }

  /**
   * @param {Uint8ClampedArray} pixels
   * @param {number} at
   */
  #find(pixels, at) {
    let [best, least] = [0, Infinity];
    for (let index = 0; index < this.#count; index++) {
      let distance = 0;
      for (let part = 0; part < 3; part++) {
        distance += (pixels[at + part] - this.bytes[3 * index + part]) ** 2;
      }
      if (distance < least) [best, least] = [index, distance];
    }
    return best;
  }
}

/**
 * @param {Uint8ClampedArray} pixels
 * @param {number} at
 */
const colourAt = (pixels, at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];

/**
 * Append values of 8 bits as blocks of LZW codes.
 * @param {Uint8Array} values
 * @param {Bytes} out
 */
function compress(values, out) {
  const codes = new Codes();
  /** @type {Map<number, number>} the code of each string: that of its beginning and a last value */
  const known = new Map();
  let next = END + 1;
  let size = 9; // bits of a code
  codes.add(CLEAR, size);
  let current = values[0];
  for (let at = 1; at < values.length; at++) {
    const key = (current << 8) | values[at];
    const longer = known.get(key);
    if (longer !== undefined) {
      current = longer;
      continue;
    }
    codes.add(current, size);
    current = values[at];
    if (next < MAX_CODES) {
      if (next === 1 << size) size++;
      known.set(key, next++);
    } else {
      codes.add(CLEAR, size);
      known.clear();
      [next, size] = [END + 1, 9];
    }
  }
  codes.add(current, size);
  // The decoder is one string behind: it adds one for the last code before it reads the end.
  if (next === 1 << size && size < 12) size++;
  codes.add(END, size);
  const { content } = codes;
  out.add(8);
  for (let at = 0; at < content.length; at += BLOCK) {
    const block = content.subarray(at, at + BLOCK);
    out.add(block.length, ...block);
  }
  out.add(0);
}

/** Codes of several bits as bytes, the low bits first. */
class Codes {
  #bytes = new Bytes();
  #held = 0;
  #bits = 0;

  /**
   * @param {number} code
   * @param {number} size in bits
   */
  add(code, size) {
    this.#held |= code << this.#bits;
    this.#bits += size;
    while (this.#bits >= 8) this.#flush();
  }

  get content() {
    if (this.#bits > 0) this.#flush();
    return this.#bytes.content;
  }

  #flush() {
    this.#bytes.add(this.#held & 255);
    this.#held >>= 8;
    this.#bits -= 8;
  }
}
