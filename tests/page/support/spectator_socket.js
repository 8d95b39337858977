// The connection of a spectator to an arena whose messages are those of the test.
import { setImmediate } from "node:timers/promises";
import "./page.js";
import { SpectatorConnection } from "/spectator_connection.js";

/** Wait until promises that are settled have been handled. */
export const settled = () => setImmediate();

/** Return a connection to an arena with some facts, and its other end. */
export function connectSpectator(about = {}) {
  const { WebSocket } = globalThis;
  const socket = { sent: [], send: text => socket.sent.push(JSON.parse(text)) };
  globalThis.WebSocket = function open() {
    return socket;
  };
  const connection = new SpectatorConnection("ws://arena.test/spectate");
  globalThis.WebSocket = WebSocket;
  const receive = message => socket.onmessage({ data: JSON.stringify(message) });
  receive({ type: "about", run: "first", games: [], offers: {}, ...about });
  const asked = type => socket.sent.filter(message => message.type === type);
  return {
    connection,
    receive,
    sent: socket.sent,
    asked,
    /** Answer the latest question of a type. */
    async answer(type, answer) {
      receive({ type: "answer", ...answer, request: asked(type).at(-1).request });
      await settled();
    },
    /** Refuse the latest question of a type. */
    refuse(type, message) {
      return this.answer(type, { type: "error", code: "refused", message });
    },
  };
}
