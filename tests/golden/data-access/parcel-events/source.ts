// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type ParcelEvent =
  | { type: "accepted"; at: Date; branch: string }
  | { type: "in-transit"; at: Date; from: string; to: string }
  | { type: "delivered"; at: Date; signedBy: string | null };

type Delivery = Extract<ParcelEvent, { type: "delivered" }>;

interface HeldAtCustoms {
  state: "held";
  office: string;
}

type Clearance =
  | HeldAtCustoms
  | { state: "cleared"; clearedAt: Date }
  | { state: "refused"; reasons: string[] };

interface ParcelStore {
  eventsOf(parcel: string): Promise<ParcelEvent[]>;
  clearanceOf(parcel: string): Promise<Clearance | undefined>;
}

declare const store: ParcelStore;

function isDelivery(event: ParcelEvent): event is Delivery {
  return event.type === "delivered";
}

async function getTimeline(e: RequestEvent<"parcel">) {
  const parcel = e.pathValue("parcel");
  const events = await store.eventsOf(parcel);
  if (events.length === 0) throw e.error(404, "There is no such parcel.");
  return e.json(200, { parcel, events });
}

async function getLatestEvent(e: RequestEvent<"parcel">) {
  const events = await store.eventsOf(e.pathValue("parcel"));
  const latest = events.at(-1);
  if (latest === undefined) throw e.error(404, "There is no such parcel.");
  return e.json(200, latest);
}

async function getDelivery(e: RequestEvent<"parcel">) {
  const events = await store.eventsOf(e.pathValue("parcel"));
  const delivery = events.find(isDelivery);
  if (!delivery) {
    e.setHeader("Retry-After", 3600);
    return e.json(202, { known: events.length });
  }
  return e.json(200, delivery);
}

async function getClearance(e: RequestEvent<"parcel">) {
  const clearance = await store.clearanceOf(e.pathValue("parcel"));
  if (!clearance) throw e.error(404, "This parcel does not go through customs.");
  return e.json(200, clearance);
}

export function routes(router: VersionedRouter): void {
  router.get("/parcels/{parcel}/timeline", getTimeline);
  router.get("/parcels/{parcel}/latest", getLatestEvent);
  router.get("/parcels/{parcel}/delivery", getDelivery);
  router.get("/parcels/{parcel}/clearance", getClearance);
}
