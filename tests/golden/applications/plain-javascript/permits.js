// API_SOURCE
/** @import { RequestEvent } from "../../../../src/index.ts" */
/** @import { Permit } from "./store.js" */
import { randomUUID } from "node:crypto";
import { findPermit, permitsWhere, removePermit, savePermit } from "./store.js";

/**
 * @typedef {object} Application
 * @property {string} plate
 * @property {"resident" | "visitor" | "business"} kind
 * @property {string} zone
 * @property {string} [holder]
 */

const ZONES = ["north", "south", "harbour"];

/**
 * Lists the permits of a zone.
 *
 * @param {RequestEvent} e
 */
export function listPermits(e) {
  const zone = e.query("zone");
  if (zone === undefined) throw e.error(400, "Tell the zone.");
  if (!ZONES.includes(zone)) throw e.error(400, "There is no such zone.");
  const onlyValid = e.query("valid") === "true";
  const found = permitsWhere((permit) => permit.zone === zone && (!onlyValid || permit.validUntil === null));
  return e.json(200, { permits: found, count: found.length });
}

/**
 * Checks whether a car may park. The officers' application asks this.
 *
 * @param {RequestEvent<"plate">} e
 */
export function checkPlate(e) {
  const plate = e.pathValue("plate").toUpperCase();
  const [permit] = permitsWhere((other) => other.plate === plate);
  if (permit === undefined) throw e.error(404, "This car has no permit.");
  return e.json(200, { plate, zone: permit.zone, validUntil: permit.validUntil });
}

/**
 * Applies for a permit.
 *
 * @param {RequestEvent} e
 */
export async function applyForPermit(e) {
  /** @type {Application} */
  const application = await e.bindBody();
  const [other] = permitsWhere((permit) => permit.plate === application.plate);
  if (other) throw e.error(409, "This car has a permit already.");
  /** @type {Permit} */
  const permit = { ...application, id: randomUUID(), validFrom: new Date(), validUntil: null };
  savePermit(permit);
  e.setHeader("Location", `/permits/${permit.id}`);
  return e.json(201, permit);
}

/**
 * Ends a permit at a time, or now.
 *
 * @param {RequestEvent<"id">} e
 */
export async function endPermit(e) {
  const permit = findPermit(e.pathValue("id"));
  const days = Number(e.query("in_days") ?? 0);
  if (!Number.isInteger(days) || days < 0 || days > 90) throw e.error(400, "in_days is 0 to 90.");
  permit.validUntil = new Date(Date.now() + days * 86_400_000);
  return e.json(200, permit);
}

/**
 * Deletes a permit.
 *
 * @deprecated End it instead.
 * @param {RequestEvent<"id">} e
 */
export const deletePermit = (e) => {
  removePermit(findPermit(e.pathValue("id")).id);
  return e.noContent();
};
