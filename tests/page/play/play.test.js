import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mock } from "node:test";
import { describeTime } from "/format.js";
import { view } from "/play/play.js";
import { ARENA, admit, connect, GAMES, personSocket, submit } from "../support/arena.js";
import { leaveView, pass, settle, signal, test } from "../support/browser.js";
import { all, button, fill, kinds, properties, show, text, texts } from "../support/elements.js";

const OFFERS = {
  random: ["take_stones", "isolation"],
  greedy: ["take_stones"],
  "spec:1": ["take_stones"],
  "spec:8@nodes=1000": ["take_stones"],
  ann: ["isolation", "take_stones"],
};
const byId = id => document.getElementById(id);
const alerts = () => texts("[role=alert]").join("");
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
    "random plays any legal move",
    "greedy leaves you the fewest replies",
    "spec:1 looks one move ahead",
    "spec:8@nodes=1000 looks 8 moves ahead, at most 1,000 positions",
    "ann",
    "a friend: by a link that you share",
  ]);
  deepEqual(properties("label", all("optgroup")), ["Bots", "People"]);
  byId("opponent").value = "ann";
  choose(byId("game"), "isolation");
  deepEqual([byId("opponent").value, opponents().length], ["ann", 3]);
  open({ arena: { ...ARENA, offers: { strong: [], perfect: ["take_stones"] } } });
  equal(opponents()[0], "perfect never gives up a winning position");
  open({ arena: { ...ARENA, offers: {} } });
  deepEqual(properties("label", all("optgroup")), ["People"]);
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
  deepEqual([stones.type, stones.inputMode, stones.required], ["number", "numeric", true]);
  equal(
    text("#clock option"),
    "no clock: up to an hour for each move | 1 minute | 3 minutes + 2 s a move | " +
      "10 minutes + 5 s a move | 20 s for each move",
  );
  match(byId("name").value, /^Guest [1-9]\d{3}$/);
  stones.value = "12";
  choose(byId("game"), "isolation");
  deepEqual([byId("stones"), byId("size").max, byId("size").value], [null, "8", "8"]);
});

test("without a choice the form offers a quiet match against the second weakest bot", async () => {
  const { socket } = open({ arena: { ...ARENA, games: GAMES, offers: OFFERS } });
  await settle();
  deepEqual([byId("opponent").value, byId("game").value, side()], ["greedy", "take_stones", "1"]);
  deepEqual([byId("stones").value, byId("clock").value], ["40", ""]);
  equal(document.querySelector(".hints input").checked, false);
  await submit(socket);
  const sent = admit().questions("challenge").at(-1);
  deepEqual([sent.setup, sent.time, sent.hints], [{ stones: 40 }, null, false]);
  for (const [offers, opponent] of [
    [{ random: ["take_stones"] }, "random"],
    [{ ann: ["isolation"] }, ""],
  ]) {
    open({ arena: { ...ARENA, offers } });
    equal(byId("opponent").value, opponent);
  }
});

test("a chosen number of stones stays, also one that is typed while the game is loaded", async () => {
  const arena = { ...ARENA, games: GAMES };
  open({ arena, query: "stones=20" });
  await settle();
  equal(byId("stones").value, "20");
  open({ arena });
  fill(byId("stones"), "20");
  await settle();
  equal(byId("stones").value, "20");
  choose(byId("game"), "take_stones");
  await settle();
  equal(byId("stones").value, "20");
  open({ arena });
  choose(byId("game"), "nim");
  await settle();
  equal(byId("stones"), null);
  localStorage.setItem("play-setup-stones", "30");
  open({ arena });
  await settle();
  equal(byId("stones").value, "30");
});

test("a setup outside its limits is not sent", async () => {
  for (const [stones, isValid] of [
    ["0", false],
    ["", false],
    ["1.5", false],
    ["1", true],
  ]) {
    open();
    byId("stones").value = stones;
    equal(document.querySelector("form").checkValidity(), isValid, stones);
  }
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
  ok(document.querySelector("form").classList.contains("starting"));
  await settle();
  await socket.answer("check_name", { name: "Ann", problem: null });
  const { opponent, setup } = admit().questions("challenge").at(-1);
  deepEqual([opponent, setup], ["random", { stones: 7 }]);
  equal(location.hash, "#/play");
  deepEqual(
    [localStorage.getItem("play-opponent"), localStorage.getItem("play-name")],
    [null, "Ann"],
  );
});

