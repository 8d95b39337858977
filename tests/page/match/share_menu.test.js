import { deepEqual, equal } from "node:assert/strict";
import { pictureFiles } from "/match/share_menu.js";
import { playedMatch } from "../support/arena.js";
import { settle, testAfter } from "../support/browser.js";
import { picture, recordCanvases } from "../support/canvases.js";
import { all } from "../support/elements.js";

const UNAVAILABLE = "The arena did not send the picture: try again later.";

let saved, isSaved, answer, drawn;
const test = testAfter(({ mock }) => {
  saved = [];
  const { promise, resolve } = Promise.withResolvers();
  isSaved = promise;
  const { createObjectURL } = URL;
  const blobs = new Map();
  mock.method(URL, "createObjectURL", blob => {
    const url = createObjectURL.call(URL, blob);
    blobs.set(url, blob);
    return url;
  });
  // The film waits for no time; the file would be kept for ten seconds.
  mock.method(globalThis, "setTimeout", (run, delay) => !delay && setImmediate(run));
  mock.method(HTMLAnchorElement.prototype, "click", function save() {
    saved.push([this.download, blobs.get(this.href)]);
    resolve();
  });
  mock.method(globalThis, "fetch", address => answer(address));
  mock.method(HTMLImageElement.prototype, "decode", async function decode() {
    await answer(new URL(this.src).pathname);
    Object.defineProperties(this, {
      naturalWidth: { value: 1200 },
      naturalHeight: { value: 630 },
    });
  });
  mock.method(HTMLCanvasElement.prototype, "toBlob", function encode(done, type) {
    drawn = [
      this.width,
      this.height,
      type,
      ...picture(this).map(line => line.replace(/<.*>/, "image")),
    ];
    done(new Blob(["png"]));
  });
  const data = new Uint8ClampedArray(4 * 480 * 488);
  recordCanvases({ getImageData: () => ({ data }), measureText: () => ({ width: 1 }) });
});

const MODULE = { isDrawable: ({ stones }) => stones === 7, drawThumbnail: () => {} };
function create(module = MODULE, match = playedMatch([3])) {
  const element = pictureFiles({ match: () => match, module, title: "Nim", ply: () => 2 });
  const buttons = all("button", element);
  return { element, buttons, status: element.querySelector("[role=status]") };
}

test("the buttons are in a labelled group, that of the film only where boards can be drawn", () => {
  const buttons = [
    '<button type="button" title="Save this position as SVG">SVG</button>',
    '<button type="button" title="Save this position as PNG">PNG</button>',
    '<button type="button" title="Save the whole game as animated GIF">GIF</button>',
  ].join("");
  const group = `<div class="buttons" role="group" aria-label="Save a picture">${buttons}</div>`;
  const status = '<p class="hint" role="status"></p>';
  equal(create().element.outerHTML, `<div class="picture-files">${group}${status}</div>`);
  for (const module of [null, { isDrawable: () => false }]) equal(create(module).buttons.length, 2);
});

test("the arena's picture of the position is saved", async () => {
  const { buttons, status } = create();
  const blob = new Blob(["<svg/>"]);
  answer = address => Promise.resolve({ ok: address === "/match/7/2.svg", blob: () => blob });
  buttons[0].click();
  await settle();
  deepEqual([saved, status.textContent], [[["match-7-2.svg", blob]], ""]);
});

test("the picture is drawn as PNG", async () => {
  const { buttons } = create();
  answer = async address => equal(address, "/match/7/2.svg");
  buttons[1].click();
  await settle();
  equal(saved[0][0], "match-7-2.png");
  deepEqual(drawn, [1200, 630, "image/png", "drawImage image 0 0"]);
});

test("a picture that does not come is reported until the next attempt", async () => {
  const { buttons, status } = create();
  for (const [at, failure] of [
    [0, async () => ({ ok: false })],
    [0, () => Promise.reject(new Error("offline"))],
    [1, () => Promise.reject(new Error("no picture"))],
  ]) {
    answer = failure;
    buttons[at].click();
    equal(status.textContent, "");
    await settle();
    deepEqual([status.textContent, saved], [UNAVAILABLE, []]);
  }
});

test("the film shows its progress, and is saved", async () => {
  const { buttons, status } = create(MODULE, playedMatch(Array(10).fill(1)));
  const texts = [];
  const observer = new MutationObserver(() => texts.push(status.textContent));
  observer.observe(status, { childList: true });
  buttons[2].click();
  await isSaved;
  observer.disconnect();
  deepEqual([saved[0][0], saved[0][1].type], ["match-7.gif", "image/gif"]);
  deepEqual([texts.slice(0, 2), status.textContent], [["Drawing: 0 %", "Drawing: 10 %"], ""]);
});
