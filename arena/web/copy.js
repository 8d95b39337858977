// Buttons that copy a text, or show it where copying is forbidden.
import { h } from "/dom.js";

/** Buttons from labels and what makes the text of each, at once or later; [label, make] pairs. */
export function copyButtons(items) {
  const said = h("p", { class: "hint", role: "status" });
  const field = h("textarea", { readonly: true, rows: 4, spellcheck: "false", hidden: true, "aria-label": "Text to copy" });
  const show = text => {
    field.value = text;
    field.hidden = false;
    field.select();
    said.textContent = "Copying is forbidden here: this is the text.";
  };
  const copy = async (label, make) => {
    field.hidden = true;
    let text;
    try {
      text = await make();
    } catch (error) {
      said.textContent = error.message;
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = `Copied: ${label.toLowerCase()}.`;
    } catch {
      show(text);
    }
  };
  const buttons = items.map(([label, make]) => h("button", { type: "button", onclick: () => copy(label, make) }, label));
  return { buttons, element: h("div", { class: "copy" },
    h("div", { class: "buttons", role: "group", "aria-label": "Copy" }, buttons), said, field) };
}
