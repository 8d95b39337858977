// A match as the arena has told it.

/** What is known of a match; `apply` takes what the arena says in Moves. */
export class Match {
  constructor(facts) {
    this.facts = facts;
    this.moves = [];
    this.charged = []; // milliseconds, of each move
    this.thinkingSince = null; // by performance.now(); null if nobody is
    this.winners = null; // who wins after 0, 1, 2 ... moves; null where nobody knows
    this.result = null;
  }

  apply({ ply, moves, charged_ms, since_ms }) {
    this.moves.splice(ply, Infinity, ...moves);
    this.charged.splice(ply, Infinity, ...charged_ms);
    this.thinkingSince = since_ms === null ? null : performance.now() - since_ms;
    if (this.winners) this.winners.length = Math.min(this.winners.length, ply + 1);
  }

  applyWinners({ ply, winners }) {
    this.winners ??= [];
    if (ply <= this.winners.length) this.winners.splice(ply, Infinity, ...winners);
  }

  get isOver() {
    return this.result !== null;
  }

  /** Whose turn it is after so many moves: 1 or 2. */
  playerAt(ply = this.moves.length) {
    return 1 + (ply % 2);
  }

  /** What a player has left after so many moves, in milliseconds; in the last position it runs. */
  remaining(player, ply = this.moves.length) {
    const { base_ms, increment_ms, per_move } = this.facts.control;
    let left = base_ms;
    if (!per_move) {
      for (let at = this.facts.opening; at < ply; at++) {
        if (this.playerAt(at) === player) left += increment_ms - this.charged[at];
      }
    }
    if (ply === this.moves.length && player === this.playerAt(ply)) {
      if (this.result?.fault) left -= this.result.fault[1];
      else if (!this.isOver && this.thinkingSince !== null) left -= performance.now() - this.thinkingSince;
    }
    return Math.max(0, left);
  }

  /** The plies at which somebody gave a won game away. */
  get blunders() {
    const found = [];
    for (let ply = this.facts.opening; ply + 1 < (this.winners?.length ?? 0); ply++) {
      const player = this.playerAt(ply);
      if (this.winners[ply] === player && this.winners[ply + 1] !== player) found.push(ply);
    }
    return found;
  }
}

const ENDS = {
  no_legal_move: "no legal move",
  illegal_move: "illegal move",
  timeout: "out of time",
  disconnect: "disconnected",
  resignation: "resignation",
  malformed: "unreadable messages",
  aborted: "aborted",
};

/** How a match ended, in words. */
export const terminationWords = termination => ENDS[termination] ?? termination;

/** A time in milliseconds as a clock shows it: 1:02:05, 12:05, 9.3. */
export function clockWords(ms) {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000), two = number => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Whether a match is played without a clock: a day or more for each move. */
export const isUntimed = control => control.per_move && control.base_ms >= 86_400_000;
