// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

interface Venue {
  id: string;
  name: string;
  rows: number;
}

const venues: Venue[] = [];

export const list = (e: RequestEvent) => e.json(200, venues);

export const listVenueSeats = (e: RequestEvent<"id">) => {
  const venue = venues.find(({ id }) => id === e.pathValue("id"));
  if (!venue) throw e.error(404, "There is no such venue.");
  const seats = Array.from({ length: venue.rows * 20 }, (_, index) => ({ row: Math.floor(index / 20) + 1 }));
  return e.json(200, { venue: venue.name, count: seats.length });
};
