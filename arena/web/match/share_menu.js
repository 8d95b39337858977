// The menu with which a match is shared: links and records to copy, pictures to save.

import { copyButtons } from "../copy.js";
import { h } from "../dom.js";
import { ANALYSIS_DEPTH } from "../links.js";
import { turnText } from "../play/opponents.js";
import { saveCanvas, saveFile } from "../save_file.js";

/** @import { CopyItem } from "../copy.js" */
/** @import { GameModule, MatchRecord } from "../types.js" */
/** @import { MatchState } from "./match_state.js" */

/**
 * The functions are called for the position that is shown; `title` is that of the game.
 * @typedef {{
 *   match: () => MatchState,
 *   module: GameModule | null,
 *   title: string,
 *   ply: () => number,
 *   address: () => string,
 *   findRecord: () => Promise<MatchRecord>,
 * }} ShareOptions
 */

/** The content of the menu. */
export class ShareMenu {
  #match;
  #record;

  /** @param {ShareOptions} options */
  constructor(options) {
    this.#match = options.match;
    const copy = copyButtons(copyItems(options));
    this.#record = copy.buttons[1];
    this.elements = [copy.element, pictureFiles(options)];
    this.update();
  }

  /** Show what there is only after the match. */
  update() {
    this.#record.hidden = !this.#match().result;
  }
}

/**
 * @param {ShareOptions} options
 * @returns {CopyItem[]}
 */
function copyItems({ match, module, title, ply, address, findRecord }) {
  const { game, setup } = match().facts;
  const moves = () => match().moves.slice(0, ply());
  const size = 'width="480" height="800"';
  const frame = () => new URL(`/embed/${address()}`, location.href);
  return [
    // The page's own address has a fragment, which other sites cannot show as a card.
    ["Link", () => new URL(address().slice(1), location.href).href],
    ["Record", async () => (await findRecord()).text],
    ...(module
      ? [
          /** @type {CopyItem} */ ([
            "Command",
            () => module.commandLine(setup, moves(), ANALYSIS_DEPTH),
          ]),
        ]
      : []),
    ["Turn", () => turnText({ game, setup, moves: moves() })],
    // The element that shows the position on a page of another site.
    ["Frame", () => `<iframe src="${frame()}" title="${title}" ${size} loading="lazy"></iframe>`],
  ];
}

// Pictures of the position that is shown, and of the whole game

const UNAVAILABLE = "The arena did not send the picture: try again later.";

/**
 * Return a group of buttons, each of which saves a picture.
 * @param {Pick<ShareOptions, "match" | "module" | "title" | "ply">} options
 */
export function pictureFiles({ match, module, title, ply }) {
  const status = h("p", { class: "hint", role: "status" });
  const id = match().facts.match;
  /** @param {(name: string) => Promise<void>} save */
  const action = save => async () => {
    status.textContent = "";
    try {
      await save(`match-${id}-${ply()}`);
    } catch (error) {
      status.textContent = /** @type {Error} */ (error).message;
    }
  };
  const address = () => `/match/${id}/${ply()}.svg`;
  /** @param {number} share */
  const showShare = share => {
    status.textContent = share < 1 ? `Drawing: ${10 * Math.floor(10 * share)} %` : "";
  };
  const items = [
    button(
      "SVG",
      "this position as SVG",
      action(name => saveSvg(address(), name)),
    ),
    button(
      "PNG",
      "this position as PNG",
      action(name => savePng(address(), name)),
    ),
  ];
  if (module?.isDrawable(match().facts.setup)) {
    const film = action(async () => {
      const { makeFilm } = await import("./film.js");
      saveFile(await makeFilm(match(), module, title, showShare), `match-${id}.gif`);
    });
    items.push(button("GIF", "the whole game as animated GIF", film));
  }
  const group = h(
    "div",
    { class: "buttons", role: "group", "aria-label": "Save a picture" },
    items,
  );
  return h("div", { class: "picture-files" }, group, status);
}

/**
 * @param {string} text
 * @param {string} meaning
 * @param {() => void} onclick
 */
const button = (text, meaning, onclick) =>
  h("button", { type: "button", title: `Save ${meaning}`, onclick }, text);

/**
 * @param {string} address
 * @param {string} name
 */
async function saveSvg(address, name) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw new Error(UNAVAILABLE);
  saveFile(await response.blob(), `${name}.svg`);
}

/**
 * Save the picture as PNG, which the browser draws: the arena needs an extra for that.
 * @param {string} address
 * @param {string} name
 */
async function savePng(address, name) {
  const image = new Image();
  image.src = address;
  await image.decode().catch(() => {
    throw new Error(UNAVAILABLE);
  });
  const canvas = h("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  await saveCanvas(canvas, `${name}.png`);
}
