// API_SOURCE
import { ApiError, type RequestEvent } from "annex";
import { parsePage } from "./paging.ts";

export interface Ticket {
  id: string;
  seat: number;
  /** What the passenger paid, in cents. */
  price: number;
  soldAt: Date;
}

interface NewTicket {
  seat: number;
}

class SoldOut extends ApiError {
  constructor() {
    super(410, "There are no seats left.");
  }
}

const tickets = new Map<string, Ticket>();

// API_DESC Sells a ticket.
// API_TAGS tickets
export async function sellTicket(e: RequestEvent) {
  const { seat } = await e.bindBody<NewTicket>();
  if (tickets.size > 52) throw new SoldOut();
  const ticket: Ticket = { id: String(tickets.size), seat, price: 250, soldAt: new Date() };
  tickets.set(ticket.id, ticket);
  return e.json(201, ticket);
}

/** Lists the tickets that were sold, page by page. */
export const listTickets = (e: RequestEvent) => {
  const { page, size } = parsePage(e);
  const all: Ticket[] = [...tickets.values()];
  return e.json(200, { page, tickets: all.slice((page - 1) * size, page * size) });
};

export class Gate {
  private readonly desk: string;

  constructor(desk: string) {
    this.desk = desk;
  }

  // API_DESC Opens the doors.
  open(e: RequestEvent) {
    if (e.header("x-driver") === undefined) throw e.error(403, "Only the driver may open the doors.");
    return e.noContent();
  }

  // API_DESC Closes the doors.
  close = (e: RequestEvent) => {
    if (e.query("force") === "true") return e.noContent();
    return e.json(202, { desk: this.desk, closing: true });
  };
}
