// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type Address from "./address.ts";

/** A parcel on its way. */
interface Shipment {
  /** @format uuid */
  id: string;
  /** What is printed on the parcel. @pattern ^[A-Z]{2}[0-9]{9}$ */
  label: string;
  /** @integer @minimum 1 @example 3 */
  pieces: number;
  /**
   * In kilograms.
   * @minimum 0
   * @maximum 31.5
   */
  weight: number;
  /** @format date */
  promisedOn: string;
  /** @format email */
  notify?: string;
  to: Address;
  /** @minItems 1 @maxItems 5 */
  stops: string[];
  /** @deprecated */
  carrierName?: string;
}

declare const shipments: {
  all(): Promise<Shipment[]>;
  find(id: string): Promise<Shipment | undefined>;
};

async function listShipments(e: RequestEvent) {
  return e.json(200, await shipments.all());
}

/**
 * Returns where a parcel goes. The address is the one that was printed.
 * @deprecated Read it from the shipment.
 */
async function getAddress(e: RequestEvent<"id">) {
  const shipment = await shipments.find(e.pathValue("id"));
  if (!shipment) throw e.error(404, "There is no such shipment.");
  return e.json(200, shipment.to);
}

async function getPromise(e: RequestEvent<"id">) {
  const shipment = await shipments.find(e.pathValue("id"));
  if (!shipment) throw e.error(404, "There is no such shipment.");
  const { id, promisedOn, pieces } = shipment;
  const promise: Pick<Shipment, "id" | "promisedOn" | "pieces"> = { id, promisedOn, pieces };
  return e.json(200, promise);
}

export function routes(router: VersionedRouter): void {
  router.get("/shipments", listShipments);
  router.get("/shipments/{id}/address", getAddress);
  router.get("/shipments/{id}/promise", getPromise);
}
