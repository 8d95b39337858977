// The setup of a game: its parameters and their values.

/** @import { Setup } from "./types.js" */

/**
 * "3 heaps", and "heap 20" of a parameter that is no plural.
 * @param {Setup} setup
 */
export const setupText = setup =>
  Object.entries(setup)
    .map(([name, value]) => (name.endsWith("s") ? `${value} ${name}` : `${name} ${value}`))
    .join(", ");

/**
 * Return the setup that is entered in the number fields of an element.
 * @param {Element} element
 * @returns {Setup}
 */
export const readSetup = element =>
  Object.fromEntries(
    [...element.querySelectorAll("input")].map(({ name, valueAsNumber }) => [name, valueAsNumber]),
  );

/**
 * Add a setup to the query of an address.
 * @param {URLSearchParams} query
 * @param {Setup} setup
 */
export function addSetup(query, setup) {
  for (const [name, value] of Object.entries(setup)) query.set(name, String(value));
}
