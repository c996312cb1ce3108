// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface HotelBrief {
  id: string;
  name: string;
}

interface Hotel extends HotelBrief {
  city: string;
  stars: number;
  amenities: string[];
}

type Contact =
  | { name: string; phone: string }
  | { name: string; email: string }
  | { name: string; phone: string; email: string };

const hotels: Hotel[] = [];

declare function suggest(text: string): Promise<(Hotel | HotelBrief)[]>;
declare function contactsOf(hotelId: string): Promise<Contact[]>;

function toBrief({ id, name }: Hotel): HotelBrief {
  return { id, name };
}

function getHotel(e: RequestEvent<"id">) {
  const hotel = hotels.find((one) => one.id === e.pathValue("id"));
  if (!hotel) throw e.error(404, "There is no such hotel.");
  const isBrief = e.query("brief") === "true";
  return e.json(200, isBrief ? toBrief(hotel) : hotel);
}

function listHotels(e: RequestEvent) {
  const view = e.query("view");
  return e.json(200, view === "full" ? hotels : hotels.map(toBrief));
}

async function searchHotels(e: RequestEvent) {
  const text = e.query("text");
  if (text === undefined) throw e.error(400, "Say what to search for.");
  const found = await suggest(text);
  return e.json(200, { found });
}

async function listContacts(e: RequestEvent<"id">) {
  return e.json(200, await contactsOf(e.pathValue("id")));
}

export function routes(router: VersionedRouter): void {
  router.get("/hotels", listHotels);
  router.get("/hotels/{id}", getHotel);
  router.get("/search", searchHotels);
  router.get("/hotels/{id}/contacts", listContacts);
}
