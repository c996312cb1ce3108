// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Booking, Bookings, type NewBooking } from "./bookings.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const bookings = new Bookings();

function requiredDay(e: RequestEvent, name: string): string {
  const value = e.query(name);
  if (value === undefined || !DAY.test(value))
    throw e.error(400, `${name} must be a day such as 2026-03-01.`);
  return value;
}

function numberOfGuests(e: RequestEvent): number {
  const guests = Number.parseInt(e.query("guests") ?? "1", 10);
  if (Number.isNaN(guests) || guests < 1 || guests > 12)
    throw e.error(400, "We have rooms for 1 to 12 guests.");
  return guests;
}

function findRoom(e: RequestEvent<"roomId">) {
  const room = bookings.room(e.pathValue("roomId"));
  if (!room) throw e.error(404, "There is no such room.");
  return room;
}

function findBooking(e: RequestEvent<"reference">): Booking {
  const booking = bookings.find(e.pathValue("reference"));
  if (!booking) throw e.error(404, "There is no such booking.");
  return booking;
}

/** Tells which nights of a room are free. */
function roomAvailability(e: RequestEvent<"roomId">) {
  const room = findRoom(e);
  const from = requiredDay(e, "from");
  const to = requiredDay(e, "to");
  if (to <= from) throw e.error(400, "The last day must be after the first.");
  const fits = numberOfGuests(e) <= room.beds;
  const nights = room.nights.filter((night) => night.day >= from && night.day < to);
  return e.json(
    200,
    nights.map((night) => ({ ...night, free: night.free && fits })),
  );
}

/** Books a room. The booking is held until it is confirmed. */
async function bookRoom(e: RequestEvent<"roomId">) {
  const room = findRoom(e);
  const booking = bookings.book(room, await e.bindBody<NewBooking>());
  e.setHeader("Location", `/bookings/${booking.reference}`);
  return e.json(201, booking);
}

/** Returns one booking. */
function getBooking(e: RequestEvent<"reference">) {
  const booking = findBooking(e);
  e.setHeader("ETag", `"${booking.version}"`);
  return e.json(200, booking);
}

/** Changes a booking, if nobody else has changed it meanwhile. */
async function changeBooking(e: RequestEvent<"reference">) {
  const expected = e.header("If-Match");
  if (!expected) throw e.error(428, "Send If-Match with the ETag of the booking.");
  const booking = findBooking(e);
  if (expected !== `"${booking.version}"`)
    throw e.error(412, "The booking has been changed by somebody else.");
  const changes = await e.bindBody<{ guests?: number; state?: "held" | "confirmed" }>();
  return e.json(200, bookings.change(booking, changes));
}

/** Cancels a booking. */
function cancelBooking(e: RequestEvent<"reference">) {
  const booking = findBooking(e);
  if (booking.state === "cancelled") throw e.error(410, "The booking was cancelled before.");
  bookings.change(booking, { state: "cancelled" });
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/rooms/{roomId}/availability", roomAvailability);
  router.post("/rooms/{roomId}/bookings", bookRoom);
  router.get("/bookings/{reference}", getBooking);
  router.patch("/bookings/{reference}", changeBooking);
  router.delete("/bookings/{reference}", cancelBooking);
}
