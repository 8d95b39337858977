import { deepEqual, equal, ok } from "node:assert/strict";
import { copyButtons } from "/copy.js";
import { copyableText } from "/dom.js";
import { replaceProperty, settle, test } from "./support/browser.js";
import { all, button, properties, show } from "./support/elements.js";

let copied;
function allowClipboard(isAllowed) {
  copied = [];
  const writeText = text => (isAllowed ? Promise.resolve(copied.push(text)) : Promise.reject());
  replaceProperty(navigator, "clipboard", { writeText });
}

test("each button copies the text that its function makes", async () => {
  allowClipboard(true);
  const { buttons, element } = copyButtons([
    ["Link", () => "address"],
    ["Frame", async () => "element"],
  ]);
  show(element);
  equal(element.querySelector("textarea").hidden, true);
  const group = element.querySelector("[role=group]");
  equal(group.getAttribute("aria-label"), "Copy");
  deepEqual(all("button", group), buttons);
  deepEqual(properties("type", buttons), ["button", "button"]);
  for (const label of ["Link", "Frame"]) {
    button(label).click();
    await settle();
    equal(element.querySelector("[role=status]").textContent, `Copied: ${label.toLowerCase()}.`);
  }
  deepEqual([copied, element.querySelector("textarea").hidden], [["address", "element"], true]);
});

test("without access the text is shown to be copied by hand", async () => {
  allowClipboard(false);
  show(copyButtons([["Link", () => "address"]]).element);
  button("Link").click();
  await settle();
  const field = document.querySelector("textarea");
  deepEqual([field.hidden, field.value], [false, "address"]);
  equal(field.selectionEnd - field.selectionStart, 7);
  ok(field.hasAttribute("readonly"));
  equal(field.getAttribute("aria-label"), "Text to copy");
  const text = "Clipboard access denied: copy the text below.";
  equal(document.querySelector("[role=status]").textContent, text);
  allowClipboard(true);
  button("Link").click();
  equal(field.hidden, true);
});

test("why there is no text is said", async () => {
  const reject = () => Promise.reject(new Error("unknown match 1"));
  show(copyButtons([["Record", reject]]).element);
  button("Record").click();
  await settle();
  equal(document.querySelector("[role=status]").textContent, "unknown match 1");
});

test("a text is copied by its button, or else selected", async () => {
  allowClipboard(true);
  const element = show(copyableText("ws://x", "the address"));
  const [code, copy] = element.children;
  equal(code.outerHTML, "<code>ws://x</code>");
  deepEqual([copy.getAttribute("aria-label"), copy.textContent], ["Copy the address", "Copy"]);
  allowClipboard(false);
  copy.click();
  await settle();
  deepEqual([copy.textContent, String(getSelection())], ["Copy", "ws://x"]);
  allowClipboard(true);
  copy.click();
  await settle();
  deepEqual([copy.textContent, copied], ["Copied", ["ws://x"]]);
});
