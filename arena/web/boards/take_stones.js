// Take-Stones, as a game module.
export { Board } from "./take_stones_board.js";
export * from "./take_stones_rules.js";
export { drawThumbnail } from "./take_stones_thumbnail.js";
