// A decoder of animated GIF, written after the specification (GIF89a) as the encoder's opposite.

/** Read numbers and texts from bytes. */
class Reader {
  at = 0;
  constructor(bytes) {
    this.bytes = bytes;
  }
  byte() {
    return this.bytes[this.at++];
  }
  word() {
    return this.byte() + 256 * this.byte();
  }
  take(length) {
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }
  text(length) {
    return String.fromCharCode(...this.take(length));
  }
  /** Read blocks up to an empty one. */
  blocks() {
    const found = [];
    for (let length = this.byte(); length; length = this.byte()) found.push(...this.take(length));
    return found;
  }
}

/** Read codes of a changing number of bits, the low bits first. */
class CodeReader {
  at = 0; // bits that were read
  constructor(bytes) {
    this.bytes = bytes;
  }
  read(size) {
    let code = 0;
    for (let bit = 0; bit < size; bit++, this.at++) {
      if (this.at >> 3 >= this.bytes.length) throw new Error("the codes have no end");
      code |= ((this.bytes[this.at >> 3] >> (this.at & 7)) & 1) << bit;
    }
    return code;
  }
}

/** Append the values of a string, which is one value after a shorter string. */
function write(string, values) {
  const start = values.length;
  values.length += string.length;
  for (let rest = string; rest; rest = rest.before) values[start + rest.length - 1] = rest.last;
}

const longer = (before, last) => ({
  before,
  last,
  first: before ? before.first : last,
  length: (before?.length ?? 0) + 1,
});

/** Return the values behind LZW codes, and the number of bytes after their end. */
function decompress(bits, bytes) {
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  const codes = new CodeReader(bytes);
  const values = [];
  let [table, last] = [[], null];
  for (;;) {
    const { length } = table;
    const code = codes.read(Math.max(bits + 1, Math.min(12, length.toString(2).length)));
    if (code === end) return { values, rest: bytes.length - Math.ceil(codes.at / 8) };
    if (code === clear) {
      [table, last] = [Array.from({ length: end + 1 }, (_, value) => longer(null, value)), null];
      continue;
    }
    const isNew = code === length && last;
    const string = isNew ? longer(last, last.first) : table[code];
    if (!string) throw new Error(`code ${code} of ${length}`);
    write(string, values);
    if (last && length < 4096) table.push(isNew ? string : longer(last, string.first));
    last = string;
  }
}

/**
 * Return the size, the repetitions and the frames of a file, each with the part that it changes and
 * with the colours of all its pixels.
 */
export function decodeGif(bytes) {
  const reader = new Reader(bytes);
  if (reader.text(6) !== "GIF89a") throw new Error("no GIF89a");
  const [width, height] = [reader.word(), reader.word()];
  const [flags, background, aspect] = reader.take(3);
  if (!(flags & 128) || background || aspect) throw new Error("unexpected header");
  const palette = Array.from({ length: 2 ** ((flags & 7) + 1) }, () => {
    const [red, green, blue] = reader.take(3);
    return (red << 16) | (green << 8) | blue;
  });
  const gif = { width, height, frames: [], repeats: null };
  const canvas = Array(width * height);
  let control;
  for (let kind = reader.byte(); kind !== 0x3b; kind = reader.byte()) {
    if (kind === 0x21 && reader.byte() === 0xf9) control = new Reader(reader.blocks());
    else if (kind === 0x21) {
      reader.at++;
      const name = reader.text(11);
      const [one, low, high] = reader.blocks();
      gif.repeats = [name, one, low + 256 * high].join(" ");
    } else if (kind === 0x2c) {
      gif.frames.push(drawFrame(reader, control, { palette, canvas, width }));
    } else throw new Error(`block ${kind}`);
  }
  if (reader.at !== bytes.length) throw new Error("bytes after the end");
  return gif;
}

/** Draw a frame over the one before; return its facts with all pixels. */
function drawFrame(reader, control, { palette, canvas, width }) {
  const [packed, delay, transparent] = [control.byte(), control.word(), control.byte()];
  const part = [reader.word(), reader.word(), reader.word(), reader.word()];
  const [left, top, columns, rows] = part;
  if (reader.byte()) throw new Error("a local palette");
  const { values, rest } = decompress(reader.byte(), reader.blocks());
  if (values.length !== columns * rows || rest) throw new Error(`${values.length} pixels, ${rest}`);
  for (const [at, value] of values.entries()) {
    if (packed & 1 && value === transparent) continue;
    const place = (top + Math.floor(at / columns)) * width + left + (at % columns);
    canvas[place] = palette[value];
  }
  return { part: part.join(" "), delay, stays: packed >> 2 === 1, values, colours: [...canvas] };
}
