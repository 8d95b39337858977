// Canvases whose drawings can be read, and the frames in which they are drawn.

/** A context of a canvas that keeps its transformation, and what it draws, with the places in pixels. */
class ReadableContext {
  texts = [];
  images = [];
  filled = [];
  transform = [1, 0, 0, 1, 0, 0];

  constructor(canvas) {
    this.canvas = canvas;
  }
  #at(x, y) {
    const [a, , , d, e, f] = this.transform;
    return { x: a * x + e, y: d * y + f };
  }
  setTransform(...transform) {
    this.transform = transform;
  }
  clearRect() {
    this.texts = [];
    this.images = [];
  }
  fillText(text, x, y) {
    this.texts.push({ text, ...this.#at(x, y) });
  }
  fillRect(...box) {
    this.filled.push(box);
  }
  drawImage(_, x, y) {
    this.images.push(this.#at(x, y));
  }
  /** Return where a text was drawn. */
  place(text) {
    return this.texts.find(drawn => drawn.text === text) ?? null;
  }
}
for (const name of [
  ...["beginPath", "closePath", "moveTo", "lineTo", "quadraticCurveTo", "rect", "roundRect", "arc"],
  ...["fill", "stroke", "setLineDash", "save", "restore", "clip", "scale"],
]) {
  ReadableContext.prototype[name] = () => {};
}

/** Replace contexts, frames and observers of sizes; return what drives them and restores them. */
export function drawingSurface() {
  const { getContext } = HTMLCanvasElement.prototype;
  const { requestAnimationFrame, cancelAnimationFrame, ResizeObserver } = globalThis;
  const contexts = new WeakMap();
  let frames = [];
  const observers = [];
  HTMLCanvasElement.prototype.getContext = function context(kind) {
    if (kind !== "2d") return null;
    if (!contexts.has(this)) contexts.set(this, new ReadableContext(this));
    return contexts.get(this);
  };
  globalThis.requestAnimationFrame = draw => frames.push(draw);
  globalThis.cancelAnimationFrame = id => delete frames[id - 1];
  globalThis.ResizeObserver = class {
    constructor(changed) {
      this.changed = changed;
    }
    observe(element) {
      observers.push([element, this.changed]);
    }
  };
  return {
    /** Draw one frame. */
    frame(now = performance.now()) {
      const due = frames;
      frames = [];
      for (const draw of due) draw?.(now);
      return due.filter(Boolean).length;
    },
    /** Set the size of an element, of which its observers are told. */
    resize(element, width, height) {
      for (const [name, value] of [
        ["clientWidth", width],
        ["clientHeight", height],
      ]) {
        Object.defineProperty(element, name, { value, configurable: true });
      }
      for (const [observed, changed] of observers) if (observed === element) changed();
    },
    restore() {
      HTMLCanvasElement.prototype.getContext = getContext;
      Object.assign(globalThis, { requestAnimationFrame, cancelAnimationFrame, ResizeObserver });
    },
  };
}
