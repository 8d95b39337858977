// Wrong: the last of several equal moves is chosen.
const [n, count, ...numbers] = process.argv.slice(2).map(Number);
const depth = numbers.pop();
const counts = { visited: 0, evaluated: 0, deepest: 0 };

const isMax = taken => taken.length % 2 === 0;

function successors(taken) {
  const last = taken.at(-1), found = [];
  for (let stone = 1; stone <= n; stone++) {
    if (!taken.length ? stone % 2 && stone < n / 2
      : !taken.includes(stone) && (stone % last === 0 || last % stone === 0)) found.push(stone);
  }
  return found;
}

function primeFactor(number) {
  for (let p = 2; p * p <= number; p++) while (number % p === 0 && number > p) number /= p;
  return number;
}

function evaluate(taken, moves) {
  const sign = isMax(taken) ? 1 : -1, last = taken.at(-1);
  if (!moves.length) return -sign;
  if (!taken.includes(1)) return 0;
  if (last === 1) return sign * (moves.length % 2 ? 0.5 : -0.5);
  const prime = primeFactor(last), multiples = moves.filter(move => move % prime === 0);
  return sign * (prime === last ? 0.7 : 0.6) * (multiples.length % 2 ? 1 : -1);
}

function search(taken, alpha, beta, level) {
  const moves = successors(taken);
  counts.visited++;
  counts.deepest = Math.max(counts.deepest, level);
  if (!moves.length || (depth && level === depth)) {
    counts.evaluated++;
    return [evaluate(taken, moves)];
  }
  let best = isMax(taken) ? -Infinity : Infinity, bestMove;
  for (const move of moves) {
    const [value] = search([...taken, move], alpha, beta, level + 1);
    if (isMax(taken) ? value >= best : value <= best) [best, bestMove] = [value, move];
    if (isMax(taken) ? best >= beta : best <= alpha) break;
    if (isMax(taken)) alpha = Math.max(alpha, best);
    else beta = Math.min(beta, best);
  }
  return [best, bestMove];
}

const [value, move] = search(numbers.slice(0, count), -Infinity, Infinity, 0);
const inner = counts.visited - counts.evaluated;
console.log(`Move: ${move}`);
console.log(`Value: ${(value + 0).toFixed(1)}`);
console.log(`Number of Nodes Visited: ${counts.visited}`);
console.log(`Number of Nodes Evaluated: ${counts.evaluated}`);
console.log(`Max Depth Reached: ${counts.deepest}`);
console.log(`Avg Effective Branching Factor: ${(Math.round((counts.visited - 1) * 10 / inner) / 10).toFixed(1)}`);
