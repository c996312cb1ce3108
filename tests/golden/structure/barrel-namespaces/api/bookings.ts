// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import * as store from "./store.ts";

interface NewBooking {
  roomId: string;
  guests: number;
  from: string;
  until: string;
}

/** Book a room. The times are those of the building. */
export async function createBooking(e: RequestEvent) {
  const wanted = await e.bindBody<NewBooking>();
  const room = store.roomById(wanted.roomId);
  if (wanted.guests > room.seats) throw e.error(422, "The room is too small.");
  if (store.isTaken(room.id, wanted.from, wanted.until)) throw e.error(409, "The room is taken.");

  const booking = store.save({ ...wanted, state: "confirmed" });
  e.setHeader("Location", `/bookings/${booking.id}`);
  return e.json(201, booking);
}

export function cancelBooking(e: RequestEvent<"id">) {
  if (!store.remove(e.pathValue("id"))) throw e.error(404, "There is no such booking.");
  return e.noContent();
}
