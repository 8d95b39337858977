import { deepEqual, equal, ok } from "node:assert/strict";
import { filterForm, readFilter } from "/games/match_filter.js";
import { ARENA } from "../support/arena.js";
import { leaveView, pass, signal, test } from "../support/browser.js";
import { all, fill, links, show, texts } from "../support/elements.js";

function open(query = "") {
  const form = show(filterForm(ARENA, new URLSearchParams(query), signal()));
  const find = name => form.querySelector(`[name=${name}]`);
  return { form, find };
}
const labels = () => all("label").map(label => label.firstChild.textContent);
const options = select => [...select.options].map(({ value, text }) => `${value}=${text}`);
const day = text => new Date(`${text}T00:00`).getTime() / 1000;

test("a filter is read from an address", () => {
  const query = "bot=ann&opponent=b&game=nim&outcome=won&ending=timeout&max_blunders=0&min_plies=2";
  deepEqual(readFilter(new URLSearchParams(`${query}&max_plies=9&heap=5&heaps=`)), {
    bot: "ann",
    opponent: "b",
    game: "nim",
    outcome: "won",
    ending: "timeout",
    max_blunders: 0,
    min_plies: 2,
    max_plies: 9,
    setup: { heap: 5 },
  });
  deepEqual(readFilter(new URLSearchParams("min_plies=x&stones=y&since=z&bot=1")), {
    bot: "1",
  });
});

test("the last day is included", () => {
  const filter = readFilter(new URLSearchParams("since=2026-01-02&until=2026-01-02"));
  deepEqual(filter, { since: day("2026-01-02"), until: day("2026-01-03") });
});

test("the form has a field for each part of a filter", () => {
  const { form } = open();
  deepEqual(labels(), [
    "Bot or player",
    "Opponent",
    "Game",
    "Result of player 1",
    "Ending",
    "Number of stones",
    "Size of the board",
    "Blunders, at most",
    "Moves, at least",
    "Moves, at most",
    "From",
    "To",
  ]);
  const names = [...form.elements].map(field => `${field.getAttribute("name")} ${field.type}`);
  deepEqual(names.slice(5), [
    "ending select-one",
    "stones number",
    "size number",
    "max_blunders number",
    "min_plies number",
    "max_plies number",
    "since date",
    "until date",
  ]);
});

test("the form has hints and choices", () => {
  const { form, find } = open();
  equal(form.getAttribute("role"), "search");
  deepEqual([find("bot").placeholder, find("stones").min], ["beginning of a name", "0"]);
  deepEqual(options(find("game")), [
    "=All games",
    "take_stones=Take-Stones",
    "isolation=Isolation",
  ]);
  deepEqual(options(find("outcome")), ["=Any result", "won=won", "lost=lost", "draw=draw"]);
  deepEqual(options(find("ending")).slice(0, 2), ["=Any ending", "no_legal_move=no legal move"]);
  deepEqual([links(form), form.querySelector("details").open], [[], false]);
  deepEqual(texts("summary, button"), ["Show", "More filters"]);
});

test("the form shows the filter of the address", () => {
  const { form, find } = open("bot=ann&game=isolation&outcome=lost&ending=meteor");
  deepEqual([find("bot").value, find("game").value], ["ann", "isolation"]);
  equal(find("ending").value, "meteor"); // which this page does not know
  equal(find("stones"), null);
  ok(find("size"));
  ok(labels().includes("Result of ann"));
  deepEqual([form.querySelector("details").open, links(form)], [true, ["#/games"]]);
  deepEqual(texts("a"), ["Show all"]);
});

test("a change and a submission change the address", async () => {
  const { form, find } = open("bot=ann");
  equal(form.querySelector("details").open, false);
  fill(find("min_plies"), "7", "change");
  equal(location.hash, "#/games?bot=ann&min_plies=7");
  find("bot").value = "";
  find("min_plies").value = "";
  const submission = new Event("submit", { cancelable: true });
  form.dispatchEvent(submission);
  ok(submission.defaultPrevented);
  equal(location.hash, "#/games");
});

test("a year that is being typed is awaited", () => {
  const { find } = open();
  for (const [date, hash] of [
    ["0020-01-01", ""],
    ["1970-01-01", "#/games?since=1970-01-01"],
    ["", "#/games"],
  ]) {
    fill(find("since"), date, "change");
    equal(location.hash, hash);
  }
});

test("the form that is drawn next has the focus and the fields of the one before", async () => {
  const first = open();
  await pass(16);
  ok(document.activeElement === document.body);
  first.find("opponent").focus();
  first.form.querySelector("details").open = true;
  leaveView();
  const next = open("opponent=b");
  await pass(16);
  ok(document.activeElement === next.find("opponent"));
  equal(next.form.querySelector("details").open, true);
  next.form.querySelector("details").open = false;
});

test("a form that is left without the focus gives it to none", async () => {
  open();
  leaveView();
  open();
  await pass(16);
  ok(document.activeElement === document.body);
});
