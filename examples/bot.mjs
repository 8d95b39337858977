// A bot in JavaScript: it leaves the opponent as few replies as it can, in either game.
// node examples/bot.mjs [URL] [NAME]          (README.md tells what an older Node needs)

const { ARENA_URL, ARENA_NAME, ARENA_TOKEN } = process.env;
const [
  url = ARENA_URL || "ws://127.0.0.1:8765/play",
  name = ARENA_NAME || "javascript",
] = process.argv.slice(2);
const Socket = globalThis.WebSocket ?? (await import("ws")).WebSocket;

const legalMoves = {
  take_stones({ stones }, moves) {
    const last = moves.at(-1);
    const fits = (stone) => last
      ? stone % last === 0 || last % stone === 0
      : stone % 2 === 1 && 2 * stone < stones;
    const all = Array.from({ length: stones }, (_, index) => index + 1);
    return all.filter((stone) => fits(stone) && !moves.includes(stone));
  },

  isolation(_, moves) {
    const gone = [0, 63, ...moves]; // where the pieces start, and wherever they went
    const from = gone[moves.length]; // where the piece stands that moved two plies ago
    const lines = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];
    return lines.flatMap(([down, right]) => {
      const found = [];
      for (let step = 1; ; step++) {
        const row = Math.floor(from / 8) + step * down, column = from % 8 + step * right;
        const isOnBoard = row >= 0 && row < 8 && column >= 0 && column < 8;
        if (!isOnBoard || gone.includes(8 * row + column)) return found;
        found.push(8 * row + column);
      }
    });
  },
};

function choose({ game, setup, moves }) {
  const replies = (move) => legalMoves[game](setup, [...moves, move]).length;
  return legalMoves[game](setup, moves).sort((a, b) => replies(a) - replies(b))[0];
}

let session = null; // the key to come back with after a lost connection
let delay = 100; // milliseconds before the next attempt to connect

function play() {
  const socket = new Socket(url);
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => {
    const games = Object.keys(legalMoves), token = ARENA_TOKEN || null;
    send({ type: "hello", protocol: 1, name, games, session, token });
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "welcome") [session, delay] = [message.session, 100];
    if (message.type === "turn")
      send({ type: "move", match: message.match, ply: message.ply, move: choose(message) });
    if (message.type === "error") console.error(`${name}: ${message.message}`);
  };
  socket.onclose = ({ code }) => {
    socket.onclose = socket.onerror = () => {}; // not every library has both for one end
    if (code === 1000) return; // it is over, and nothing keeps Node here
    if (code === 1008) process.exitCode = 1; // refused, and the error has told why
    else setTimeout(play, (delay = Math.min(2 * delay, 10_000)));
  };
  socket.onerror = socket.onclose;
}

play();
