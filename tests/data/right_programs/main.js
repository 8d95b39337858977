// A right solution that sees each position with the eyes of the player to move.
const words = process.argv.slice(2).map(Number);
const size = words[0];
const taken = words.slice(2, 2 + words[1]);
const limit = words[2 + words[1]];
const gone = new Set(taken);
const stats = { visited: 0, evaluated: 0, deepest: 0 };
let choice = 0;

function legalMoves(last) {
  const found = [];
  for (let stone = 1; stone <= size; stone++) {
    if (gone.has(stone)) continue;
    const fits = last === undefined
      ? stone % 2 === 1 && stone < size / 2
      : stone % last === 0 || last % stone === 0;
    if (fits) found.push(stone);
  }
  return found;
}

function isPrime(number) {
  if (number < 2) return false;
  for (let divisor = 2; divisor <= Math.sqrt(number); divisor++) {
    if (number % divisor === 0) return false;
  }
  return true;
}

function largestPrime(number) {
  for (let divisor = number; divisor > 1; divisor--) {
    if (number % divisor === 0 && isPrime(divisor)) return divisor;
  }
  return 1;
}

function evaluate(last, moves) {
  if (moves.length === 0) return -1;
  if (!gone.has(1)) return 0;
  let score = 0.6;
  let count = 0;
  if (last === 1) {
    score = 0.5;
    count = moves.length;
  } else if (isPrime(last)) {
    score = 0.7;
    count = moves.filter(move => move % last === 0).length;
  } else {
    const prime = largestPrime(last);
    count = moves.filter(move => move % prime === 0).length;
  }
  return count % 2 === 1 ? score : -score;
}

function negamax(last, depth, alpha, beta) {
  stats.visited += 1;
  stats.deepest = Math.max(stats.deepest, depth);
  const moves = legalMoves(last);
  if (moves.length === 0 || (limit !== 0 && depth >= limit)) {
    stats.evaluated += 1;
    return evaluate(last, moves);
  }
  let best = -Infinity;
  for (const move of moves) {
    gone.add(move);
    const value = -negamax(move, depth + 1, -beta, -alpha);
    gone.delete(move);
    if (value > best) {
      best = value;
      if (depth === 0) choice = move;
    }
    if (best >= beta) break;
    alpha = Math.max(alpha, best);
  }
  return best;
}

const result = negamax(taken.at(-1), 0, -Infinity, Infinity);
const value = (taken.length % 2 === 0 ? result : -result) + 0;
const factor = (stats.visited - 1) / (stats.visited - stats.evaluated);
console.log(`Move: ${choice}`);
console.log(`Value: ${value.toFixed(1)}`);
console.log(`Number of Nodes Visited: ${stats.visited}`);
console.log(`Number of Nodes Evaluated: ${stats.evaluated}`);
console.log(`Max Depth Reached: ${stats.deepest}`);
console.log(`Avg Effective Branching Factor: ${(Math.round(factor * 10) / 10).toFixed(1)}`);
