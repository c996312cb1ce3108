// API_SOURCE
import { randomUUID } from "node:crypto";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { assertIsShipment, isStatusUpdate, type NewShipment, type StatusUpdate } from "./validate.ts";

interface Shipment {
  id: string;
  recipient: string;
  parcels: number;
  updates: StatusUpdate[];
}

const shipments = new Map<string, Shipment>();

function priceOf(shipment: NewShipment): number {
  const weight = shipment.parcels.reduce((sum, parcel) => sum + parcel.weight, 0);
  return (shipment.service === "express" ? 9.9 : 4.9) + weight * 0.8;
}

/** Tells what a shipment would cost. */
export async function quoteShipment(e: RequestEvent) {
  const body: unknown = await e.bindBody();
  assertIsShipment(body);
  return e.json(200, { price: priceOf(body), service: body.service });
}

/** Orders a shipment. */
export async function createShipment(e: RequestEvent) {
  const body: unknown = await e.bindBody();
  assertIsShipment(body);
  const shipment: Shipment = {
    id: randomUUID(),
    recipient: body.recipient.name,
    parcels: body.parcels.length,
    updates: [],
  };
  shipments.set(shipment.id, shipment);
  return e.json(201, shipment);
}

/** Adds what a courier reports. */
export async function addStatusUpdate(e: RequestEvent<"id">) {
  const shipment = shipments.get(e.pathValue("id"));
  if (!shipment) throw e.error(404, "There is no such shipment.");
  const body: unknown = await e.bindBody();
  if (!isStatusUpdate(body)) throw e.error(422, "This is not a status update.");
  shipment.updates.push(body);
  return e.noContent();
}

/** Follows a shipment. */
export function trackShipment(e: RequestEvent<"id">) {
  const shipment = shipments.get(e.pathValue("id"));
  if (!shipment) throw e.error(404, "There is no such shipment.");
  const last = shipment.updates.at(-1);
  return e.json(200, { id: shipment.id, status: last?.status, updates: shipment.updates });
}

export function routes(router: VersionedRouter): void {
  router.post("/quotes", quoteShipment);
  router.post("/shipments", createShipment);
  router.post("/shipments/{id}/updates", addStatusUpdate);
  router.get("/shipments/{id}", trackShipment);
}
