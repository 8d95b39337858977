// A bot in JavaScript: it leaves the opponent as few replies as it can.
// node examples/bot.mjs [URL] [NAME]          (README.md tells what an older Node needs)

const [url = "ws://127.0.0.1:8765/play", name = "javascript"] = process.argv.slice(2);
const Socket = globalThis.WebSocket ?? (await import("ws")).WebSocket;

function legalMoves(stones, moves) {
  const last = moves.at(-1);
  const fits = (stone) => last
    ? stone % last === 0 || last % stone === 0
    : stone % 2 === 1 && 2 * stone < stones;
  const all = Array.from({ length: stones }, (_, index) => index + 1);
  return all.filter((stone) => fits(stone) && !moves.includes(stone));
}

function choose({ setup, moves }) {
  const replies = (move) => legalMoves(setup.stones, [...moves, move]).length;
  return legalMoves(setup.stones, moves).sort((a, b) => replies(a) - replies(b))[0];
}

let session = null; // the key to come back with after a lost connection
let delay = 100; // milliseconds before the next attempt to connect

function play() {
  const socket = new Socket(url);
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () =>
    send({ type: "hello", protocol: 1, name, games: ["take_stones"], session });
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
