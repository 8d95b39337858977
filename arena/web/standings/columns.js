// The columns of the standings, by which they can be sorted.

/** @import { Column } from "../sorting.js" */
/** @import { LeaderboardRow } from "../types.js" */
/** @typedef {LeaderboardRow & { rank: string }} RankedRow */

/** @type {Record<string, Column<LeaderboardRow>>} */
export const COLUMNS = {
  "#": { isAscending: true },
  Bot: { text: ({ bot }) => bot, isAscending: true, className: "name" },
  Elo: { best: ({ elo }) => elo },
  "±": { best: ({ margin }) => margin && -margin, isAscending: true },
  Won: { best: ({ wins }) => wins },
  Drawn: { best: ({ draws }) => draws },
  Lost: { best: ({ losses }) => -losses, isAscending: true },
  Pairs: { best: ({ pairs: [won, tied] }) => won + tied / 2 },
  Accuracy: { best: ({ accuracy }) => accuracy },
  Forfeits: { best: ({ forfeits }) => -forfeits, isAscending: true },
};
