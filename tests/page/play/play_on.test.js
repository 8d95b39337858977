import { deepEqual, equal } from "node:assert/strict";
import { playOnButton, turnText } from "/play/opponents.js";
import { player } from "/play/player_connection.js";
import { ARENA, admit, connect, personSocket } from "../support/arena.js";
import { leaveView, settle, signal, test, until } from "../support/browser.js";
import { button, show, text, texts } from "../support/elements.js";

const OFFERS = { random: ["take_stones"], perfect: ["take_stones"], "spec:4": ["isolation"] };
const dialog = () => document.querySelector("dialog");

/** Press the button at a position. */
async function open(moves = [3, 6, 2], game = "take_stones", offers = OFFERS) {
  const { connection } = connect({ ...ARENA, offers });
  const position = { game, setup: { stones: 20 }, moves };
  const found = show(playOnButton(connection, () => position, signal()));
  found.click();
  await until(dialog);
  return found;
}

test("the best bot and the player to move are offered first", async () => {
  localStorage.setItem("play-name", "Eve");
  await open();
  deepEqual(texts("option"), [
    "perfect never gives up a winning position",
    "random plays any legal move",
  ]);
  equal(text("legend, .choice"), "You are |  the player to move |  the other player");
  button("Play").click();
  const { sent } = admit();
  deepEqual(
    [sent[0].name, sent[1]],
    [
      "Eve",
      {
        ...{ type: "challenge", game: "take_stones", setup: { stones: 20 }, moves: [3, 6, 2] },
        ...{ you: 2, opponent: "perfect", time: null },
      },
    ],
  );
  personSocket().receive({ type: "error", match: "3", message: "of another match" });
  equal(text(".problem"), "");
  equal(button("Play").disabled, true);
  personSocket().receive({ type: "error", match: null, message: "moves: illegal move 2" });
  deepEqual([text(".problem"), button("Play").disabled], ["moves: illegal move 2", false]);
  personSocket().receive({ type: "started", match: "5", you: 2 });
  equal(dialog(), null);
});

test("the other side and another bot are chosen, a refusal is told", async () => {
  await open([3]);
  document.querySelector("select").value = "random";
  document.querySelectorAll("[name=side]")[1].click();
  button("Play").click();
  personSocket().lose(1008, "name_taken");
  equal(text(".problem"), "The arena rejects the player: name_taken.");
  button("Play").click();
  const { you, opponent } = admit().sent.at(-1);
  deepEqual([you, opponent], [1, "random"]);
});

test("the dialog is closed with the view or by the person", async () => {
  await open();
  button("Cancel").click();
  equal(dialog(), null);
  await open();
  leaveView();
  equal(dialog(), null);
  equal(player.name, "");
});

test("no bot of the game, no button", async () => {
  const { connection } = connect({ ...ARENA, offers: OFFERS });
  const position = { game: "nim", setup: {}, moves: [] };
  equal(playOnButton(connection, () => position, signal()).hidden, true);
  await settle();
});

test("a position is copied as the message that asks for a move", () => {
  deepEqual(JSON.parse(turnText({ game: "isolation", setup: { size: 5 }, moves: [1, 2, 3] })), {
    ...{ type: "turn", match: "1", game: "isolation", setup: { size: 5 }, moves: [1, 2, 3] },
    ...{ ply: 3, you: 2, clocks_ms: [60_000, 60_000], increment_ms: 0, opponent: "opponent" },
    ...{ per_move: true, opponent_increment_ms: 0, opponent_per_move: true },
  });
});
