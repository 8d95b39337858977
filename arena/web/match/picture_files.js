// Pictures of a match as files: the position that is shown, and the whole game.
import { h } from "../dom.js";
import { saveCanvas, saveFile } from "../save_file.js";

/** @import { GameModule } from "../types.js" */
/** @import { MatchState } from "./match_state.js" */

/**
 * `ply` is called for the position that is shown, `title` is that of the game.
 * @typedef {{
 *   match: () => MatchState,
 *   module: GameModule | null,
 *   title: string,
 *   ply: () => number,
 * }} PictureOptions
 */

const UNAVAILABLE = "The arena did not send the picture: try again later.";

/**
 * Return a group of buttons, each of which saves a picture.
 * @param {PictureOptions} options
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
