// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { Reservations } from "./reservations.ts";

declare const reservations: Reservations;

const CANCEL_STATUS = { UNKNOWN_RESERVATION: 404, ALREADY_PLAYED: 409 } as const;

async function reserveSeat(e: RequestEvent<"id">) {
  const { seat } = await e.bindBody<{ seat: string }>();
  const result = await reservations.reserve(e.pathValue("id"), seat);
  if (result.ok) {
    e.setHeader("Location", `/reservations/${result.data.id}`);
    return e.json(201, result.data);
  }
  switch (result.error) {
    case "UNKNOWN_CONCERT":
      throw e.error(404, "There is no such concert.");
    case "SOLD_OUT":
      throw e.error(410, "This concert is sold out.");
    case "SEAT_TAKEN":
      throw e.error(409, "Somebody else has this seat.");
  }
}

async function cancelReservation(e: RequestEvent<"id">) {
  const result = await reservations.cancel(e.pathValue("id"));
  if (!result.ok) throw e.error(CANCEL_STATUS[result.error], "This reservation cannot be cancelled.");
  return e.noContent();
}

// The page of the box office shows either; for it, a sale that is closed is no error.
async function getAvailability(e: RequestEvent<"id">) {
  const result = await reservations.availability(e.pathValue("id"));
  return e.json(200, result);
}

async function countFreeSeats(e: RequestEvent<"id">) {
  const result = await reservations.availability(e.pathValue("id"));
  if (!result.ok) return e.json(503, { reason: result.error });
  return e.json(200, { free: result.data.free, rows: result.data.rows.length });
}

export function routes(router: VersionedRouter): void {
  router.post("/concerts/{id}/reservations", reserveSeat);
  router.delete("/reservations/{id}", cancelReservation);
  router.get("/concerts/{id}/availability", getAvailability);
  router.get("/concerts/{id}/free", countFreeSeats);
}
