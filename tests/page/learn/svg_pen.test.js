import { equal, match } from "node:assert/strict";
import { SvgPen } from "/learn/download.js";
import { test } from "../support/browser.js";

const EXTENT = { left: -1.25, right: 9, top: 0, bottom: 4.5 };

/** Return what a pen draws by commands such as "lineTo 1 2; lineWidth = 3". */
function drawn(commands) {
  const pen = new SvgPen();
  for (const command of commands.split("; ")) {
    const [name, ...values] = command.split(" ");
    const read = value => (Number.isNaN(Number(value)) ? value : Number(value));
    if (values[0] === "=") pen[name] = read(values.slice(1).join(" "));
    else pen[name](...values.map(read));
  }
  const text = pen.file(EXTENT, "white", "t");
  return text.slice(text.indexOf('fill="white"/>') + 14, -7);
}

test("a file has the extent, a title and a background", () => {
  equal(
    new SvgPen().file(EXTENT, "white", `<a> & "b"`),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.3 0 10.3 4.5" width="10.3" height="4.5"' +
      ' font-family="system-ui, sans-serif" text-anchor="middle">' +
      "<title>&#60;a&#62; &#38; &#34;b&#34;</title>" +
      '<rect x="-1.3" y="0" width="10.3" height="4.5" fill="white"/></svg>\n',
  );
});

test("a line with dashes and a picture are written as SVG", () => {
  const pen = new SvgPen();
  pen.setLineDash([4, 2]);
  pen.stroke();
  pen.drawImage({ toDataURL: () => "data:x" }, 1, 2.5, 96, 60);
  const text = pen.file(EXTENT, "white", "t");
  match(text, /<path d="" fill="none" stroke="#000" stroke-width="1" stroke-dasharray="4 2"\/>/);
  match(text, /<image x="1" y="2.5" width="96" height="60" href="data:x"\/>/);
});

for (const [name, commands, expected] of [
  [
    "a line with a width",
    "moveTo 9 9; beginPath; moveTo 1 2.04; lineTo 3 4; quadraticCurveTo 5 6 7 8; closePath; " +
      "strokeStyle = red; lineWidth = 1.26; stroke",
    '<path d="M1 2L3 4Q5 6 7 8Z" fill="none" stroke="red" stroke-width="1.3"/>',
  ],
  [
    "a stroke with the first settings",
    "stroke",
    '<path d="" fill="none" stroke="#000" stroke-width="1"/>',
  ],
  [
    "a rectangle that is nearly transparent",
    "rect 1 2 10 6; globalAlpha = 0.4; fillStyle = blue; fill",
    '<path d="M1 2h10a0 0 0 0 1 0 0v6a0 0 0 0 1 0 0h-10a0 0 0 0 1 0 0v-6a0 0 0 0 1 0 0Z" fill="blue" opacity="0.4"/>',
  ],
  [
    "a box with round corners, of half its height at most",
    "roundRect 1 2 10 6 9; fill",
    '<path d="M4 2h4a3 3 0 0 1 3 3v0a3 3 0 0 1 -3 3h-4a3 3 0 0 1 -3 -3v-0a3 3 0 0 1 3 -3Z" fill="#000"/>',
  ],
  [
    "a box that is narrower than its corners",
    "roundRect 0 0 4 10 3; fill",
    '<path d="M2 0h0a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-0a2 2 0 0 1 -2 -2v-6a2 2 0 0 1 2 -2Z" fill="#000"/>',
  ],
  [
    "a text in its font",
    "font = 700 12.5px system-ui; fillText v<3 1.26 2",
    '<text x="1.3" y="2" dy="0.35em" font-weight="700" font-size="12.5" fill="#000">v&#60;3</text>',
  ],
  [
    "a text without a font",
    "fillText a 0 0",
    '<text x="0" y="0" dy="0.35em" font-weight="400" font-size="12" fill="#000">a</text>',
  ],
]) {
  test(`${name} is written as SVG`, () => equal(drawn(commands), expected));
}
