/** The search depth with which an analysis begins, in plies. */
export const DEFAULT_DEPTH = 4;
