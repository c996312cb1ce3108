// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const COUNTRY = /^[A-Z]{2}$/;
const REFERENCE = /^DLV-\d{6}$/;

interface Address {
  id: string;
  street: string;
  city: string;
  postcode: string;
}

interface Delivery {
  reference: string;
  arrives: Date;
  status: "planned" | "loaded" | "delivered";
}

declare const addressBook: {
  find(text: string, country: string, postcode: string | undefined): Promise<Address[]>;
};
declare const deliveries: {
  track(reference: string): Promise<Delivery | undefined>;
  onDay(depot: string, day: string | undefined): Promise<Delivery[]>;
};

function requiredText(e: RequestEvent, name: string, longest: number): string {
  const value = e.query(name);
  if (!value) throw e.error(400, `The query value ${name} is missing.`);
  if (value.length > longest) throw e.error(400, `The query value ${name} is too long.`);
  return value;
}

async function findAddresses(e: RequestEvent) {
  const q = requiredText(e, "q", 80);
  const country = e.query("country");
  if (country === undefined || !COUNTRY.test(country)) {
    throw e.error(400, "The country must be two capital letters.");
  }
  const postcode = e.query("postcode");
  if (postcode !== undefined && (postcode.length < 4 || postcode.length > 10)) {
    throw e.error(400, "A postcode has 4 to 10 characters.");
  }
  return e.json(200, await addressBook.find(q, country, postcode));
}

async function trackDelivery(e: RequestEvent) {
  const reference = e.query("reference") ?? "";
  if (!reference.match(REFERENCE)) throw e.error(400, "That is no delivery reference.");
  const delivery = await deliveries.track(reference);
  if (!delivery) throw e.error(404, "There is no such delivery.");
  return e.json(200, delivery);
}

async function listDeliveries(e: RequestEvent) {
  const depot = requiredText(e, "depot", 12);
  const day = e.query("day");
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    return e.text(422, "The day must look like 2026-01-31.");
  }
  return e.json(200, await deliveries.onDay(depot, day));
}

export function routes(router: VersionedRouter): void {
  router.get("/addresses", findAddresses);
  router.get("/tracking", trackDelivery);
  router.get("/deliveries", listDeliveries);
}
