import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mock } from "node:test";
import { view } from "/play/play.js";
import { describeTime } from "/play/time_controls.js";
import { ARENA, admit, connect, personSocket } from "../support/arena.js";
import { leaveView, signal, test } from "../support/browser.js";
import { all, button, fill, kinds, show, text, texts } from "../support/elements.js";

const OFFERS = {
  random: ["take_stones", "isolation"],
  greedy: ["take_stones"],
  "spec:1": ["take_stones"],
  "spec:8@nodes=1000": ["take_stones"],
  ann: ["isolation", "take_stones"],
};
const byId = id => document.getElementById(id);
const _alerts = () => texts("[role=alert]").join("");
const opponents = () => texts("#opponent option");
const side = () => document.querySelector("[name=side]:checked").value;

/** Open #/play, or an open challenge. */
function open({ arena = { ...ARENA, offers: OFFERS }, challenge, query = "" } = {}) {
  const { connection, socket } = connect(arena);
  const main = show(document.createElement("main"));
  const address = { parameters: [challenge], query: new URLSearchParams(query) };
  view({ main, connection, ...address, signal: signal() });
  return { main, socket };
}
/** Choose a value in a field. */
function choose(field, value) {
  fill(field, value, "change");
}
async function submit(socket, name = "Ann") {
  document.querySelector("form").requestSubmit();
  await socket.answer("check_name", { name, problem: null });
}

test("an arena without people says so", () => {
  const { main } = open({ arena: { ...ARENA, is_open: false } });
  equal(main.textContent, "PlayThis arena accepts no challenges: its matches are played by bots.");
});

test("the form waits for the arena, and is drawn once", () => {
  const { main, socket } = open({ arena: null });
  equal(main.textContent, "");
  for (let time = 0; time < 2; time++) socket.receive(ARENA);
  deepEqual(texts("h1"), ["Play"]);
  deepEqual(texts(".hint").at(-1), "Casual matches are unrated, and takebacks are allowed.");
});

test("opponents are described; those of the chosen game are listed", () => {
  open();
  deepEqual(opponents(), [
    "random: any legal move",
    "greedy: leaves you the fewest replies",
    "spec:1: looks one move ahead",
    "spec:8@nodes=1000: looks 8 moves ahead, at most 1,000 positions",
    "ann",
    "a friend: by a link that you share",
  ]);
  deepEqual(
    all("optgroup").map(({ label }) => label),
    ["Bots", "People"],
  );
  byId("opponent").value = "ann";
  choose(byId("game"), "isolation");
  deepEqual([byId("opponent").value, opponents().length], ["ann", 3]);
  open({ arena: { ...ARENA, offers: { strong: [], perfect: ["take_stones"] } } });
  equal(opponents()[0], "perfect: never gives up a winning position");
  open({ arena: { ...ARENA, offers: {} } });
  deepEqual(
    all("optgroup").map(({ label }) => label),
    ["People"],
  );
});

test("the fields of the form have labels and limits", () => {
  open();
  equal(
    text("form label, legend"),
    "Opponent | Game | Number of stones | You play |  first |  second |  either | Clock | " +
      " Hints for both, against a friend | Your name",
  );
  const named = all("form label[for]").map(label => byId(label.htmlFor) !== null);
  deepEqual(named, [true, true, true, true, true]);
  const stones = byId("stones");
  deepEqual([stones.min, stones.max, stones.step, stones.value], ["1", "", "1", "7"]);
  ok(stones.required);
  equal(
    text("#clock option"),
    "1 hour for each move | 1 minute | 3 minutes + 2 s a move | 10 minutes + 5 s a move | " +
      "20 s for each move",
  );
  match(byId("name").value, /^Guest [1-9]\d{3}$/);
  stones.value = "12";
  choose(byId("game"), "isolation");
  deepEqual([byId("stones"), byId("size").max, byId("size").value], [null, "8", "8"]);
});

test("choices come from the address, or else from the last match", () => {
  const keys = ["opponent", "game", "side", "clock", "name", "setup-size"];
  const values = ["ann", "isolation", "2", "60+0", "Eve", "5"];
  for (const [at, key] of keys.entries()) localStorage.setItem(`play-${key}`, values[at]);
  const chosen = () =>
    [...all("option[selected]").map(({ value }) => value), byId("name").value, side()].join();
  open();
  deepEqual([chosen(), byId("size").value], ["ann,isolation,60+0,Eve,2", "5"]);
  open({ query: "opponent=random&game=take_stones&side=0&time=180%2B2&stones=9" });
  deepEqual([chosen(), byId("stones").value], ["random,take_stones,180+2,Eve,0", "9"]);
});

test("a challenge is sent and remembered", async () => {
  const { socket } = open();
  byId("opponent").value = "greedy";
  byId("stones").value = "12";
  byId("clock").value = "60+0";
  byId("name").value = " Ann ";
  await submit(socket);
  const { sent } = admit();
  deepEqual([sent[0].games, sent[0].name], [["take_stones", "isolation"], "Ann"]);
  const setup = { stones: 12 };
  deepEqual(sent[1], {
    type: "challenge",
    game: "take_stones",
    setup,
    you: 1,
    opponent: "greedy",
    time: "60+0",
    hints: false,
  });
  const stored = ["opponent", "game", "side", "clock", "name", "setup-stones"];
  deepEqual(
    stored.map(key => localStorage.getItem(`play-${key}`)),
    ["greedy", "take_stones", "1", "60+0", "Ann", "12"],
  );
});

