// API_SOURCE
import { checked, type RequestEvent, type Router } from "../../../../src/index.ts";

interface NewBooking {
  room: string;
  nights: number;
  guests: { name: string; age?: number }[];
}

/** Books a room. */
async function createBooking(e: RequestEvent) {
  const booking = await e.bindBody<NewBooking>();
  return e.json(201, { room: booking.room });
}

/** Lists bookings. The page must be an integer, so a checked request can be refused. */
function listBookings(e: RequestEvent) {
  return e.json(200, { page: Number.parseInt(e.query("page") ?? "1", 10) });
}

/** Returns one booking. Nothing about the request can be wrong. */
function getBooking(e: RequestEvent<"id">) {
  return e.json(200, { id: e.pathValue("id"), search: e.query("search") ?? "" });
}

/** Moves a booking. A parsed body contains no dates, so this cannot be checked. */
async function moveBooking(e: RequestEvent) {
  const { to } = await e.bindBody<{ to: Date; span: [from: string, nights: number] }>();
  return e.json(200, { to });
}

export function routes(router: Router): void {
  router.bind(checked());
  router.post("/bookings", createBooking);
  router.get("/bookings", listBookings);
  router.get("/bookings/{id}", getBooking);
  router.put("/bookings/{id}", moveBooking);
}
