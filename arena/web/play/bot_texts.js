// What the bots of the arena are like, in words.

/** @type {Record<string, string>} */
const BOTS = {
  random: "random: any legal move",
  greedy: "greedy: leaves you the fewest replies",
  strong: "strong: searches as well as it can",
  perfect: "perfect: never gives up a winning position",
};
const NUMBERS = ["", "one move", "two moves", "three moves", "four moves", "five moves"];

/**
 * Describe a bot: "spec:4: looks four moves ahead".
 * @param {string} name
 */
export function botText(name) {
  const [, depth, nodes] = /^spec:(\d+)(?:@nodes=(\d+))?$/.exec(name) ?? [];
  if (!depth) return BOTS[name] ?? name;
  const limit = nodes ? `, at most ${Number(nodes).toLocaleString("en")} positions` : "";
  return `${name}: looks ${NUMBERS[Number(depth)] ?? `${depth} moves`} ahead${limit}`;
}
