// API_SOURCE
import type { RequestEvent, VersionedRouter } from "annex";

enum Class {
  First = "first",
  Second = "second",
}

interface Ticket {
  seat: number;
  class: Class;
}

class Tariff {
  constructor(
    private readonly currency: string,
    private readonly factor = 1,
  ) {}

  // API_DESC Returns the price of a seat.
  readonly show = (e: RequestEvent) =>
    e.json(200, { currency: this.currency, cents: Number(e.query("seat") ?? "1") * this.factor });
}

// API_DESC Sells a ticket.
async function sellTicket(e: RequestEvent) {
  const ticket = await e.bindBody<Ticket>();
  return e.json(201, { ...ticket, class: Class.Second });
}

// API_DESC Counts the free seats.
function countSeats(e: RequestEvent) {
  return e.json(200, { free: 12 });
}

// API_DESC Opens the doors.
function openDoors(e: RequestEvent) {
  if (e.header("x-driver") === undefined) throw e.error(403, "Only the driver may.");
  return e.noContent();
}

const tariff = new Tariff("EUR");
export function routes(router: VersionedRouter): void {
  const api = router.setPrefix("/api/v2");
  api.post("/tickets", sellTicket);
  api.get("/seats", countSeats);
  api.post("/doors", openDoors);
  api.get("/prices", tariff.show);
}
