// The modules of the games, loaded beforehand; their style sheets count as loaded.
import "./page.js";

const { settings } = window.happyDOM;
const before = settings.handleDisabledFileLoadingAsSuccess;
settings.handleDisabledFileLoadingAsSuccess = true;
export const takeStones = await import("/boards/take_stones/board.js");
export const isolation = await import("/boards/isolation/board.js");
settings.handleDisabledFileLoadingAsSuccess = before;