test("a match that did not start is one of the form, which is remembered", async () => {
  const { socket } = open({ query: "opponent=random&time=&side=1&start=" });
  await settle();
  await socket.answer("check_name", { name: "Ann", problem: null });
  admit().receive({ type: "error", code: "busy", match: null, message: "too many matches" });
  await submit(socket);
  equal(localStorage.getItem("play-opponent"), "random");
});

test("a link that is left at once starts nothing", async () => {
  const { socket } = open({ query: "opponent=random&time=&side=1&start=" });
  leaveView();
  await settle();
  deepEqual(socket.questions("check_name"), []);
});

test("the first match has a setup of its own, and begins with the move of the link", async () => {
  const arena = { ...ARENA, games: GAMES };
  const { socket } = open({ arena, query: "opponent=random&side=1&time=&start=7" });
  await settle();
  await socket.answer("check_name", { name: "Ann", problem: null });
  const person = admit();
  deepEqual(person.questions("challenge").at(-1).setup, { stones: 40 });
  person.receive({ type: "started", match: "5", you: 1 });
  person.receive({ type: "turn", match: "4" });
  deepEqual(person.questions("move"), []);
  leaveView();
  for (let time = 0; time < 2; time++) person.receive({ type: "turn", match: "5" });
  deepEqual(person.questions("move"), [{ type: "move", match: "5", ply: 0, move: 7 }]);
});

test("a link without a move starts no match with one", async () => {
  const { socket } = open({ query: "opponent=random&side=1&time=&start=x" });
  await settle();
  await socket.answer("check_name", { name: "Ann", problem: null });
  const person = admit(5);
  person.receive({ type: "turn", match: "5" });
  deepEqual(person.questions("move"), []);
});

test("a match that follows one that did not start has its own first move", async () => {
  const { socket } = open({ query: "opponent=random&time=&side=1&start=3" });
  await settle();
  await socket.answer("check_name", { name: "Ann", problem: null });
  const person = admit();
  person.receive({ type: "error", code: "busy", match: null, message: "too many matches" });
  await submit(socket);
  person.receive({ type: "started", match: "5", you: 1 });
  person.receive({ type: "turn", match: "5" });
  deepEqual(person.questions("move"), []);
});

test("a link to a match that cannot be leads to the form", async () => {
  for (const query of ["opponent=gone", "opponent=random&stones=0"]) {
    const { socket } = open({ query: `${query}&side=1&time=&start=3` });
    await settle();
    deepEqual(socket.questions("check_name"), []);
    equal(document.querySelector("form").classList.contains("starting"), false);
  }
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
  await settle();
  equal(main.querySelector(".qr-code").getAttribute("aria-label"), "QR code of the link");
  equal(main.querySelector(".qr-code").getAttribute("viewBox"), "0 0 37 37");
  const reload = mock.method(location, "reload", () => {});
  button("Cancel").click();
  ok(personSocket().isClosed);
  equal(reload.mock.callCount(), 1);
});

test("an open challenge survives a lost connection, unless that is too long", async () => {
  const { main, socket } = open({ query: "opponent=" });
  await submit(socket);
  admit().receive({ type: "challenged", challenge: "abc" });
  const problem = () => main.querySelector("[role=alert]").textContent;
  for (const [code, text] of [
    [null, ""],
    ["failed", ""],
    [
      "unknown_challenge",
      "This link is no longer open, as the connection was lost for too long: cancel it.",
    ],
  ]) {
    personSocket().lose();
    await pass(250);
    admit();
    equal(socket.questions("find_challenge").at(-1).challenge, "abc");
    if (code) await socket.fail("find_challenge", "it is not open", code);
    else await socket.answer("find_challenge", OFFER);
    equal(problem(), text);
  }
  equal(texts("h1")[0], "Waiting for your friend");
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
    "no clock: up to an hour for each move",
    "no clock: up to an hour for each move",
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
  deepEqual([alerts(), accept.disabled], ["too many matches", false]);
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
  await settle();
  equal(
    kinds(main),
    "h1 div.card.play-form p input svg.qr-code[img] path div.copy div.buttons[group] button " +
      "p.hint[status] textarea p.problem[alert]",
  );
  const accepted = open({ challenge: "def" });
  await accepted.socket.answer("find_challenge", OFFER);
  equal(
    kinds(accepted.main),
    "h1 form.card.play-form p bdi dl.offer dt dd div.field label input p.problem[status] " +
      "p.hint[status] div button.main p.problem[alert] p.hint",
  );
});
