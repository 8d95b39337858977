import { equal, match } from "node:assert/strict";
import { SvgPen } from "/learn/download.js";
import { test } from "../support/browser.js";

const EXTENT = { left: -1.25, right: 9, top: 0, bottom: 4.5 };

test("a file has the extent, a title and a background", () => {
  equal(
    new SvgPen().file(EXTENT, "white", `<a> & "b"`),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.3 0 10.3 4.5" width="10.3" height="4.5"' +
      ' font-family="system-ui, sans-serif" text-anchor="middle">' +
      "<title>&#60;a&#62; &#38; &#34;b&#34;</title>" +
      '<rect x="-1.3" y="0" width="10.3" height="4.5" fill="white"/></svg>\n',
  );
});

test("a box that is narrower than its corners has round ones of half its width", () => {
  const pen = new SvgPen();
  pen.roundRect(0, 0, 4, 10, 3);
  pen.fill();
  match(pen.file(EXTENT, "white", "t"), /<path d="M2 0h0a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-0a2 2/);
});
