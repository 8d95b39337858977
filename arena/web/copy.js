// Buttons that copy to the clipboard, and the way out where that is forbidden.
import { copyText, h } from "./dom.js";

/** @typedef {[label: string, makeText: () => string | Promise<string>]} CopyItem */

/**
 * Return a group of buttons, each of which copies the text that its function makes.
 * @param {CopyItem[]} items
 */
export function copyButtons(items) {
  const status = h("p", { class: "hint", role: "status" });
  const field = h("textarea", {
    readonly: true,
    rows: 4,
    spellcheck: "false",
    hidden: true,
    "aria-label": "Text to copy",
  });
  /** @param {string} text */
  const show = text => {
    field.value = text;
    field.hidden = false;
    field.select();
    status.textContent = "Clipboard access denied: copy the text below.";
  };
  /** @param {CopyItem} item */
  const copy = async ([label, makeText]) => {
    field.hidden = true;
    try {
      const text = await makeText();
      if (await copyText(text)) status.textContent = `Copied: ${label.toLowerCase()}.`;
      else show(text);
    } catch (error) {
      status.textContent = /** @type {Error} */ (error).message;
    }
  };
  const buttons = items.map(item =>
    h("button", { type: "button", onclick: () => copy(item) }, item[0]),
  );
  const group = h("div", { class: "buttons", role: "group", "aria-label": "Copy" }, buttons);
  return { buttons, element: h("div", { class: "copy" }, group, status, field) };
}
