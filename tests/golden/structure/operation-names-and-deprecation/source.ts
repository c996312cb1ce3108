// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { findSeats, list as listTickets, transferTicket } from "./tickets.ts";
import * as venues from "./venues.ts";

const counted = new Map<string, number>();

const counting =
  (handler: Handler): Handler =>
  (e) => {
    counted.set(e.path, (counted.get(e.path) ?? 0) + 1);
    return handler(e);
  };

interface Evening {
  day: string;
  doors: string;
  band: string;
}

const evenings: Evening[] = [];

/** Return the programme of a month. It may still change. */
function showSchedule(e: RequestEvent) {
  const month = e.query("month");
  if (!month) throw e.error(400, "Say which month.");
  return e.json(
    200,
    evenings.filter(({ day }) => day.startsWith(month)),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/tickets", listTickets);
  router.get("/venues", venues.list);
  router.get("/venues/{id}/seats", venues.listVenueSeats);
  router.get("/seats", counting(findSeats));
  router.post("/tickets/{id}/transfer", transferTicket);
  router.get("/schedule", showSchedule);
  router.get("/timetable", showSchedule);
}