test("the side is as chosen, or either; a friend and no clock are none", async () => {
  for (const [chosen, random, you] of [
    ["1", 0.9, 1],
    ["2", 0.1, 2],
    ["0", 0.49, 1],
    ["0", 0.5, 2],
  ]) {
    const { socket } = open({ query: `opponent=&time=&side=${chosen}` });
    mock.method(Math, "random", () => random);
    await submit(socket);
    const sent = admit().questions("challenge").at(-1);
    deepEqual([sent.you, sent.opponent, sent.time], [you, null, null]);
  }
});

test("a link starts a match at once, and Back leads to the form", async () => {
  history.replaceState(null, "", "#/play?opponent=random&start=");
  const { socket } = open({ query: "opponent=random&time=&side=1&start=" });
  await socket.answer("check_name", { name: "Ann", problem: null });
  equal(admit().questions("challenge").at(-1).opponent, "random");
  equal(location.hash, "#/play");
});

test("hints for both are offered, which is remembered", async () => {
  const { main, socket } = open({ query: "opponent=" });
  main.querySelector(".hints input").checked = true;
  await submit(socket);
  equal(admit().questions("challenge").at(-1).hints, true);
  equal(open().main.querySelector(".hints input").checked, true);
});

test("a challenge to a friend is shared by a link", async () => {
  const { main, socket } = open({ query: "opponent=" });
  await submit(socket);
  admit().receive({ type: "challenged", challenge: "abc" });
  deepEqual(texts("h1"), ["Waiting for your friend"]);
  const input = main.querySelector("input");
  equal(input.value, "http://arena.test/#/play/abc");
  equal(input.getAttribute("aria-label"), "Link to the match");
  ok(document.activeElement === input);
  equal(input.selectionEnd, input.value.length);
  match(main.textContent, /The first to open this link plays against you. Keep this page open./);
  ok(button("Link"));
  const reload = mock.method(location, "reload", () => {});
  button("Cancel").click();
  ok(personSocket().isClosed);
  equal(reload.mock.callCount(), 1);
});

test("an open challenge is withdrawn with its view, a match goes on", async () => {
  const { socket } = open();
  await submit(socket);
  admit(5);
  leaveView();
  equal(personSocket().isClosed, false);
});

test("a view that is left without a match disconnects", async () => {
  const { socket } = open();
  await submit(socket);
  admit();
  leaveView();
  ok(personSocket().isClosed);
});

test("clocks are described as in the form", () => {
  const times = ["", "3600/move", "60+0", "20/move", "600+0"].map(describeTime);
  deepEqual(times, [
    "1 hour for each move",
    "1 hour for each move",
    "1 minute",
    "20 s for each move",
    "10 min",
  ]);
});

const OFFER = { player: "Eve", game: "take_stones", setup: { stones: 7 }, you: 1, time: "180+2" };

test("a form is sent once until there is a problem", async () => {
  const { socket } = open({ challenge: "def" });
  await socket.answer("find_challenge", OFFER);
  const accept = button("Accept");
  accept.click();
  equal(accept.disabled, true);
  accept.click();
  equal(socket.questions("check_name").length, 1);
  await socket.answer("check_name", { name: "Ann", problem: "too long" });
  equal(accept.disabled, false);
  await submit(socket);
  equal(accept.disabled, true);
  admit().receive({ type: "error", code: "busy", match: null, message: "too many matches" });
  deepEqual([_alerts(), accept.disabled], ["too many matches", false]);
});

test("a link leads its players back to the match", async () => {
  const { socket } = open({ challenge: "ghi" });
  await socket.answer("find_challenge", OFFER);
  await submit(socket);
  admit(12);
  open({ challenge: "ghi" });
  equal(location.hash, "#/match/12");
});

test("the forms have their elements, classes and roles", async () => {
  const { main, socket } = open({ query: "opponent=" });
  equal(
    kinds(main),
    "h1 form.card.play-form div.field label select optgroup option div.fields input " +
      "fieldset.field legend label.choice label.hints p.problem[status] p.hint[status] div button.main " +
      "p.problem[alert] p.hint",
  );
  await submit(socket);
  admit().receive({ type: "challenged", challenge: "abc" });
  equal(
    kinds(main),
    "h1 div.card.play-form p input div.copy div.buttons[group] button p.hint[status] " +
      "textarea p.problem[alert]",
  );
  const accepted = open({ challenge: "def" });
  await accepted.socket.answer("find_challenge", OFFER);
  equal(
    kinds(accepted.main),
    "h1 form.card.play-form p bdi dl.offer dt dd div.field label input p.problem[status] " +
      "p.hint[status] div button.main p.problem[alert] p.hint",
  );
});
