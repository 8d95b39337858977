// Isolation, as a game module.
export { Board } from "./isolation_board.js";
export * from "./isolation_rules.js";
export { drawThumbnail } from "./isolation_thumbnail.js";
