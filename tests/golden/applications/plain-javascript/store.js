import { ApiError } from "../../../../src/index.ts";

/**
 * @typedef {object} Permit
 * @property {string} id
 * @property {string} plate
 * @property {"resident" | "visitor" | "business"} kind
 * @property {string} zone
 * @property {Date} validFrom
 * @property {Date | null} validUntil
 * @property {string} [holder]
 */

/** @type {Map<string, Permit>} */
const permits = new Map();

/**
 * @param {string} id
 * @returns {Permit}
 */
export function findPermit(id) {
  const permit = permits.get(id);
  if (!permit) throw new ApiError(404, "There is no such permit.");
  return permit;
}

/**
 * @param {(permit: Permit) => boolean} matches
 * @returns {Permit[]}
 */
export function permitsWhere(matches) {
  return [...permits.values()].filter(matches);
}

/** @param {Permit} permit */
export function savePermit(permit) {
  permits.set(permit.id, permit);
}

/** @param {string} id */
export const removePermit = (id) => permits.delete(id);
