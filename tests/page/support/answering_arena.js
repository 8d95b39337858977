// A connection of a spectator to an arena that gives prepared answers.
import { SpectatorConnection } from "../../../arena/web/spectator_connection.js";

const turn = globalThis.setImmediate; // also while the test has mocked the timers

/** Let everything happen that needs no timer: answers, loaded modules. */
export async function settled() {
  for (let turns = 0; turns < 8; turns++) await new Promise(resolve => turn(resolve));
}

const PARAMETER = { meaning: "number of stones", minimum: 1, usual: [20, 100], maximum: null };

/** The games of the arena: one with a solver and matchings, one without, and one without a board. */
export const GAMES = [
  {
    ...{ name: "take_stones", title: "Take-Stones", parameters: { stones: PARAMETER } },
    ...{ is_solved: true, has_board: true, has_matching: true },
  },
  {
    ...{ name: "isolation", title: "Isolation" },
    parameters: { size: { meaning: "size of the board", minimum: 3, usual: [8], maximum: 8 } },
    ...{ is_solved: false, has_board: true, has_matching: false },
  },
  {
    ...{ name: "nim", title: "Nim", parameters: {} },
    ...{ is_solved: false, has_board: false, has_matching: false },
  },
];

/**
 * Return a connection, and the questions that it has asked.
 *
 * `answers` has a function by the type of each question. What it returns is sent as the answer; what
 * it throws as an error. With `isOpen` false the arena introduces itself when `open` is called.
 */
export function answeringArena(answers, { isOpen = true, ...about } = {}) {
  const asked = [];
  const { WebSocket } = globalThis;
  let socket;
  globalThis.WebSocket = class {
    constructor() {
      socket = this;
    }
    async send(text) {
      const { request, type, ...question } = JSON.parse(text);
      asked.push({ type, ...question });
      try {
        this.receive({ type, ...(await answers[type](question)), request });
      } catch ({ message }) {
        this.receive({ type: "error", code: "bad", message, request });
      }
    }
    receive(message) {
      this.onmessage({ data: JSON.stringify(message) });
    }
  };
  const connection = new SpectatorConnection("ws://arena.test/");
  globalThis.WebSocket = WebSocket;
  const open = () => socket.receive({ type: "about", games: GAMES, is_open: true, ...about });
  if (isOpen) open();
  return { connection, asked, open };
}
