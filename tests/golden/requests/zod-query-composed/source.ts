// API_SOURCE
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const Paging = z.object({
  page: z.coerce.number().int().min(1).max(500).default(1),
  per_page: z.coerce.number().int().min(1).max(50).default(10),
});

const BookingFilter = Paging.extend({
  room: z.string().regex(/^[A-Z]\d{3}$/),
  state: z.enum(["held", "confirmed", "cancelled"]).optional(),
});

const ArrivalFilter = BookingFilter.omit({ page: true, per_page: true })
  .partial()
  .extend({
    within_hours: z.coerce.number().positive().max(48).default(24),
  });

interface Booking {
  id: string;
  room: string;
  guest: string;
  arrival: Date;
}

declare const bookings: {
  find(filter: z.infer<typeof BookingFilter>): Promise<Booking[]>;
  arrivals(filter: z.infer<typeof ArrivalFilter>): Promise<Booking[]>;
};

async function listBookings(e: RequestEvent) {
  const filter = BookingFilter.parse(Object.fromEntries(e.url.searchParams));
  return e.json(200, await bookings.find(filter));
}

async function listArrivals(e: RequestEvent) {
  let filter: z.infer<typeof ArrivalFilter>;
  try {
    filter = ArrivalFilter.parse(Object.fromEntries(e.url.searchParams.entries()));
  } catch (error) {
    e.app.logger.debug("A query was refused", { path: e.path });
    throw e.error(
      422,
      error instanceof z.ZodError ? "Some filters are not valid." : "The query is not valid.",
    );
  }
  const found = await bookings.arrivals(filter);
  return e.json(200, { count: found.length, bookings: found });
}

export function routes(router: VersionedRouter): void {
  router.get("/bookings", listBookings);
  router.get("/bookings/arrivals", listArrivals);
}
