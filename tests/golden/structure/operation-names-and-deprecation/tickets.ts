// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

interface Ticket {
  id: string;
  holder: string;
  seat: number | null;
}

const tickets: Ticket[] = [];

export function list(e: RequestEvent) {
  return e.json(200, tickets);
}

/**
 * Find free seats, in any venue. The result is not sorted.
 *
 * @deprecated Ask the venue for its seats.
 */
export function findSeats(e: RequestEvent) {
  const price = e.query("maxPrice");
  const taken = new Set(tickets.map(({ seat }) => seat));
  const limit = price === undefined ? 500 : Number(price) * 10;
  const free: number[] = [];
  for (let seat = 1; seat <= limit; seat++) if (!taken.has(seat)) free.push(seat);
  return e.json(200, { free });
}

// API_DESC Transfer a ticket to somebody else. The old holder
// API_DESC is told by mail.
// API_TAGS tickets
export async function transferTicket(e: RequestEvent<"id">) {
  const ticket = tickets.find(({ id }) => id === e.pathValue("id"));
  if (!ticket) throw e.error(404, "There is no such ticket.");
  const { holder } = await e.bindBody<{ holder: string }>();
  ticket.holder = holder;
  return e.json(200, ticket);
}
