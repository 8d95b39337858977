// A bot in JavaScript: it plays the move that leaves the opponent the fewest replies, in both games.
// node examples/bot.mjs [URL] [NAME]          (for Node before 22, see README.md)

const { ARENA_URL, ARENA_NAME, ARENA_TOKEN } = process.env;
const [
  url = ARENA_URL || "ws://127.0.0.1:8765/play",
  name = ARENA_NAME || "javascript",
] = process.argv.slice(2);
const Socket = globalThis.WebSocket ?? (await import("ws").catch(needsWebSocket)).WebSocket;

function needsWebSocket() {
  console.error("Node has WebSocket from version 22 on, 20 with --experimental-websocket;"
    + " otherwise run npm install ws");
  process.exit(1);
}

const legalMoves = {
  take_stones({ stones }, moves) {
    const last = moves.at(-1);
    const isAllowed = (stone) => last
      ? stone % last === 0 || last % stone === 0
      : stone % 2 === 1 && 2 * stone < stones;
    const all = Array.from({ length: stones }, (_, index) => index + 1);
    return all.filter((stone) => isAllowed(stone) && !moves.includes(stone));
  },

  isolation({ size }, moves) {
    const visited = [0, 9 * (size - 1), ...moves]; // the start squares, and all squares moved to
    const from = visited[moves.length]; // the square of the piece to move
    const lines = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];
    return lines.flatMap(([down, right]) => {
      const squares = [];
      for (let step = 1; ; step++) {
        const row = Math.floor(from / 8) + step * down, column = from % 8 + step * right;
        const isOnBoard = Math.min(row, column) >= 0 && Math.max(row, column) < size;
        if (!isOnBoard || visited.includes(8 * row + column)) return squares;
        squares.push(8 * row + column);
      }
    });
  },
};

function choose({ game, setup, moves }) {
  const replies = (move) => legalMoves[game](setup, [...moves, move]).length;
  return legalMoves[game](setup, moves).sort((a, b) => replies(a) - replies(b))[0];
}

let session = null; // session key, to resume after a lost connection
let delay = 100; // milliseconds before the next connection attempt

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
    socket.onclose = socket.onerror = () => {}; // some libraries send both events
    if (code === 1000) return; // normal end: Node exits
    if (code === 1008) process.exitCode = 1; // rejected: the error has the reason
    else setTimeout(play, (delay = Math.min(2 * delay, 10_000)));
  };
  socket.onerror = socket.onclose;
}

play();
