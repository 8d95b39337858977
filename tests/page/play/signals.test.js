import assert, { deepEqual, equal } from "node:assert/strict";
import { player } from "/play/player_connection.js";
import { AbsencePanel } from "/play/signals.js";
import { admit, personSocket, sent } from "../support/arena.js";
import { leaveView, pass, signal, test } from "../support/browser.js";
import { all, button, show } from "../support/elements.js";

/** Show the panel of match 5. */
function open() {
  player.challenge("ann", ["take_stones"], {});
  admit(5);
  const panel = new AbsencePanel(5, "bob", signal());
  for (const type of ["opponent_left", "opponent_back"])
    player.on(type, () => panel.update(), signal());
  show(panel.element);
}

test("an absence has a countdown, then two ways to end the match", async () => {
  open();
  const panel = document.querySelector(".request:not([role])");
  const line = () => panel.querySelector("p").textContent;
  const canClaim = () => !panel.querySelector(".buttons").hidden;
  equal(panel.hidden, true);
  personSocket().receive({
    type: "opponent_left",
    match: "5",
    claim_ms: 61_000,
    grace_ms: 125_000,
  });
  deepEqual([panel.hidden, line(), canClaim()], [false, "bob left, waiting 1:01", false]);
  await pass(2000);
  equal(line(), "bob left, waiting 0:59");
  await pass(59_500);
  await pass(500);
  assert.match(line(), /^bob left, you win in 1:0[34]$/);
  equal(canClaim(), true);
  button("Claim the win").click();
  button("Call the match off").click();
  deepEqual(sent("claim"), [
    { match: "5", result: "win" },
    { match: "5", result: "none" },
  ]);
  await pass(70_000);
  equal(line(), "bob left, you win in 0:00");
  personSocket().receive({ type: "opponent_back", match: "5" });
  deepEqual([panel.hidden, all("span[role=status] bdi", panel).length], [true, 0]);
  personSocket().receive({ type: "opponent_left", match: "5", claim_ms: 5000, grace_ms: 9000 });
  leaveView();
  await pass(2000);
  equal(line(), "bob left, waiting 0:05");
});
