// The partners in a matching.

/**
 * Return the partner of each move that has one.
 * @param {[number, number][]} pairs
 * @returns {Map<number, number>}
 */
export const partnersOf = pairs =>
  new Map(pairs.flatMap(([one, other]) => [/** @type {const} */ ([one, other]), [other, one]]));
