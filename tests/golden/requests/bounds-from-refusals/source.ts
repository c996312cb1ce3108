// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { Stay } from "./stay.ts";

interface Room {
  id: string;
  beds: number;
  pricePerNight: number;
}

interface FreeDay {
  date: string;
  free: boolean;
}

declare const rooms: {
  search(guests: number, nights: number, ceiling: number | undefined): Promise<Room[]>;
  calendar(id: string, days: number): Promise<FreeDay[]>;
  price(id: string): Promise<number>;
  onFloor(floor: number): Promise<Room[]>;
};

async function searchRooms(e: RequestEvent) {
  const guests = Number(e.query("guests"));
  if (!Number.isInteger(guests) || guests < 1 || guests > 12) {
    throw e.error(400, "Between 1 and 12 guests, please.");
  }
  const stay = new Stay(Number(e.query("nights") ?? "1"));
  const maxPrice = e.query("max_price");
  let ceiling: number | undefined;
  if (maxPrice !== undefined) {
    ceiling = Number(maxPrice);
    if (Number.isNaN(ceiling) || ceiling <= 0) throw e.error(400, "The price must be more than nothing.");
  }
  return e.json(200, await rooms.search(guests, stay.nights, ceiling));
}

async function getAvailability(e: RequestEvent<"id">) {
  const days = Number.parseInt(e.query("days") ?? "7", 10);
  if (days < 1) return e.json(422, { field: "days", message: "At least one day." });
  if (days > 90) return e.json(422, { field: "days", message: "At most 90 days." });
  return e.json(200, await rooms.calendar(e.pathValue("id"), days));
}

async function getQuote(e: RequestEvent<"id">) {
  const discount = Number(e.query("discount") ?? 0);
  if (discount < 0 || discount >= 1) throw e.error(400, "A discount is from 0 to below 1.");
  const price = await rooms.price(e.pathValue("id"));
  return e.json(200, { price: price * (1 - discount) });
}

async function listRoomsOfFloor(e: RequestEvent<"floor">) {
  const floor = Number(e.pathValue("floor"));
  if (!Number.isInteger(floor) || floor < 0 || floor > 40) throw e.error(404, "There is no such floor.");
  return e.json(200, await rooms.onFloor(floor));
}

export function routes(router: VersionedRouter): void {
  router.get("/rooms", searchRooms);
  router.get("/rooms/{id}/availability", getAvailability);
  router.get("/rooms/{id}/quote", getQuote);
  router.get("/floors/{floor}/rooms", listRoomsOfFloor);
}
