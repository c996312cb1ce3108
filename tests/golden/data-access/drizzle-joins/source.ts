// API_SOURCE
import { count, eq, sum } from "drizzle-orm";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { bookings, db, guests, rooms } from "./schema.ts";

const bookingColumns = {
  id: bookings.id,
  checkIn: bookings.checkIn,
  nights: bookings.nights,
  price: bookings.price,
  room: { id: rooms.id, name: rooms.name },
  guest: { id: guests.id, fullName: guests.fullName },
};

async function listBookings(e: RequestEvent) {
  const rows = await db
    .select(bookingColumns)
    .from(bookings)
    .innerJoin(rooms, eq(rooms.id, bookings.roomId))
    .leftJoin(guests, eq(guests.id, bookings.guestId))
    .orderBy(bookings.checkIn);
  return e.json(200, rows);
}

async function listBookingsOfRoom(e: RequestEvent<"id">) {
  const rows = await db
    .select()
    .from(bookings)
    .innerJoin(rooms, eq(rooms.id, bookings.roomId))
    .where(eq(rooms.id, e.pathValue("id")));
  const [first] = rows;
  if (!first) throw e.error(404, "Nothing is booked in this room.");
  return e.json(200, {
    room: first.rooms,
    bookings: rows.map((row) => ({ ...row.bookings, longStay: row.bookings.nights >= 7 })),
  });
}

async function occupancy(e: RequestEvent) {
  const rows = await db
    .select({
      room: rooms.name,
      bookings: count(bookings.id),
      revenue: sum(bookings.price),
      lastGuest: guests.fullName,
    })
    .from(rooms)
    .innerJoin(bookings, eq(bookings.roomId, rooms.id))
    .leftJoin(guests, eq(guests.id, bookings.guestId))
    .groupBy(rooms.name, guests.fullName);
  return e.json(200, { rooms: rows });
}

export function routes(router: VersionedRouter): void {
  router.get("/bookings", listBookings);
  router.get("/rooms/{id}/bookings", listBookingsOfRoom);
  router.get("/occupancy", occupancy);
}
