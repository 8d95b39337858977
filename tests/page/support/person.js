// The person who plays in the tests: the one connection of the page, as new in each test.
import { player } from "../../../arena/web/play/player_connection.js";
import { FakeSocket, settle, test } from "./simulated_browser.js";

/** Return the latest socket of the person. */
export const personSocket = () => FakeSocket.all.findLast(({ url }) => url.endsWith("/play"));

/** Define a test after which the person has left. */
export const testPerson = (name, body) =>
  test(name, async () => {
    try {
      await body();
    } finally {
      player.leave();
      await settle();
      for (const state of [player.turns, player.takebackRequests, player.absences]) state.clear();
      player.name = "";
    }
  });

/** Admit the person, who is playing matches as player 1. */
export function admit(...matches) {
  const socket = personSocket();
  socket.open();
  socket.receive({ type: "welcome", session: "key" });
  for (const match of matches) socket.receive({ type: "started", match: String(match), you: 1 });
  return socket;
}
