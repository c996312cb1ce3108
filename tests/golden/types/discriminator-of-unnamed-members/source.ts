// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Payment = { by: "card"; digits: string } | { by: "cash"; coins: number };

interface Invoice {
  number: string;
  payments: Payment[];
  refund: { state: "none" } | { state: "asked" | "promised"; amount: number } | null;
}

/** It has the name that a member of `Parcel` would get. */
interface ParcelSent {
  code: string;
}

type Parcel = { state: "sent"; parcel: ParcelSent } | { state: "lost"; since: Date };

/** The values leave nothing for a name. */
type Rating = { stars: "★"; text: string } | { stars: "★★"; author: string };

/** Nothing tells these apart. */
type Contact = { phone: string } | { email: string };

declare const invoice: Invoice;
declare const parcel: Parcel;
declare const rating: Rating;
declare const contact: Contact;

const getInvoice = (e: RequestEvent) => e.json(200, invoice);
const getParcel = (e: RequestEvent) => e.json(200, parcel);
const getRating = (e: RequestEvent) => e.json(200, rating);
const getContact = (e: RequestEvent) => e.json(200, contact);

async function draw(e: RequestEvent) {
  const shape = await e.bindBody<{ kind: "circle"; radius: number } | { kind: "square"; side: number }>();
  const kept: Payment | null = null as Payment | null;
  return e.json(201, shape.kind === "circle" ? { kind: shape.kind, kept } : { kind: shape.kind, side: 1 });
}

export function routes(router: VersionedRouter): void {
  router.get("/invoice", getInvoice);
  router.get("/parcel", getParcel);
  router.get("/rating", getRating);
  router.get("/contact", getContact);
  router.post("/shapes", draw);
}
